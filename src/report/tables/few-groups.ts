import { minComponents } from '../../score/statistics/intervals.ts'
import { listScoringMetrics, type RunScorers } from '../model/metrics.ts'
import type { ReportGroup } from '../model/report-group.ts'
import { formatMetric } from './value-text.ts'

/** With fewer groups of tasks, intervals are wide and small p-values are impossible. */
const narrowComponents = 10

/** A number with the groups of tasks that it is based on. 0 groups: there is no number. */
interface ComponentCount {
  readonly components: number
}

/**
 * Says why rows over few groups of tasks have no interval and no p-value. Empty when every row has enough groups.
 *
 * @param noun - What the rows are, in the plural.
 */
export function listFewGroupsRemarks(rows: readonly ComponentCount[], noun = 'numbers'): string[] {
  const few = rows.filter(({ components }) => components > 0 && components < minComponents).length
  if (few === 0) return []
  const which = few === rows.length ? '' : ` for ${few} of ${rows.length} ${noun}`
  return [`No interval and no p${which}, because there are fewer than ${minComponents} groups of tasks.`]
}

/** Warns about results of arms over few groups of tasks: that they have no interval, or that intervals are wide. */
export function listFewGroupsWarnings(arms: readonly ComponentCount[]): string[] {
  const grouped = arms.filter(({ components }) => components > 0)
  const remarks = listFewGroupsRemarks(grouped, 'arms')
  if (remarks.length > 0) return remarks.map(remark => `Warning: ${remark}`)
  const fewest = Math.min(...grouped.map(({ components }) => components))
  if (fewest >= narrowComponents) return []
  // Each of the 2^n ways to flip signs is equally likely, and a two-sided test counts the mirrored way too.
  const least = 2 ** (1 - fewest)
  return [
    `Warning: there are only ${fewest} groups of tasks. Intervals are wide, and no p can be below ${least.toPrecision(2)}.`,
  ]
}

/** Describes an arm with items that a judge did not rate: `18 of 24 items, Cell F1 25.0–100.0`. Null when all are rated. */
export function formatUnratedArm(group: ReportGroup, scorers: RunScorers): string | null {
  if (group.unratedItems === 0) return null
  const { primary } = listScoringMetrics(scorers, group.scorer)
  const bounds = primary === null ? null : (group.metrics[primary.key]?.bounds ?? null)
  const count = `${group.unratedItems} of ${group.items} items`
  if (primary === null || bounds === null) return count
  const [low, high] = [formatMetric(primary, bounds.low), formatMetric(primary, bounds.high)]
  return `${count}, ${primary.label} ${low}–${high}`
}
