import type { ExportedAttempt, ExportedRun } from './exported-run.ts'

/** A value of a cell. JSON values are written as text. */
export type CellValue = string | number | boolean | null

/**
 * The type of a column: `text`; `integer`, a whole number; `number`; `boolean`; `time`, ISO 8601 in UTC; `json`, a JSON
 * value as text.
 */
export type ColumnType = 'text' | 'integer' | 'number' | 'boolean' | 'time' | 'json'

/** A column of an exported table. Its name, type and description also make the page docs/records.md. */
export interface Column<Row> {
  /** The name in the files. */
  readonly name: string
  readonly type: ColumnType
  /** The unit of a number, such as `tokens`. '' when the name says all. */
  readonly unit: string
  /** What the column contains, and when it is null. */
  readonly description: string
  value(row: Row): CellValue
}

/** Declares columns of one type: name, description, value and unit. */
type DeclareColumn = <Row>(
  name: string,
  description: string,
  value: (row: Row) => CellValue,
  unit?: string,
) => Column<Row>

const columnsOfType =
  (type: ColumnType): DeclareColumn =>
  (name, description, value, unit = '') => ({ name, type, unit, description, value })

export const text = columnsOfType('text')
export const integer = columnsOfType('integer')
export const number = columnsOfType('number')
export const boolean = columnsOfType('boolean')
export const time = columnsOfType('time')
export const json = columnsOfType('json')

/** The type, the description and the unit of a column that is a field of a record. */
type FieldColumn = readonly [type: ColumnType, description: string, unit?: string]

/** Declares the columns that are fields of one record: each has the name of its field, and null without the record. */
export function fieldColumns<Row, RecordOfRow>(
  read: (row: Row) => RecordOfRow | null | undefined,
  fields: { readonly [Name in keyof RecordOfRow & string]?: FieldColumn },
): Column<Row>[] {
  const names = Object.keys(fields) as (keyof RecordOfRow & string)[]
  return names.map(name => {
    const [type, description, unit = ''] = fields[name]!
    const value = (row: Row): CellValue => {
      const field = read(row)?.[name] ?? null
      return type === 'json' ? jsonText(field) : (field as CellValue)
    }
    return { name, type, unit, description, value }
  })
}

/** A table of an export. */
export interface ExportTable<Row> {
  /** The name of its file, without the ending. */
  readonly name: string
  /** What one row is. */
  readonly description: string
  readonly columns: readonly Column<Row>[]
  /** Columns whose names depend on the runs, such as one for each key column of the gold. */
  readonly columnsOf?: {
    /** The name with a placeholder, for the documentation. */
    readonly pattern: string
    readonly type: ColumnType
    readonly description: string
    of(runs: readonly ExportedRun[]): readonly Column<Row>[]
  }
  /** The rows of one attempt. Absent for a table about whole runs. */
  rowsOfAttempt?(attempt: ExportedAttempt): Iterable<Row>
  /** The rows of one run. Absent for a table about attempts. */
  rowsOfRun?(run: ExportedRun): Iterable<Row>
}

/** A table whose columns are all known. */
export interface OpenTable {
  readonly name: string
  readonly columns: readonly Pick<Column<unknown>, 'name' | 'type'>[]
  readonly rowsOfAttempt: (attempt: ExportedAttempt) => Iterable<readonly CellValue[]>
  readonly rowsOfRun: (run: ExportedRun) => Iterable<readonly CellValue[]>
}

/** Completes the columns of a table with those that depend on the runs. */
export function openTable<Row>(table: ExportTable<Row>, runs: readonly ExportedRun[]): OpenTable {
  const columns = [...table.columns, ...(table.columnsOf?.of(runs) ?? [])]
  function* cells(rows: Iterable<Row>): Iterable<readonly CellValue[]> {
    for (const row of rows) yield columns.map(column => column.value(row))
  }
  return {
    name: table.name,
    columns,
    rowsOfAttempt: attempt => cells(table.rowsOfAttempt?.(attempt) ?? []),
    rowsOfRun: run => cells(table.rowsOfRun?.(run) ?? []),
  }
}

/** Returns a value as JSON text; null for a missing one. */
export function jsonText(value: unknown): string | null {
  return value === undefined || value === null ? null : JSON.stringify(value)
}
