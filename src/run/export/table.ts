import { z } from 'zod/v4'
import type { TraceEvent } from '../../../logs/events.ts'
import type { Attempt } from '../../core/attempt.ts'
import type { Score } from '../../core/score.ts'
import type { ScoreLimits } from '../../core/score-limits.ts'
import type { Task } from '../../core/task.ts'
import type { TextIndexes } from '../../evidence/text-index.ts'
import type { Report } from '../../report/model/report.ts'
import type { AnswerTexts } from '../records/answer-files.ts'
import type { SeenDocuments } from '../records/seen-documents.ts'

/** A run that is exported. */
export interface ExportedRun {
  /** The name in the column `run`. */
  readonly name: string
  readonly report: Report
  /** What answers without any work get at the scored tasks. */
  readonly limits: readonly ScoreLimits[]
  /** The tasks by id. Empty when their files are missing or have changed. */
  readonly tasks: ReadonlyMap<string, Task>
}

/** A recorded trace. */
export interface ExportedTrace {
  /** Null when the trace is missing or damaged. */
  readonly events: readonly TraceEvent[] | null
  /** Returns a stored text of a trace by its hash; null when it is missing. */
  readonly blob: (hash: string) => string | null
}

/** An attempt that is exported, with everything that its rows are made from. */
export interface ExportedAttempt extends ExportedTrace {
  readonly run: ExportedRun
  readonly attempt: Attempt
  readonly scores: readonly Score[]
  /** The id of its arm, as in reports. */
  readonly arm: string
  /** Reads the answers as the model wrote them; null when their files are missing or have changed. */
  readonly readAnswers: () => Promise<AnswerTexts | null>
  /** Whether it is in the leak ledger. */
  readonly isTainted: boolean
  /** Null when the task's files are missing or have changed. */
  readonly task: Task | null
  /** Null when the run did not keep the documents that the attempt saw. */
  readonly seenDocuments: SeenDocuments | null
  /** Indexes of texts, shared by all attempts: most attempts of a task see the same documents. */
  readonly indexes: TextIndexes
}

/** A value of a cell. JSON values are written as text. */
export type ExportValue = string | number | boolean | null

/**
 * The type of a column: `text`; `integer`, a whole number; `number`; `boolean`; `time`, ISO 8601 in UTC; `json`, a JSON
 * value as text.
 */
export type ExportColumnType = 'text' | 'integer' | 'number' | 'boolean' | 'time' | 'json'

/** A column of an exported table. Its name, type, unit and description also make the page docs/records.md. */
export interface ExportColumn {
  /** The name in the files. */
  readonly name: string
  readonly type: ExportColumnType
  /** The unit of a number, such as `tokens`. '' when the name says all. */
  readonly unit: string
  /** What the column contains, and when it is null. */
  readonly description: string
}

type ExportColumns<Name extends string> = Readonly<Record<Name, ExportColumn>>
type Descriptions<Name extends string> = Readonly<Record<Name, string>>

/** Declares columns of one type by their names and descriptions. */
const declareColumns =
  (type: ExportColumnType) =>
  <Name extends string>(descriptions: Descriptions<Name>, unit?: string): ExportColumns<Name> =>
    makeColumns(descriptions, () => type, unit)

export const text = declareColumns('text')
export const integer = declareColumns('integer')
export const number = declareColumns('number')
export const boolean = declareColumns('boolean')
export const time = declareColumns('time')
export const json = declareColumns('json')

/** Declares columns that are fields of a record, with their descriptions. The schema says their types. */
export function recordColumns<Shape extends z.core.$ZodLooseShape, Name extends keyof Shape & string>(
  { shape }: z.ZodObject<Shape>,
  descriptions: Descriptions<Name>,
): ExportColumns<Name> {
  return makeColumns(descriptions, name => readColumnType(name, shape[name] as z.ZodType))
}

function makeColumns<Name extends string>(
  descriptions: Descriptions<Name>,
  typeOf: (name: Name) => ExportColumnType,
  unit?: string,
): ExportColumns<Name> {
  const columns = Object.entries<string>(descriptions).map(([name, description]) => {
    const type = typeOf(name as Name)
    const isNumber = type === 'integer' || type === 'number'
    return { name, type, unit: unit ?? (isNumber ? numberUnit(name, description) : ''), description }
  })
  return Object.fromEntries(columns.map(column => [column.name, column])) as ExportColumns<Name>
}

function readColumnType(name: string, schema: z.ZodType): ExportColumnType {
  if (schema instanceof z.ZodOptional || schema instanceof z.ZodNullable)
    return readColumnType(name, schema.unwrap() as z.ZodType)
  if (schema instanceof z.ZodNumber) return schema.isInt ? 'integer' : 'number'
  if (schema instanceof z.ZodString) return /^at$|At$/.test(name) ? 'time' : 'text'
  if (schema instanceof z.ZodBoolean) return 'boolean'
  return schema instanceof z.ZodEnum ? 'text' : 'json'
}

/** Returns the unit of a number, which its name contains by the rules for names. */
export function numberUnit(name: string, description: string): string {
  if (/^Share\b|\b0 to 1\b|^Mean over .* of the share\b|^Harmonic mean/.test(description)) return '0 to 1'
  if (/0 to 100\b/.test(description)) return '0 to 100'
  if (/Ms$|^ms$/.test(name)) return 'milliseconds'
  if (/usd/i.test(name)) return 'US dollars'
  if (/tokens/i.test(name)) return 'tokens'
  if (/chars/i.test(name)) return 'characters'
  if (name === 'bytes') return 'bytes'
  return /step$/i.test(name) ? 'model turns' : ''
}

/** A row by the names of its columns. A missing member is null, and further members are not exported. */
type ExportRow<Name extends string> = Readonly<Partial<Record<NoInfer<Name>, unknown>>>

interface TableDeclaration<Name extends string> {
  /** The name of its file, without the ending. */
  readonly name: string
  /** What one row is. */
  readonly description: string
  readonly columns: ExportColumns<Name>
  /** Columns whose names depend on the runs, such as one for each key column of the gold. */
  readonly runColumns?: {
    /** Its name has a placeholder, for the documentation. */
    readonly pattern: ExportColumn
    readonly list: (runs: readonly ExportedRun[]) => readonly ExportColumn[]
  }
  /** The rows of one attempt. Absent for a table about whole runs. */
  readonly attemptRows?: (attempt: ExportedAttempt) => Iterable<ExportRow<Name>>
  /** The rows of one run. Absent for a table about attempts. */
  readonly runRows?: (run: ExportedRun) => Iterable<ExportRow<Name>>
}

/** A table of an export. */
export interface ExportTable extends Omit<TableDeclaration<string>, 'columns'> {
  readonly columns: readonly ExportColumn[]
}

/** Declares a table. Its rows have a value for each column. */
export const declareTable = <Name extends string>(table: TableDeclaration<Name>): ExportTable => ({
  ...table,
  columns: Object.values<ExportColumn>(table.columns),
})

/** Returns a value as JSON text; null for a missing one. */
export function formatJson(value: unknown): string | null {
  return value === undefined || value === null ? null : JSON.stringify(value)
}
