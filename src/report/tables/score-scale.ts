import { groupBy } from '../../core/group-by.ts'
import type { MetricDefinition } from '../../core/metric.ts'
import { listScoringMetrics, type RunScorers } from '../model/metrics.ts'
import type { ReportGroup } from '../model/report-group.ts'
import { formatMetric, formatPercent } from './value-text.ts'

/**
 * Says what answers without any work get in the primary metric, and in which metrics of rows the question gives the keys.
 * Arms over the same tasks have one text. Empty when nothing is known.
 *
 * @param groups - Arms of one scoring.
 */
export function scaleTexts(
  scorers: RunScorers,
  groups: readonly ReportGroup[],
  nameOf: (group: ReportGroup) => string,
): string[] {
  const { primary, scores } = listScoringMetrics(scorers, groups[0]?.scorer ?? 'none')
  if (primary === null) return []
  const byArms = (textOf: (group: ReportGroup) => string | null): string[] => {
    const texts = groups.flatMap(group => {
      const text = textOf(group)
      return text === null ? [] : [{ group, text }]
    })
    const byText = [...groupBy(texts, ({ text }) => text)]
    return byText.map(([text, rows]) =>
      byText.length === 1 ? text : `${text} (${rows.map(({ group }) => nameOf(group)).join(', ')})`,
    )
  }
  return [
    ...byArms(group => formatLimits(group, primary)),
    ...scores.flatMap(metric => byArms(group => formatKeysGiven(group, metric))),
  ]
}

function formatLimits({ metrics }: ReportGroup, metric: MetricDefinition): string | null {
  const { floor, ceiling } = metrics[metric.key] ?? {}
  if (ceiling === undefined) return null
  const floorText =
    floor === undefined ? '' : `right keys with empty cells get ${formatMetric(metric, floor)}, `
  return `Scale of ${metric.label}: ${floorText}the gold itself ${floor === undefined ? 'gets ' : ''}${formatMetric(metric, ceiling)}`
}

/** Smaller shares are names that the question mentions by chance. */
const leastKeysGiven = 0.05

function formatKeysGiven({ metrics }: ReportGroup, metric: MetricDefinition): string | null {
  const { keysGiven = 0 } = metrics[metric.key] ?? {}
  if (keysGiven < leastKeysGiven) return null
  return `Keys given: the question or the file names contain the keys of ${formatPercent(keysGiven)}% of the gold rows, which ${metric.label} rates`
}
