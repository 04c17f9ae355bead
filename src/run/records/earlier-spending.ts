import { existsSync } from 'node:fs'
import { join } from 'node:path'
import type { TokenWeights } from '../../../agents/budget.ts'
import type { TraceEvent } from '../../../logs/events.ts'
import { listOwnEvents, readTraceFile } from '../../../logs/reader.ts'
import { tracePath } from '../../../logs/writer.ts'
import type { RunConfig } from '../../config.ts'
import { type Attempt, attemptSchema } from '../../core/attempt.ts'
import type { RunAmounts } from '../../core/budget.ts'
import { hasCallsCutOff } from '../../core/termination.ts'
import { readTokenWeights } from '../plan/caps.ts'
import { readCheckpointSpending, readCheckpoints } from './checkpoint.ts'
import { iterateRecords } from './json-lines.ts'
import { addAmounts, listTracesWithoutRecord, sumShadowSpending } from './repeated-spending.ts'

/**
 * Returns what a run's attempts have spent so far. Recorded attempts count by their records. Attempts that were made again,
 * or that a killed process left unfinished, count by their traces. Shadow answers at checkpoints are in traces only.
 */
export async function readEarlierSpending(config: RunConfig): Promise<RunAmounts> {
  const folder = config.out
  const weights = readTokenWeights(config)
  const latest = new Map<string, RunAmounts | null>()
  for await (const attempt of iterateRecords(join(folder, 'attempts.jsonl'), attemptSchema))
    latest.set(attempt.attemptId, readRecordedSpending(attempt, weights))
  const unbilled = [...latest].filter(([, spent]) => spent === null).map(([attemptId]) => attemptId)
  const paths = [
    ...unbilled.map(attemptId => tracePath(folder, attemptId)).filter(existsSync),
    ...(await listTracesWithoutRecord(folder, new Set(latest.keys()))),
  ]
  const sum = { tokens: 0, usd: 0, searchCalls: 0 }
  for (const spent of latest.values()) if (spent !== null) addAmounts(sum, spent)
  for (const path of paths)
    addAmounts(sum, sumTracedSpending(listOwnEvents((await readTraceFile(path, leaveOut)).events)))
  if (config.checkpointTokens.length === 0) return sum
  for (const [attemptId, spent] of latest)
    if (spent !== null)
      for (const shadow of await readCheckpoints(folder, attemptId, leaveOut))
        addAmounts(sum, readCheckpointSpending(shadow))
  return sum
}

/** Charges are running totals, so that the whole lines of a damaged trace tell almost everything. */
const leaveOut = (): void => undefined

/** Returns null when the provider did not report what it billed for every call. The trace contains the charges instead. */
function readRecordedSpending({ usage, termination }: Attempt, weights: TokenWeights): RunAmounts | null {
  if (hasCallsCutOff(termination.detail)) return null
  const { inputTokens, outputTokens, searchCalls, usd } = usage
  if (inputTokens === null || outputTokens === null || searchCalls === null) return null
  const cached = Math.min(inputTokens, usage.cachedInputTokens ?? 0)
  const tokens = inputTokens - cached + cached * weights.cachedInput + outputTokens * weights.output
  return { tokens: Math.ceil(tokens), usd: usd ?? 0, searchCalls }
}

/** Returns all charges of a trace. A request that was running when the process was killed counts with its input tokens. */
function sumTracedSpending(events: readonly TraceEvent[]): RunAmounts {
  const charged = { tokens: 0, usd: 0, searchCalls: 0 }
  let underWay = 0
  for (const event of events) {
    if (event.type === 'budget-charged' && event.kind in charged)
      charged[event.kind as keyof typeof charged] = event.total
    if (event.type === 'model-called')
      underWay = event.maxOutputTokens === null ? 0 : event.reservedTokens - event.maxOutputTokens
    if (event.type === 'model-answered' || event.type === 'provider-retried' || event.type === 'terminated')
      underWay = 0
  }
  addAmounts(charged, sumShadowSpending(events))
  return { ...charged, tokens: charged.tokens + underWay }
}
