import { type AnswerKind, answerKindOf, type Metric, metricsOf, primaryOf } from '../model/metrics.ts'
import type { DifferenceRow, Measure, ReportGroup } from '../model/report.ts'
import { percent, withInterval } from '../tables/numbers.ts'

/** A column of the short summary's table; a head of two lines has a line break. */
export interface HeadlineColumn {
  readonly head: string
  /** Where the names of the arms need the room. */
  readonly narrowHead?: string
  cell(group: ReportGroup): string
}

/** The metric that a scoring is about. */
export interface Headline {
  readonly metric: DifferenceRow['metric']
  readonly name: string
  /** The metric of an arm. */
  measureOf(group: ReportGroup): Measure
  readonly columns: readonly HeadlineColumn[]
}

const scored: HeadlineColumn = { head: 'scored\nof n', cell: group => `${group.scored}/${group.n}` }
const found: HeadlineColumn = { head: 'docs\nfound', cell: group => percent(group.discoveryRecall) }

const columnRecall: HeadlineColumn = {
  head: 'column\nrecall',
  cell: group => percent(group.columnRecall),
}

const schemaPrecision: HeadlineColumn = {
  head: 'schema\nprecision',
  narrowHead: 'schema\nprec.',
  cell: group => percent(group.schemaPrecision),
}

function columnOf(metric: Metric, kind: AnswerKind): HeadlineColumn {
  const head = metric.appliesTo[kind]?.summary ?? metric.label
  return metric.primary
    ? { head: `${head} [95%]`, cell: group => withInterval(group[metric.key]) }
    : { head: head.replace(' ', '\n'), cell: group => percent(group[metric.key].mean) }
}

/** The headline metric and columns of a scoring, by its profile: whether there is an answer, then how good it is. */
export function headlineOf(profile: string): Headline {
  const kind = answerKindOf(profile) ?? 'table'
  const primary = primaryOf(kind)
  const own = metricsOf(kind)
  const inOrder = [
    ...own.filter(metric => metric.role === 'answered'),
    ...own.filter(metric => metric.role === 'score'),
  ]
  return {
    metric: primary.key,
    name: primary.appliesTo[kind]?.summary ?? primary.label,
    measureOf: group => group[primary.key],
    columns: [
      scored,
      ...inOrder.flatMap(metric =>
        metric === primary && kind === 'table'
          ? [columnOf(metric, kind), columnRecall]
          : [columnOf(metric, kind)],
      ),
      ...(kind === 'table' ? [schemaPrecision] : []),
      found,
    ],
  }
}
