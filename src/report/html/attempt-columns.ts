import type { Attempt } from '../../core/attempt.ts'
import { hasChangedClock } from '../../core/attempt.ts'
import type { MetricDefinition } from '../../core/metric.ts'
import type { MetricBounds, Score } from '../../core/score.ts'
import type { ReportArms } from '../model/arms.ts'
import { readRecordedValue } from '../model/metrics.ts'
import { type AttemptColumns, attemptFlags } from '../page/page-data.ts'

/** What the columns of attempts are made from. */
interface ColumnsInput {
  readonly attempts: readonly Attempt[]
  readonly scoreOf: (attempt: Attempt) => Score | null
  readonly metrics: readonly MetricDefinition[]
  readonly taskIds: readonly string[]
  readonly arms: ReportArms
  readonly isTainted: (attempt: Attempt) => boolean
}

/** Arranges the attempts as columns. Values are whole, so that the page rounds them and their means as the terminal does. */
export function makeAttemptColumns(input: ColumnsInput): AttemptColumns {
  const { attempts, scoreOf, metrics, arms } = input
  const tasks = new Map(input.taskIds.map((id, at) => [id, at]))
  const armIndex = new Map(arms.arms.map(({ id }, at) => [id, at]))
  const endings = [...new Set(attempts.map(formatEnding))]
  const scores = attempts.map(scoreOf)
  return {
    id: attempts.map(({ attemptId }) => attemptId),
    task: attempts.map(({ taskId }) => tasks.get(taskId) ?? -1),
    arm: attempts.map(attempt => armIndex.get(arms.idOf(attempt)) ?? -1),
    trial: attempts.map(({ trial }) => trial),
    ending: attempts.map(attempt => endings.indexOf(formatEnding(attempt))),
    endings,
    flags: attempts.map((attempt, at) => computeFlags(attempt, scores[at] ?? null, input.isTainted(attempt))),
    opened: attempts.map(({ discovery }) => discovery?.recall.opened ?? null),
    tokens: attempts.map(({ usage: { inputTokens, outputTokens } }) =>
      inputTokens === null || outputTokens === null ? null : inputTokens + outputTokens,
    ),
    usd: attempts.map(({ usage }) => usage.usd),
    wallMs: attempts.map(attempt => (hasChangedClock(attempt) ? null : attempt.usage.wallMs)),
    values: Object.fromEntries(
      metrics.map(({ key }) => [
        key,
        scores.map(score => (score?.status === 'scored' ? readRecordedValue(score, key) : null)),
      ]),
    ),
    ...listBounds(attempts, scores),
  }
}

function listBounds(
  attempts: readonly Attempt[],
  scores: readonly (Score | null)[],
): { bounds?: Record<string, MetricBounds> } {
  const bounds = attempts.flatMap(({ attemptId }, at): [string, MetricBounds][] => {
    const metricBounds = scores[at]?.bounds
    return metricBounds === undefined ? [] : [[attemptId, metricBounds]]
  })
  return bounds.length === 0 ? {} : { bounds: Object.fromEntries(bounds) }
}

function formatEnding({ termination }: Attempt): string {
  return `${termination.cause} / ${termination.reason}`
}

function computeFlags(attempt: Attempt, score: Score | null, isTainted: boolean): number {
  return (
    (score?.status === 'scored' ? 0 : attemptFlags.unscored) |
    (isTainted ? attemptFlags.tainted : 0) |
    (attempt.termination.cause === 'budget' ? attemptFlags.budget : 0) |
    (attempt.termination.answerProduced ? 0 : attemptFlags.unanswered)
  )
}
