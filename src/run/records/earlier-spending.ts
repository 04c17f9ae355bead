import { existsSync } from 'node:fs'
import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { earlierTraces } from '../../../logs/earlier-traces.ts'
import type { TraceEvent } from '../../../logs/events.ts'
import { readTraceFile } from '../../../logs/reader.ts'
import { tracePath } from '../../../logs/writer.ts'
import type { RunConfig } from '../../config.ts'
import { type Attempt, attemptSchema, hasCallsCutOff } from '../../core/attempt.ts'
import type { RunAmounts } from '../../core/budget.ts'
import type { RepeatedSpending } from '../../report/model/report.ts'
import { type TokenWeights, tokenWeights, type WeightOptions } from '../plan/caps.ts'
import { checkpointSpending } from './checkpoint.ts'
import { iterateRecords } from './json-lines.ts'

/** The run's folder, and the options that decide how its attempts were charged. */
export type SpentOptions = WeightOptions & Pick<RunConfig, 'checkpointTokens' | 'out'>

/**
 * Returns what a run's attempts have spent so far. Recorded attempts count by their records. Attempts that were made again,
 * or that a killed process left unfinished, count by their traces. Shadow answers at checkpoints are in traces only.
 */
export async function readEarlierSpending(config: SpentOptions): Promise<RunAmounts> {
  const folder = config.out
  const weights = tokenWeights(config)
  const latest = new Map<string, RunAmounts | null>()
  for await (const attempt of iterateRecords(join(folder, 'attempts.jsonl'), attemptSchema))
    latest.set(attempt.attemptId, recorded(attempt, weights))
  const unbilled = [...latest].filter(([, spent]) => spent === null).map(([attemptId]) => attemptId)
  const paths = [
    ...unbilled.map(attemptId => tracePath(folder, attemptId)).filter(existsSync),
    ...(await tracesWithoutRecord(folder, latest)),
  ]
  const sum = { tokens: 0, usd: 0, searchCalls: 0 }
  for (const spent of latest.values()) if (spent !== null) add(sum, spent)
  for (const path of paths) add(sum, traced((await readTraceFile(path)).events))
  if (config.checkpointTokens.length === 0) return sum
  for (const [attemptId, spent] of latest)
    if (spent !== null && existsSync(tracePath(folder, attemptId)))
      add(sum, shadowed((await readTraceFile(tracePath(folder, attemptId))).events))
  return sum
}

function add(sum: Record<keyof RunAmounts, number>, more: RunAmounts): void {
  sum.tokens += more.tokens
  sum.usd += more.usd
  sum.searchCalls += more.searchCalls
}

/** Returns the traces of attempts that were made again and, unless `recorded` is null, of those without a record. */
async function tracesWithoutRecord(
  folder: string,
  recorded: Pick<ReadonlySet<string>, 'has'> | null,
): Promise<string[]> {
  const traces = join(folder, 'traces')
  if (recorded === null || !existsSync(traces)) return earlierTraces(folder)
  const files = (await readdir(traces)).filter(name => name.endsWith('.jsonl'))
  const unfinished = files.filter(name => !recorded.has(name.slice(0, -'.jsonl'.length))).sort()
  return [...unfinished.map(name => join(traces, name)), ...earlierTraces(folder)]
}

/**
 * Adds up what the attempts of a run have spent that have no record among `attempts`, from their traces. Returns null when
 * there are none.
 *
 * @param isRunning another process makes attempts, so that those without a record do not count yet
 */
export async function readRepeatedSpending(
  folder: string,
  attempts: readonly SpentRecord[],
  isRunning = false,
): Promise<RepeatedSpending | null> {
  const recorded = new Set(attempts.map(({ attemptId }) => attemptId))
  const paths = await tracesWithoutRecord(folder, isRunning ? null : recorded)
  if (paths.length === 0) return null
  const priced = new Set(attempts.flatMap(({ model, usage }) => (usage.usd === null ? [] : [model])))
  const sums = { tokens: 0, modelCalls: 0, searchCalls: 0, fetchCalls: 0, usd: 0 }
  let isWhole = true
  for (const path of paths) {
    const { events } = await readTraceFile(path)
    let isUnderWay = false
    let isPriced = false
    for (const event of events) {
      if (event.type === 'attempt-started') isPriced = priced.has(event.model)
      if (event.type === 'model-called') isUnderWay = true
      if (event.type === 'model-answered' || event.type === 'terminated') isUnderWay = false
      if (event.type === 'model-answered')
        sums.tokens += (event.usage?.inputTokens ?? 0) + (event.usage?.outputTokens ?? 0)
      // Tokens are weighted in budgets, and not in costs.
      if (event.type === 'budget-charged' && event.kind !== 'tokens' && event.kind in sums) {
        sums[event.kind as keyof typeof sums] += event.amount
        isPriced ||= event.kind === 'usd'
      }
    }
    const shadow = shadowed(events)
    sums.usd += shadow.usd
    sums.tokens += shadow.tokens
    isWhole &&= isPriced && !isUnderWay
  }
  return { attempts: paths.length, ...sums, isWhole }
}

type SpentRecord = {
  readonly attemptId: string
  readonly model: string
  readonly usage: Pick<Attempt['usage'], 'usd'>
}

/** Returns null when the provider did not report what it billed for every call. The trace contains the charges instead. */
function recorded({ usage, termination }: Attempt, weights: TokenWeights): RunAmounts | null {
  if (hasCallsCutOff(termination.detail)) return null
  const { inputTokens, outputTokens, searchCalls, usd } = usage
  if (inputTokens === null || outputTokens === null || searchCalls === null) return null
  const cached = Math.min(inputTokens, usage.cachedInputTokens ?? 0)
  const tokens = inputTokens - cached + cached * weights.cachedInput + outputTokens * weights.output
  return { tokens: Math.ceil(tokens), usd: usd ?? 0, searchCalls }
}

/** Returns all charges of a trace. A request that was running when the process was killed counts with its input tokens. */
function traced(events: readonly TraceEvent[]): RunAmounts {
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
  add(charged, shadowed(events))
  return { ...charged, tokens: charged.tokens + underWay }
}

/** Returns what the shadow answers of a trace cost. */
function shadowed(events: readonly TraceEvent[]): RunAmounts {
  const sum = { tokens: 0, usd: 0, searchCalls: 0 }
  for (const event of events) if (event.type === 'checkpoint') add(sum, checkpointSpending(event))
  return sum
}
