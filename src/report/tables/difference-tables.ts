import type { MetricDefinition } from '../../core/metric.ts'
import { modelNaming } from '../model/arm-names.ts'
import { isInTable } from '../model/holm-rows.ts'
import { metricNamed, type RunScorers } from '../model/metrics.ts'
import type { DifferenceRow } from '../model/report-rows.ts'
import { scoringOf, scorings } from '../model/scorings.ts'
import { fewGroupsRemark } from './few-groups.ts'
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
 * arms of a setting, each is compared with the default or the first one, unless all pairs are asked for.
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
      const metric = metricNamed(scorers, row.scorer, row.metric)
      return metric !== undefined && isInTable(row, scorers) ? [{ row, metric }] : []
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
        right('groups'),
        right('difference [95%]'),
        right('p'),
        right('p Holm'),
      ],
      rows: shown.map(({ row, metric }) => [
        row.from,
        row.to,
        ...modelCell(row.model, models),
        domainName(row.domain, facet),
        metric.label,
        String(row.n),
        String(row.components),
        signedIntervalText(metric, row),
        pText(row.pValue),
        pText(row.pValueHolm),
      ]),
      remarks: [
        `difference: to minus from, in ${pointsText(shown.map(({ metric }) => metric))}, paired over the n tasks scored in both. groups: the independent units, which are groups of tasks that share documents. p: permutation test that flips the signs of whole groups.${holmRemark(
          shown.map(({ row }) => row),
          allPairs,
        )}`,
        ...fewGroupsRemark(shown.map(({ row }) => row)),
        ...lowerRemark(shown.map(({ metric }) => metric)),
        ...(areSomeLeftOut
          ? [
              'Each arm is compared with the default or the first one of its setting. --json contains all pairs.',
            ]
          : []),
      ],
    }
  })
}

/** Says how many p-values the correction covers; nothing when the table has none. */
function holmRemark(rows: readonly DifferenceRow[], allPairs: boolean): string {
  const corrected = rows.filter(row => row.againstFirst && row.pValue !== null).length
  if (corrected === 0) return ''
  const others = allPairs
    ? ' that compare with the default or the first arm; the others are corrected among themselves'
    : ''
  return ` p Holm: corrected for the ${corrected} p-values of this table${others}.`
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
