/** A record that is left out because it is not a valid task. */
export interface SkippedRecord {
  /** 1-based. */
  readonly line: number
  readonly recordId: string | null
  readonly problem: string
  /** Absent for records of imported logs. */
  readonly code?: TaskProblemCode
  /** The file that contains the record. The default is the file that --tasks names. */
  readonly file?: string
}

/** The codes of task problems. `docs/task-files.md` says how to fix each. */
export const taskProblemCodes = [
  'invalid-record',
  'duplicate-task-id',
  'unknown-column',
  'key-and-target',
  'numeric-not-target',
  'duplicate-gold-key',
  'empty-gold',
  'kind-mismatch',
  'turns-mismatch',
  'invalid-document-name',
  'invalid-evidence',
  'invalid-facet',
  'missing-document',
  'unreadable-document',
  'document-notice',
  'unreadable-table',
  'gold-not-100',
  'gold-not-found',
  'hidden-gold',
  'mixed-columns',
  'unread-sheet',
  'short-document',
  'unknown-field',
  'duplicate-question',
] as const

export type TaskProblemCode = (typeof taskProblemCodes)[number]

/** Where the record of a task is. */
export interface TaskPlace {
  readonly file: string
  /** 1-based. */
  readonly line: number
  /** Null when the record has no id. */
  readonly taskId: string | null
}

/** One problem of one task or record. */
export interface TaskProblem extends TaskPlace {
  /** A run leaves out tasks with an error. It keeps tasks with a warning. */
  readonly severity: 'error' | 'warning'
  readonly code: TaskProblemCode
  /** What is wrong and how to fix it, without the place, which `file`, `line` and `taskId` contain. */
  readonly message: string
}
