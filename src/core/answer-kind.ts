import type { Answer } from './attempt.ts'
import type { Gold, GoldRow, GoldValue } from './gold.ts'
import type { TaskProblem } from './task-problem.ts'

/** One unit of gold: a cell, a field or an element. Evidence and loss classes are per item. */
export interface GoldItem {
  /** The place of the scored item: `[goldRow,"column"]` as JSON for a cell, `path` for a field, `index` for an element. */
  readonly id: string
  /** 0-based row of a table; 0 for any other kind. */
  readonly goldRow: number
  /** The column of a table, the path in a JSON value, otherwise ''. */
  readonly column: string
  readonly value: GoldValue
  /** Values that are accepted in place of it. */
  readonly otherValues?: readonly GoldValue[]
  /** Whether the value is compared as a number. */
  readonly isNumeric: boolean
  /** The other values of the row, from which a value may be derived; empty for any other kind. */
  readonly row: GoldRow
  /** Values that identify the row. When one of them names a document, only that document is evidence. */
  readonly keys: readonly string[]
}

/** Gold values that belong together, such as those of a row. */
export interface GoldGroup {
  readonly values: Readonly<Record<string, GoldValue>>
  /** A text that shows at least this many of the values reveals the answer. */
  readonly leastShown: number
}

/** The size of a gold value. For kinds without columns the lists are empty; unknown numbers are null. */
interface GoldShape {
  readonly keyColumns: readonly string[]
  readonly targetColumns: readonly string[]
  readonly numericColumns: readonly string[]
  readonly rows: number | null
  /** All columns, also those that are not scored. */
  readonly columns: number | null
  readonly schemaKeys: number | null
  /** The number of scored values, for gold that is not a table. */
  readonly values: number | null
  /** Figures of a JSON value. Absent for other kinds. */
  readonly json?: JsonShape
}

/** The size of a JSON value and its schema, as the ExtractBench paper counts them (Tables 1, 2 and 6). */
export interface JsonShape {
  /** Levels of objects and lists in the schema. Null when its scorer refuses the schema. */
  readonly depth: number | null
  /** Values in the gold that are neither objects nor lists. */
  readonly leaves: number
  /** Items of all lists in the gold. */
  readonly listItems: number
  /** The gold as it was written. */
  readonly text: string
}

/** A kind of answer: how it is read, recorded and divided into items. Each is one file and one line in `tasks/kinds/`. */
export interface AnswerKind<G extends Gold = Gold> {
  /** The name of the kind within a sentence: `a table`, `JSON`. */
  readonly noun: string
  /** Reads the text of an answer into its record. `parseStatus` is the kind when the text could be read. Never throws. */
  read(text: string): Answer
  /** Returns the units of a gold value, in the gold's order. */
  items(gold: G): readonly GoldItem[]
  /** Returns the values that reveal the gold when a tool shows them. */
  groups(gold: G): readonly GoldGroup[]
  shape(gold: G): GoldShape
  /** Returns the gold as an answer that `read` can read. */
  write(gold: G): string
  /**
   * Scores the gold as if it were the answer, and looks for values that scorers misread.
   *
   * @param scorers scorers of this kind with `hasGoldCheck`, at least one
   */
  check(gold: G, scorers: readonly string[]): Promise<GoldProblem[]>
}

/** A problem of a gold value. The caller adds its place. */
export interface GoldProblem {
  readonly severity: TaskProblem['severity']
  readonly code: TaskProblem['code']
  readonly message: string
}

const mostNamed = 5

/**
 * Names rows of the gold: `gold row 2`, or `gold rows 1, 2, 3, 4, 5 and 7 more`.
 *
 * @param rows 1-based
 */
export function rowsText(rows: readonly number[]): string {
  const [only] = rows
  if (rows.length === 1) return `gold row ${only}`
  const named = rows.slice(0, mostNamed).join(', ')
  return `gold rows ${named}${rows.length > mostNamed ? ` and ${rows.length - mostNamed} more` : ''}`
}
