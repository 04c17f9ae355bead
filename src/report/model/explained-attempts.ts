import { type Entry, groupByKey, isScored } from './entries.ts'
import { listScoringMetrics, type RunScorers, rateValue, readRecordedValue } from './metrics.ts'
import type { ExplainedAttempt } from './report-rows.ts'

/** Attempts with a higher score need no explanation at a glance. */
const lowScore = 0.5

/**
 * Selects the attempts that a reader should look at first: the lowest-scoring attempt of each arm in turn,
 * starting with arms that scored 0 throughout. It leaves out attempts in the better half of the metric's
 * range, unscored attempts and records without an explanation. Of attempts at the same task with the same
 * explanation, it selects one.
 *
 * @param entries of one scoring
 */
export function selectExplained(
  entries: readonly Entry[],
  scorers: RunScorers,
  limit: number,
): ExplainedAttempt[] {
  const arms = groupByKey(entries)
    .map(arm => ({ isZero: hasScoredZero(arm.entries, scorers), open: listLowEntries(arm.entries, scorers) }))
    .sort((a, b) => Number(b.isZero) - Number(a.isZero))
  const explainedTasks = new Set<string>()
  const chosen: ExplainedAttempt[] = []
  while (chosen.length < limit && arms.some(arm => arm.open.length > 0)) {
    for (const { open } of arms) {
      const explained = open.shift()
      if (explained === undefined || chosen.length === limit) continue
      const same = JSON.stringify([explained.taskId, explained.sentences])
      if (!explainedTasks.has(same)) chosen.push(explained)
      explainedTasks.add(same)
    }
  }
  return chosen
}

/** Returns how good an answer is by the primary metric, from 0 to 1, or -1 when it has no score. */
function answerGoodness(entry: Entry, scorers: RunScorers): number {
  const { primary } = listScoringMetrics(scorers, entry.key.scorer)
  if (!isScored(entry) || primary === null) return -1
  const value = readRecordedValue(entry.score, primary.key)
  if (value === null) return -1
  // A value of a metric without bounds cannot be placed between 0 and 1.
  return rateValue(primary, value) ?? Number(entry.score.success)
}

/** Whether every scored attempt of an arm has the worst score. */
const hasScoredZero = (entries: readonly Entry[], scorers: RunScorers): boolean =>
  entries.every(entry => answerGoodness(entry, scorers) <= 0)

function listLowEntries(entries: readonly Entry[], scorers: RunScorers): ExplainedAttempt[] {
  return entries
    .map(entry => ({ entry, value: answerGoodness(entry, scorers) }))
    .filter(({ value }) => value >= 0 && value < lowScore)
    .sort((a, b) => a.value - b.value)
    .flatMap(({ entry }) => explainEntry(entry, scorers))
}

function explainEntry({ attempt, score, key }: Entry, scorers: RunScorers): ExplainedAttempt[] {
  const sentences = score?.explanation ?? []
  const { primary } = listScoringMetrics(scorers, key.scorer)
  if (score === null || primary === null || sentences.length === 0) return []
  const { attemptId, taskId, trial } = attempt
  const value = readRecordedValue(score, primary.key)
  const metric = primary.key
  return [{ attemptId, taskId, trial, ...key, metric, value, sentences }]
}
