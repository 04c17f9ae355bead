import { findCommonGroup } from '../model/common-tasks.ts'
import { listScoringMetrics } from '../model/metrics.ts'
import type { Report } from '../model/report.ts'
import type { ReportGroup } from '../model/report-group.ts'
import { nameScoring } from '../model/scorings.ts'
import { nameFacets } from './columns.ts'
import { formatMetric } from './value-text.ts'

/**
 * Names the arms whose mean of domains is further from their mean over tasks than half the width of its interval, with both
 * means. Null when there is no such arm.
 *
 * @param groups - The arms over the tasks that stand side by side.
 */
export function formatDomainMeans(
  report: Report,
  groups: readonly ReportGroup[],
  nameOf: (group: ReportGroup) => string,
): string | null {
  const texts = groups.flatMap(group => {
    const { primary } = listScoringMetrics(report.scorers, group.scorer)
    const ofTasks = primary === null ? undefined : group.metrics[primary.key]
    const ofDomains = primary === null ? undefined : findDomainMeans(report, group)?.metrics[primary.key]
    const { mean = null, low = null, high = null } = ofTasks ?? {}
    if (primary === null || mean === null || low === null || high === null || ofDomains?.mean == null)
      return []
    const isFar = Math.abs(ofDomains.mean - mean) > (high - low) / 2
    return isFar
      ? [
          `${nameOf(group)} ${formatMetric(primary, ofDomains.mean)} (${formatMetric(primary, mean)} over tasks)`,
        ]
      : []
  })
  return texts.length === 0 ? null : `Mean of ${nameFacets(report.facet)}: ${texts.join('; ')}`
}

/** Returns the mean of domains of the same arm over the same tasks. */
function findDomainMeans(report: Report, group: ReportGroup): ReportGroup | undefined {
  if (group.domain === 'common') return findCommonGroup(report, group, 'commonByDomain')
  return report.groups.find(
    ({ domain, arm, ...key }) =>
      domain === 'allByDomain' && arm === group.arm && nameScoring(key) === nameScoring(group),
  )
}
