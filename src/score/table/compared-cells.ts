import type { AlignedAnswer } from './aligned-answer.ts'
import type { ComparedCell } from './comparison.ts'
import type { GoldTable } from './gold-table.ts'
import { type CellRating, ratings } from './rating.ts'

/** Returns the rating of a matched gold cell. */
export type RateMatchedCell = (goldRow: number, target: number) => CellRating

/** What the cells of two matched tables are made of. */
interface MatchedTables {
  readonly gold: GoldTable
  readonly answer: AlignedAnswer
  /** The answer's row of each gold row. */
  readonly rowOf: ReadonlyMap<number, number>
  /** The number of unmatched gold rows that are unscored; the others score 0. */
  readonly openRows: number
  readonly rate: RateMatchedCell
}

/** Lists every gold cell with its rating. */
export function comparedCells({ gold, answer, rowOf, openRows, rate }: MatchedTables): ComparedCell[] {
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
        rating: answerRow === undefined ? unmatched : rate(goldRow, target),
      })
    }
  }
  return cells
}

/** Lists every gold cell with the same rating. */
export function cellsWithSameRating(gold: GoldTable, reason: CellRating): ComparedCell[] {
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
