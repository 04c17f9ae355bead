import type { TraceEvent } from '../../../logs/events.ts'
import type { Attempt } from '../../core/attempt.ts'
import type { Score } from '../../core/score.ts'
import type { Task } from '../../core/task.ts'
import type { TextIndexes } from '../../evidence/text-index.ts'
import type { Report } from '../../report/model/report.ts'
import type { SeenDocuments } from '../records/seen-documents.ts'

/** A run that is exported. */
export interface ExportedRun {
  /** The name in the column `run`. */
  readonly name: string
  readonly report: Report
  /** The tasks by id. Empty when their files are missing or have changed. */
  readonly tasks: ReadonlyMap<string, Task>
}

/** An attempt that is exported, with everything that its rows are made from. */
export interface ExportedAttempt {
  readonly run: ExportedRun
  readonly attempt: Attempt
  readonly scores: readonly Score[]
  /** The id of its arm, as in reports. */
  readonly arm: string
  /** Whether it is in the leak ledger. */
  readonly isTainted: boolean
  /** Null when the trace is missing or damaged. */
  readonly events: readonly TraceEvent[] | null
  /** Null when the task's files are missing or have changed. */
  readonly task: Task | null
  /** Null when the run did not keep the documents that the attempt saw. */
  readonly seen: SeenDocuments | null
  /** Indexes of texts, shared by all attempts: most attempts of a task see the same documents. */
  readonly indexes: TextIndexes
  /** Returns a stored text of a trace by its hash; null when it is missing. */
  readonly blob: (hash: string) => string | null
}
