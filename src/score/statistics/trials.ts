import { meanOf } from './clusters.ts'

/** The outcome of one trial of a task (`cluster`). */
export interface TrialOutcome {
  readonly cluster: string
  readonly value: number
  readonly passed: boolean
}

/** Avg@N, Max@N and Pass@N. */
export interface TrialSummary {
  /** N: the number of trials drawn from each task. */
  readonly n: number
  /** The number of tasks with at least N trials; the others are left out. */
  readonly tasks: number
  /** The mean of a task's trials. */
  readonly average: number
  /** The expected best of N trials drawn without replacement. */
  readonly maximum: number
  /** The probability that at least one of N drawn trials passed. */
  readonly passRate: number
}

/**
 * Computes Avg@N, Max@N and Pass@N averaged over tasks. These are unbiased estimates from all trials of a task; with
 * exactly N trials they are the mean, the best, and whether any passed. Null when no task has N trials.
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

/** The k-th smallest of m values is the best of n drawn with probability C(k-1, n-1) / C(m, n). */
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
