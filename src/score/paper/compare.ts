import { alignWithJudge } from '../align/align-with-judge.ts'
import { createTally } from '../judge/tally.ts'
import { closeAsPublished, textNumber } from '../pandas/numeric.ts'
import { alignedAnswer } from '../table/aligned-answer.ts'
import { comparisonOf, comparisonWithout } from '../table/compare-tables.ts'
import type { TableComparison, TablesToCompare } from '../table/comparison.ts'
import { type RuleVerdict, rateMatched } from '../table/rate-matched.ts'
import { type CellRating, ratings } from '../table/rating.ts'
import { rawAnswer, rawGold } from '../table/raw-table.ts'
import { rateTextByRules } from '../text/rate-text.ts'
import { matchRowsAsPaper } from './match-rows.ts'

/** The scorer as the AOE paper states it (arXiv 2507.16271, section on evaluation and Algorithm 1). */
export async function compareAsPaper({ gold, answer, judge }: TablesToCompare): Promise<TableComparison> {
  const tally = createTally()
  const alignment = await alignWithJudge(
    [...gold.keyColumns, ...gold.targetColumns],
    answer.header,
    judge,
    tally,
  )
  if (alignment === null) return comparisonWithout(gold, ratings.judgeFailed, tally)
  const aligned = alignedAnswer(gold, answer, alignment)
  const left = rawGold(gold)
  const right = rawAnswer(gold, aligned)
  const matching = await matchRowsAsPaper(gold, left, right, judge, tally)
  const textsOf = (goldRow: number, row: number, target: number): readonly [string, string] => [
    left.targets[target]![goldRow]!,
    right.targets[target]![row]!,
  ]
  const rate = await rateMatched(
    matching.rowOf,
    gold.targetColumns.length,
    (goldRow, row, target) => {
      const column = gold.targetColumns[target]!
      const cell = { column, gold: left.targets[target]![goldRow]!, predicted: right.targets[target]![row]! }
      return (
        settled(cell.gold, cell.predicted, gold.numericColumns.has(column), judge.kind !== 'none') ?? cell
      )
    },
    { judge, tally, allowBatch: false, publishedAsks: (_: RuleVerdict) => true, textsOf },
  )
  return comparisonOf(gold, aligned, matching, rate, tally)
}

/** What the rules decide of a cell; null: they leave it to the judge. */
function settled(gold: string, predicted: string, numeric: boolean, byRules: boolean): CellRating | null {
  if (gold === predicted) return gold === '' ? ratings.bothEmpty : ratings.equal
  if (gold === '' || predicted === '') return ratings.oneEmpty
  if (numeric) {
    const left = textNumber(gold)
    const right = textNumber(predicted)
    if (!Number.isNaN(left) && !Number.isNaN(right)) {
      return closeAsPublished(left, right) ? ratings.numeric : ratings.numericDifferent
    }
  }
  return byRules ? rateTextByRules(gold, predicted) : ratings.different
}
