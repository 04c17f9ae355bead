import { createPauses } from '../../core/runtime.ts'
import type { Judge } from '../contract/judge.ts'
import { estimatePublishedTokens } from '../judge/published-tokens.ts'
import type { JudgeTally } from '../judge/tally.ts'
import { judgeCells, type OpenCell } from './judge-cells.ts'
import type { CellRating } from './rating.ts'

/** A rating by the rules, or a cell that a judge must decide. */
export type RuleVerdict = CellRating | OpenCell

/** How cells that the rules do not decide are judged. */
interface CellJudging {
  readonly judge: Judge
  readonly tally: JudgeTally
  /** Whether the scorer allows several cells of one column in one call. */
  readonly allowBatch: boolean
  /** Whether the published procedure asks its model about a cell with this verdict. */
  readonly publishedAsks: (verdict: RuleVerdict) => boolean
  /** The texts of gold and answer that its prompt would show. */
  readonly cellAt: (
    goldRow: number,
    answerRow: number,
    target: number,
  ) => { readonly gold: string; readonly predicted: string }
}

/**
 * Rates every target of every matched row: by rules if they decide, else by the judge.
 *
 * @param rowOf the answer's row of each gold row
 * @param rule rates a cell by rules, or returns the cell for the judge
 * @returns a function that returns the rating of a matched gold cell
 */
export async function rateMatched(
  rowOf: ReadonlyMap<number, number>,
  targets: number,
  rule: (goldRow: number, answerRow: number, target: number) => RuleVerdict,
  judging: CellJudging,
): Promise<(goldRow: number, target: number) => CellRating> {
  const decided = new Map<number, CellRating>()
  const open: { readonly place: number; readonly cell: OpenCell }[] = []
  const pauseWhenDue = createPauses()
  for (const [goldRow, answerRow] of rowOf) {
    await pauseWhenDue()
    for (let target = 0; target < targets; target += 1) {
      const verdict = rule(goldRow, answerRow, target)
      if (judging.judge.kind !== 'none' && judging.publishedAsks(verdict)) {
        const { gold, predicted } = judging.cellAt(goldRow, answerRow, target)
        judging.tally.wouldCall(1, estimatePublishedTokens(gold, predicted))
      }
      const place = goldRow * targets + target
      if ('rule' in verdict) decided.set(place, verdict)
      else open.push({ place, cell: verdict })
    }
  }
  const judged = await judgeCells(
    judging.judge,
    open.map(entry => entry.cell),
    judging.tally,
    judging.allowBatch,
  )
  for (const [i, { place }] of open.entries()) decided.set(place, judged[i]!)
  return (goldRow, target) => decided.get(goldRow * targets + target)!
}
