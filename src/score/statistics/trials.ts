import { groupBy } from '../../core/group-by.ts'
import { computeMean } from './clusters.ts'

/** A value of one trial of a task (`cluster`). */
export interface TrialOutcome {
  readonly cluster: string
  readonly value: number
}

/** Avg@N, Max@N and Min@N. */
export interface TrialSummary {
  /** N: the number of trials drawn from each task. */
  readonly n: number
  /** The number of tasks with at least N trials; the others are left out. */
  readonly tasks: number
  /** The mean of a task's trials. */
  readonly average: number
  /** The expected greatest value of N trials drawn without replacement. */
  readonly maximum: number
  /** The expected smallest value of N trials drawn without replacement. */
  readonly minimum: number
}

/**
 * Computes Avg@N, Max@N and Min@N averaged over tasks. These are unbiased estimates from all trials of a task; with
 * exactly N trials they are the mean, the greatest and the smallest value. Null when no task has N trials.
 */
export function summarizeTrials(outcomes: readonly TrialOutcome[], n: number): TrialSummary | null {
  const byTask = groupBy(outcomes, ({ cluster }) => cluster)
  const groups = [...byTask.values()]
    .filter(trials => trials.length >= n)
    .map(trials => trials.map(({ value }) => value))
  if (groups.length === 0) return null
  return {
    n,
    tasks: groups.length,
    average: computeMean(groups.map(computeMean)),
    maximum: computeMean(groups.map(values => computeExpectedMaximum(values, n))),
    minimum: computeMean(
      groups.map(
        values =>
          0 -
          computeExpectedMaximum(
            values.map(value => -value),
            n,
          ),
      ),
    ),
  }
}

/** The k-th smallest of m values is the best of n drawn with probability C(k-1, n-1) / C(m, n). */
function computeExpectedMaximum(values: readonly number[], n: number): number {
  const sorted = values.toSorted((a, b) => a - b)
  const size = sorted.length
  let chance = n / size
  let expected = 0
  for (let rank = size; rank >= n; rank -= 1) {
    expected += chance * sorted[rank - 1]!
    chance = (chance * (rank - n)) / Math.max(1, rank - 1)
  }
  return expected
}
