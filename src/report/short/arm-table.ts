import { answeredMetric, type MetricDefinition } from '../../core/metric.ts'
import { commonGroupOf } from '../model/common-tasks.ts'
import { compareValues, type RunScorers, scoringMetrics } from '../model/metrics.ts'
import type { Report } from '../model/report.ts'
import type { ReportGroup } from '../model/report-group.ts'
import { measuredCell } from '../tables/columns.ts'
import { displayWidth, padWidth } from '../tables/display-width.ts'
import type { ArmNaming } from '../tables/fit-names.ts'
import { intervalText } from '../tables/text-table.ts'
import { brokenHead, meanText, metricHead, narrowHead, percent, unknown } from '../tables/value-text.ts'

/** The arms and the layout of the summary's table. */
interface ArmTableInput {
  /** One for each arm, over all its tasks. */
  readonly arms: readonly ReportGroup[]
  readonly headline: Headline
  readonly naming: ArmNaming
  /** Columns of the terminal. */
  readonly columns: number
}

const gap = '  '

interface ShownArms {
  readonly best: readonly ReportGroup[]
  /** How many arms between the best and the worst are not shown. */
  readonly hidden: number
  readonly worst: readonly ReportGroup[]
}

/** Returns all arms in their order or, if too many, the best and the worst by the headline metric. */
function shownArms({ arms, headline }: ArmTableInput, rows: number): ShownArms {
  if (arms.length <= rows) return { best: arms, hidden: 0, worst: [] }
  const { metric, compared } = headline
  const meanOf = (group: ReportGroup): number | null =>
    metric === null ? null : (compared(group).metrics[metric.key]?.mean ?? null)
  // Arms without a score come last.
  const ranked = [...arms].sort((a, b) => {
    const [left, right] = [meanOf(a), meanOf(b)]
    if (metric === null || left === null || right === null)
      return Number(left === null) - Number(right === null)
    return compareValues(metric, right, left)
  })
  const worst = Math.floor((rows - 1) / 2)
  const best = rows - 1 - worst
  return {
    best: ranked.slice(0, best),
    hidden: arms.length - best - worst,
    worst: worst === 0 ? [] : ranked.slice(-worst),
  }
}

/** Widths of the columns of a table. */
interface Layout {
  /** The lines of the head of each column. */
  readonly heads: readonly (readonly string[])[]
  readonly widths: readonly number[]
  /** The terminal columns left for the names of the arms. */
  readonly forNames: number
}

/** Computes the widths of columns with these heads and cells. */
function layOut(heads: readonly string[], cells: readonly (readonly string[])[], columns: number): Layout {
  const lines = heads.map(head => head.split('\n'))
  const widths = lines.map((headLines, at) =>
    Math.max(...[...headLines, ...cells.map(row => row[at] ?? '')].map(displayWidth)),
  )
  const usedColumns = widths.reduce((sum, width) => sum + width + gap.length, 0)
  return { heads: lines, widths, forNames: columns - usedColumns }
}

/** Names of arms are hard to recognise when they are cut to fewer columns. */
const readableNameColumns = 20

/** The columns that fit beside the names of the arms, and the heads of those that do not. */
export interface FittedColumns {
  readonly columns: readonly HeadlineColumn[]
  readonly leftOut: readonly string[]
  readonly layout: Layout
}

/**
 * Chooses the columns of the table. Heads are long if the names of the arms fit, else short. Optional columns
 * are left out while names would be cut too much.
 */
export function fitColumns(input: ArmTableInput): FittedColumns {
  const nameOf = input.naming.fit(Number.POSITIVE_INFINITY)
  const longest = Math.max(0, ...input.arms.map(group => displayWidth(nameOf(group))))
  const layoutOf = (columns: readonly HeadlineColumn[], isNarrow: boolean): Layout =>
    layOut(
      columns.map(({ head, narrowHead }) => (isNarrow ? (narrowHead ?? head) : head)),
      input.arms.map(group => columns.map(column => column.cell(group))),
      input.columns,
    )
  let columns = input.headline.columns.filter(
    column => column.head.startsWith('scored') || input.arms.some(group => column.cell(group) !== unknown),
  )
  const leftOut: HeadlineColumn[] = []
  const roomy = layoutOf(columns, false)
  if (longest <= roomy.forNames) return { columns, leftOut: [], layout: roomy }
  let layout = layoutOf(columns, true)
  while (layout.forNames < Math.min(longest, readableNameColumns)) {
    const next = nextToLeaveOut(columns)
    if (next === undefined) break
    leftOut.push(next)
    columns = columns.filter(column => column !== next)
    layout = layoutOf(columns, true)
  }
  const heads = input.headline.columns.filter(column => leftOut.includes(column))
  return { columns, leftOut: heads.map(({ head }) => head.replace('\n', ' ')), layout }
}

/** Returns the column with the lowest `leaveOutOrder`, or undefined when all columns must stay. */
function nextToLeaveOut(columns: readonly HeadlineColumn[]): HeadlineColumn | undefined {
  const order = (column: HeadlineColumn): number => column.leaveOutOrder ?? Number.MAX_VALUE
  const [next] = [...columns].sort((a, b) => order(a) - order(b))
  return next?.leaveOutOrder === undefined ? undefined : next
}

/**
 * Returns the lines of a table with a row for each arm: two lines of heads and at most `rows` rows. If there are more arms,
 * the best and the worst are shown.
 */
export function armTable(input: ArmTableInput, fitted: FittedColumns, rows: number): string[] {
  const { best, hidden, worst } = shownArms(input, rows)
  const { columns, layout } = fitted
  const { heads, widths, forNames } = layout
  const nameOf = input.naming.fit(forNames)
  const nameWidth = Math.max(3, ...[...best, ...worst].map(group => displayWidth(nameOf(group))))
  const line = (name: string, texts: readonly string[]): string =>
    [padWidth(name, nameWidth, 'left'), ...texts.map((text, at) => padWidth(text, widths[at] ?? 0, 'right'))]
      .join(gap)
      .trimEnd()
  const row = (group: ReportGroup): string =>
    line(
      nameOf(group),
      columns.map(column => column.cell(group)),
    )
  const upper = heads.map(([first = '', second]) => (second === undefined ? '' : first))
  const lower = heads.map(head => head.at(-1) ?? '')
  return [
    line('', upper),
    line('arm', lower),
    ...best.map(row),
    ...(hidden === 0 ? [] : [`… ${hidden} more arms: --full`]),
    ...worst.map(row),
  ]
}

/** A column of the table in the short summary. A line break in `head` splits it over two lines. */
interface HeadlineColumn {
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
  /** Returns the group whose means stand side by side: the arm over the common tasks, or over its own. */
  compared(group: ReportGroup): ReportGroup
  readonly columns: readonly HeadlineColumn[]
}

const scored: HeadlineColumn = { head: 'scored\nof n', cell: group => `${group.scored}/${group.n}` }
const foundDocuments: HeadlineColumn = { head: 'docs\nfound', cell: group => percent(group.discoveryRecall) }

function primaryColumn(metric: MetricDefinition): HeadlineColumn {
  return {
    head: `${metricHead(metric)} [95%]`,
    cell: group => {
      const cell = measuredCell(metric, group.metrics[metric.key])
      return cell === null ? unknown : intervalText(cell)
    },
  }
}

/** The mean over all tasks of an arm, with n. */
function ownTasksColumn(metric: MetricDefinition): HeadlineColumn {
  return {
    head: 'own tasks\n(n)',
    cell: group => {
      const mean = meanText(metric, group.metrics[metric.key] ?? { mean: null })
      return mean === unknown ? unknown : `${mean} (${group.metrics[metric.key]?.n})`
    },
  }
}

function metricColumn(metric: MetricDefinition): HeadlineColumn {
  const head = brokenHead(metricHead(metric))
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
export function makeHeadline(report: Pick<Report, 'scorers' | 'common'>, scorer: string): Headline {
  const { scorers, common } = report
  const { primary, columns, companions } = scoringMetrics(scorers, scorer)
  const [answered, , ...scores] = columns
  const secondaryMetrics = [...scores.filter(metric => metric !== primary), ...companions].slice(0, maxOthers)
  const leaveOut = inLeaveOutOrder(secondaryMetrics)
  const compared = (group: ReportGroup): ReportGroup => commonGroupOf(report, group) ?? group
  const overCompared = (column: HeadlineColumn): HeadlineColumn => ({
    ...column,
    cell: group => column.cell(compared(group)),
  })
  return {
    metric: primary,
    compared,
    columns: [
      scored,
      ...(answered === undefined ? [] : [overCompared(metricColumn(answered))]),
      ...(primary === null ? [] : [overCompared(primaryColumn(primary))]),
      ...(primary === null || common.length === 0 ? [] : [ownTasksColumn(primary)]),
      ...inScorersOrder(scorers, scorer, secondaryMetrics).map(metric => ({
        ...overCompared(metricColumn(metric)),
        leaveOutOrder: leaveOut.indexOf(metric),
      })),
      overCompared(foundDocuments),
    ],
  }
}

function inScorersOrder(
  scorers: RunScorers,
  scorer: string,
  metrics: readonly MetricDefinition[],
): MetricDefinition[] {
  return scoringMetrics(scorers, scorer).all.filter(metric => metrics.includes(metric))
}
