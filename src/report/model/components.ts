import type { Attempt } from '../../core/attempt.ts'
import { taskComponents } from '../../score/statistics/components.ts'

/** The component of each task, by task id: tasks that share documents are in one (see `taskComponents`). */
export type TaskComponents = ReadonlyMap<string, string>

/**
 * Finds the components of the tasks of these attempts. Within a benchmark, documents with the same name are the same
 * document. The documents of a task are those that any of its attempts names. Imported logs without a task name them
 * in `context` or `discovery` only, and those of attempts without either are unknown.
 */
export function componentsOf(attempts: readonly Attempt[]): TaskComponents {
  return taskComponents(
    attempts.map(attempt => ({
      task: attempt.taskId,
      documents: documentsOf(attempt).map(name => JSON.stringify([attempt.benchmark, name])),
    })),
  )
}

/** Whether the records of a task's attempts say which documents it asks about. */
export function namesDocuments(attempt: Attempt): boolean {
  return attempt.documents !== undefined || attempt.context !== null || attempt.discovery !== null
}

function documentsOf({ documents = [], context, discovery }: Attempt): string[] {
  const named = [...(context?.documents ?? []), ...(discovery?.hints ?? [])]
  return [...documents, ...named.map(({ hint }) => hint)]
}
