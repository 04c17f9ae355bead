import type { Score } from '../../core/score.ts'
import type { JudgingTotals } from './report.ts'

/** Adds up the cost of judging, score by score. */
interface JudgingSum {
  add(score: Score): void
  totals(): JudgingTotals
}

/** Creates an empty sum. */
export function createJudgingSum(): JudgingSum {
  const sums = { calls: 0, tokens: 0, callsSaved: 0, tokensSaved: 0, unscoredCells: 0, unscoredOverall: 0 }
  let usd: number | null = 0
  return {
    add({ judgeUsage, counts }) {
      sums.calls += judgeUsage.calls
      sums.tokens += judgeUsage.inputTokens + judgeUsage.outputTokens
      sums.callsSaved += judgeUsage.callsSaved
      sums.tokensSaved += judgeUsage.tokensSaved ?? 0
      sums.unscoredCells += (counts.unscoredCells ?? 0) + (counts.unscoredNodes ?? 0)
      sums.unscoredOverall += counts.overallUnscored ?? 0
      usd = usd === null || judgeUsage.usd === null ? null : usd + judgeUsage.usd
    },
    totals: () => ({ ...sums, usd }),
  }
}

/** Adds up the cost of judging over all scores, and the calls saved against the published procedure. */
export function sumJudging(scores: readonly Score[]): JudgingTotals {
  const sum = createJudgingSum()
  for (const score of scores) sum.add(score)
  return sum.totals()
}
