import type { Task } from '../../core/task.ts'
import type { Leak } from '../records/leaks.ts'
import type { RunGrounds } from '../resources/grounds.ts'
import { scanForGold } from './leak-scan.ts'
import { knownDocuments, type Measures, type ToldEvent } from './measure.ts'

/** A leak before it is known whose it is. */
export type FoundLeak = Omit<Leak, 'attemptId' | 'taskId' | 'setting'>

/** Gold that tools showed; looked for when the attempt is over, so that nothing of it can reach the agent. */
export async function goldShown(
  task: Task,
  told: readonly ToldEvent[],
  grounds: RunGrounds,
  measures: Measures,
): Promise<FoundLeak[]> {
  if (told.length === 0) return []
  const leaks = scanForGold(told, {
    task,
    documents: await knownDocuments(task, grounds),
    entries: grounds.web?.entries ?? null,
    textOf: hash => grounds.blobs.get(hash),
    ...measures,
  })
  return leaks.map(leak => ({ ...leak, how: 'canary' }))
}

/** Each once, by step and address: calls that run side by side come in any order. */
export function distinctInOrder(leaks: readonly FoundLeak[]): FoundLeak[] {
  const keyOf = (leak: FoundLeak): string => JSON.stringify([leak.how, leak.url, leak.detail])
  const distinct = new Map(leaks.map(leak => [`${leak.step} ${keyOf(leak)}`, leak]))
  return [...distinct.values()].sort((a, b) => a.step - b.step || (keyOf(a) < keyOf(b) ? -1 : 1))
}
