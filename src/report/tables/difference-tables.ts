import type { MetricDefinition } from '../../core/metric.ts'
import { type ArmCell, type MeasuredCell, makeTable, type Table } from '../../core/table.ts'
import { isInTable } from '../model/differences.ts'
import { metricNamed, metricsOf, type RunScorers } from '../model/metrics.ts'
import type { ReportArm } from '../model/report.ts'
import type { DegradationRow, DifferenceRow } from '../model/report-rows.ts'
import { scoringOf, scorings } from '../model/scorings.ts'
import { domainName, facetColumn, facetName, measuredCell, modelColumn } from './columns.ts'
import { fewGroupsRemark } from './few-groups.ts'
import { inUnits } from './value-text.ts'

/** The differences to show, with the arms, the metrics and the facet that name them. */
interface DifferenceTablesSource {
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
function lowerRemark(metrics: readonly MetricDefinition[]): string[] {
  const labels = new Set(metrics.filter(({ better }) => better === 'lower').map(({ label }) => label))
  return labels.size === 0 ? [] : [`Lower is better: ${[...labels].join(', ')}.`]
}

/** Table 6 of the AOE paper marks changes of more than two points. The rest is for rounding: 0.52 - 0.5 exceeds 0.02. */
const arrowAbove = 2 + 1e-7

/** Marks a mean that differs from offline by more than two points. */
function markedMean(metric: MetricDefinition, mean: number | null, offline: number): MeasuredCell {
  const isLarge = mean !== null && Math.abs(inUnits(metric, mean - offline)) > arrowAbove
  return { unit: metric.unit, mean, ...(isLarge ? { arrow: mean > offline ? '↑' : '↓' } : {}) }
}

/** Shows the primary metric of offline, rag and the controls, and the differences between them. */
export function degradationTables(report: {
  readonly degradation: readonly DegradationRow[]
  readonly scorers: RunScorers
  readonly facet: string
}): Table[] {
  return scorings(report.degradation).flatMap(scoring => {
    const own = report.degradation.filter(row => scoringOf(row) === scoring)
    const { primary } = metricsOf(report.scorers, own[0]?.scorer ?? 'none')
    const rows = own.filter(row => row.metric === primary?.key)
    return primary === null ? [] : [degradationTable(rows, primary, { scoring, facet: report.facet })]
  })
}

function degradationTable(
  rows: readonly DegradationRow[],
  metric: MetricDefinition,
  { scoring, facet }: { readonly scoring: string; readonly facet: string },
): Table {
  const controls = (['oracle', 'random'] as const).filter(arm => rows.some(row => row[arm] !== null))
  const losses = shownLosses(metric, controls)
  return makeTable({
    title: `What RAG loses, by cause: ${metric.label} (${scoring})`,
    rows,
    columns: column => [
      facetColumn(facet),
      modelColumn(),
      column('rag', 'options', ({ options }) => ({ setting: 'rag', options })),
      column('n', 'count', row => row.n),
      column('groups', 'count', row => row.total.components),
      column('offline', 'mean', row => ({ unit: metric.unit, mean: row.offline })),
      ...(['rag', ...controls] as const).map(arm =>
        column(arm, 'mean', (row: DegradationRow) => markedMean(metric, row[arm], row.offline)),
      ),
      ...losses.map(({ head, of }) =>
        column(head, 'change', (row: DegradationRow) => measuredCell(metric, of(row) ?? undefined)),
      ),
    ],
    remarks: [
      `${metric.unit === 'share' ? 'Means in percent' : 'Means'} over the n tasks scored in every arm. The trials of a task are averaged first. Brackets: 95% interval over groups of tasks that share documents. Arrows: more than 2 points from offline.`,
      ...fewGroupsRemark(rows.map(({ total }) => total)),
      ...losses.flatMap(({ head, meaning }) => (meaning === null ? [] : [`${head}: ${meaning}.`])),
      ...lowerRemark([metric]),
    ],
  })
}

/** A column with a loss, which is a difference between two arms. */
interface LossColumn {
  readonly head: string
  /** What the loss means. Null when the head is enough. */
  readonly meaning: string | null
  of(row: DegradationRow): DegradationRow['retrieval']
}

/** Returns the losses that can be computed with these controls. */
function shownLosses({ better }: MetricDefinition, controls: readonly ('oracle' | 'random')[]): LossColumn[] {
  // A loss is positive.
  const head = (from: string, to: string): string =>
    better === 'higher' ? `${from} - ${to}` : `${to} - ${from}`
  const total: LossColumn = { head: head('offline', 'rag'), meaning: null, of: row => row.total }
  const byOracle: LossColumn[] = [
    { head: head('offline', 'oracle'), meaning: 'loss from the smaller context', of: row => row.lessContext },
    { head: head('oracle', 'rag'), meaning: 'loss from imperfect retrieval', of: row => row.retrieval },
  ]
  const byRandom: LossColumn[] = [
    { head: head('rag', 'random'), meaning: 'gain of retrieval over random chunks', of: row => row.earned },
  ]
  return [
    total,
    ...(controls.includes('oracle') ? byOracle : []),
    ...(controls.includes('random') ? byRandom : []),
  ]
}
