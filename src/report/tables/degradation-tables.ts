import type { MetricDefinition } from '../../core/metric.ts'
import { type ModelNaming, modelNaming } from '../model/arm-names.ts'
import { metricsOf, type RunScorers } from '../model/metrics.ts'
import type { DegradationRow } from '../model/report-rows.ts'
import { scoringOf, scorings } from '../model/scorings.ts'
import { lowerRemark } from './difference-tables.ts'
import { modelCell, modelColumn } from './group-columns.ts'
import { inUnits, metricText, signedIntervalText } from './metric-text.ts'
import { domainName, facetName, left, type ReportTable, right } from './report-table.ts'

/** Table 6 of the AOE paper marks changes of more than two points. The rest is for rounding: 0.52 - 0.5 exceeds 0.02. */
const arrowAbove = 2 + 1e-7

/** Formats a mean with an arrow when it differs from offline by more than two points: `34.4↑`. */
function withArrow(metric: MetricDefinition, mean: number | null, offline: number): string {
  const text = metricText(metric, mean)
  if (mean === null || Math.abs(inUnits(metric, mean - offline)) <= arrowAbove) return text
  return `${text}${mean > offline ? '↑' : '↓'}`
}

/** Shows the primary metric of offline, rag and the controls, and the differences between them. */
export function degradationTables(report: {
  readonly degradation: readonly DegradationRow[]
  readonly scorers: RunScorers
  readonly facet: string
}): ReportTable[] {
  const models = modelNaming(report.degradation)
  return scorings(report.degradation).flatMap(scoring => {
    const own = report.degradation.filter(row => scoringOf(row) === scoring)
    const { primary } = metricsOf(report.scorers, own[0]?.profile ?? 'none')
    const rows = own.filter(row => row.metric === primary?.key)
    return primary === null ? [] : [degradationTable(rows, primary, { scoring, models, facet: report.facet })]
  })
}

interface TableWords {
  readonly scoring: string
  readonly models: ModelNaming
  readonly facet: string
}

function degradationTable(
  rows: readonly DegradationRow[],
  metric: MetricDefinition,
  { scoring, models, facet }: TableWords,
): ReportTable {
  const shown = (['oracle', 'random'] as const).filter(arm => rows.some(row => row[arm] !== null))
  const differenceText = (row: DegradationRow['retrieval']): string => signedIntervalText(metric, row)
  // A loss is positive.
  const loss = (from: string, to: string): string =>
    metric.better === 'higher' ? `${from} - ${to}` : `${to} - ${from}`
  return {
    title: `What RAG loses, by cause: ${metric.label} (${scoring})`,
    columns: [
      left(facetName(facet)),
      ...modelColumn(models),
      left('rag'),
      right('n'),
      right('offline'),
      right('rag'),
      ...shown.map(arm => right(arm)),
      right(loss('offline', 'rag')),
      ...(shown.includes('oracle') ? [right(loss('offline', 'oracle')), right(loss('oracle', 'rag'))] : []),
      ...(shown.includes('random') ? [right(loss('rag', 'random'))] : []),
    ],
    rows: rows.map(row => [
      domainName(row.domain, facet),
      ...modelCell(row.model, models),
      row.variant === '' ? 'defaults' : row.variant,
      String(row.n),
      metricText(metric, row.offline),
      withArrow(metric, row.rag, row.offline),
      ...shown.map(arm => withArrow(metric, row[arm], row.offline)),
      differenceText(row.total),
      ...(shown.includes('oracle') ? [differenceText(row.lessContext), differenceText(row.retrieval)] : []),
      ...(shown.includes('random') ? [differenceText(row.earned)] : []),
    ]),
    remarks: [
      `${metric.unit === 'share' ? 'Means in percent' : 'Means'} over the n tasks scored in every arm. The trials of a task are averaged first. Brackets: 95% bootstrap interval over tasks. Arrows: more than 2 points from offline.`,
      ...(shown.includes('oracle')
        ? [
            `${loss('offline', 'oracle')}: loss from the smaller context. ${loss('oracle', 'rag')}: loss from imperfect retrieval.`,
          ]
        : []),
      ...(shown.includes('random')
        ? [`${loss('rag', 'random')}: gain of retrieval over random chunks.`]
        : []),
      ...lowerRemark([metric]),
    ],
  }
}
