import type { AlignedAnswer } from './aligned-answer.ts'
import type { ComparedCell } from './comparison.ts'
import type { GoldTable } from './gold-table.ts'
import { type CellRating, ratings } from './rating.ts'

/**
 * Lists every gold cell with its rating.
 *
 * @param rowOf the answer's row of each gold row
 * @param openRows the number of unmatched gold rows that are unscored; the others score 0
 */
export function comparedCells(
  gold: GoldTable,
  answer: AlignedAnswer,
  rowOf: ReadonlyMap<number, number>,
  openRows: number,
  rate: (goldRow: number, target: number, answerRow: number) => CellRating,
): ComparedCell[] {
  const goldColumns = gold.targetColumns.map(name => gold.values.get(name)!)
  const answerColumns = gold.targetColumns.map(name => answer.columnOf(name))
  const cells: ComparedCell[] = []
  let unmatchedRows = 0
  for (let goldRow = 0; goldRow < gold.rowCount; goldRow += 1) {
    const answerRow = rowOf.get(goldRow)
    if (answerRow === undefined) unmatchedRows += 1
    const unmatched = unmatchedRows > openRows ? ratings.unmatchedRow : ratings.judgeFailed
    for (const [target, column] of gold.targetColumns.entries()) {
      cells.push({
        goldRow,
        column,
        gold: goldColumns[target]![goldRow]!,
        predicted: answerRow === undefined ? null : (answerColumns[target]?.[answerRow] ?? ''),
        rating: answerRow === undefined ? unmatched : rate(goldRow, target, answerRow),
      })
    }
  }
  return cells
}

/** Lists every gold cell with the same rating. */
export function cellsWithout(gold: GoldTable, reason: CellRating): ComparedCell[] {
  return Array.from({ length: gold.rowCount }, (_, goldRow) =>
    gold.targetColumns.map(column => ({
      goldRow,
      column,
      gold: gold.values.get(column)![goldRow]!,
      predicted: null,
      rating: reason,
    })),
  ).flat()
}
