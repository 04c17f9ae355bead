import { readMarkedNumber, writePythonFloat, writePythonJson } from '../../text/python-json.ts'
import { type CellGrid, createGrid, listColumnTexts } from './cell-grid.ts'

/** A gold table by column, with each value as its CSV contains it; a missing value is ''. */
export interface GoldTable {
  readonly keyColumns: readonly string[]
  /** The targets that are in the gold. The others are left out of the comparison. */
  readonly targetColumns: readonly string[]
  readonly numericColumns: ReadonlySet<string>
  readonly declaredTargets: number
  readonly rowCount: number
  /** All columns of the gold, in its order. Columns that are neither key nor target are not compared. */
  readonly header: readonly string[]
  /** One text for each row, by column name. */
  readonly values: ReadonlyMap<string, readonly string[]>
}

/** A gold table as in a record. A TableGold is one. */
export interface GoldSource {
  readonly keyColumns: readonly string[]
  readonly targetColumns: readonly string[]
  readonly numericColumns: readonly string[]
  /** Objects, or a grid of the texts that `writeGoldText` returns. */
  readonly rows: readonly Readonly<Record<string, unknown>>[] | CellGrid
}

/** Converts gold rows to a grid of their CSV texts, with the columns that any row has. */
export function createGoldGrid(rows: GoldSource['rows']): CellGrid {
  if ('bounds' in rows) return rows
  const header = [...collectColumnNames(rows)]
  return createGrid(header, rows.length, (row, column) => writeGoldText(rows[row]![header[column]!]))
}

/** Reads gold rows like the CSV that the published scorer reads. A key column that no row has is empty. */
export function readGoldTable(gold: GoldSource): GoldTable {
  const grid = createGoldGrid(gold.rows)
  const targetColumns = gold.targetColumns.filter(name => grid.header.includes(name))
  const values = new Map<string, readonly string[]>()
  for (const name of [...gold.keyColumns, ...targetColumns]) {
    const column = grid.header.indexOf(name)
    values.set(name, column < 0 ? new Array<string>(grid.rowCount).fill('') : listColumnTexts(grid, column))
  }
  return {
    keyColumns: gold.keyColumns,
    targetColumns,
    numericColumns: new Set(gold.numericColumns),
    declaredTargets: gold.targetColumns.length,
    rowCount: grid.rowCount,
    header: grid.header,
    values,
  }
}

/** The header and the rows of a gold table, for writing. */
export function listRowsWithHeader(gold: GoldTable): string[][] {
  const names = [...gold.keyColumns, ...gold.targetColumns]
  const rows = Array.from({ length: gold.rowCount }, (_, row) =>
    names.map(name => gold.values.get(name)![row]!),
  )
  return [names, ...rows]
}

/** The column names of all rows. Most rows have those of the first, in the same order. */
export function collectColumnNames(rows: readonly Readonly<Record<string, unknown>>[]): Set<string> {
  const first = Object.keys(rows[0] ?? {})
  const names = new Set(first)
  for (const row of rows) {
    let at = 0
    for (const name in row) {
      if (name !== first[at]) names.add(name)
      at += 1
    }
  }
  return names
}

/** A JSON value as Python writes it into a CSV: lists and objects as JSON, true as True, null as an empty text. */
function writeGoldText(value: unknown): string {
  if (typeof value === 'string') return readWrittenText(value)
  if (value === null || value === undefined) return ''
  if (typeof value === 'number')
    return Number.isInteger(value) ? writeInteger(value) : writePythonFloat(value)
  if (typeof value === 'boolean') return value ? 'True' : 'False'
  return writePythonJson(value)
}

/** A text up to its first NUL, like pandas; or a number that was stored as Python prints it. */
function readWrittenText(text: string): string {
  const end = text.indexOf('\0')
  if (end < 0) return text
  return (end === 0 ? readMarkedNumber(text) : null) ?? text.slice(0, end)
}

const writeInteger = (value: number): string =>
  Number.isSafeInteger(value) ? String(value) : BigInt(value).toString()
