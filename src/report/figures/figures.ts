import { terminationReasons } from '../../core/attempt.ts'
import type { MetricDefinition } from '../../core/metric.ts'
import { armLabel, modelNaming } from '../model/arm-names.ts'
import { compareText, groupBy } from '../model/entries.ts'
import { metricNamed, metricsOf, type RunScorers } from '../model/metrics.ts'
import type { Curve, Report, ReportGroup, StabilityRow } from '../model/report.ts'
import { scoringOf, scorings } from '../model/scorings.ts'
import { waterfallClasses } from '../tables/loss-tables.ts'
import { domainName, facetName } from '../tables/report-table.ts'

export interface Bar {
  readonly panel: string
  readonly label: string
  readonly value: number
  readonly low: number | null
  readonly high: number | null
}

export interface Segment {
  readonly label: string
  readonly part: string
  readonly value: number
}

export interface LinePoint {
  readonly panel: string
  readonly line: string
  readonly x: number
  readonly y: number
}

export interface HeatCell {
  readonly row: string
  readonly column: string
  /** -1 to 1. */
  readonly value: number
}

interface FigureCommon {
  readonly id: string
  readonly title: string
  /** What the figure says, for those who cannot see it. */
  readonly caption: string
}

/** How the values of an axis are drawn: shares as percent, between these bounds; null: as far as the values go. */
export interface ValueAxis {
  readonly isPercent: boolean
  readonly least: number | null
  readonly most: number | null
}

const shareAxis: ValueAxis = { isPercent: true, least: 0, most: 1 }

function axisOf({ unit, range: [least, most] }: MetricDefinition): ValueAxis {
  return { isPercent: unit === 'share', least, most }
}

/** A figure as data; what draws it and what writes its CSV read the same. Values are as in JSON: shares are 0..1. */
export type Figure =
  | (FigureCommon & {
      readonly kind: 'bars'
      readonly bars: readonly Bar[]
      readonly unit: string
      readonly axis: ValueAxis
    })
  | (FigureCommon & {
      readonly kind: 'stacks'
      readonly segments: readonly Segment[]
      readonly parts: readonly string[]
    })
  | (FigureCommon & { readonly kind: 'heat'; readonly cells: readonly HeatCell[] })
  | (FigureCommon & {
      readonly kind: 'lines'
      readonly points: readonly LinePoint[]
      readonly axis: ValueAxis
      readonly x: string
      readonly y: string
      /** What the axes are called, where not by the fields' names. */
      readonly xName?: string
      readonly yName?: string
      /** A value holds until the next point. */
      readonly steps?: boolean
    })

function capitalised(text: string): string {
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}`
}

/** `Cell F1, %` */
function axisName({ label, unit }: MetricDefinition): string {
  return `${capitalised(label)}${unit === 'share' ? ', %' : ''}`
}

function scoreBars(groups: readonly ReportGroup[], { key }: MetricDefinition, facet: string): Bar[] {
  const models = modelNaming(groups)
  return groups.flatMap(group => {
    const { mean = null, low = null, high = null } = group.metrics[key] ?? {}
    if (mean === null || group.domain === 'allByDomain') return []
    return [
      { panel: domainName(group.domain, facet), label: armLabel(group, models), value: mean, low, high },
    ]
  })
}

function scoreFigures(report: Report): Figure[] {
  const scorings = [...new Set(report.groups.map(scoringOf))]
  return scorings.flatMap((scoring, at) => {
    const groups = report.groups.filter(group => scoringOf(group) === scoring)
    const { scores } = metricsOf(report.scorers, groups[0]?.profile ?? 'none')
    return scores.map(metric => ({
      kind: 'bars' as const,
      id: `${metric.label.replaceAll(' ', '-').toLowerCase()}${at === 0 ? '' : `-${at + 1}`}`,
      title: `${capitalised(metric.label)} by ${facetName(report.facet)} and setting (${scoring})`,
      caption: `Mean over scored tasks with its 95% bootstrap interval.${metric.better === 'lower' ? ' Less is better.' : ''}`,
      unit: axisName(metric),
      axis: axisOf(metric),
      bars: scoreBars(groups, metric, report.facet),
    }))
  })
}

/** What an agent did itself first, then by how many attempts ended so: every bar has its parts in that order. */
function partsInOrder(ends: Report['ends']): string[] {
  const causes = Object.keys(terminationReasons)
  const counted = [...groupBy([...ends], partOf)].map(([part, rows]) => ({
    part,
    cause: causes.indexOf(rows[0]?.cause ?? ''),
    n: rows.reduce((sum, row) => sum + row.n, 0),
  }))
  return counted
    .sort((a, b) => a.cause - b.cause || b.n - a.n || compareText(a.part, b.part))
    .map(one => one.part)
}

function partOf({ cause, reason }: { readonly cause: string; readonly reason: string }): string {
  return `${cause}: ${reason}`
}

function terminationFigure(report: Report): Figure {
  const models = modelNaming(report.ends)
  const parts = partsInOrder(report.ends)
  const segments = report.ends
    .toSorted((a, b) => parts.indexOf(partOf(a)) - parts.indexOf(partOf(b)))
    .map(row => ({ label: armLabel(row, models), part: partOf(row), value: row.share }))
  const labels = report.ends.map(row => armLabel(row, models))
  return {
    kind: 'stacks',
    id: 'terminations',
    title: 'Why the attempts ended',
    caption: "Share of each setting's attempts by the cause and reason of their end.",
    segments: segments.toSorted((a, b) => labels.indexOf(a.label) - labels.indexOf(b.label)),
    parts,
  }
}

function waterfallFigures(report: Report): Figure[] {
  const scorings = [...new Set(report.waterfall.map(scoringOf))]
  return scorings.map((scoring, at) => {
    const rows = report.waterfall.filter(row => scoringOf(row) === scoring && row.domain === 'all')
    const models = modelNaming(rows)
    const segments = rows.flatMap(row => [
      { label: armLabel(row, models), part: 'correct', value: row.recall },
      ...waterfallClasses.flatMap(name => {
        const value = row.classes[name] ?? 0
        return value === 0 ? [] : [{ label: armLabel(row, models), part: name, value }]
      }),
    ])
    return {
      kind: 'stacks',
      id: at === 0 ? 'waterfall' : `waterfall-${at + 1}`,
      title: `Where the gold ${metricsOf(report.scorers, rows[0]?.profile ?? 'none').itemNoun}s were lost (${scoring})`,
      caption: 'Recall, and what each class of the loss ledger took of the rest; a bar adds up to 100%.',
      segments,
      parts: ['correct', ...waterfallClasses.filter(name => segments.some(segment => segment.part === name))],
    }
  })
}

const curveTitles: Readonly<Record<Curve['figure'], { title: string; caption: string }>> = {
  'evidence-recall': {
    title: 'Evidence recall by number of chunks',
    caption:
      'Share of the gold items with evidence in the documents whose evidence is in the first k chunks.',
  },
  context: { title: 'by size of context', caption: 'By tokens of chunks in the prompt.' },
  budget: { title: 'By what was spent', caption: '' },
}

const measureNames: Readonly<Record<string, string>> = {
  discovery: 'Documents opened',
  evidenceRecall: 'Evidence recall',
  evidenceInPrompt: 'Evidence in the prompt',
}
const spentNames: Readonly<Record<string, string>> = {
  tokens: 'tokens',
  modelCalls: 'model calls',
  usd: 'US dollars',
  wallMs: 'milliseconds',
  k: 'chunks (k)',
  contextTokens: 'tokens of context',
}

/** What a curve's values are called, and their axis. Null for another name of a metric that has a curve of its own. */
function measureOf({ y, profile }: Curve, scorers: RunScorers): { name: string; axis: ValueAxis } | null {
  const metric = profile === null ? undefined : metricNamed(scorers, profile, y)
  if (metric !== undefined) return { name: capitalised(metric.label), axis: axisOf(metric) }
  const name = measureNames[y]
  return name === undefined ? null : { name, axis: shareAxis }
}

function curveWords(
  { figure, x, y, profile, judge }: Curve,
  name: string,
): { title: string; caption: string } {
  const scoring = profile === null || judge === null ? '' : ` (${scoringOf({ profile, judge })})`
  if (figure === 'context')
    return { ...curveTitles.context, title: `${name} ${curveTitles.context.title}${scoring}` }
  if (figure !== 'budget') return curveTitles[figure]
  return {
    title: `${name} by ${spentNames[x] ?? x} spent${scoring}`,
    caption:
      y === 'discovery'
        ? "Share of the tasks' documents that were opened, from the trace cut at each step."
        : 'Of the best answer so far at each checkpoint, and of the final one; the worst value before the first.',
  }
}

/** The domains by name, then all tasks. */
function panelOrder(a: { readonly domain: string }, b: { readonly domain: string }): number {
  const rank = ({ domain }: { readonly domain: string }): number => (domain === 'all' ? 1 : 0)
  return rank(a) - rank(b) || compareText(a.domain, b.domain)
}

function curveFigures(report: Report): Figure[] {
  const kindOf = ({ figure, x, y, profile, judge }: Curve): string =>
    JSON.stringify([figure, x, y, profile, judge])
  const drawn = report.curves.flatMap(curve => {
    const measure = measureOf(curve, report.scorers)
    return measure === null ? [] : [{ ...curve, measure }]
  })
  return [...groupBy(drawn, kindOf).values()].map((curves, at) => {
    const models = modelNaming(curves)
    const { figure, x, y, measure } = curves[0]!
    return {
      kind: 'lines',
      id: `${figure}-${at + 1}`,
      ...curveWords(curves[0]!, measure.name),
      axis: measure.axis,
      x,
      y,
      xName: spentNames[x] ?? x,
      yName: measure.axis.isPercent ? `${measure.name}, %` : measure.name,
      steps: figure === 'budget',
      points: curves
        .filter(curve => curve.domain !== 'allByDomain')
        .toSorted(panelOrder)
        .flatMap(curve =>
          curve.points.map(point => ({
            panel: domainName(curve.domain, report.facet),
            line: armLabel(curve, models),
            ...point,
          })),
        ),
    }
  })
}

/** Names the scoring where the report has several. */
function stabilityLabel(row: StabilityRow, { stability }: Report): string {
  return scorings(stability).length > 1 ? `${row.metric} (${scoringOf(row)})` : row.metric
}

function stabilityFigure(report: Report): Figure {
  return {
    kind: 'heat',
    id: 'stability',
    title: 'How repeated scorings agree',
    caption: 'Correlation of each metric between repeats of the same scoring.',
    cells: report.stability.flatMap(row =>
      (['pearson', 'spearman'] as const).flatMap(column => {
        const value = row[column]
        return value === null ? [] : [{ row: stabilityLabel(row, report), column, value }]
      }),
    ),
  }
}

/** Every figure that the report has data for. */
export function reportFigures(report: Report): Figure[] {
  const all = [
    ...scoreFigures(report),
    ...waterfallFigures(report),
    terminationFigure(report),
    ...curveFigures(report),
    stabilityFigure(report),
  ]
  return all.filter(figure => {
    switch (figure.kind) {
      case 'bars':
        return figure.bars.length > 0
      case 'stacks':
        return figure.segments.length > 0
      case 'heat':
        return figure.cells.length > 0
      case 'lines':
        return figure.points.length > 0
      default:
        return figure satisfies never
    }
  })
}
