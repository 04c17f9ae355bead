import { ConfigError } from '../../core/errors.ts'
import { differenceRows } from '../differences.ts'
import type { EndRow } from '../ends.ts'
import { type Entry, joinEntries } from '../entries.ts'
import { reportGroups } from '../groups.ts'
import type { DifferenceRow, ReportGroup } from '../report.ts'
import { endRows } from '../termination-rows.ts'
import { eachOnce } from './each-once.ts'
import { modelDifferences } from './model-differences.ts'
import { type PaperTable, paperTables } from './paper-tables.ts'
import { type ComparedRun, runNotes } from './run-notes.ts'
import { taskTypeOf } from './task-type.ts'
import { toldApart } from './told-apart.ts'

/** `compare RUN… --json`. */
export interface Comparison {
  readonly runs: readonly { readonly runId: string; readonly web: string | null; readonly attempts: number }[]
  /** What was kept apart, or pooled by force. */
  readonly notes: readonly string[]
  /** The paper's tables 3, 6, 7, 8 and 9, those that the runs have data for. */
  readonly tables: readonly PaperTable[]
  readonly groups: readonly ReportGroup[]
  /** Why attempts ended: each attempt once, by the scoring that most of all attempts have. */
  readonly ends: readonly EndRow[]
  /** What attempts took, over all tasks, likewise. */
  readonly costs: readonly ReportGroup[]
  /** The same by task type: `domain` holds the type, such as `financial_4`. */
  readonly byTaskType: readonly ReportGroup[]
  /** Between settings of a model, and between models in a setting; paired over tasks. */
  readonly differences: readonly DifferenceRow[]
  /** Between settings of a model by task type: `domain` holds the type. */
  readonly differencesByTaskType: readonly DifferenceRow[]
}

/** live, sealed or replay; what stands behind a colon is left aside. */
function webKindOf(run: ComparedRun): string | null {
  const web = run.manifest.config.web
  return typeof web === 'string' ? (web.split(':')[0] ?? web) : null
}

function pooledJudges(entries: readonly Entry[], judges: readonly string[]): Entry[] {
  const judge = `mixed: ${judges.join(', ')}`
  return entries.map(entry => ({ ...entry, key: { ...entry.key, judge } }))
}

function distinct(values: readonly string[]): string[] {
  return [...new Set(values)].sort()
}

function requireComparable(webs: readonly string[], runs: readonly ComparedRun[]): void {
  if (webs.length > 1) {
    throw new ConfigError(
      `online attempts of different webs (${webs.join(', ')}) do not compare: name runs of one web, or --force to pool them`,
    )
  }
  const scored = runs.filter(run => run.scores.length > 0)
  const judges = distinct(scored.map(run => distinct(run.scores.map(score => score.judge)).join(' and ')))
  if (judges.length > 1) {
    throw new ConfigError(
      `scores of different judges (${judges.join(', ')}) do not compare: 'score RUN --judge J' under one judge, or --force to pool them`,
    )
  }
}

/**
 * Several runs side by side, from their records alone. Runs with online attempts of different webs or scores of different
 * judges are refused with a ConfigError; `force` pools them and says so. Scores that every run has of several judges
 * stand in rows of their own, and so do the same attempts under other options, such as budgets.
 */
export function compareRuns(given: readonly ComparedRun[], options: { readonly force: boolean }): Comparison {
  const { runs, notes: apart } = toldApart(given)
  const online = runs.filter(run => run.attempts.some(attempt => attempt.setting === 'online'))
  const webs = distinct(online.flatMap(run => webKindOf(run) ?? []))
  const judges = distinct(runs.flatMap(run => run.scores.map(score => score.judge)))
  const profiles = distinct(runs.flatMap(run => run.scores.map(score => score.profile)))
  if (!options.force) requireComparable(webs, runs)
  const own = runs.flatMap(run => joinEntries(run.attempts, run.scores, run.tainted))
  const entries = judges.length > 1 && options.force ? pooledJudges(own, judges) : own
  const how = options.force ? 'pooled by --force: such numbers do not compare' : 'kept apart'
  const typed = entries.map(entry => ({
    ...entry,
    attempt: { ...entry.attempt, domain: taskTypeOf(entry.attempt) },
  }))
  const groups = reportGroups(entries)
  const types = reportGroups(typed)
  const once = eachOnce(runs)
  return {
    runs: runs.map(run => ({
      runId: run.manifest.runId,
      web: webKindOf(run),
      attempts: run.attempts.length,
    })),
    notes: [
      ...(webs.length > 1 ? [`webs differ (${webs.join(', ')}): ${how}`] : []),
      ...(judges.length > 1 ? [`judges differ (${judges.join(', ')}): ${how}`] : []),
      ...(profiles.length > 1 ? [`profiles differ (${profiles.join(', ')}): kept apart`] : []),
      ...apart,
      ...runNotes(runs),
    ],
    tables: paperTables(entries, groups, types),
    groups,
    ends: endRows(once),
    costs: reportGroups(once).filter(group => group.domain === 'all'),
    byTaskType: types.filter(group => !['all', 'allByDomain'].includes(group.domain)),
    differences: [...differenceRows(entries), ...modelDifferences(entries)],
    differencesByTaskType: differenceRows(typed).filter(row => row.domain !== 'all'),
  }
}
