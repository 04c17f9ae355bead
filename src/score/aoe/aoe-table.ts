import { columnText, isMissing, type PandasColumn, readPandasColumn, startsAsText } from '../pandas/column.ts'
import { closeAsPublished, columnNumber, shortNumber } from '../pandas/numeric.ts'
import { pythonKeyText, pythonStrip } from '../python/text.ts'

/** One target column of one table; null where the table lacks it (it is then added empty). */
export interface PreparedTarget {
  readonly numeric: boolean
  readonly values: readonly string[] | null
  /** Whether its values are texts for sure, whatever stands further down. */
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
  readonly targets: readonly PreparedTarget[]
}

/**
 * @param columnOf the raw values of a column, or null where the table lacks it
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
  const keyColumns = columns.keyColumns.map(name => preparedTexts(columnOf(name), rowCount))
  const targets = columns.targetColumns.map((name): PreparedTarget => {
    const values = columnOf(name)
    const numeric = columns.numericColumns.has(name)
    return { numeric, values, plainText: !numeric && values !== null && startsAsText(values), typed: null }
  })
  return { rowCount, keyColumns, keyTexts: keyTextsOf(keyColumns, rowCount), targets }
}

/** A cell of a numeric target as a number; NaN where it is missing or none. */
export function targetNumber(target: PreparedTarget, row: number): number {
  if (target.values === null) return Number.NaN
  const value = target.values[row]!
  // Plain short numbers are the same whatever a column's kind; anything else depends on it.
  const number = shortNumber(value)
  if (number !== null) return number
  return isMissing(value) ? Number.NaN : columnNumber(typedColumn(target, target.values), row)
}

/** A cell of a text target, stripped; '' where it is missing. */
export function targetText(target: PreparedTarget, row: number): string {
  if (target.values === null) return ''
  const value = target.values[row]!
  if (target.plainText) return isMissing(value) ? '' : pythonStrip(value)
  return pythonStrip(columnText(typedColumn(target, target.values), row) ?? '')
}

function typedColumn(target: PreparedTarget, values: readonly string[]): PandasColumn {
  target.typed ??= readPandasColumn(values)
  return target.typed
}

/** Do a gold cell and an answer's cell of one target agree without a judge: numbers close, texts equal? */
export function cellsAgree(
  gold: PreparedTarget,
  goldRow: number,
  answer: PreparedTarget,
  row: number,
): boolean {
  if (gold.values !== null && answer.values !== null && gold.values[goldRow] === answer.values[row]) {
    // Words of truth are numbers in a column of nothing else alone; a text's form hangs on its column's kind.
    if (gold.numeric ? !startsAsTruth(answer.values[row]!) : gold.plainText && answer.plainText) return true
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

function preparedTexts(values: readonly string[] | null, rowCount: number): string[] {
  if (values === null) return new Array<string>(rowCount).fill('')
  const target = { numeric: false, values, plainText: startsAsText(values), typed: null }
  const texts: string[] = []
  for (let row = 0; row < rowCount; row += 1) texts.push(targetText(target, row))
  return texts
}
