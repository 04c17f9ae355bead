import { addOrNull } from '../../src/core/usage.ts'
import { readCount, readTokens, reconcileUsage } from '../../src/text/reported-usage.ts'
import type { CallUsage } from '../event-parts.ts'

/** Converts the usage of one model call, or of all calls of a model, in the names of any server; null when the log has none. */
export function readCallUsage(usage: object | null | undefined): CallUsage | null {
  if (usage === null || usage === undefined) return null
  const tokens = readTokens(usage)
  const billed = reconcileUsage(tokens)
  return {
    inputTokens: billed?.input_tokens ?? null,
    cachedInputTokens: tokens.cached,
    outputTokens: readCount(billed?.output_tokens) ?? tokens.completion,
    reasoningTokens: tokens.reasoning,
    ...(billed?.uncertain === true && { uncertain: true as const }),
  }
}

/** Returns the sum of counts; null when one of them is unknown. */
export function sumOrNull(counts: readonly (number | null | undefined)[]): number | null {
  return counts.reduce<number | null>((sum, count) => addOrNull(sum, count ?? null), 0)
}

/** Returns the sum of the counts that are known; null when none is. */
export function sumKnown(counts: readonly (number | null | undefined)[]): number | null {
  const reported = counts.filter(value => value !== null && value !== undefined)
  return reported.length === 0 ? null : reported.reduce((total, value) => total + value, 0)
}
