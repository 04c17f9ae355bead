import { markedNumber, pythonFloatText, pythonJsonText } from '../../text/python-json.ts'
import { type CellGrid, columnTexts, gridOf } from './cell-grid.ts'

/** A gold table by column, each value as its CSV holds it; a missing value is ''. */
export interface GoldTable {
  readonly keyColumns: readonly string[]
  /** Those targets that stand in the gold; the others are left out of the comparison. */
  readonly targetColumns: readonly string[]
  readonly numericColumns: ReadonlySet<string>
  readonly declaredTargets: number
  readonly rowCount: number
  /** By column name, one text a row. */
  readonly values: ReadonlyMap<string, readonly string[]>
}

/** A gold table as a record holds it; a TableGold is one. */
export interface GoldSource {
  readonly keyColumns: readonly string[]
  readonly targetColumns: readonly string[]
  readonly numericColumns: readonly string[]
  /** As objects, or as a grid of what `goldText` gives. */
  readonly rows: readonly Readonly<Record<string, unknown>>[] | CellGrid
}

/** The gold rows as a grid of what their CSV holds, under the names that any row has. */
export function goldGridOf(rows: GoldSource['rows']): CellGrid {
  if ('bounds' in rows) return rows
  const header = [...namesIn(rows)]
  return gridOf(header, rows.length, (row, column) => goldText(rows[row]![header[column]!]))
}

/** The gold rows as the CSV that the published scorer reads them from. A key column that no row has is empty. */
export function goldTableOf(gold: GoldSource): GoldTable {
  const grid = goldGridOf(gold.rows)
  const targetColumns = gold.targetColumns.filter(name => grid.header.includes(name))
  const values = new Map<string, readonly string[]>()
  for (const name of [...gold.keyColumns, ...targetColumns]) {
    const column = grid.header.indexOf(name)
    values.set(name, column < 0 ? new Array<string>(grid.rowCount).fill('') : columnTexts(grid, column))
  }
  return {
    keyColumns: gold.keyColumns,
    targetColumns,
    numericColumns: new Set(gold.numericColumns),
    declaredTargets: gold.targetColumns.length,
    rowCount: grid.rowCount,
    values,
  }
}

/** A gold table as it is written: the header, then the rows. */
export function rowsWithHeader(gold: GoldTable): string[][] {
  const names = [...gold.keyColumns, ...gold.targetColumns]
  const rows = Array.from({ length: gold.rowCount }, (_, row) =>
    names.map(name => gold.values.get(name)![row]!),
  )
  return [names, ...rows]
}

/** The names that any row has; rows mostly have those of the first, in its order. */
function namesIn(rows: readonly Readonly<Record<string, unknown>>[]): Set<string> {
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

/** A JSON value as Python writes it into a CSV: lists and objects as JSON text, true as True, null as nothing. */
function goldText(value: unknown): string {
  if (typeof value === 'string') return writtenText(value)
  if (value === null || value === undefined) return ''
  if (typeof value === 'number') return Number.isInteger(value) ? integerText(value) : pythonFloatText(value)
  if (typeof value === 'boolean') return value ? 'True' : 'False'
  return pythonJsonText(value)
}

/** A text up to its first NUL, as pandas keeps it; or a number that was kept as Python prints it. */
function writtenText(text: string): string {
  const end = text.indexOf('\0')
  if (end < 0) return text
  return (end === 0 ? markedNumber(text) : null) ?? text.slice(0, end)
}

const integerText = (value: number): string =>
  Number.isSafeInteger(value) ? String(value) : BigInt(value).toString()
