import { columnText, isMissing, isWord, type PandasColumn, readPandasColumn } from '../pandas/column.ts'
import { closeAsPublished, columnNumber, shortNumber } from '../pandas/numeric.ts'
import { pythonKeyText, pythonStrip } from '../python/text.ts'
import { type CellGrid, cellText, columnTexts } from '../table/cell-grid.ts'

/** One column of one table. */
export interface PreparedColumn {
  readonly grid: CellGrid
  /** Its place; below 0 where the table lacks it (it is then added empty). */
  readonly index: number
  readonly numeric: boolean
  /** Whether its values are texts for sure. */
  readonly plainText: boolean
  /** The column as pandas types it, made when first needed. */
  typed: PandasColumn | null
}

/** A table as the published scorer cleans it: keys and text targets stripped, numeric targets as numbers or NaN. */
export interface PreparedTable {
  readonly rowCount: number
  /** By key column, one text a row. */
  readonly keyColumns: readonly (readonly string[])[]
  /** One text a row: the key as Python's str() gives it. */
  readonly keyTexts: readonly string[]
  readonly targets: readonly PreparedColumn[]
}

/** @param indexOf the place of a column in the grid; below 0 where the table lacks it */
export function prepareTable(
  grid: CellGrid,
  indexOf: (name: string) => number,
  columns: {
    readonly keyColumns: readonly string[]
    readonly targetColumns: readonly string[]
    readonly numericColumns: ReadonlySet<string>
  },
): PreparedTable {
  const { rowCount } = grid
  const keyColumns = columns.keyColumns.map(name => keyValues(prepareColumn(grid, indexOf(name), false)))
  const targets = columns.targetColumns.map(name =>
    prepareColumn(grid, indexOf(name), columns.numericColumns.has(name)),
  )
  return { rowCount, keyColumns, keyTexts: keyTextsOf(keyColumns, rowCount), targets }
}

function prepareColumn(grid: CellGrid, index: number, numeric: boolean): PreparedColumn {
  let plainText = false
  for (let row = 0; row < grid.rowCount && index >= 0 && !numeric && !plainText; row += 1)
    plainText = isWord(cellText(grid, row, index))
  return { grid, index, numeric, plainText, typed: null }
}

/** A cell of a numeric target as a number; NaN where it is missing or none. */
function targetNumber(target: PreparedColumn, row: number): number {
  if (target.index < 0) return Number.NaN
  const value = cellText(target.grid, row, target.index)
  // Plain short numbers are the same whatever a column's kind; anything else depends on it.
  const number = shortNumber(value)
  if (number !== null) return number
  return isMissing(value) ? Number.NaN : columnNumber(typedColumn(target), row)
}

/** A cell of a text target, stripped; '' where it is missing. */
export function targetText(target: PreparedColumn, row: number): string {
  if (target.index < 0) return ''
  if (!target.plainText) return pythonStrip(columnText(typedColumn(target), row) ?? '')
  const value = cellText(target.grid, row, target.index)
  return isMissing(value) ? '' : pythonStrip(value)
}

function typedColumn(target: PreparedColumn): PandasColumn {
  target.typed ??= readPandasColumn(columnTexts(target.grid, target.index))
  return target.typed
}

/** Do a gold cell and an answer's cell of one target agree without a judge: numbers close, texts equal? */
export function cellsAgree(
  gold: PreparedColumn,
  goldRow: number,
  answer: PreparedColumn,
  row: number,
): boolean {
  if (gold.index >= 0 && answer.index >= 0) {
    const text = cellText(answer.grid, row, answer.index)
    if (cellText(gold.grid, goldRow, gold.index) === text) {
      // Words of truth are numbers in a column of nothing else alone; a text's form hangs on its column's kind.
      if (gold.numeric ? !startsAsTruth(text) : gold.plainText && answer.plainText) return true
    }
  }
  return gold.numeric
    ? closeAsPublished(targetNumber(gold, goldRow), targetNumber(answer, row))
    : targetText(gold, goldRow) === targetText(answer, row)
}

function startsAsTruth(text: string): boolean {
  const letter = text.charCodeAt(0) | 0x20
  return letter === 0x74 || letter === 0x66
}

function keyTextsOf(keyColumns: readonly (readonly string[])[], rowCount: number): readonly string[] {
  if (keyColumns.length === 1) return keyColumns[0]!
  const texts: string[] = []
  for (let row = 0; row < rowCount; row += 1)
    texts.push(pythonKeyText(keyColumns.map(column => column[row]!)))
  return texts
}

function keyValues(column: PreparedColumn): string[] {
  const texts: string[] = []
  for (let row = 0; row < column.grid.rowCount; row += 1) texts.push(targetText(column, row))
  return texts
}
