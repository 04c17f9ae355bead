import { armKey } from '../../core/arm.ts'
import type { Attempt } from '../../core/attempt.ts'
import { groupBy } from '../../core/group-by.ts'
import type { ToolKind } from '../../core/usage.ts'
import type { ReportArms } from './arms.ts'
import { compareArms, compareSettings, compareText, type Entry, groupByKey } from './entries.ts'
import { averageClusters, listMetricValues, meanBounds } from './measures.ts'
import { listScoringMetrics, type RunScorers } from './metrics.ts'
import type { EndCounts, EndRow, TerminationRow, ToolFailureRow } from './report-rows.ts'

/** Returns one entry for each attempt, of the first scoring that has one. One is enough to count terminations. */
export function filterFirstScoring(entries: readonly Entry[]): Entry[] {
  const ids = new Set<string>()
  return entries.filter(({ attempt: { attemptId } }) => !ids.has(attemptId) && ids.add(attemptId))
}

/**
 * Whether an attempt failed. Its answer could not be read, as for a failed run in the AOE paper, or the
 * provider, the harness or the operator ended it. An attempt without a score record, as in imported logs,
 * failed when it has no answer. What the documents, the run's budget, the judge, the scorer or its metric lack does not count against the attempt.
 */
export function hasFailed({ score, attempt }: Entry): boolean {
  if (score === null) return !attempt.termination.answerProduced
  const isOfScoring = ['documents', 'judge', 'run-budget', 'scorer', 'undefined'].includes(score.cause ?? '')
  return !score.answered || (score.status === 'unscored' && !isOfScoring)
}

/** Counts why the attempts of each setting ended, the most frequent reason first. */
export function listTerminationRows(
  entries: readonly Entry[],
  scorers: RunScorers,
  arms: ReportArms,
): TerminationRow[] {
  const settings = groupBy(filterFirstScoring(entries), entry => entry.attempt.setting)
  return [...settings]
    .sort(([a], [b]) => compareSettings(a, b))
    .flatMap(([setting, settingEntries]) => {
      const ids = new Set(settingEntries.map(({ key }) => arms.idOf(key)))
      const arm = ids.size === 1 ? [...ids][0]! : null
      return countEnds(settingEntries, scorers).map(row => ({ setting, arm, ...row }))
    })
}

/** Counts why the attempts of each arm ended. Expects entries of one scoring. */
export function endRows(entries: readonly Entry[], scorers: RunScorers, arms: ReportArms): EndRow[] {
  return groupByKey(entries).flatMap(({ key, entries: armEntries }) => {
    const failures = armEntries.filter(hasFailed).length
    return countEnds(armEntries, scorers).map(row => {
      const failed = armEntries.filter(entry => hasEnd(entry, row) && hasFailed(entry)).length
      const shareOfFailures = failures === 0 ? null : failed / failures
      return { ...key, arm: arms.idOf(key), ...row, failed, shareOfFailures }
    })
  })
}

/** Whether an attempt ended with this cause and reason. */
export function hasEnd(
  { attempt: { termination } }: Entry,
  end: { readonly cause: string; readonly reason: string },
): boolean {
  return termination.cause === end.cause && termination.reason === end.reason
}

/** Counts entries by cause and reason of their end. Shares are shares of all these entries. */
export function countEnds(entries: readonly Entry[], scorers: RunScorers): EndCounts[] {
  const { primary } = listScoringMetrics(scorers, entries[0]?.key.scorer ?? 'none')
  const key = primary?.key ?? null
  const ends = groupBy(entries, ({ attempt }) => `${attempt.termination.cause} ${attempt.termination.reason}`)
  return [...ends.values()]
    .map(group => {
      const { cause, reason } = group[0]!.attempt.termination
      const bounds = key === null ? null : meanBounds(group, key, 'tasks')
      return {
        cause,
        reason,
        n: group.length,
        share: group.length / entries.length,
        passed: group.filter(entry => !hasFailed(entry)).length,
        metric: key,
        mean: key === null ? null : averageClusters(listMetricValues(group, key)),
        ...(bounds === null ? {} : { bounds }),
      }
    })
    .sort((a, b) => b.n - a.n || compareText(a.cause, b.cause) || compareText(a.reason, b.reason))
}

/** Counts failed tool calls for each arm and kind of tool. Attempts without calls have none. */
export function listToolFailureRows(attempts: readonly Attempt[]): ToolFailureRow[] {
  const arms = groupBy(attempts, armKey)
  return [...arms.values()]
    .sort(([a], [b]) => compareArms(a!, b!))
    .flatMap(group => [...listFailureRows(group, 'search'), ...listFailureRows(group, 'fetch')])
}

function listFailureRows(attempts: readonly Attempt[], tool: ToolKind): ToolFailureRow[] {
  const counted = attempts.flatMap(attempt => attempt.toolFailures?.[tool] ?? [])
  const calls = counted.reduce((sum, toolCalls) => sum + toolCalls.calls, 0)
  if (calls === 0) return []
  const byClass = new Map<string, number>()
  for (const [name, n] of counted.flatMap(toolCalls => Object.entries(toolCalls.failed)))
    byClass.set(name, (byClass.get(name) ?? 0) + n)
  const failed = [...byClass.values()].reduce((sum, n) => sum + n, 0)
  const { setting, model, options } = attempts[0]!
  const classes = Object.fromEntries([...byClass].sort((a, b) => b[1] - a[1]))
  return [{ setting, model, options, tool, calls, failed, share: failed / calls, classes }]
}
