import { optionsText, settingLabel } from '../../core/arm.ts'
import type {
  ArmCell,
  CellValue,
  ColumnType,
  DifferenceRangeCell,
  MeasuredCell,
  PartCell,
  SampleCell,
  Table,
  TableColumn,
} from '../../core/table.ts'
import { nameModels } from '../model/arm-names.ts'
import {
  formatCompactCount,
  formatDollars,
  formatFineSeconds,
  formatMetric,
  formatP,
  formatPercent,
  formatSeconds,
  formatSigned,
  listNarrowRemarks,
  meanText,
  narrowMark,
  unknown,
} from './value-text.ts'

/** A table as printed: the text of every cell. Line breaks in a head split it over several lines. */
export interface TextTable {
  readonly title: string
  readonly columns: readonly { readonly head: string; readonly align: 'left' | 'right' }[]
  readonly rows: readonly (readonly string[])[]
  /** The values of the same cells. */
  readonly values: readonly (readonly CellValue[])[]
  readonly remarks: readonly string[]
}

const leftTypes: ReadonlySet<ColumnType> = new Set(['text', 'arm', 'options', 'model'])

/** Writes a value of each type. Every value is of the type of its column. */
const writers: { readonly [Type in ColumnType]: (value: never) => string } = {
  text: (value: string) => value,
  'number-text': (value: string) => value,
  arm: formatArm,
  options: ({ options }: ArmCell) => optionsText(options) || 'defaults',
  model: (value: string) => value,
  count: String,
  amount: formatCompactCount,
  correlation: (value: number) => value.toFixed(2),
  agreement: (value: number) => value.toFixed(3),
  share: formatPercent,
  usd: formatDollars,
  ms: formatSeconds,
  shortMs: formatFineSeconds,
  p: formatP,
  mean: markMean,
  interval: formatInterval,
  spread: spreadText,
  change: changeText,
  changes: formatChanges,
  fraction: ({ part, whole }: PartCell) => `${part}/${whole}`,
  parts: formatParts,
  sample: ({ n, components }: SampleCell) => `${n} (${components})`,
  range: ([first, last]: readonly [number, number]) => `${first}–${last}`,
}

/** Names an arm as every table does: `rag [retriever=hybrid]`, with its model where rows of several are compared. */
export function formatArm({ model, ...arm }: ArmCell): string {
  return `${settingLabel(arm)}${model === undefined ? '' : ` · ${model}`}`
}

function markMean(value: MeasuredCell): string {
  const { arrow = '', bounds = null } = value
  return `${meanText(value, value)}${bounds === null ? arrow : ''}`
}

/** Writes `45.3 [38.1, 52.0]`. An interval around the rated items says nothing about the others. */
export function formatInterval(value: MeasuredCell): string {
  const { low = null, high = null, bounds = null, n } = value
  const hasInterval = low !== null && high !== null && bounds === null
  const interval = hasInterval
    ? ` [${formatMetric(value, low)}, ${formatMetric(value, high)}]${formatIntervalMark(value)}`
    : ''
  return `${markMean(value)}${interval}${n === undefined ? '' : ` n=${n}`}`
}

/** Writes `45.3 ±7.0`, or both ends of the interval where the mean is not near its middle. */
function spreadText(value: MeasuredCell): string {
  const { mean, low = null, high = null, bounds = null } = value
  if (mean === null || low === null || high === null || bounds !== null) return markMean(value)
  // At most a quarter of the half width away from the middle, so that one number describes both sides.
  const isCentred = Math.abs(mean - (low + high) / 2) <= (high - low) / 8
  return isCentred
    ? `${markMean(value)} ±${formatMetric(value, (high - low) / 2)}${formatIntervalMark(value)}`
    : formatInterval(value)
}

/** Writes a difference with its interval, and a unit after the mean: `+1.5 [-0.5, +3.5]`. */
export function changeText(value: MeasuredCell, unit = ''): string {
  const { mean, low = null, high = null } = value
  const interval =
    low === null || high === null ? '' : ` [${formatSigned(value, low)}, ${formatSigned(value, high)}]`
  return `${formatSigned(value, mean)}${unit}${interval}${formatIntervalMark(value)}`
}

/** Writes the ends between which a difference lies: `-5.8 to +1.2`. */
function formatChanges({ least, most, ...unit }: DifferenceRangeCell): string {
  return `${formatSigned(unit, least)} to ${formatSigned(unit, most)}`
}

/** Returns the mark of an interval that is too narrow for its scores. Empty for other intervals. */
function formatIntervalMark({ unseenShare }: { readonly unseenShare?: number }): string {
  return unseenShare === undefined ? '' : narrowMark
}

/** Writes `111/130 (85.4%) [79.0, 90.1]`. */
function formatParts({ part, whole, low = null, high = null, ...cell }: PartCell): string {
  const share = whole === 0 ? '' : ` (${formatPercent(part / whole)}%)`
  return `${part}/${whole}${share}${low === null || high === null ? '' : ` [${formatPercent(low)}, ${formatPercent(high)}]${formatIntervalMark(cell)}`}`
}

/** Writes the value of a cell. */
export function formatCell({ type }: TableColumn, value: CellValue): string {
  if (value === null) return unknown
  return value === '' ? '' : writers[type](value as never)
}

/** Returns what a table looks like in print: without details, with short names of models, and without the column of models when all are the same. */
export function makeTextTable({ title, columns, rows, remarks }: Table): TextTable {
  const modelsOf = columns.map(({ type }, at) => nameModels(rows.flatMap(row => listModel(type, row[at]!))))
  const places = columns.flatMap(({ detail, type }, at) =>
    detail === true || (type === 'model' && !modelsOf[at]!.several) ? [] : [at],
  )
  const armModels = nameModels(
    columns.flatMap(({ type }, at) => (type === 'arm' ? rows.flatMap(row => listModel(type, row[at]!)) : [])),
  )
  const text = (value: CellValue, at: number): string => {
    if (columns[at]!.type === 'model') return modelsOf[at]!.of(value as string)
    const isNamed =
      typeof value === 'object' && value !== null && 'setting' in value && value.model !== undefined
    return formatCell(columns[at]!, isNamed ? { ...value, model: armModels.of(value.model!) } : value)
  }
  const marked = rows.flatMap(row => places.flatMap(at => markCell(columns[at]!.type, row[at]!)))
  return {
    title,
    columns: places.map(at => {
      const { name, head = name, type } = columns[at]!
      const hasInterval = rows.some(row => isInterval(row[at]!))
      return {
        head: hasInterval ? head : head.replace(intervalHead, ''),
        align: leftTypes.has(type) ? 'left' : 'right',
      }
    }),
    rows: rows.map(row => places.map(at => text(row[at]!, at))),
    values: rows.map(row => places.map(at => row[at]!)),
    remarks: [...remarks, ...listNarrowRemarks(marked)],
  }
}

/** What heads of columns with intervals end with. Columns without any interval leave it out. */
const intervalHead = / \[95%\]$/

/** Whether a value is printed with an interval. */
function isInterval(value: CellValue): boolean {
  return (
    typeof value === 'object' && value !== null && 'low' in value && value.low != null && value.high != null
  )
}

/** The types of columns that print intervals. */
const intervalTypes: ReadonlySet<ColumnType> = new Set(['interval', 'spread', 'change', 'parts'])

/** Returns a cell whose interval has a mark. */
function markCell(type: ColumnType, value: CellValue): { readonly unseenShare?: number }[] {
  if (!intervalTypes.has(type) || value === null || value === '') return []
  const cell = value as MeasuredCell
  return cell.bounds ? [] : [cell]
}

/** Returns the model that a cell names. */
function listModel(type: ColumnType, value: CellValue): { readonly model: string }[] {
  if (type === 'model') return value === '' ? [] : [{ model: value as string }]
  const model = type === 'arm' && value !== null && value !== '' ? (value as ArmCell).model : undefined
  return model === undefined ? [] : [{ model }]
}

/** Returns the number by which a cell is sorted. Null when it has none. */
export function sortValue(value: CellValue): number | null {
  if (typeof value === 'number') return value
  if (value === null || typeof value === 'string') return null
  if (Array.isArray(value)) return value[0] as number
  if ('least' in value) return value.least
  if ('mean' in value) return value.bounds?.low ?? value.mean
  if ('n' in value) return value.n
  return 'part' in value ? value.part : null
}

/** Removes the columns of numbers without any known value. Tables of unscored attempts have many such columns. */
export function withKnownColumns(table: Table): Table {
  const isKnown = (value: CellValue | undefined): boolean =>
    value !== '' &&
    value !== null &&
    value !== undefined &&
    !(typeof value === 'object' && 'mean' in value && value.mean === null)
  const places = table.columns.flatMap(({ type }, at) =>
    leftTypes.has(type) || table.rows.some(row => isKnown(row[at])) ? [at] : [],
  )
  return {
    ...table,
    columns: places.map(at => table.columns[at]!),
    rows: table.rows.map(row => places.map(at => row[at]!)),
  }
}
