import { groupBy } from '../../core/group-by.ts'
import type { MetricUnit } from '../../core/metric.ts'
import { type MeasuredCell, makeTable, type SampleCell, type Table } from '../../core/table.ts'
import type { CorrelationRow } from '../model/facet-curves.ts'
import { findMetric, type RunScorers } from '../model/metrics.ts'
import type { RadarCell, RadarRow, RadarTable } from '../model/report-rows.ts'
import { nameScoring } from '../model/scorings.ts'
import { makeModelColumn, makeSettingColumn, measureCell, nameDomain, nameFacet } from './columns.ts'
import { listFewGroupsRemarks } from './few-groups.ts'
import { breakHead } from './value-text.ts'

/** Lays out the tables of radar charts: a row for each arm, a column for each axis. */
export function makeRadarReportTables({
  radarTables,
}: {
  readonly radarTables: readonly RadarTable[]
}): Table[] {
  return radarTables.map(table => {
    const { id, axes, rows, unit } = table
    const hasUnscored = rows.some(({ unscored }) => unscored > 0)
    return makeTable({
      id,
      title: writeRadarTitle(table),
      rows,
      columns: column => [
        makeSettingColumn<RadarRow>(),
        makeModelColumn(),
        ...(hasUnscored ? [column('unscored', 'count', (row: RadarRow) => row.unscored)] : []),
        column('n', 'sample', ({ cells }) => sampleCell(cells), { head: 'n\n(groups)' }),
        ...axes.map(({ label }, at) =>
          column(label, 'interval', (row: RadarRow) => makeAxisCell(row, at, unit), {
            head: breakHead(label),
          }),
        ),
      ],
      remarks: listRadarRemarks(table),
    })
  })
}

/** Names a table, its scorer and judge, and the model if there is only one. */
export function writeRadarTitle({ title, rows, scorer, judge }: RadarTable): string {
  const models = [...new Set(rows.map(({ model }) => model))]
  return [title, nameScoring({ scorer, judge }), ...(models.length === 1 ? [`model ${models[0]}`] : [])].join(
    ', ',
  )
}

function sampleCell(cells: readonly RadarCell[]): SampleCell {
  return { n: countMostValues(cells), components: Math.max(...cells.map(cell => cell.components)) }
}

const countMostValues = (cells: readonly RadarCell[]): number => Math.max(...cells.map(({ n }) => n))

/** Returns a mean with its interval, and the number of its values where it differs from that of the row. */
function makeAxisCell({ cells }: RadarRow, at: number, unit: MetricUnit): MeasuredCell | null {
  const cell = cells[at]!
  const measured = measureCell({ unit }, cell)
  return measured === null || cell.n === 0 || cell.n === countMostValues(cells)
    ? measured
    : { ...measured, n: cell.n }
}

function listRadarRemarks({ unit, range, rows, remark }: RadarTable): string[] {
  const scale = unit === 'share' ? 'in percent' : range === null ? '' : `from ${range[0]} to ${range[1]}`
  const hasInterval = rows.some(({ cells }) => cells.some(({ low }) => low !== null))
  const brackets = hasInterval ? ' Brackets: 95% interval over groups.' : ''
  return [
    `Means over scored attempts${scale === '' ? '' : `, ${scale}`}. The trials of a task are averaged first.${brackets}`,
    'n (groups): scored attempts with a value, and groups of tasks that share documents, which are the independent units.',
    ...listFewGroupsRemarks(rows.flatMap(({ cells }) => cells.filter(({ mean }) => mean !== null))),
    remark,
  ]
}

/** Formats rank correlations: a table for each layout and scoring. */
export function makeCorrelationTables(report: {
  readonly correlations: readonly CorrelationRow[]
  readonly scorers: RunScorers
}): Table[] {
  const groups = groupBy([...report.correlations], row => JSON.stringify([row.id, nameScoring(row)]))
  return [...groups.values()].map(rows => makeCorrelationTable(rows, report.scorers))
}

function makeCorrelationTable(rows: readonly CorrelationRow[], scorers: RunScorers): Table {
  const { title, source, by, scorer, metric, columns } = rows[0]!
  const label = findMetric(scorers, scorer, metric)?.label ?? metric
  return makeTable({
    title: `${title}: ${label} (${nameScoring(rows[0]!)})`,
    rows,
    columns: column => [
      column(nameFacet(by), 'text', row => nameDomain(row.value, by)),
      makeModelColumn(),
      makeSettingColumn(),
      column('n', 'count', row => row.n),
      ...columns.map(({ head }, at) =>
        column(head, 'correlation', (row: CorrelationRow) => row.columns[at]!.rho),
      ),
    ],
    remarks: [
      `Spearman's rank correlation of the score with each column over n scored tasks, from -1 to 1. The trials of a task are averaged first. –: the score or the column is the same for all tasks. Layout: ${source}.`,
    ],
  })
}
