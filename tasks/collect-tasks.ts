import { DataError } from '../src/core/errors.ts'
import type { Gold } from '../src/core/gold.ts'
import type { LoadedTasks, Question, Task } from '../src/core/task.ts'
import { type SkippedRecord, taskProblemCodes } from '../src/core/task-problem.ts'

/** Where a record is. */
interface RecordPlace {
  readonly file: string
  /** 1-based. */
  readonly line: number
  /** The id of the record; null when it has none or is not known yet. */
  readonly recordId?: string | null
  /** Begins the message about a record that cannot be used: `record 3 of the list: `. */
  readonly prefix?: string
}

/** Returns a task. Calls `identify` with the id of the record as soon as it is known. */
type ReadTask<G extends Gold> = (identify: (recordId: string | null) => void) => Task<G> | Promise<Task<G>>

/** Collects the tasks of a benchmark. A record whose reading throws a DataError is collected as skipped. */
interface TaskCollector<G extends Gold> extends LoadedTasks<G> {
  add(place: RecordPlace, read: ReadTask<G>): Promise<void>
}

/** Creates a collector without tasks. */
export function createTaskCollector<G extends Gold = Gold>(): TaskCollector<G> {
  const tasks: Task<G>[] = []
  const skipped: SkippedRecord[] = []
  return {
    tasks,
    skipped,
    async add({ file, line, recordId = null, prefix = '' }, read) {
      let id = recordId
      try {
        const task = await read(name => {
          id = name
        })
        tasks.push({ ...task, source: { file, line } })
      } catch (error) {
        if (!(error instanceof DataError)) throw error
        const code = taskProblemCodes.find(name => name === error.code) ?? 'invalid-record'
        skipped.push({ line, recordId: id, problem: `${prefix}${error.message}`, code, file })
      }
    },
  }
}

/** The form of the answer that a gold needs. */
export function pickRequestForm(gold: Gold): Question['form'] {
  if (gold.kind !== 'text') return { kind: 'table' }
  return { kind: 'text', ...(gold.items === undefined ? {} : { isList: true }) }
}
