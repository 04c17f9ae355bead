import { optionsText } from '../../core/arm.ts'
import { modelNaming, settingLabel } from '../model/arm-names.ts'
import type { RadarCell, RadarRow, RadarTable } from '../model/report-rows.ts'
import { scoringOf } from '../model/scorings.ts'
import { csvText } from './csv-text.ts'
import { fewGroupsRemark } from './few-groups.ts'
import { modelCell, modelColumn } from './group-columns.ts'
import { brokenHead, intervalText } from './metric-text.ts'
import { left, type ReportTable, right } from './report-table.ts'

/** Lays out the tables of radar charts: a row for each arm, a column for each axis. */
export function radarReportTables({
  radarTables,
}: {
  readonly radarTables: readonly RadarTable[]
}): ReportTable[] {
  return radarTables.map(table => {
    const models = modelNaming(table.rows)
    const hasUnscored = table.rows.some(({ unscored }) => unscored > 0)
    return {
      title: radarTitle(table),
      columns: [
        left('setting'),
        ...modelColumn(models),
        ...(hasUnscored ? [right('unscored')] : []),
        right('n\n(groups)'),
        ...table.axes.map(({ label }) => right(brokenHead(label))),
      ],
      rows: table.rows.map(row => [
        settingLabel(row),
        ...modelCell(row.model, models),
        ...(hasUnscored ? [String(row.unscored)] : []),
        sampleOf(row),
        ...row.cells.map(cell => cellText(cell, row, table)),
      ]),
      remarks: remarksOf(table),
    }
  })
}

/** Names a table, its scorer and judge, and the model if there is only one. */
export function radarTitle({ title, rows, scorer, judge }: RadarTable): string {
  const models = [...new Set(rows.map(({ model }) => model))]
  return [title, scoringOf({ scorer, judge }), ...(models.length === 1 ? [`model ${models[0]}`] : [])].join(
    ', ',
  )
}

function sampleOf({ cells }: RadarRow): string {
  const components = Math.max(...cells.map(cell => cell.components))
  return `${mostValues(cells)} (${components})`
}

const mostValues = (cells: readonly RadarCell[]): number => Math.max(...cells.map(({ n }) => n))

/** Writes a mean with its interval, and the number of its values where it differs from that of the row. */
function cellText(cell: RadarCell, { cells }: RadarRow, { unit }: RadarTable): string {
  const text = intervalText({ unit }, cell)
  return cell.n === 0 || cell.n === mostValues(cells) ? text : `${text} n=${cell.n}`
}

function remarksOf({ unit, range, rows, remark }: RadarTable): string[] {
  const scale = unit === 'share' ? 'in percent' : range === null ? '' : `from ${range[0]} to ${range[1]}`
  const hasInterval = rows.some(({ cells }) => cells.some(({ low }) => low !== null))
  const brackets = hasInterval ? ' Brackets: 95% interval over groups.' : ''
  return [
    `Means over scored attempts${scale === '' ? '' : `, ${scale}`}. The trials of a task are averaged first.${brackets}`,
    'n (groups): scored attempts with a value, and groups of tasks that share documents, which are the independent units.',
    ...fewGroupsRemark(rows.flatMap(({ cells }) => cells.filter(({ mean }) => mean !== null))),
    remark,
  ]
}

/** Formats the table of a radar chart as CSV, with a line for each arm and axis. */
export function radarTableCsv({ rows, axes, scorer, judge }: RadarTable): string {
  const header = ['model', 'setting', 'options', 'metric', 'label', 'mean', 'low', 'high', 'n', 'components']
  const lines = rows.flatMap(row =>
    row.cells.map(({ mean, low, high, n, components }, at) => [
      ...[row.model, row.setting, optionsText(row.options), axes[at]!.metric, axes[at]!.label],
      ...[mean, low, high, n, components, scorer, judge],
    ]),
  )
  return csvText([...header, 'scorer', 'judge'], lines)
}
