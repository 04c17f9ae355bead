import type { MetricDefinition } from '../../core/metric.ts'
import { metricsOf, type RunScorers } from '../model/metrics.ts'
import type { ReportGroup } from '../model/report-group.ts'
import { brokenHead, headOf, intervalText, metricText, narrowHead } from '../tables/metric-text.ts'
import { percent } from '../tables/numbers.ts'

/** A column of the short summary's table; a head of two lines has a line break. */
export interface HeadlineColumn {
  readonly head: string
  /** Where the names of the arms need the room. */
  readonly narrowHead?: string
  cell(group: ReportGroup): string
}

/** The metric that a scoring is about, and the columns that show it; the metric is null where nothing was scored. */
export interface Headline {
  readonly metric: MetricDefinition | null
  readonly columns: readonly HeadlineColumn[]
}

const scored: HeadlineColumn = { head: 'scored\nof n', cell: group => `${group.scored}/${group.n}` }
const found: HeadlineColumn = { head: 'docs\nfound', cell: group => percent(group.discoveryRecall) }

function columnOf(metric: MetricDefinition, primary: MetricDefinition | null): HeadlineColumn {
  if (metric === primary)
    return {
      head: `${headOf(metric)} [95%]`,
      cell: group => intervalText(metric, group.metrics[metric.key]),
    }
  const head = brokenHead(headOf(metric))
  const narrow = narrowHead(head)
  return {
    head,
    ...(narrow === head ? {} : { narrowHead: narrow }),
    cell: group => metricText(metric, group.metrics[metric.key]?.mean ?? null),
  }
}

/** Columns for other metrics than the primary one: the first of them, so that the table fits on 80 columns. */
const mostOthers = 4

/**
 * The columns of a scoring: whether there is an answer, the primary metric, then the others in the scorer's order, as many
 * as there is room for.
 */
export function headlineOf(scorers: RunScorers, profile: string): Headline {
  const { primary, columns, companions } = metricsOf(scorers, profile)
  const [answered, , ...scores] = columns
  const others = [...scores.filter(metric => metric !== primary), ...companions].slice(0, mostOthers)
  const order = [answered, primary, ...inScorersOrder(scorers, profile, others)]
  return {
    metric: primary,
    columns: [scored, ...order.flatMap(metric => (metric ? [columnOf(metric, primary)] : [])), found],
  }
}

function inScorersOrder(
  scorers: RunScorers,
  profile: string,
  metrics: readonly MetricDefinition[],
): MetricDefinition[] {
  return metricsOf(scorers, profile).all.filter(metric => metrics.includes(metric))
}
