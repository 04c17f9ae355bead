import type { Score } from '../core/score.ts'
import type { JudgingTotals } from './report.ts'

/** What judging took over all scores, and what of the published procedure it saved. */
export function judgingTotals(scores: readonly Score[]): JudgingTotals {
  let [calls, tokens, callsSaved, tokensSaved, unscoredCells, unscoredOverall] = [0, 0, 0, 0, 0, 0]
  let usd: number | null = 0
  for (const { judgeUsage, counts } of scores) {
    calls += judgeUsage.calls
    tokens += judgeUsage.inputTokens + judgeUsage.outputTokens
    callsSaved += judgeUsage.callsSaved
    tokensSaved += judgeUsage.tokensSaved ?? 0
    usd = usd === null || judgeUsage.usd === null ? null : usd + judgeUsage.usd
    unscoredCells += (counts.unscoredCells ?? 0) + (counts.unscoredNodes ?? 0)
    unscoredOverall += counts.overallUnscored ?? 0
  }
  return { calls, tokens, usd, callsSaved, tokensSaved, unscoredCells, unscoredOverall }
}

/** The same in one line. */
export function judgingLine(totals: JudgingTotals): string {
  const count = (value: number): string => value.toLocaleString('en-US')
  const spent = `${count(totals.calls)} calls, ${count(totals.tokens)} tokens`
  const saved = `${count(totals.callsSaved)} calls and about ${count(totals.tokensSaved)} tokens of the published procedure saved`
  const failed = [
    ...(totals.unscoredCells > 0 ? [`${count(totals.unscoredCells)} cells unscored`] : []),
    ...(totals.unscoredOverall > 0 ? [`${count(totals.unscoredOverall)} overall ratings unscored`] : []),
  ]
  return [`${spent}; ${saved} by rules and cache`, ...failed].join('; ')
}
