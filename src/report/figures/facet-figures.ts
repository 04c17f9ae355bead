import { groupBy } from '../model/entries.ts'
import type { FacetCurve } from '../model/facet-curves.ts'
import { metricNamed } from '../model/metrics.ts'
import type { Report } from '../model/report.ts'
import { scoringOf } from '../model/scorings.ts'
import { axisOf, capitalised, type Figure } from './figure.ts'
import { armSeries } from './series.ts'

/** Returns a figure for each facet with numbers and each scoring, with a line for each arm. */
export function facetFigures(report: Report): Figure[] {
  const layouts = groupBy([...report.facetCurves], ({ id }) => id)
  return [...layouts.values()].flatMap(curves =>
    [...groupBy(curves, scoringOf).values()].flatMap((own, at) => facetFigure(report, own, at)),
  )
}

function facetFigure(report: Report, curves: readonly FacetCurve[], at: number): Figure[] {
  const { id, facet, name, source, remark, scorer, metric: key } = curves[0]!
  const metric = metricNamed(report.scorers, scorer, key)
  if (metric === undefined) return []
  const arms = armSeries(report)
  const series = curves.map(curve => arms.of(curve))
  const isBinned = curves.some(({ points }) => points.some(({ from, to }) => from < to))
  return [
    {
      kind: 'lines',
      id: `facet-${id}${at === 0 ? '' : `-${at + 1}`}`,
      title: `${capitalised(metric.label)} by ${name} (${scoringOf(curves[0]!)})`,
      caption: [
        'Mean over scored attempts with its 95% interval over groups of tasks that share documents. n: scored attempts of each arm.',
        ...(isBinned ? ['Each point is a bin with about the same number of tasks.'] : []),
        ...(metric.better === 'lower' ? ['Lower is better.'] : []),
        ...(remark === '' ? [] : [remark]),
        `Axes: ${source}.`,
      ].join(' '),
      axis: axisOf(metric),
      ...{ x: facet, y: key, xName: name },
      places: placesOf(curves),
      yName: `${capitalised(metric.label)}${metric.unit === 'share' ? ', %' : ''}`,
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
function placesOf(curves: readonly FacetCurve[]): { readonly x: number; readonly label: string }[] {
  const points = curves.flatMap(curve => curve.points).toSorted((a, b) => a.x - b.x)
  return [...groupBy(points, ({ x }) => String(x)).values()].map(own => {
    const { x, from, to } = own[0]!
    const counts = own.map(({ n }) => n)
    return { x, label: `${range(from, to)}\nn = ${range(Math.min(...counts), Math.max(...counts))}` }
  })
}

function range(from: number, to: number): string {
  return from === to ? from.toLocaleString('en') : `${from.toLocaleString('en')}–${to.toLocaleString('en')}`
}
