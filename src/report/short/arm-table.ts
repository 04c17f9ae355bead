import { answeredMetric, type MetricDefinition } from '../../core/metric.ts'
import type { ArmStanding } from '../model/arm-standings.ts'
import { compareValues, listScoringMetrics, type RunScorers } from '../model/metrics.ts'
import { formatLargestLoss, scoreCell } from '../tables/arm-tables.ts'
import { measureCell } from '../tables/columns.ts'
import { makeSimultaneous } from '../tables/difference-tables.ts'
import { displayWidth, padWidth } from '../tables/display-width.ts'
import type { ArmNaming } from '../tables/fit-names.ts'
import { changeText, formatInterval } from '../tables/text-table.ts'
import {
  breakHead,
  formatDollars,
  formatFineSeconds,
  formatMetricHead,
  formatP,
  formatPercent,
  meanText,
  shortenHead,
  unknown,
} from '../tables/value-text.ts'

/** The arms and the columns of a table of the summary. */
interface ArmTableInput {
  /** One for each arm. */
  readonly arms: readonly ArmStanding[]
  readonly columns: readonly HeadlineColumn[]
  readonly naming: ArmNaming
  /** Columns of the terminal. */
  readonly width: number
}

const gap = '  '

/** The arms that a summary shows. */
export interface ShownArms {
  readonly best: readonly ArmStanding[]
  /** How many arms between the best and the worst are not shown. */
  readonly hidden: number
  readonly worst: readonly ArmStanding[]
}

/** Sorts the arms by the headline metric, the best first. Arms without a score come last. */
export function rankArms(arms: readonly ArmStanding[], { metric }: Headline): ArmStanding[] {
  const meanOf = ({ group }: ArmStanding): number | null =>
    metric === null ? null : (group.metrics[metric.key]?.mean ?? null)
  return [...arms].sort((a, b) => {
    const [left, right] = [meanOf(a), meanOf(b)]
    if (metric === null || left === null || right === null)
      return Number(left === null) - Number(right === null)
    return compareValues(metric, right, left)
  })
}

/** Returns all arms in their order or, if there are more than `rows`, the best and the worst by the headline metric. */
export function selectArms(arms: readonly ArmStanding[], headline: Headline, rows: number): ShownArms {
  if (arms.length <= rows) return { best: arms, hidden: 0, worst: [] }
  const ranked = rankArms(arms, headline)
  const worst = Math.floor(rows / 2)
  const best = rows - worst
  return {
    best: ranked.slice(0, best),
    hidden: arms.length - rows,
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
  const longest = Math.max(0, ...input.arms.map(({ own }) => displayWidth(nameOf(own))))
  const layoutOf = (columns: readonly HeadlineColumn[], isNarrow: boolean): Layout =>
    layOut(
      columns.map(({ head, narrowHead }) => (isNarrow ? (narrowHead ?? head) : head)),
      input.arms.map(arm => columns.map(column => column.cell(arm))),
      input.width,
    )
  let columns = input.columns.filter(column =>
    input.arms.some(arm => !['', unknown].includes(column.cell(arm))),
  )
  const leftOut: HeadlineColumn[] = []
  const roomy = layoutOf(columns, false)
  if (longest <= roomy.forNames) return { columns, leftOut: [], layout: roomy }
  let layout = layoutOf(columns, true)
  while (layout.forNames < Math.min(longest, readableNameColumns)) {
    const next = findNextToLeaveOut(columns)
    if (next === undefined) break
    leftOut.push(next)
    columns = columns.filter(column => column !== next)
    layout = layoutOf(columns, true)
  }
  const heads = input.columns.filter(column => leftOut.includes(column))
  return { columns, leftOut: heads.map(({ head }) => head.replace('\n', ' ')), layout }
}

/** Returns the column with the lowest `leaveOutOrder`, or undefined when all columns must stay. */
function findNextToLeaveOut(columns: readonly HeadlineColumn[]): HeadlineColumn | undefined {
  const order = (column: HeadlineColumn): number => column.leaveOutOrder ?? Number.MAX_VALUE
  const [next] = [...columns].sort((a, b) => order(a) - order(b))
  return next?.leaveOutOrder === undefined ? undefined : next
}

/** Returns the lines of a table with a row for each shown arm: one or two lines of heads, and a line of dots for hidden arms. */
export function formatArmTable({ naming }: ArmTableInput, fitted: FittedColumns, shown: ShownArms): string[] {
  const { best, hidden, worst } = shown
  const { columns, layout } = fitted
  const { heads, widths, forNames } = layout
  const nameOf = naming.fit(forNames)
  const nameWidth = Math.max(3, ...[...best, ...worst].map(({ own }) => displayWidth(nameOf(own))))
  const line = (name: string, texts: readonly string[]): string =>
    [
      padWidth(name, nameWidth, 'left'),
      ...texts.map((text, at) => padWidth(text, widths[at] ?? 0, columns[at]?.align ?? 'right')),
    ]
      .join(gap)
      .trimEnd()
  const row = (arm: ArmStanding): string =>
    line(
      nameOf(arm.own),
      columns.map(column => column.cell(arm)),
    )
  const upper = heads.map(([first = '', second]) => (second === undefined ? '' : first))
  const lower = heads.map(head => head.at(-1) ?? '')
  return [
    ...(upper.some(text => text !== '') ? [line('', upper)] : []),
    line('arm', lower),
    ...best.map(row),
    ...(hidden === 0 ? [] : ['…']),
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
  readonly align?: 'left' | 'right'
  cell(arm: ArmStanding): string
}

/** The primary metric of a scoring and the columns of the summary's tables. The metric is null when nothing was scored. */
export interface Headline {
  readonly metric: MetricDefinition | null
  /** Scores, with the difference to the baseline. */
  readonly columns: readonly HeadlineColumn[]
  /** What was lost and spent. */
  readonly lossColumns: readonly HeadlineColumn[]
}

const scored: HeadlineColumn = {
  head: 'scored\nof n',
  narrowHead: 'n',
  cell: ({ own }) => `${own.scored}/${own.n}`,
}
const foundDocuments: HeadlineColumn = {
  head: 'docs\nfound',
  cell: ({ group }) => formatPercent(group.discoveryRecall),
}

/** Whether any arm has an interval, which needs enough groups of tasks. */
export function hasInterval(metric: MetricDefinition | null, arms: readonly ArmStanding[]): boolean {
  return metric !== null && arms.some(({ group }) => scoreCell(metric, group)?.low !== undefined)
}

function makePrimaryColumn(metric: MetricDefinition, arms: readonly ArmStanding[]): HeadlineColumn {
  return {
    head: `${formatMetricHead(metric)}${hasInterval(metric, arms) ? ' [95%]' : ''}`,
    cell: ({ group }) => {
      const cell = scoreCell(metric, group)
      return cell === null ? unknown : formatInterval(cell)
    },
  }
}

/** The mean over all tasks of an arm, with n. */
function makeOwnTasksColumn(metric: MetricDefinition): HeadlineColumn {
  return {
    head: 'own\ntasks',
    cell: ({ own }) => meanText(metric, own.metrics[metric.key] ?? { mean: null }),
  }
}

/** The difference of each arm to the baseline, with its adjusted p-value. Empty for a single arm. */
function makeDifferenceColumns(metric: MetricDefinition, arms: readonly ArmStanding[]): HeadlineColumn[] {
  const tests = arms.flatMap(({ difference }) => difference ?? [])
  if (tests.length === 0) return []
  const hasIntervals = tests.some(({ simultaneousLow }) => simultaneousLow !== null)
  return [
    {
      head: `minus\nbaseline${hasIntervals ? ' [95%]' : ''}`,
      cell: ({ difference, isBaseline }) =>
        difference === null
          ? isBaseline
            ? 'baseline'
            : unknown
          : changeText(measureCell(metric, makeSimultaneous(difference))!),
    },
    {
      head: 'p\nHolm',
      cell: ({ difference }) => (difference === null ? '' : formatP(difference.pValueHolm)),
    },
  ]
}

function makeMetricColumn(metric: MetricDefinition): HeadlineColumn {
  const head = breakHead(formatMetricHead(metric))
  return {
    head,
    narrowHead: metric === answeredMetric ? 'answ.' : shortenHead(head),
    cell: ({ group }) => meanText(metric, group.metrics[metric.key] ?? { mean: null }),
  }
}

/**
 * Returns the metrics in the order in which they are left out: scores first. Companions qualify the primary metric, so they
 * stay longer, the last of the scorer longest.
 */
function sortForLeavingOut(metrics: readonly MetricDefinition[]): MetricDefinition[] {
  const isScore = ({ role }: MetricDefinition): boolean => role === 'score'
  return [...metrics.filter(isScore).reverse(), ...metrics.filter(metric => !isScore(metric))]
}

/** How many metrics besides the primary one have a column, so that the table fits into 80 columns. */
const maxOthers = 4

/**
 * Returns the columns for a scoring: the primary metric and the difference to the baseline, then the share of answers, other
 * metrics in the scorer's order and the documents found, which are left out where names of arms need the space.
 */
export function makeHeadline(scorers: RunScorers, scorer: string, arms: readonly ArmStanding[]): Headline {
  const { primary, columns, companions, itemNoun } = listScoringMetrics(scorers, scorer)
  const [answered, , ...scores] = columns
  const secondaryMetrics = [...scores.filter(metric => metric !== primary), ...companions].slice(0, maxOthers)
  const leaveOut = sortForLeavingOut(secondaryMetrics)
  const isCommon = arms.some(({ group }) => group.domain === 'common')
  return {
    metric: primary,
    columns: [
      scored,
      ...(answered === undefined ? [] : [{ ...makeMetricColumn(answered), leaveOutOrder: leaveOut.length }]),
      ...(primary === null ? [] : [makePrimaryColumn(primary, arms)]),
      ...(primary === null || !isCommon ? [] : [makeOwnTasksColumn(primary)]),
      ...(primary === null ? [] : makeDifferenceColumns(primary, arms)),
      ...sortAsScorers(scorers, scorer, secondaryMetrics).map(metric => ({
        ...makeMetricColumn(metric),
        leaveOutOrder: leaveOut.indexOf(metric),
      })),
      { ...foundDocuments, leaveOutOrder: leaveOut.length + 1 },
    ],
    lossColumns: [...lossColumns, ...makeCostColumns(itemNoun)],
  }
}

const lossColumns: readonly HeadlineColumn[] = [
  { head: 'lost', cell: ({ losses: { recall } }) => formatPercent(recall === null ? null : 1 - recall) },
  { head: 'largest\nloss', align: 'left', cell: ({ losses }) => formatLargestLoss(losses) },
]

/** What an attempt and a correct item cost, in dollars and time. */
function makeCostColumns(noun: string): HeadlineColumn[] {
  const item = noun.length > 7 ? 'item' : noun
  return [
    { head: 'US$ per\nattempt', cell: ({ group }) => formatDollars(group.usd) },
    { head: `US$ per\n${item}`, cell: ({ group }) => formatDollars(group.efficiency.usdPerCorrectCell) },
    { head: 's per\nattempt', cell: ({ group }) => formatFineSeconds(group.wallMs) },
    { head: `s per\n${item}`, cell: ({ group }) => formatFineSeconds(group.efficiency.wallMsPerCorrectCell) },
  ]
}

function sortAsScorers(
  scorers: RunScorers,
  scorer: string,
  metrics: readonly MetricDefinition[],
): MetricDefinition[] {
  return listScoringMetrics(scorers, scorer).all.filter(metric => metrics.includes(metric))
}
