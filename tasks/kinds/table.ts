import type { AnswerKind } from '../../src/core/answer-kind.ts'
import type { TableGold } from '../../src/core/gold.ts'
import { parseAttemptAnswer } from '../../src/score/answer/parse-answer.ts'
import { listRowsWithHeader, readGoldTable } from '../../src/score/table/gold-table.ts'
import { writeCsv } from '../../src/text/csv.ts'

/** A text that shows this many cells of a row reveals the row. */
const cellsOfALeak = 3

/** Answers that are a table. */
export const tableKind: AnswerKind<TableGold> = {
  noun: 'a table',
  read(text) {
    const parsed = parseAttemptAnswer(text)
    if (parsed.status !== 'table')
      return { csv: null, rows: null, columns: null, parseStatus: parsed.status, parseNote: parsed.note }
    const { csv, rows, header, note } = parsed
    return { csv, rows: rows.length, columns: [...header], parseStatus: 'table', parseNote: note }
  },
  items: ({ rows, keyColumns, targetColumns, numericColumns }) =>
    rows.flatMap((row, goldRow) => {
      const keys = keyColumns.map(column => String(row[column] ?? ''))
      return targetColumns.map(column => ({
        id: JSON.stringify([goldRow, column]),
        goldRow,
        column,
        value: row[column] ?? null,
        isNumeric: numericColumns.includes(column),
        row,
        keys,
      }))
    }),
  groups: ({ rows }) => rows.map(values => ({ values, leastShown: cellsOfALeak })),
  shape: ({ keyColumns, targetColumns, numericColumns, rows }) => ({
    keyColumns,
    targetColumns,
    numericColumns,
    rows: rows.length,
    columns: new Set(rows.flatMap(row => Object.keys(row))).size,
    schemaKeys: null,
    values: null,
  }),
  write: gold => `\`\`\`csv\n${writeCsv(listRowsWithHeader(readGoldTable(gold)))}\`\`\`\n`,
  check: async (gold, scorers) => await (await import('./check-table.ts')).checkTableGold(gold, scorers),
}
