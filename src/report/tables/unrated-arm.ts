import { metricsOf, type RunScorers } from '../model/metrics.ts'
import type { ReportGroup } from '../model/report-group.ts'
import { metricText } from './metric-text.ts'

/** Describes an arm with items that a judge did not rate: `18 of 24 items, Cell F1 25.0–100.0`. Null when all are rated. */
export function unratedArmText(group: ReportGroup, scorers: RunScorers): string | null {
  if (group.unratedItems === 0) return null
  const { primary } = metricsOf(scorers, group.scorer)
  const bounds = primary === null ? null : (group.metrics[primary.key]?.bounds ?? null)
  const count = `${group.unratedItems} of ${group.items} items`
  if (primary === null || bounds === null) return count
  const [low, high] = [metricText(primary, bounds.low), metricText(primary, bounds.high)]
  return `${count}, ${primary.label} ${low}–${high}`
}
