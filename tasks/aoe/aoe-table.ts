import {
  isMissing,
  isWord,
  type PandasColumn,
  readColumnText,
  readPandasColumn,
} from '../../src/score/pandas/column.ts'
import { closeAsPublished, readColumnNumber, readShortNumber } from '../../src/score/pandas/numeric.ts'
import { pythonKeyText, pythonStrip } from '../../src/score/python/text.ts'
import { type CellGrid, listColumnTexts, readCellText } from '../../src/score/table/cell-grid.ts'

/** One column of one table. */
export interface PreparedColumn {
  readonly grid: CellGrid
  /** Its position in the grid; negative when the table lacks it. The published scorer then adds an empty column. */
  readonly index: number
  readonly numeric: boolean
  /** Whether pandas certainly types the column as text. */
  readonly plainText: boolean
  /** The column as pandas types it, computed on first use. */
  typed: PandasColumn | null
}

/**
 * A table as AOE's published scorer cleans it (arXiv 2507.16271): keys and text targets are stripped; numeric targets
 * are numbers or NaN.
 */
export interface PreparedTable {
  readonly rowCount: number
  /** One text for each row, by key column. */
  readonly keyColumns: readonly (readonly string[])[]
  /** The key of each row as Python's str() writes it. */
  readonly keyTexts: readonly string[]
  readonly targets: readonly PreparedColumn[]
}

/**
 * Prepares a table for the published comparison.
 *
 * @param indexOf the position of a column in the grid; negative when the table lacks it
 */
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
  const keyColumns = columns.keyColumns.map(name => listKeyValues(prepareColumn(grid, indexOf(name), false)))
  const targets = columns.targetColumns.map(name =>
    prepareColumn(grid, indexOf(name), columns.numericColumns.has(name)),
  )
  return { rowCount, keyColumns, keyTexts: writeKeys(keyColumns, rowCount), targets }
}

function prepareColumn(grid: CellGrid, index: number, numeric: boolean): PreparedColumn {
  let plainText = false
  for (let row = 0; row < grid.rowCount && index >= 0 && !numeric && !plainText; row += 1)
    plainText = isWord(readCellText(grid, row, index))
  return { grid, index, numeric, plainText, typed: null }
}

/** The number in a cell of a numeric target; NaN when it is missing or not a number. */
function readTargetNumber(target: PreparedColumn, row: number): number {
  if (target.index < 0) return Number.NaN
  const value = readCellText(target.grid, row, target.index)
  // Short plain numbers do not depend on the type of their column. All other values do.
  const number = readShortNumber(value)
  if (number !== null) return number
  return isMissing(value) ? Number.NaN : readColumnNumber(readTypedColumn(target), row)
}

/** The stripped text of a cell of a text target; '' when it is missing. */
export function readTargetText(target: PreparedColumn, row: number): string {
  if (target.index < 0) return ''
  if (!target.plainText) return pythonStrip(readColumnText(readTypedColumn(target), row) ?? '')
  const value = readCellText(target.grid, row, target.index)
  return isMissing(value) ? '' : pythonStrip(value)
}

function readTypedColumn(target: PreparedColumn): PandasColumn {
  target.typed ??= readPandasColumn(listColumnTexts(target.grid, target.index))
  return target.typed
}

/**
 * Whether a gold cell and an answer cell of one target agree without a judge: numbers are close, or texts are equal.
 */
export function areCellsEqual(
  gold: PreparedColumn,
  goldRow: number,
  answer: PreparedColumn,
  row: number,
): boolean {
  if (gold.index >= 0 && answer.index >= 0) {
    const text = readCellText(answer.grid, row, answer.index)
    if (readCellText(gold.grid, goldRow, gold.index) === text) {
      // `true` and `false` are numbers only in a boolean column, and the text of a value depends on the type of its
      // column.
      if (gold.numeric ? !startsAsTruth(text) : gold.plainText && answer.plainText) return true
    }
  }
  return gold.numeric
    ? closeAsPublished(readTargetNumber(gold, goldRow), readTargetNumber(answer, row))
    : readTargetText(gold, goldRow) === readTargetText(answer, row)
}

function startsAsTruth(text: string): boolean {
  const letter = text.charCodeAt(0) | 0x20
  return letter === 0x74 || letter === 0x66
}

function writeKeys(keyColumns: readonly (readonly string[])[], rowCount: number): readonly string[] {
  if (keyColumns.length === 1) return keyColumns[0]!
  const texts: string[] = []
  for (let row = 0; row < rowCount; row += 1)
    texts.push(pythonKeyText(keyColumns.map(column => column[row]!)))
  return texts
}

function listKeyValues(column: PreparedColumn): string[] {
  const texts: string[] = []
  for (let row = 0; row < column.grid.rowCount; row += 1) texts.push(readTargetText(column, row))
  return texts
}
