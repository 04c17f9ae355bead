import type { JudgingTotals } from '../model/report.ts'

/** Says in one line what judging cost and what it saved. */
export function judgingLine(totals: JudgingTotals): string {
  const count = (value: number): string => value.toLocaleString('en-US')
  const spent = `${count(totals.calls)} calls, ${count(totals.tokens)} tokens`
  const saved = `rules and cache saved ${count(totals.callsSaved)} calls and about ${count(totals.tokensSaved)} tokens of the published procedure`
  const failed = [
    ...(totals.unscoredCells > 0
      ? [`${count(totals.unscoredCells)} ${totals.unscoredCells === 1 ? 'item' : 'items'} unscored`]
      : []),
    ...(totals.unscoredOverall > 0 ? [`${count(totals.unscoredOverall)} overall ratings unscored`] : []),
  ]
  return [spent, saved, ...failed].join('; ')
}
