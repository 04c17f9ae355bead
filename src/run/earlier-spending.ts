import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { readTrace } from '../../logs/reader.ts'
import { tracePath } from '../../logs/writer.ts'
import { type Attempt, attemptSchema } from '../core/attempt.ts'
import type { TokenWeights } from './caps.ts'
import type { RunAmounts } from './run-budget.ts'
import { readRecords } from './run-folder.ts'

/** What the attempts that a run's folder holds have spent, those that were made again included. */
export async function spentEarlier(folder: string, weights: TokenWeights): Promise<RunAmounts> {
  const attempts = [
    ...(await readRecords(join(folder, 'attempts.jsonl'), attemptSchema)),
    ...(await readRecords(join(folder, 'superseded.jsonl'), attemptSchema)),
  ]
  const sum = { tokens: 0, usd: 0, searchCalls: 0 }
  for (const attempt of attempts) {
    const spent = recorded(attempt, weights) ?? (await traced(folder, attempt))
    sum.tokens += spent.tokens
    sum.usd += spent.usd
    sum.searchCalls += spent.searchCalls
  }
  return sum
}

/** Null where the provider did not say what it billed: the trace has what was charged instead. */
function recorded({ usage }: Attempt, weights: TokenWeights): RunAmounts | null {
  const { inputTokens, outputTokens, searchCalls, usd } = usage
  if (inputTokens === null || outputTokens === null) return null
  const cached = Math.min(inputTokens, usage.cachedInputTokens ?? 0)
  const tokens = inputTokens - cached + cached * weights.cachedInput + outputTokens * weights.output
  return { tokens: Math.ceil(tokens), usd: usd ?? 0, searchCalls }
}

async function traced(folder: string, attempt: Attempt): Promise<RunAmounts> {
  const charged = { tokens: 0, usd: 0, searchCalls: attempt.usage.searchCalls }
  if (!existsSync(tracePath(folder, attempt.attemptId))) return charged
  const { events } = await readTrace(folder, attempt.attemptId)
  for (const event of events) {
    if (event.type !== 'budget-charged') continue
    if (event.kind === 'tokens' || event.kind === 'usd') charged[event.kind] = event.total
  }
  return charged
}
