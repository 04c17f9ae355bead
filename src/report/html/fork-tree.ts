import type { Attempt } from '../../core/attempt.ts'
import { describeIntervention } from '../../core/fork.ts'
import { groupBy } from '../../core/group-by.ts'
import type { Score } from '../../core/score.ts'
import { compareRight, correctItems, mapFirstScores } from '../../core/score-items.ts'
import type { ForkData } from '../page/attempt-data.ts'

/** The records of a run. */
interface ForkRecords {
  readonly attempts: readonly Attempt[]
  readonly scores: readonly Score[]
}

/**
 * Returns what lists the forks of the same source as an attempt, by the step at which they part from it. Their right items
 * are compared with those of the first fork without a change.
 */
export function createForkLister({ attempts, scores }: ForkRecords): (attempt: Attempt) => ForkData[] {
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
      return {
        id: attempt.attemptId,
        step: atStep,
        change: describeIntervention(intervention),
        end: `${cause} / ${reason}`,
        right: score?.status === 'scored' ? correctItems(score) : null,
        ...compareRight(control && firstScores.get(control.attemptId), score),
      }
    })
  }
}
