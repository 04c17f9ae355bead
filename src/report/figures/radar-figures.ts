import type { Report } from '../model/report.ts'
import type { RadarTable } from '../model/report-rows.ts'
import { radarTitle } from '../tables/radar-tables.ts'
import { type Figure, mostOverlaidArms } from './figure.ts'
import { armSeries } from './series.ts'

/** With fewer axes there is no area to draw. */
const fewestAxes = 3

/** Returns a radar chart for each radar table whose axes share their bounds. */
export function radarFigures(report: Pick<Report, 'arms' | 'radarTables'>): Figure[] {
  const series = armSeries(report)
  return report.radarTables.flatMap((table): Figure[] => {
    const { id, axes, rows, range, unit, remark } = table
    if (range === null || axes.length < fewestAxes) return []
    const [least, most] = range
    return [
      {
        ...{ kind: 'radar', id, title: radarTitle(table), axes: axes.map(({ label }) => label) },
        caption: [remark, ...readingRemarks(table)].join(' '),
        axis: { isPercent: unit === 'share', least, most },
        marks: rows.flatMap(row =>
          row.cells.map(({ mean, low, high, n }, at) => ({
            ...{ label: series.of(row).name, axis: axes[at]!.label, value: mean, low, high, n },
          })),
        ),
        series: rows.map(row => series.of(row)),
      },
    ]
  })
}

function readingRemarks({ rows }: RadarTable): string[] {
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
