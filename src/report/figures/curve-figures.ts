import { armKey, withoutOptions } from '../../core/arm.ts'
import { groupBy } from '../../core/group-by.ts'
import { capitalise } from '../../text/plain-text.ts'
import { compareText } from '../model/entries.ts'
import type { FacetCurve } from '../model/facet-curves.ts'
import { findMetric, type RunScorers } from '../model/metrics.ts'
import type { Report } from '../model/report.ts'
import type { Curve } from '../model/report-rows.ts'
import { nameScoring } from '../model/scorings.ts'
import { nameDomain } from '../tables/columns.ts'
import { type Figure, makeMetricAxis, shareAxis, type ValueAxis } from './figure.ts'
import { type ArmSeries, makeArmSeries, removeEqualSeries } from './series.ts'

const curveTitles: Readonly<Record<Curve['figure'], { title: string; caption: string }>> = {
  'evidence-recall': {
    title: 'Evidence recall by number of chunks',
    caption:
      'Of the gold items with evidence in the documents, the share with evidence in the first k chunks.',
  },
  context: { title: 'by context size', caption: 'By the number of tokens of chunks in the prompt.' },
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

/** Returns the label and axis of a curve's values. Null for the second name of a metric that already has a curve. */
function findMeasure({ y, scorer }: Curve, scorers: RunScorers): { name: string; axis: ValueAxis } | null {
  const metric = scorer === null ? undefined : findMetric(scorers, scorer, y)
  if (metric !== undefined) return { name: capitalise(metric.label), axis: makeMetricAxis(metric) }
  const name = measureNames[y]
  return name === undefined ? null : { name, axis: shareAxis }
}

function describeCurve(
  { figure, x, y, scorer, judge }: Curve,
  name: string,
): { title: string; caption: string } {
  const scoring = scorer === null || judge === null ? '' : ` (${nameScoring({ scorer, judge })})`
  if (figure === 'context')
    return { ...curveTitles.context, title: `${name} ${curveTitles.context.title}${scoring}` }
  if (figure !== 'budget') return curveTitles[figure]
  return {
    title: `${name} by ${spentNames[x] ?? x} spent${scoring}`,
    caption:
      y === 'discovery'
        ? "Share of the tasks' documents opened so far, after each step of the trace."
        : 'Value of the best answer so far at each checkpoint, and of the final answer. Before the first checkpoint: the worst value.',
  }
}

/** With more lines of evidence recall, each retriever has a panel of its own, and each domain a figure, as for context sizes. */
const mostLines = 6

type DrawnCurve = Curve & { readonly measure: NonNullable<ReturnType<typeof findMeasure>> }

/** Returns the figures of all curves of a report: one for each pair of axes and scoring, or one for each domain. */
export function makeCurveFigures(report: Report): Figure[] {
  const kindOf = ({ figure, x, y, scorer, judge }: Curve): string =>
    JSON.stringify([figure, x, y, scorer, judge])
  const drawn = report.curves.flatMap((curve): DrawnCurve[] => {
    const measure = findMeasure(curve, report.scorers)
    return measure === null || curve.domain === 'allByDomain' ? [] : [{ ...curve, measure }]
  })
  const series = makeArmSeries(report.arms)
  return [...groupBy(drawn, kindOf).values()].flatMap((curves, at) => {
    const id = `${curves[0]!.figure}-${at + 1}`
    const arms = new Set(curves.map(armKey))
    const { figure } = curves[0]!
    const byRetriever = figure === 'context' || (figure !== 'budget' && arms.size > mostLines)
    if (!byRetriever) return [makeDomainPanels(report, curves, { id, series })]
    return [...groupBy(curves.toSorted(orderDomains), ({ domain }) => domain).values()].map(domainCurves =>
      makeRetrieverPanels(report, domainCurves, { id, series }),
    )
  })
}

interface FigureParts {
  readonly id: string
  readonly series: ArmSeries
}

/** All tasks first, then the domains by name. */
function orderDomains(a: { readonly domain: string }, b: { readonly domain: string }): number {
  const rank = ({ domain }: { readonly domain: string }): number => (domain === 'all' ? 0 : 1)
  return rank(a) - rank(b) || compareText(a.domain, b.domain)
}

function makeLineFigure(curves: readonly DrawnCurve[], id: string) {
  const { figure, x, y, measure } = curves[0]!
  return {
    kind: 'lines',
    id,
    ...describeCurve(curves[0]!, measure.name),
    axis: measure.axis,
    x,
    y,
    xName: spentNames[x] ?? x,
    yName: measure.axis.isPercent ? `${measure.name}, %` : measure.name,
    steps: figure === 'budget',
  } as const
}

/** A panel for all tasks, then one for each domain, with a line for each arm. */
function makeDomainPanels(
  report: Report,
  curves: readonly DrawnCurve[],
  { id, series }: FigureParts,
): Figure {
  return {
    ...makeLineFigure(curves, id),
    series: removeEqualSeries(curves.map(curve => series.of(curve))),
    points: curves.toSorted(orderDomains).flatMap(curve =>
      curve.points.map(point => ({
        panel: nameDomain(curve.domain, report.facet),
        line: series.of(curve).name,
        ...point,
      })),
    ),
  }
}

/**
 * Leaves out what repeats in a figure of evidence recall: the controls, which retrieve nothing, and arms that differ only in
 * the size of their context, which retrieve the same chunks.
 */
function pickRetrievalCurves(curves: readonly DrawnCurve[]): {
  curves: readonly DrawnCurve[]
  hidden: string[]
} {
  const plainCurves = curves.filter(({ options }) => !('control' in options))
  const alike = groupBy(plainCurves, ({ model, setting, options }) =>
    armKey({ model, setting, options: withoutOptions(options, ['context-tokens']) }),
  )
  const isSame = [...alike.values()].every(
    group => new Set(group.map(({ points }) => JSON.stringify(points))).size === 1,
  )
  return isSame
    ? { curves: [...alike.values()].map(([first]) => first!), hidden: ['retriever', 'context-tokens'] }
    : { curves: plainCurves, hidden: ['retriever'] }
}

/** A panel for each retriever, of all tasks or of one domain. The level of offline is a line of its own. */
function makeRetrieverPanels(
  report: Report,
  allCurves: readonly DrawnCurve[],
  { id, series }: FigureParts,
): Figure {
  const { domain, figure, scorer } = allCurves[0]!
  const { curves, hidden } =
    figure === 'context'
      ? { curves: allCurves, hidden: ['retriever', 'context-tokens'] }
      : pickRetrievalCurves(allCurves)
  const panelOf = (curve: DrawnCurve): string => findRetriever(curve, series) ?? curve.setting
  const offline =
    figure !== 'context' || scorer === null
      ? []
      : report.groups.filter(
          group => group.setting === 'offline' && group.domain === domain && group.scorer === scorer,
        )
  const panels = [...new Set(curves.map(panelOf))]
  const references = offline.flatMap(group => {
    const y = group.metrics[allCurves[0]!.y]?.mean ?? null
    return y === null ? [] : panels.map(panel => ({ panel, line: series.of(group).name, y }))
  })
  const name = nameDomain(domain, report.facet)
  const plain = makeLineFigure(allCurves, domain === 'all' ? id : `${id}-${domain}`)
  const lines = curves.map(curve => series.without(curve, hidden))
  return {
    ...plain,
    title: `${plain.title}: ${name}`,
    isFolded: domain !== 'all',
    series: removeEqualSeries([...lines, ...offline.map(group => series.of(group))]),
    references,
    points: curves.flatMap((curve, at) =>
      curve.points.map(point => ({ panel: panelOf(curve), line: lines[at]!.name, ...point })),
    ),
  }
}

/** The options of curves over context sizes lack the size, so that they are no arms. */
function findRetriever({ points, ...arm }: DrawnCurve, series: ArmSeries): string | null {
  const options = { ...arm.options, 'context-tokens': String(points[0]?.x) }
  return series.retrieverOf(arm) ?? series.retrieverOf({ ...arm, options })
}

/** Returns a figure for each facet with numbers and each scoring, with a line for each arm. */
export function makeFacetFigures(report: Report): Figure[] {
  const layouts = groupBy([...report.facetCurves], ({ id }) => id)
  return [...layouts.values()].flatMap(curves =>
    [...groupBy(curves, nameScoring).values()].flatMap((group, at) => makeFacetFigure(report, group, at)),
  )
}

function makeFacetFigure(report: Report, curves: readonly FacetCurve[], at: number): Figure[] {
  const { id, facet, name, source, remark, scorer, metric: key } = curves[0]!
  const metric = findMetric(report.scorers, scorer, key)
  if (metric === undefined) return []
  const arms = makeArmSeries(report.arms)
  const series = curves.map(curve => arms.of(curve))
  const isBinned = curves.some(({ points }) => points.some(({ from, to }) => from < to))
  return [
    {
      kind: 'lines',
      id: `facet-${id}${at === 0 ? '' : `-${at + 1}`}`,
      title: `${capitalise(metric.label)} by ${name} (${nameScoring(curves[0]!)})`,
      caption: [
        'Mean over scored attempts with its 95% interval over groups of tasks that share documents. n: scored attempts of each arm.',
        ...(isBinned ? ['Each point is a bin with about the same number of tasks.'] : []),
        ...(metric.better === 'lower' ? ['Lower is better.'] : []),
        ...(remark === '' ? [] : [remark]),
        `Axes: ${source}.`,
      ].join(' '),
      axis: makeMetricAxis(metric),
      x: facet,
      y: key,
      xName: name,
      places: labelPlaces(curves),
      yName: `${capitalise(metric.label)}${metric.unit === 'share' ? ', %' : ''}`,
      series,
      points: curves.flatMap(({ points }, line) =>
        points.map(({ x, mean, ...sample }) => ({
          ...{ panel: 'all tasks', line: series[line]!.name, x, y: mean, sample },
        })),
      ),
    },
  ]
}

/** Labels each place with its value, or the ends of its bin, and the number of scored attempts of each arm. */
function labelPlaces(curves: readonly FacetCurve[]): { readonly x: number; readonly label: string }[] {
  const points = curves.flatMap(curve => curve.points).toSorted((a, b) => a.x - b.x)
  return [...groupBy(points, ({ x }) => String(x)).values()].map(placePoints => {
    const { x, from, to } = placePoints[0]!
    const counts = placePoints.map(({ n }) => n)
    return {
      x,
      label: `${formatRange(from, to)}\nn = ${formatRange(Math.min(...counts), Math.max(...counts))}`,
    }
  })
}

function formatRange(from: number, to: number): string {
  return from === to ? from.toLocaleString('en') : `${from.toLocaleString('en')}–${to.toLocaleString('en')}`
}
