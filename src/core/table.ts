import type { ArmOptions } from './arm.ts'
import type { MetricUnit } from './metric.ts'

/** A setting with its options. With a model, it is named with the model. */
export interface ArmCell {
  readonly setting: string
  readonly options: ArmOptions
  readonly model?: string
}

/** A mean in the unit of its metric, with what is known about it. */
export interface MeasuredCell {
  readonly unit: MetricUnit
  readonly mean: number | null
  /** The ends of the 95% interval. */
  readonly low?: number | null
  readonly high?: number | null
  /** The mean with every item that a judge did not rate counted as wrong, and as right. */
  readonly bounds?: { readonly low: number; readonly high: number } | null
  /** Present when the interval is too narrow for such scores: the share of groups with others that could have gone unseen. */
  readonly unseenShare?: number
  /** The direction of a change that the table marks. */
  readonly arrow?: '' | '↑' | '↓'
  /** The number of values, where it differs from that of the row. */
  readonly n?: number
}

/** A part of a whole, with the 95% interval of its share. */
export interface PartCell {
  readonly part: number
  readonly whole: number
  readonly low?: number | null
  readonly high?: number | null
  /** As in a measured cell. */
  readonly unseenShare?: number
}

/** The ends between which a difference lies, in the unit of its metric. */
export interface DifferenceRangeCell {
  readonly unit: MetricUnit
  readonly least: number
  readonly most: number
}

/** Attempts or tasks, and the number of groups of tasks that share documents. */
export interface SampleCell {
  readonly n: number
  readonly components: number
}

/** What a column can contain, by the name of its type. */
interface CellTypes {
  readonly text: string
  /** Numbers in a form of their own, aligned like numbers. */
  readonly 'number-text': string
  readonly arm: ArmCell
  /** An arm of one setting, shown by its options alone. */
  readonly options: ArmCell
  /** The full name of a model. Printed tables shorten it, and leave the column out when all rows have the same model. */
  readonly model: string
  readonly count: number
  /** A count that may be large or a mean: 950, 12.3k. */
  readonly amount: number
  /** A number from -1 to 1, with two or with three digits. */
  readonly correlation: number
  readonly agreement: number
  /** A share, from 0 to 1, printed in percent. */
  readonly share: number
  readonly usd: number
  /** Milliseconds, printed in seconds; `shortMs` with three digits. */
  readonly ms: number
  readonly shortMs: number
  readonly p: number
  readonly mean: MeasuredCell
  readonly interval: MeasuredCell
  /** A mean with half the width of its interval, where it is near the middle. */
  readonly spread: MeasuredCell
  /** A difference with its sign and its interval. */
  readonly change: MeasuredCell
  readonly changes: DifferenceRangeCell
  /** A part of a whole as `3/4`, and with its share in percent. */
  readonly fraction: PartCell
  readonly parts: PartCell
  readonly sample: SampleCell
  /** The first and the last of a range of counts. */
  readonly range: readonly [number, number]
}

export type ColumnType = keyof CellTypes

/** A value of a table. Null: unknown. An empty text: there is nothing to say. */
export type CellValue = CellTypes[ColumnType] | '' | null

/** A column of a table. */
export interface TableColumn extends ColumnOptions {
  /** The words for its values, as in CSV. */
  readonly name: string
  readonly type: ColumnType
}

interface ColumnOptions {
  /** The head in printed tables, where it is not the name. Line breaks split it over several lines. */
  readonly head?: string
  /** True: the column is in JSON and CSV, but not in printed tables. */
  readonly detail?: true
}

/** A table as typed values, from which every format is made. The title names what all of its numbers depend on. */
export interface Table {
  /** The name of its file in the folders of --csv and --latex. */
  readonly id?: string
  readonly title: string
  readonly columns: readonly TableColumn[]
  readonly rows: readonly (readonly CellValue[])[]
  /** Explanations below the table, a line each. */
  readonly remarks: readonly string[]
}

/** A column with the function that reads its value from a row. */
export interface ReadColumn<Row> extends TableColumn {
  value(row: Row): CellValue
}

/** Creates a column that reads its values with `value`. */
export function column<Type extends ColumnType, Row>(
  name: string,
  type: Type,
  value: (row: Row) => CellTypes[Type] | '' | null,
  { head, detail }: ColumnOptions = {},
): ReadColumn<Row> {
  return {
    name,
    type,
    ...(head === undefined ? {} : { head }),
    ...(detail === true ? { detail } : {}),
    value,
  }
}

/** `column` for rows of one type. */
type ColumnMaker<Row> = <Type extends ColumnType>(
  name: string,
  type: Type,
  value: (row: Row) => CellTypes[Type] | '' | null,
  options?: ColumnOptions,
) => ReadColumn<Row>

/** The parts of a table, with the rows that its columns read. */
interface TypedTableSource<Row> {
  readonly id?: string
  readonly title: string
  readonly rows: readonly Row[]
  readonly columns: (column: ColumnMaker<Row>) => readonly ReadColumn<Row>[]
  readonly remarks?: readonly string[]
}

/** Makes a table of these rows. */
export function makeTable<Row>({
  id,
  title,
  rows,
  columns: make,
  remarks = [],
}: TypedTableSource<Row>): Table {
  const columns = make(column)
  return {
    ...(id === undefined ? {} : { id }),
    title,
    columns: columns.map(({ value: _, ...column }) => column),
    rows: rows.map(row => columns.map(({ value }) => value(row))),
    remarks,
  }
}
