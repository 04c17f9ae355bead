import { meanOf } from './clusters.ts'

/** One trial's outcome of one task. */
export interface TrialOutcome {
  readonly cluster: string
  readonly value: number
  readonly passed: boolean
}

export interface TrialSummary {
  /** N: trials a draw takes from each task. */
  readonly n: number
  /** Tasks with at least N trials; the others are left out. */
  readonly tasks: number
  /** Mean of a task's trials. */
  readonly average: number
  /** Expected best of N trials drawn from a task's trials without replacement. */
  readonly maximum: number
  /** Chance that at least one of N drawn trials passed. */
  readonly passRate: number
}

/**
 * Avg@N, Max@N and Pass@N, the unbiased estimates from all of a task's trials (with exactly N trials: their
 * mean, best, and whether any passed), averaged over tasks. Null where no task has N trials.
 */
export function summarizeTrials(outcomes: readonly TrialOutcome[], n: number): TrialSummary | null {
  const byTask = new Map<string, TrialOutcome[]>()
  for (const outcome of outcomes) {
    const group = byTask.get(outcome.cluster)
    if (group === undefined) byTask.set(outcome.cluster, [outcome])
    else group.push(outcome)
  }
  const groups = [...byTask.values()].filter(group => group.length >= n)
  if (groups.length === 0) return null
  return {
    n,
    tasks: groups.length,
    average: meanOf(groups.map(group => meanOf(group.map(trial => trial.value)))),
    maximum: meanOf(groups.map(group => expectedMaximum(group, n))),
    passRate: meanOf(groups.map(group => expectedMaximum(passesOf(group), n))),
  }
}

const passesOf = (trials: readonly TrialOutcome[]): { value: number }[] =>
  trials.map(trial => ({ value: trial.passed ? 1 : 0 }))

/** The k-th smallest of m values is the best of n drawn with chance C(k-1, n-1) / C(m, n). */
function expectedMaximum(trials: readonly { value: number }[], n: number): number {
  const sorted = trials.map(trial => trial.value).sort((a, b) => a - b)
  const size = sorted.length
  let chance = n / size
  let expected = 0
  for (let rank = size; rank >= n; rank -= 1) {
    expected += chance * sorted[rank - 1]!
    chance = (chance * (rank - n)) / Math.max(1, rank - 1)
  }
  return expected
}
