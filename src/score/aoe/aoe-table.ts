import { columnText, type PandasColumn, readPandasColumn } from '../pandas/column.ts'
import { columnNumber } from '../pandas/numeric.ts'
import { pythonStrip } from '../python/text.ts'

/** One target column made ready to be compared. */
export type PreparedTarget =
  | { readonly numeric: true; readonly numbers: Float64Array }
  | { readonly numeric: false; readonly texts: readonly string[] }

/** A table as the published scorer cleans it: keys and text targets stripped, numeric targets as numbers or NaN. */
export interface PreparedTable {
  readonly rowCount: number
  /** One list of key texts a row. */
  readonly keys: readonly (readonly string[])[]
  readonly targets: readonly PreparedTarget[]
}

/**
 * @param columnOf the raw values of a column, or null where the table lacks it (it is then added empty)
 */
export function prepareTable(
  rowCount: number,
  columnOf: (name: string) => readonly string[] | null,
  columns: {
    readonly keyColumns: readonly string[]
    readonly targetColumns: readonly string[]
    readonly numericColumns: ReadonlySet<string>
  },
): PreparedTable {
  const keyTexts = columns.keyColumns.map(name => preparedTexts(columnOf(name), rowCount))
  return {
    rowCount,
    keys: Array.from({ length: rowCount }, (_, row) => keyTexts.map(texts => texts[row]!)),
    targets: columns.targetColumns.map(name => {
      const values = columnOf(name)
      return columns.numericColumns.has(name)
        ? { numeric: true, numbers: preparedNumbers(values, rowCount) }
        : { numeric: false, texts: preparedTexts(values, rowCount) }
    }),
  }
}

function preparedTexts(values: readonly string[] | null, rowCount: number): string[] {
  if (values === null) return new Array<string>(rowCount).fill('')
  const column = readPandasColumn(values)
  return Array.from({ length: rowCount }, (_, row) => pythonStrip(columnText(column, row) ?? ''))
}

function preparedNumbers(values: readonly string[] | null, rowCount: number): Float64Array {
  const numbers = new Float64Array(rowCount).fill(Number.NaN)
  if (values === null) return numbers
  const column: PandasColumn = readPandasColumn(values)
  for (let row = 0; row < rowCount; row += 1) numbers[row] = columnNumber(column, row)
  return numbers
}
