import type { Attempt } from '../../core/attempt.ts'
import { groupBy } from '../../core/group-by.ts'
import type { Score } from '../../core/score.ts'
import { compareRight, correctItems, mapFirstScores, nameItem } from '../../core/score-items.ts'
import type { Task } from '../../core/task.ts'
import type { ForkData } from '../page/attempt-data.ts'

/** The records of a run. */
interface ForkRecords {
  readonly attempts: readonly Attempt[]
  readonly scores: readonly Score[]
  /** Absent when they are not available. */
  readonly tasks?: ReadonlyMap<string, Task>
}

/**
 * Returns what lists the forks of the same source as an attempt, by the step at which they part from it. Their right items
 * are compared with those of the first fork without a change.
 */
export function createForkLister({ attempts, scores, tasks }: ForkRecords): (attempt: Attempt) => ForkData[] {
  const firstScores = mapFirstScores(scores)
  const bySource = groupBy(attempts, ({ fork }) => fork?.attemptId)
  for (const forks of bySource.values()) forks.sort((a, b) => (a.fork?.atStep ?? 0) - (b.fork?.atStep ?? 0))
  return ({ fork }) => {
    const siblings = fork === undefined ? [] : (bySource.get(fork.attemptId) ?? [])
    return siblings.map((attempt): ForkData => {
      const { atStep, intervention } = attempt.fork!
      const control = siblings.find(
        ({ fork: other }) => other!.atStep === atStep && other!.intervention.kind === 'none',
      )
      const score = firstScores.get(attempt.attemptId)
      const { cause, reason } = attempt.termination
      const { regained, lost } = compareRight(control && firstScores.get(control.attemptId), score)
      const gold = tasks?.get(attempt.taskId)?.gold
      const table = gold?.kind === 'table' && score?.turns === undefined ? gold : null
      return {
        id: attempt.attemptId,
        step: atStep,
        change: intervention.kind,
        value: intervention.value,
        end: `${cause} / ${reason}`,
        right: score?.status === 'scored' ? correctItems(score) : null,
        regained: regained.map(item => nameItem(item, table)),
        lost: lost.map(item => nameItem(item, table)),
      }
    })
  }
}
