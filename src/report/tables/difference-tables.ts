import type { MetricDefinition } from '../../core/metric.ts'
import { modelNaming } from '../model/arm-names.ts'
import { isPrimary, metricNamed, type RunScorers } from '../model/metrics.ts'
import type { DifferenceRow } from '../model/report-rows.ts'
import { scoringOf, scorings } from '../model/scorings.ts'
import { modelCell, modelColumn } from './group-columns.ts'
import { signedIntervalText } from './metric-text.ts'
import { pText } from './numbers.ts'
import { domainName, facetName, left, type ReportTable, right } from './report-table.ts'

/** The differences to show, with the metrics and the facet that name them. */
export interface DifferenceSource {
  readonly differences: readonly DifferenceRow[]
  readonly scorers: RunScorers
  readonly facet: string
}

/**
 * Shows the differences between arms: in the primary metric for every domain, in the others over all tasks. Of several
 * variants of a setting, each is compared with the default or the first one, unless all pairs are asked for.
 */
export function differenceTables(
  { differences, scorers, facet }: DifferenceSource,
  { allPairs = false }: { readonly allPairs?: boolean } = {},
): ReportTable[] {
  const models = modelNaming(differences)
  const areSomeLeftOut = !allPairs && differences.some(row => !row.againstFirst)
  return scorings(differences).map(scoring => {
    const rows = differences.filter(row => scoringOf(row) === scoring && (allPairs || row.againstFirst))
    const shown = rows.flatMap(row => {
      const metric = metricNamed(scorers, row.profile, row.metric)
      const isShown = row.domain === 'all' || isPrimary(scorers, row.profile, row.metric)
      return metric !== undefined && isShown ? [{ row, metric }] : []
    })
    return {
      title: `Differences between settings (${scoring})`,
      columns: [
        left('from'),
        left('to'),
        ...modelColumn(models),
        left(facetName(facet)),
        left('metric'),
        right('n'),
        right('difference [95%]'),
        right('p'),
      ],
      rows: shown.map(({ row, metric }) => [
        row.from,
        row.to,
        ...modelCell(row.model, models),
        domainName(row.domain, facet),
        metric.label,
        String(row.n),
        signedIntervalText(metric, row),
        pText(row.pValue),
      ]),
      remarks: [
        `difference: to minus from, in ${pointsText(shown.map(({ metric }) => metric))}, paired over the n tasks scored in both. p: sign-flip permutation test.`,
        ...lowerRemark(shown.map(({ metric }) => metric)),
        ...(areSomeLeftOut
          ? ['Each variant is compared with the default or the first one. --json contains all pairs.']
          : []),
      ],
    }
  })
}

function pointsText(metrics: readonly MetricDefinition[]): string {
  return metrics.every(metric => metric.unit === 'share')
    ? 'percentage points'
    : 'percentage points for shares and in their own units for other metrics'
}

/** Names the metrics where lower is better. */
export function lowerRemark(metrics: readonly MetricDefinition[]): string[] {
  const labels = new Set(metrics.filter(({ better }) => better === 'lower').map(({ label }) => label))
  return labels.size === 0 ? [] : [`Lower is better: ${[...labels].join(', ')}.`]
}
