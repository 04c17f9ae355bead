import { answeredMetric, type MetricDefinition } from '../../core/metric.ts'
import { metricsOf, type RunScorers } from '../model/metrics.ts'
import type { ReportGroup } from '../model/report-group.ts'
import { measuredCell } from '../tables/columns.ts'
import { brokenHead, headOf, meanText, narrowHead } from '../tables/metric-text.ts'
import { percent, unknown } from '../tables/numbers.ts'
import { intervalText } from '../tables/text-table.ts'

/** A column of the table in the short summary. A line break in `head` splits it over two lines. */
export interface HeadlineColumn {
  readonly head: string
  /** A shorter head, for when the names of the arms need the space. */
  readonly narrowHead?: string
  /** When the names of the arms need space, the lowest number is left out first. Absent: the column always stays. */
  readonly leaveOutOrder?: number
  cell(group: ReportGroup): string
}

/** The primary metric of a scoring and the columns of the summary. The metric is null when nothing was scored. */
export interface Headline {
  readonly metric: MetricDefinition | null
  readonly columns: readonly HeadlineColumn[]
}

const scored: HeadlineColumn = { head: 'scored\nof n', cell: group => `${group.scored}/${group.n}` }
const found: HeadlineColumn = { head: 'docs\nfound', cell: group => percent(group.discoveryRecall) }

function primaryColumn(metric: MetricDefinition): HeadlineColumn {
  return {
    head: `${headOf(metric)} [95%]`,
    cell: group => {
      const cell = measuredCell(metric, group.metrics[metric.key])
      return cell === null ? unknown : intervalText(cell)
    },
  }
}

function columnOf(metric: MetricDefinition): HeadlineColumn {
  const head = brokenHead(headOf(metric))
  return {
    head,
    narrowHead: metric === answeredMetric ? 'answ.' : narrowHead(head),
    cell: group => meanText(metric, group.metrics[metric.key] ?? { mean: null }),
  }
}

/**
 * Returns the metrics in the order in which they are left out: scores first. Companions qualify the primary metric, so they
 * stay longer, the last of the scorer longest.
 */
function inLeaveOutOrder(metrics: readonly MetricDefinition[]): MetricDefinition[] {
  const isScore = ({ role }: MetricDefinition): boolean => role === 'score'
  return [...metrics.filter(isScore).reverse(), ...metrics.filter(metric => !isScore(metric))]
}

/** How many metrics besides the primary one have a column, so that the table fits into 80 columns. */
const maxOthers = 4

/**
 * Returns the columns for a scoring: the share of answers, the primary metric, then other metrics in the scorer's order.
 */
export function headlineOf(scorers: RunScorers, scorer: string): Headline {
  const { primary, columns, companions } = metricsOf(scorers, scorer)
  const [answered, , ...scores] = columns
  const others = [...scores.filter(metric => metric !== primary), ...companions].slice(0, maxOthers)
  const leaveOut = inLeaveOutOrder(others)
  return {
    metric: primary,
    columns: [
      scored,
      ...(answered === undefined ? [] : [columnOf(answered)]),
      ...(primary === null ? [] : [primaryColumn(primary)]),
      ...inScorersOrder(scorers, scorer, others).map(metric => ({
        ...columnOf(metric),
        leaveOutOrder: leaveOut.indexOf(metric),
      })),
      found,
    ],
  }
}

function inScorersOrder(
  scorers: RunScorers,
  scorer: string,
  metrics: readonly MetricDefinition[],
): MetricDefinition[] {
  return metricsOf(scorers, scorer).all.filter(metric => metrics.includes(metric))
}
