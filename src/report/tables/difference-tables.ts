import type { MetricDefinition } from '../../core/metric.ts'
import { type ArmCell, makeTable, type Table } from '../../core/table.ts'
import { isInTable } from '../model/holm-rows.ts'
import { metricNamed, type RunScorers } from '../model/metrics.ts'
import type { ReportArm } from '../model/report.ts'
import type { DifferenceRow } from '../model/report-rows.ts'
import { scoringOf, scorings } from '../model/scorings.ts'
import { domainName, facetName, measuredCell } from './columns.ts'
import { fewGroupsRemark } from './few-groups.ts'

/** The differences to show, with the arms, the metrics and the facet that name them. */
export interface DifferenceTablesSource {
  readonly differences: readonly DifferenceRow[]
  readonly arms: readonly ReportArm[]
  readonly scorers: RunScorers
  readonly facet: string
}

/**
 * Shows the differences between arms: in the primary metric for every domain, in the others over all tasks. Of several
 * arms of a setting, each is compared with the default or the first one, unless all pairs are asked for. With `allMetrics`,
 * all metrics have rows for every domain.
 */
export function differenceTables(
  { differences, arms, scorers, facet }: DifferenceTablesSource,
  {
    allPairs = false,
    allMetrics = false,
  }: { readonly allPairs?: boolean; readonly allMetrics?: boolean } = {},
): Table[] {
  const armOfId = new Map(arms.map(arm => [arm.id, arm]))
  // Differences between models name the model on both sides.
  const side = ({ arm, fromArm }: DifferenceRow, id: string): ArmCell | null => {
    const own = armOfId.get(id)
    if (own === undefined) return null
    const isBetweenModels = armOfId.get(arm)?.model !== armOfId.get(fromArm)?.model
    const { setting, options, model } = own
    return { setting, options, ...(isBetweenModels ? { model } : {}) }
  }
  const areSomeLeftOut = !allPairs && differences.some(row => !row.againstFirst)
  return scorings(differences).map(scoring => {
    const rows = differences.filter(row => scoringOf(row) === scoring && (allPairs || row.againstFirst))
    const shown = rows.flatMap(row => {
      const metric = metricNamed(scorers, row.scorer, row.metric)
      const isShown = allMetrics || isInTable(row, scorers)
      return metric !== undefined && isShown ? [{ row, metric }] : []
    })
    return makeTable({
      title: `Differences between settings (${scoring})`,
      rows: shown,
      columns: column => [
        column('from', 'arm', ({ row }) => side(row, row.fromArm)),
        column('to', 'arm', ({ row }) => side(row, row.arm)),
        column('model', 'model', ({ row }) => row.model),
        column(facetName(facet), 'text', ({ row }) => domainName(row.domain, facet)),
        column('metric', 'text', ({ metric }) => metric.label),
        column('n', 'count', ({ row }) => row.n),
        column('groups', 'count', ({ row }) => row.components),
        column('difference', 'change', ({ row, metric }) => measuredCell(metric, row), {
          head: 'difference [95%]',
        }),
        column('p', 'p', ({ row }) => row.pValue),
        column('p Holm', 'p', ({ row }) => row.pValueHolm),
      ],
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
    })
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
