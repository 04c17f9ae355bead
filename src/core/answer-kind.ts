import type { Answer } from './attempt.ts'
import type { Gold, GoldRow, GoldValue, TaskProblem } from './task.ts'

/** One unit of gold, for evidence and loss classes. */
export interface GoldItem {
  /** Equal to the place of the scored item: `[goldRow,"column"]` of a cell as JSON, `path` of a field, `index` of an element. */
  readonly id: string
  /** 0-based row of a table; 0 for any other kind. */
  readonly goldRow: number
  /** The column of a table, the path in a JSON value, or '' . */
  readonly column: string
  readonly value: GoldValue
  /** Whether the value is compared as a number. */
  readonly isNumeric: boolean
  /** The other values of the row, from which a value may be derived; empty for any other kind. */
  readonly row: GoldRow
  /** Values that identify the row: where one names a document, only that document is evidence. */
  readonly keys: readonly string[]
}

/** Values that belong together in the gold, and how many of them a text must show to reveal the answer. */
export interface GoldGroup {
  readonly values: Readonly<Record<string, GoldValue>>
  readonly leastShown: number
}

/** How large a gold value is. Lists of columns are empty and figures null for a kind without them. */
export interface GoldShape {
  readonly keyColumns: readonly string[]
  readonly targetColumns: readonly string[]
  readonly numericColumns: readonly string[]
  readonly rows: number | null
  /** Columns that are not scored count too. */
  readonly columns: number | null
  readonly schemaKeys: number | null
  /** Scored values of gold that is no table. */
  readonly values: number | null
}

/** A kind of answer: how it is read, recorded and divided into items. One file and one line in `src/score/kinds/`. */
export interface AnswerKind<G extends Gold = Gold> {
  /** What is asked for, in a sentence's middle: `a table`, `JSON`. */
  readonly noun: string
  /** Reads an answer's text into its record, whose `parseStatus` is the kind where there is such an answer. Must not throw. */
  read(text: string): Answer
  /** The units of a gold value, in its order. */
  items(gold: G): readonly GoldItem[]
  /** What reveals the gold when a tool shows it. */
  groups(gold: G): readonly GoldGroup[]
  shape(gold: G): GoldShape
  /** The gold as an answer that `read` understands. */
  write(gold: G): string
  /**
   * Scores the gold as if it were the answer, by those of the scorers whose losses this kind can explain, and looks for
   * values that scorers misread.
   */
  check(gold: G, scorers: readonly string[]): Promise<GoldProblem[]>
}

/** Something wrong with a gold value; the caller adds its place. */
export type GoldProblem = Pick<TaskProblem, 'severity' | 'code' | 'message'>

const mostNamed = 5

/** `gold row 2`, or `gold rows 1, 2, 3, 4, 5 and 7 more`; rows are counted from 1. */
export function rowsText(rows: readonly number[]): string {
  const [only] = rows
  if (rows.length === 1) return `gold row ${only}`
  const named = rows.slice(0, mostNamed).join(', ')
  return `gold rows ${named}${rows.length > mostNamed ? ` and ${rows.length - mostNamed} more` : ''}`
}
