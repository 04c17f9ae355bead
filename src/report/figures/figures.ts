import { groupBy } from '../../core/group-by.ts'
import type { MetricDefinition } from '../../core/metric.ts'
import { terminationReasons } from '../../core/termination.ts'
import { capitalise } from '../../text/plain-text.ts'
import { listComparedWaterfall } from '../model/common-tasks.ts'
import { compareText } from '../model/entries.ts'
import { listScoringMetrics } from '../model/metrics.ts'
import type { Report } from '../model/report.ts'
import type { ReportGroup } from '../model/report-group.ts'
import type { DegradationRow, EndRow, RadarTable, StabilityRow } from '../model/report-rows.ts'
import { listScorings, nameScoring } from '../model/scorings.ts'
import { lossClasses } from '../model/waterfall.ts'
import { nameDomain, nameFacet } from '../tables/columns.ts'
import { writeRadarTitle } from '../tables/layout-tables.ts'
import { makeCurveFigures, makeFacetFigures } from './curve-figures.ts'
import { type Bar, type Figure, type LossPart, makeMetricAxis, mostOverlaidArms } from './figure.ts'
import { type ArmSeries, makeArmSeries, removeEqualSeries } from './series.ts'

/** Labels an axis with a metric and its unit: `Cell F1, %`. */
function nameAxis({ label, unit }: MetricDefinition): string {
  return `${capitalise(label)}${unit === 'share' ? ', %' : ''}`
}

function scoreBars(
  groups: readonly ReportGroup[],
  { key }: MetricDefinition,
  { series, facet }: { readonly series: ArmSeries; readonly facet: string },
): Bar[] {
  return groups.flatMap(group => {
    const { mean = null, low = null, high = null, floor, ceiling } = group.metrics[key] ?? {}
    if (mean === null || group.domain === 'allByDomain') return []
    return [
      {
        panel: nameDomain(group.domain, facet),
        label: series.of(group).name,
        value: mean,
        low,
        high,
        ...(floor === undefined ? {} : { floor }),
        ...(ceiling === undefined ? {} : { ceiling }),
      },
    ]
  })
}

function scoreFigures(report: Report): Figure[] {
  const scorings = [...new Set(report.groups.map(nameScoring))]
  const series = makeArmSeries(report.arms)
  return scorings.flatMap((scoring, at) => {
    const groups = report.groups.filter(group => nameScoring(group) === scoring)
    const common = report.common.filter(group => group.domain === 'common' && nameScoring(group) === scoring)
    const { scores } = listScoringMetrics(report.scorers, groups[0]?.scorer ?? 'none')
    return scores.map(metric => ({
      kind: 'bars' as const,
      id: `${metric.label.replaceAll(' ', '-').toLowerCase()}${at === 0 ? '' : `-${at + 1}`}`,
      title: `${capitalise(metric.label)} by ${nameFacet(report.facet)} and setting (${scoring})`,
      caption: `Mean over scored tasks with its 95% interval over groups of tasks that share documents.${metric.better === 'lower' ? ' Lower is better.' : ''}${common.length === 0 ? '' : ' Compare arms over the common tasks, which all of them scored. In the other panels, each has its own tasks.'}${writeLimitsCaption(groups, metric)}`,
      unit: nameAxis(metric),
      axis: makeMetricAxis(metric),
      bars: scoreBars([...common, ...groups], metric, { series, facet: report.facet }),
      series: removeEqualSeries(groups.map(series.of)),
    }))
  })
}

/** Explains the marks of floor and ceiling. Empty when there are none. */
function writeLimitsCaption(groups: readonly ReportGroup[], { key }: MetricDefinition): string {
  const isKnown = (name: 'floor' | 'ceiling'): boolean =>
    groups.some(({ metrics }) => metrics[key]?.[name] !== undefined)
  if (!isKnown('ceiling')) return ''
  return ` Brackets: what ${isKnown('floor') ? 'the right keys with empty cells get, and what ' : ''}the gold itself gets.`
}

/** Orders the parts of all bars: by cause, with those of the agent first, then by the number of attempts. */
function orderParts(ends: Report['ends']): string[] {
  const causes = Object.keys(terminationReasons)
  const counted = [...groupBy([...ends], endName)].map(([part, rows]) => ({
    part,
    cause: causes.indexOf(rows[0]?.cause ?? ''),
    n: rows.reduce((sum, row) => sum + row.n, 0),
  }))
  return counted
    .sort((a, b) => a.cause - b.cause || b.n - a.n || compareText(a.part, b.part))
    .map(endPart => endPart.part)
}

function endName({ cause, reason }: { readonly cause: string; readonly reason: string }): string {
  return `${cause}: ${reason}`
}

/** Returns how many attempts of an arm completed or failed. */
function countEnds(ends: readonly EndRow[], arm: string, outcome: 'passed' | 'failed'): number {
  return ends.filter(row => row.arm === arm).reduce((sum, row) => sum + row[outcome], 0)
}

function makeTerminationFigure(report: Report): Figure {
  const series = makeArmSeries(report.arms)
  const parts = orderParts(report.ends)
  const outcomes = ['passed', 'failed'] as const
  const nameOf = (row: EndRow, outcome: (typeof outcomes)[number]): string => {
    const n = countEnds(report.ends, row.arm, outcome)
    return `${series.of(row).name}, ${outcome === 'passed' ? 'completed' : 'failed'} (n=${n})`
  }
  const segments = report.ends
    .toSorted((a, b) => parts.indexOf(endName(a)) - parts.indexOf(endName(b)))
    .flatMap(row =>
      outcomes
        .filter(outcome => row[outcome] > 0)
        .map(outcome => ({
          label: nameOf(row, outcome),
          part: endName(row),
          value: row[outcome] / countEnds(report.ends, row.arm, outcome),
        })),
    )
  const labels = report.ends.flatMap(row => outcomes.map(outcome => nameOf(row, outcome)))
  return {
    kind: 'stacks',
    id: 'terminations',
    title: 'Why the attempts ended',
    caption:
      'Why the completed and the failed attempts of each arm ended: shares by cause and reason (AOE paper, Figure 5).',
    segments: segments.toSorted((a, b) => labels.indexOf(a.label) - labels.indexOf(b.label)),
    parts,
    series: report.ends.flatMap(row =>
      outcomes.map(outcome => ({ ...series.of(row), name: nameOf(row, outcome) })),
    ),
  }
}

function makeWaterfallFigures(report: Report): Figure[] {
  const scorings = [...new Set(report.waterfall.map(nameScoring))]
  return scorings.map((scoring, at) => {
    const rows = listComparedWaterfall(report).filter(row => nameScoring(row) === scoring)
    const series = makeArmSeries(report.arms)
    const segments = rows.flatMap(row => [
      { label: series.of(row).name, part: 'correct', value: row.recall },
      ...lossClasses.flatMap(name => {
        const value = row.classes[name] ?? 0
        return value === 0 ? [] : [{ label: series.of(row).name, part: name, value }]
      }),
    ])
    return {
      kind: 'stacks',
      id: at === 0 ? 'waterfall' : `waterfall-${at + 1}`,
      title: `Where the gold ${listScoringMetrics(report.scorers, rows[0]?.scorer ?? 'none').itemNoun}s were lost (${scoring})`,
      caption:
        'Share of the gold items that are correct, and of those lost to each class. Each bar adds up to 100%.',
      segments,
      parts: ['correct', ...lossClasses.filter(name => segments.some(segment => segment.part === name))],
      series: removeEqualSeries(rows.map(series.of)),
    }
  })
}

/** Names the metric of a row and, if the report has several scorings, the scoring. */
function labelStability(row: StabilityRow, { stability }: Report): string {
  return listScorings(stability).length > 1 ? `${row.metric} (${nameScoring(row)})` : row.metric
}

function makeStabilityFigure(report: Report): Figure {
  return {
    kind: 'heat',
    id: 'stability',
    title: 'How repeated scorings agree',
    caption: 'Correlation of each metric between repeats of the same scoring.',
    cells: report.stability.flatMap(row =>
      (['pearson', 'spearman'] as const).flatMap(column => {
        const value = row[column]
        return value === null ? [] : [{ row: labelStability(row, report), column, value }]
      }),
    ),
  }
}

/** Returns every figure that the report has data for. */
export function reportFigures(report: Report): Figure[] {
  const figures = [
    ...scoreFigures(report),
    ...makeRadarFigures(report),
    ...makeFacetFigures(report),
    ...makeWaterfallFigures(report),
    makeTerminationFigure(report),
    ...makeLossPartFigures(report),
    ...makeCurveFigures(report),
    makeStabilityFigure(report),
  ]
  return figures.filter(figure => {
    switch (figure.kind) {
      case 'bars':
        return figure.bars.length > 0
      case 'stacks':
        return figure.segments.length > 0
      case 'loss-parts':
        return figure.parts.length > 0
      case 'radar':
        return figure.marks.some(({ value }) => value !== null)
      case 'heat':
        return figure.cells.length > 0
      case 'lines':
        return figure.points.length > 0
      default:
        return figure satisfies never
    }
  })
}

/** With fewer axes there is no area to draw. */
const fewestAxes = 3

/** Returns a radar chart for each radar table whose axes share their bounds. */
export function makeRadarFigures(report: Report): Figure[] {
  const series = makeArmSeries(report.arms)
  return report.radarTables.flatMap((table): Figure[] => {
    const { id, axes, rows, range, unit, remark } = table
    if (range === null || axes.length < fewestAxes) return []
    const [least, most] = range
    return [
      {
        kind: 'radar',
        id,
        title: writeRadarTitle(table),
        axes: axes.map(({ label }) => label),
        caption: [remark, ...listReadingRemarks(table)].join(' '),
        axis: { isPercent: unit === 'share', least, most },
        marks: rows.flatMap(row =>
          row.cells.map(({ mean: value, low, high, n }, at) => {
            return { label: series.of(row).name, axis: axes[at]!.label, value, low, high, n }
          }),
        ),
        series: rows.map(row => series.of(row)),
      },
    ]
  })
}

function listReadingRemarks({ rows }: RadarTable): string[] {
  const cells = rows.flatMap(row => row.cells)
  return [
    'Points are means over scored attempts. The table below has the numbers.',
    ...(rows.length > mostOverlaidArms
      ? [`More than ${mostOverlaidArms} arms have a chart each, with the same scale.`]
      : []),
    ...(cells.some(({ low }) => low !== null) ? ['Bars along an axis are 95% intervals.'] : []),
    ...(cells.some(({ mean }) => mean === null)
      ? ['An axis without a value has no point, and the outline is open there.']
      : []),
  ]
}

const partNames = { lessContext: 'context', retrieval: 'retrieval', earned: 'earned' } as const

/** Returns a figure for each scoring of what each RAG arm loses against offline, split by the controls that were run. */
export function makeLossPartFigures(report: Report): Figure[] {
  const series = makeArmSeries(report.arms)
  return listScorings(report.degradation).flatMap((scoring, at): Figure[] => {
    const lossRows = report.degradation.filter(row => nameScoring(row) === scoring && row.domain === 'all')
    const { primary } = listScoringMetrics(report.scorers, lossRows[0]?.scorer ?? 'none')
    if (primary === null) return []
    const rows = lossRows.filter(row => row.metric === primary.key)
    const nameOf = (row: DegradationRow): string => series.of({ ...row, setting: 'rag' }).name
    return [
      {
        kind: 'loss-parts',
        id: `rag-losses${at === 0 ? '' : `-${at + 1}`}`,
        title: `What RAG loses against offline: ${primary.label} (${scoring})`,
        caption:
          'To the right: lost to the smaller context (offline against the chunks with the evidence), and to retrieval (those chunks against the retrieved ones). To the left, below: what retrieval earns back over random chunks. Lines are 95% intervals over groups of tasks that share documents.',
        unit: `${capitalise(primary.label)}${primary.unit === 'share' ? ', points' : ''}`,
        axis: { ...makeMetricAxis(primary), least: null, most: null },
        parts: rows.flatMap(row => splitLoss(row, nameOf(row))),
      },
    ]
  })
}

function splitLoss(row: DegradationRow, label: string): LossPart[] {
  return (['lessContext', 'retrieval', 'earned'] as const).flatMap(key => {
    const difference = row[key]
    if (difference === null) return []
    return [
      { label, part: partNames[key], value: difference.mean, low: difference.low, high: difference.high },
    ]
  })
}
