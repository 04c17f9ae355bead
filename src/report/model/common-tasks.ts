import { armKey } from '../../core/arm.ts'
import { groupBy } from '../../core/group-by.ts'
import type { ReportArms } from './arms.ts'
import { type Entry, groupByKey, isScored } from './entries.ts'
import { reportGroups } from './groups.ts'
import { readMetric } from './measures.ts'
import { listScoringMetrics, type RunScorers } from './metrics.ts'
import type { Report } from './report.ts'
import type { ReportGroup } from './report-group.ts'
import type { WaterfallRow } from './report-rows.ts'
import { nameScoring } from './scorings.ts'
import { listWaterfallRows } from './waterfall.ts'

/** The arms of a scoring that scored different tasks. */
interface UnequalScoring {
  readonly scoring: string
  /** How many tasks at least one arm scored. */
  readonly tasks: number
  /** The entries at tasks that all arms scored. Attempts of arms without any score are not among them. */
  readonly entries: readonly Entry[]
}

/** Finds the scorings whose arms scored different tasks. Arms without any score count for nothing. */
function findUnequalScorings(entries: readonly Entry[], scorers: RunScorers): UnequalScoring[] {
  const scoringGroups = groupBy(entries.filter(isScored), ({ key }) => nameScoring(key))
  return [...scoringGroups].flatMap(([scoring, scored]): UnequalScoring[] => {
    const { primary } = listScoringMetrics(scorers, scored[0]!.key.scorer)
    const hasValue = (entry: Entry): boolean => primary === null || readMetric(entry, primary.key) !== null
    const arms = groupByKey(scored.filter(hasValue))
    const taskSets = arms.map(arm => new Set(arm.entries.map(({ attempt }) => attempt.taskId)))
    const tasks = [...new Set(taskSets.flatMap(set => [...set]))]
    const common = new Set(tasks.filter(task => taskSets.every(set => set.has(task))))
    if (common.size === tasks.length) return []
    const scoredArms = new Set(arms.map(({ key }) => armKey(key)))
    const commonEntries = entries.filter(
      ({ key, attempt }) =>
        nameScoring(key) === scoring && scoredArms.has(armKey(key)) && common.has(attempt.taskId),
    )
    return [{ scoring, tasks: tasks.length, entries: commonEntries }]
  })
}

/** Returns the entries at the tasks that all arms of their scoring scored. Empty for a scoring whose arms all scored the same tasks. */
export function selectCommonEntries(entries: readonly Entry[], scorers: RunScorers): Entry[] {
  return findUnequalScorings(entries, scorers).flatMap(unequal => unequal.entries)
}

/**
 * Summarises the arms over the tasks that all arms of their scoring scored, as `common` and `commonByDomain`. Empty for a
 * scoring whose arms all scored the same tasks, or have no task in common.
 */
export function groupCommonTasks(
  entries: readonly Entry[],
  scorers: RunScorers,
  arms: ReportArms,
): ReportGroup[] {
  return findUnequalScorings(entries, scorers).flatMap(unequal =>
    reportGroups(unequal.entries, scorers, arms).flatMap(group => {
      if (group.domain === 'all') return [{ ...group, domain: 'common' }]
      return group.domain === 'allByDomain' ? [{ ...group, domain: 'commonByDomain' }] : []
    }),
  )
}

/** Computes where the arms lost items over the tasks that all arms of their scoring scored. Empty like `groupCommonTasks`. */
export function listCommonWaterfall(entries: readonly Entry[], scorers: RunScorers): WaterfallRow[] {
  const rows = findUnequalScorings(entries, scorers).flatMap(unequal => listWaterfallRows(unequal.entries))
  return rows.flatMap(row => (row.domain === 'all' ? [{ ...row, domain: 'common' }] : []))
}

/** Returns the losses that stand side by side: over common tasks if the arms of a scoring scored different ones, else over all. */
export function listComparedWaterfall({ waterfall }: Report): WaterfallRow[] {
  const common = waterfall.filter(({ domain }) => domain === 'common')
  const unequal = new Set(common.map(nameScoring))
  return [...common, ...waterfall.filter(row => row.domain === 'all' && !unequal.has(nameScoring(row)))]
}

/** Says for each scoring whose arms scored different tasks what may be compared. */
export function listUnequalTasksNotes(entries: readonly Entry[], scorers: RunScorers): string[] {
  const unequal = findUnequalScorings(entries, scorers)
  return unequal.map(({ scoring, tasks, entries: shared }) => {
    const common = new Set(shared.map(({ attempt }) => attempt.taskId)).size
    const which = unequal.length === 1 ? '' : ` (${scoring})`
    return common === 0
      ? `the arms scored different tasks${which}, and no task is scored by all of them, so their means cannot be compared. Differences are over the tasks of each pair`
      : `the arms scored different tasks${which}: all arms scored ${common} of ${tasks}. Compare the means over these (common tasks), not those over all tasks of each arm`
  })
}

/**
 * Returns the groups of a scoring that stand side by side: over common tasks if the arms scored different ones, else over
 * all tasks. Arms without any score have their group over all tasks.
 */
export function listComparedGroups(report: Report, scoring: string): ReportGroup[] {
  return report.groups
    .filter(group => group.domain === 'all' && nameScoring(group) === scoring)
    .map(group => findCommonGroup(report, group) ?? group)
}

/** Returns the group of the same arm and scoring over the common tasks. Undefined when there is none. */
export function findCommonGroup(
  { common }: Report,
  group: ReportGroup,
  domain = 'common',
): ReportGroup | undefined {
  return common.find(
    other => other.domain === domain && other.arm === group.arm && nameScoring(other) === nameScoring(group),
  )
}
