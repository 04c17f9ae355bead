import type { AnswerKind } from '../../core/answer-kind.ts'
import type { TableGold } from '../../core/task.ts'

/** So many cells of a row give it away. */
const cellsOfALeak = 3

/** Tables: an item for each cell of a target column, in row order; each row gives itself away. */
export const tableItems: Pick<AnswerKind<TableGold>, 'items' | 'groups'> = {
  items: gold => {
    const numeric = new Set(gold.numericColumns)
    return gold.rows.flatMap((row, goldRow) => {
      const keys = gold.keyColumns.map(column => String(row[column] ?? ''))
      return gold.targetColumns.map(column => ({
        id: JSON.stringify([goldRow, column]),
        goldRow,
        column,
        value: row[column] ?? null,
        isNumeric: numeric.has(column),
        row,
        keys,
      }))
    })
  },
  groups: ({ rows }) => rows.map(values => ({ values, leastShown: cellsOfALeak })),
}
