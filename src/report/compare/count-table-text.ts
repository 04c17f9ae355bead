import { csvText } from '../tables/csv-text.ts'
import { percent } from '../tables/numbers.ts'
import { left, type ReportTable, right } from '../tables/report-table.ts'
import type { CountCell, CountTable } from './count-table.ts'

/** Lays out a table of counts for every output format. */
export function countReportTable({ title, heads, columns, rows, remark }: CountTable): ReportTable {
  return {
    title,
    columns: [...heads.map(left), ...columns.map(right)],
    rows: rows.map(({ names, cells }) => [...names, ...cells.map(cellText)]),
    remarks: [remark],
  }
}

/** Formats a cell as the papers do: `111/130 (85.4%)`, an interval in brackets, or a mean in percent. */
function cellText({ part, whole, low, high, mean }: CountCell): string {
  if (mean !== undefined) return percent(mean)
  if (whole === null) return String(part)
  const share = whole === 0 ? '' : ` (${percent(part / whole)}%)`
  const interval = low === null || high === null ? '' : ` [${percent(low)}, ${percent(high)}]`
  return `${part}/${whole}${share}${interval}`
}

/** Formats a table of counts as CSV, with a line for each cell. */
export function countTableCsv({ heads, rows, scorer, judge }: CountTable): string {
  const isOfMeans = rows.some(({ cells }) => cells.some(({ mean }) => mean !== undefined))
  const header = [...heads, 'column', ...(isOfMeans ? ['mean', 'answers'] : ['part', 'whole', 'low', 'high'])]
  const lines = rows.flatMap(({ names, cells }) =>
    cells.map(({ column, part, whole, low, high, mean }) => [
      ...[...names, column],
      ...(isOfMeans ? [mean ?? null, part] : [part, whole, low, high]),
      ...[scorer, judge],
    ]),
  )
  return csvText([...header, 'scorer', 'judge'], lines)
}
