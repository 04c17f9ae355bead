import { armLabel, modelNaming } from '../model/arm-names.ts'
import { compareText, groupBy } from '../model/entries.ts'
import { metricNamed, type RunScorers } from '../model/metrics.ts'
import type { Report } from '../model/report.ts'
import type { Curve } from '../model/report-rows.ts'
import { scoringOf } from '../model/scorings.ts'
import { domainName } from '../tables/report-table.ts'
import type { Figure, ValueAxis } from './figure.ts'
import { axisOf, capitalised, shareAxis } from './figure.ts'

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
        ? "Share of the tasks' documents opened so far, after each step of the trace."
        : 'Value of the best answer so far at each checkpoint, and of the final answer. Before the first checkpoint: the worst value.',
  }
}

/** Orders panels: domains by name, then all tasks. */
function panelOrder(a: { readonly domain: string }, b: { readonly domain: string }): number {
  const rank = ({ domain }: { readonly domain: string }): number => (domain === 'all' ? 1 : 0)
  return rank(a) - rank(b) || compareText(a.domain, b.domain)
}

/** Returns the figures of all curves of a report, one for each pair of axes and scoring. */
export function curveFigures(report: Report): Figure[] {
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
