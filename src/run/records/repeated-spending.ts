import { existsSync } from 'node:fs'
import { basename, join } from 'node:path'
import { earlierTraces } from '../../../logs/earlier-traces.ts'
import type { TraceEvent } from '../../../logs/events.ts'
import { listOwnEvents, readTraceFile } from '../../../logs/reader.ts'
import { tracePath } from '../../../logs/writer.ts'
import type { RunAmounts } from '../../core/budget.ts'
import type { RepeatedSpending } from '../../report/model/report.ts'
import { readCheckpointSpending, readCheckpoints } from './checkpoint.ts'
import { listTraces } from './find-trace.ts'
import { iterateRecords } from './json-lines.ts'
import { readManifest } from './manifest-file.ts'
import { attemptKey } from './record-index.ts'
import { nameSupersededFile } from './superseded.ts'

/** Returns the traces of attempts that were made again and, unless `recorded` is null, of those without a record. */
export async function listTracesWithoutRecord(
  folder: string,
  recorded: ReadonlySet<string> | null,
): Promise<string[]> {
  if (recorded === null || !existsSync(join(folder, 'traces'))) return earlierTraces(folder)
  const unfinished = (await listTraces(folder)).filter(attemptId => !recorded.has(attemptId))
  return [...unfinished.map(attemptId => tracePath(folder, attemptId)), ...earlierTraces(folder)]
}

/**
 * Adds up what a run has spent besides the usage of its attempts, from the traces: on attempts that have no record among
 * `attempts`, and on shadow answers at checkpoints. Returns null when there is none. A damaged trace makes the sum uncertain.
 *
 * @param isRunning another process makes attempts, so that those without a record do not count yet
 */
export async function readRepeatedSpending(
  folder: string,
  attempts: readonly SpentRecord[],
  isRunning = false,
): Promise<RepeatedSpending | null> {
  const recorded = new Set(attempts.map(({ attemptId }) => attemptId))
  const paths = await listTracesWithoutRecord(folder, isRunning ? null : recorded)
  let isWhole = true
  const onDamage = (): void => {
    isWhole = false
  }
  const shadows = await readShadowAnswers(folder, recorded, onDamage)
  const withoutTrace = await countLostTraces(folder)
  if (paths.length + withoutTrace + shadows.length === 0) return null
  isWhole &&= withoutTrace === 0
  const priced = new Set(attempts.flatMap(({ model, usage }) => (usage.usd === null ? [] : [model])))
  const sums = { tokens: 0, modelCalls: 0, searchCalls: 0, fetchCalls: 0, usd: 0 }
  isWhole &&= shadows.every(({ usd }) => typeof usd === 'number')
  for (const shadow of shadows) addAmounts(sums, readCheckpointSpending(shadow))
  sums.modelCalls += shadows.length
  for (const path of paths) {
    const { events, halfLine } = await readTraceFile(path, onDamage)
    const own = listOwnEvents(events)
    isWhole &&= !halfLine
    let isUnderWay = false
    let isPriced = false
    for (const event of own) {
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
    const shadow = sumShadowSpending(own)
    sums.usd += shadow.usd
    sums.tokens += shadow.tokens
    isWhole &&= isPriced && !isUnderWay
  }
  return { attempts: paths.length + withoutTrace, shadowAnswers: shadows.length, ...sums, isWhole }
}

/** Counts the attempts in superseded.jsonl whose traces are gone, so that nothing tells what they cost. */
async function countLostTraces(folder: string): Promise<number> {
  const traces = earlierTraces(folder).map(path => basename(path).replace(/\.\d+\.jsonl$/, ''))
  const left = new Map<string, number>()
  for (const attemptId of traces) left.set(attemptId, (left.get(attemptId) ?? 0) + 1)
  let lost = 0
  for await (const { attemptId } of iterateRecords(nameSupersededFile(folder), attemptKey.schema)) {
    const traced = left.get(attemptId) ?? 0
    if (traced === 0) lost++
    left.set(attemptId, Math.max(0, traced - 1))
  }
  return lost
}

/** Returns the shadow answers of recorded attempts. Only runs with `checkpointTokens` have them. */
async function readShadowAnswers(folder: string, recorded: Iterable<string>, onDamage: () => void) {
  const { checkpointTokens } = ((await readManifest(folder)).config ?? {}) as Record<string, unknown>
  if (!Array.isArray(checkpointTokens) || checkpointTokens.length === 0) return []
  const answers = []
  for (const attemptId of recorded) answers.push(...(await readCheckpoints(folder, attemptId, onDamage)))
  return answers
}

type SpentRecord = {
  readonly attemptId: string
  readonly model: string
  readonly usage: { readonly usd: number | null }
}

/** Adds to a sum. */
export function addAmounts(sum: Record<keyof RunAmounts, number>, more: RunAmounts): void {
  sum.tokens += more.tokens
  sum.usd += more.usd
  sum.searchCalls += more.searchCalls
}

/** Returns what the shadow answers of a trace cost. */
export function sumShadowSpending(events: readonly TraceEvent[]): RunAmounts {
  const sum = { tokens: 0, usd: 0, searchCalls: 0 }
  for (const event of events) if (event.type === 'checkpoint') addAmounts(sum, readCheckpointSpending(event))
  return sum
}
