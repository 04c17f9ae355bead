import { modelNaming, settingLabel } from '../model/arm-names.ts'
import type { PooledCell, PooledTable } from '../model/report-rows.ts'
import { scoringOf } from '../model/scorings.ts'
import { modelCell, modelColumn } from './group-columns.ts'
import { withInterval } from './numbers.ts'
import { facetName, left, type ReportTable, right } from './report-table.ts'

/** Formats the tables in the layouts of the benchmarks' papers. */
export function benchmarkTables(report: { readonly benchmarkTables: readonly PooledTable[] }): ReportTable[] {
  return report.benchmarkTables.map(table => {
    const models = modelNaming(table.rows)
    return {
      title: `${table.title} (${scoringOf(table)})`,
      columns: [
        left(facetName(table.by)),
        ...modelColumn(models),
        left('setting'),
        ...table.columns.map(right),
      ],
      rows: table.rows.map(row => [
        row.name,
        ...modelCell(row.model, models),
        settingLabel(row),
        ...row.cells.map(cellText),
      ]),
      remarks: table.remarks,
    }
  })
}

function cellText(cell: PooledCell): string {
  return cell.kind === 'count' ? String(cell.value) : withInterval(cell.value)
}
