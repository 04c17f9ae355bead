import { columnText, isMissing, readPandasColumn, startsAsText } from '../pandas/column.ts'
import { columnNumber, shortNumber } from '../pandas/numeric.ts'
import { pythonKeyText, pythonStrip } from '../python/text.ts'

/** One target column made ready to be compared: as numbers if `numeric`, else as texts; the other list is empty. */
export interface PreparedTarget {
  readonly numeric: boolean
  readonly numbers: Float64Array
  readonly texts: readonly string[]
}

/** A table as the published scorer cleans it: keys and text targets stripped, numeric targets as numbers or NaN. */
export interface PreparedTable {
  readonly rowCount: number
  /** By key column, one text a row. */
  readonly keyColumns: readonly (readonly string[])[]
  /** One text a row: the key as Python's str() gives it. */
  readonly keyTexts: readonly string[]
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
  const keyColumns: string[][] = []
  for (const name of columns.keyColumns) keyColumns.push(preparedTexts(columnOf(name), rowCount))
  const targets: PreparedTarget[] = []
  for (const name of columns.targetColumns) {
    const values = columnOf(name)
    targets.push(
      columns.numericColumns.has(name)
        ? { numeric: true, numbers: preparedNumbers(values, rowCount), texts: noTexts }
        : { numeric: false, numbers: noNumbers, texts: preparedTexts(values, rowCount) },
    )
  }
  return { rowCount, keyColumns, keyTexts: keyTextsOf(keyColumns, rowCount), targets }
}

const noTexts: readonly string[] = []
const noNumbers = new Float64Array(0)

function keyTextsOf(keyColumns: readonly (readonly string[])[], rowCount: number): readonly string[] {
  if (keyColumns.length === 1) return keyColumns[0]!
  const texts: string[] = []
  for (let row = 0; row < rowCount; row += 1)
    texts.push(pythonKeyText(keyColumns.map(column => column[row]!)))
  return texts
}

function preparedTexts(values: readonly string[] | null, rowCount: number): string[] {
  const texts: string[] = []
  if (values !== null && startsAsText(values)) {
    for (const value of values) texts.push(isMissing(value) ? '' : pythonStrip(value))
    return texts
  }
  const column = values === null ? null : readPandasColumn(values)
  if (column === null) {
    for (let row = 0; row < rowCount; row += 1) texts.push('')
    return texts
  }
  for (let row = 0; row < rowCount; row += 1) texts.push(pythonStrip(columnText(column, row) ?? ''))
  return texts
}

function preparedNumbers(values: readonly string[] | null, rowCount: number): Float64Array {
  const numbers = new Float64Array(rowCount)
  if (values === null) return numbers.fill(Number.NaN)
  for (let row = 0; row < rowCount; row += 1) {
    const value = values[row]!
    const number = isMissing(value) ? Number.NaN : shortNumber(value)
    if (number === null) return numbersByKind(values, numbers)
    numbers[row] = number
  }
  return numbers
}

/** Plain short numbers are the same whatever a column's kind; anything else depends on it. */
function numbersByKind(values: readonly string[], numbers: Float64Array): Float64Array {
  const column = readPandasColumn(values)
  for (let row = 0; row < values.length; row += 1) numbers[row] = columnNumber(column, row)
  return numbers
}
