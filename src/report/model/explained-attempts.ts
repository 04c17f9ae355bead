import type { Attempt } from '../../core/attempt.ts'
import type { Score } from '../../core/score.ts'
import { type Entry, groupByKey, isScored, joinEntries } from './entries.ts'
import { fieldPassRateOf, type Metric, primaryOf, primaryScore } from './metrics.ts'
import type { ExplainedAttempt } from './report.ts'
import { firstScoring } from './termination-rows.ts'

/** Attempts with a higher score need no explanation at a glance. */
const lowScore = 0.5

/**
 * Selects the attempts that a reader should look at first: the lowest-scoring one of each arm in turn, arms that scored 0
 * throughout first. Attempts scored 50 or more, unscored attempts and records without an explanation are left out, and so
 * are attempts at the same task with the same explanation.
 */
export function explainedAttempts(
  attempts: readonly Attempt[],
  scores: readonly Score[],
  limit: number,
): ExplainedAttempt[] {
  return explainedEntries(firstScoring(joinEntries(attempts, scores)), limit)
}

/** The same for entries of one scoring. */
export function explainedEntries(entries: readonly Entry[], limit: number): ExplainedAttempt[] {
  const arms = groupByKey(entries)
    .map(arm => ({ isZero: hasScoredZero(arm.entries), open: lowEntries(arm.entries) }))
    .sort((a, b) => Number(b.isZero) - Number(a.isZero))
  const seen = new Set<string>()
  const chosen: ExplainedAttempt[] = []
  while (chosen.length < limit && arms.some(arm => arm.open.length > 0)) {
    for (const { open } of arms) {
      const explained = open.shift()
      if (explained === undefined || chosen.length === limit) continue
      const same = JSON.stringify([explained.taskId, explained.sentences])
      if (!seen.has(same)) chosen.push(explained)
      seen.add(same)
    }
  }
  return chosen
}

/** An attempt's score as a share; -1 when it has none. */
function shareOf(entry: Entry): number {
  if (!isScored(entry)) return -1
  return primaryScore(entry.score).value ?? -1
}

/** Whether every scored attempt of an arm scored 0. */
const hasScoredZero = (entries: readonly Entry[]): boolean => entries.every(entry => shareOf(entry) <= 0)

function lowEntries(entries: readonly Entry[]): ExplainedAttempt[] {
  return entries
    .map(entry => ({ entry, value: shareOf(entry) }))
    .filter(({ value }) => value >= 0 && value < lowScore)
    .sort((a, b) => a.value - b.value)
    .flatMap(({ entry }) => explained(entry))
}

function explained({ attempt, score, key }: Entry): ExplainedAttempt[] {
  const sentences = score?.explanation ?? []
  if (score === null || sentences.length === 0) return []
  const { attemptId, taskId, trial } = attempt
  const values = { cellF1: score.cell?.f1 ?? null, fieldsPassed: fieldPassRateOf(score) }
  return [{ attemptId, taskId, trial, ...key, ...values, sentences }]
}

/** The metric that an explained attempt was chosen by, with its value. */
export function explainedScore({ cellF1, fieldsPassed }: ExplainedAttempt): {
  readonly metric: Metric
  readonly value: number | null
} {
  return cellF1 === null
    ? { metric: primaryOf('json'), value: fieldsPassed }
    : { metric: primaryOf('table'), value: cellF1 }
}
