import { type Judge, usesPublishedPrompts } from '../../src/score/contract/judge.ts'
import { createTally } from '../../src/score/judge/tally.ts'
import { closeAsPublished, readTextNumber } from '../../src/score/pandas/numeric.ts'
import { createComparison, createUniformComparison } from '../../src/score/table/compare-tables.ts'
import type { TableComparison, TablesToCompare } from '../../src/score/table/comparison.ts'
import type { OpenCell } from '../../src/score/table/judge-cells.ts'
import { rateMatched } from '../../src/score/table/rate-matched.ts'
import { rateEmpty, rateTextByRules } from '../../src/score/table/rate-text.ts'
import { type CellRating, ratings } from '../../src/score/table/rating.ts'
import { alignRawTables } from '../../src/score/table/raw-comparison.ts'
import { matchRowsAsPaper } from './match-rows-as-paper.ts'

/** Compares tables as the AOE paper states it (arXiv 2507.16271, section on evaluation and Algorithm 1). */
export async function compareAsPaper(tables: TablesToCompare): Promise<TableComparison> {
  const { gold, judge } = tables
  const tally = createTally()
  const raw = await alignRawTables(tables, tally, usesTextRules(judge))
  if (raw === null) return createUniformComparison(gold, ratings.judgeFailed, tally)
  const matching = await matchRowsAsPaper({ gold, tables: raw, judge, tally })
  const rate = await rateMatched(
    matching.rowOf,
    gold.targetColumns.length,
    (goldRow, row, target) => {
      const cell = raw.cellAt(goldRow, row, target)
      return rateByRules(cell, gold.numericColumns.has(cell.column), judge) ?? cell
    },
    { judge, tally, allowBatch: false, publishedAsks: () => true, cellAt: raw.cellAt },
  )
  return createComparison({ gold, answer: raw.aligned, matching, rate, tally })
}

const usesTextRules = (judge: Judge): boolean => judge.kind !== 'none' && !usesPublishedPrompts(judge)

/**
 * Rates a cell by rules. Texts are compared by meaning and as lists, unless the judge is `none` or has published prompts.
 *
 * @returns null when a judge must decide
 */
function rateByRules(
  { column, gold, predicted }: OpenCell,
  numeric: boolean,
  judge: Judge,
): CellRating | null {
  if (gold === predicted) return gold === '' ? ratings.bothEmpty : ratings.equal
  const byTextRules = usesTextRules(judge)
  const empty = byTextRules ? rateEmpty(gold, predicted) : null
  if (empty !== null) return empty
  if (gold === '' || predicted === '') return ratings.oneEmpty
  if (numeric) {
    const left = readTextNumber(gold)
    const right = readTextNumber(predicted)
    if (!Number.isNaN(left) && !Number.isNaN(right)) {
      return closeAsPublished(left, right) ? ratings.numeric : ratings.numericDifferent
    }
  }
  if (judge.kind === 'none') return ratings.different
  return byTextRules ? rateTextByRules(gold, predicted, column) : null
}
