import type { Attempt } from '../../core/attempt.ts'
import { describeIntervention } from '../../core/fork.ts'
import type { Score } from '../../core/score.ts'
import { identifyGold, listItems } from '../../core/score-items.ts'
import type { ForkData } from '../page/attempt-data.ts'

/** The records of a run. */
interface ForkRecords {
  readonly attempts: readonly Attempt[]
  readonly scores: readonly Score[]
}

/**
 * Lists the forks of the same source as an attempt, by the step at which they part from it. Their right items are compared
 * with those of the first fork without a change.
 */
export function listForks({ fork }: Attempt, { attempts, scores }: ForkRecords): ForkData[] {
  if (fork === undefined) return []
  const scoresById = new Map(scores.toReversed().map(score => [score.attemptId, score]))
  const siblings = attempts
    .filter(other => other.fork?.attemptId === fork.attemptId)
    .sort((a, b) => a.fork!.atStep - b.fork!.atStep)
  return siblings.map((attempt): ForkData => {
    const { atStep, intervention } = attempt.fork!
    const control = siblings.find(
      ({ fork: other }) => other!.atStep === atStep && other!.intervention.kind === 'none',
    )
    const right = listRight(scoresById.get(attempt.attemptId))
    const before = control === undefined ? null : listRight(scoresById.get(control.attemptId))
    const { cause, reason } = attempt.termination
    return {
      id: attempt.attemptId,
      step: atStep,
      change: describeIntervention(intervention),
      end: `${cause} / ${reason}`,
      right: right?.length ?? null,
      regained: right === null || before === null ? [] : right.filter(item => !before.includes(item)),
      lost: right === null || before === null ? [] : before.filter(item => !right.includes(item)),
    }
  })
}

function listRight(score: Score | undefined): string[] | null {
  if (score?.status !== 'scored') return null
  return listItems(score).flatMap(item => (item.score === 1 ? [identifyGold(item)] : []))
}
