import type { MetricDefinition } from '../../core/metric.ts'
import { type MeasuredCell, makeTable, type Table } from '../../core/table.ts'
import { metricsOf, type RunScorers } from '../model/metrics.ts'
import type { DegradationRow } from '../model/report-rows.ts'
import { scoringOf, scorings } from '../model/scorings.ts'
import { facetColumn, measuredCell, modelColumn } from './columns.ts'
import { lowerRemark } from './difference-tables.ts'
import { fewGroupsRemark } from './few-groups.ts'
import { inUnits } from './metric-text.ts'

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
