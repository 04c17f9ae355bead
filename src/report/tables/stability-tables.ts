import type { Report } from '../model/report.ts'
import { scoringOf, scorings } from '../model/scorings.ts'
import { percent } from './numbers.ts'
import { left, type ReportTable, right } from './report-table.ts'

/** The paper's Figure 7 as a table: how repeated scorings of the same attempts agree. */
export function stabilityTables(report: Pick<Report, 'stability'>): ReportTable[] {
  const number = (value: number | null): string => (value === null ? '–' : value.toFixed(3))
  return scorings(report.stability).map(scoring => {
    const all = report.stability.filter(row => scoringOf(row) === scoring)
    const rows = all.filter(row => row.n > 0)
    const { repeats = 0, judgedCells = 0, flippedCells = 0 } = all[0] ?? {}
    const share = judgedCells === 0 ? '' : ` (${percent(flippedCells / judgedCells)}%)`
    return {
      title: `Stability of ${repeats} scorings (${scoring})`,
      columns: [left('metric'), ...['n', 'Pearson', 'Spearman'].map(right)],
      rows: rows.map(row => [row.metric, String(row.n), number(row.pearson), number(row.spearman)]),
      remarks: [
        'Over attempts scored in every repeat, means over pairs of repeats; – where a metric is the same for all attempts.',
        `${flippedCells} of ${judgedCells} items that the judge settled${share} got another score in some repeat.`,
      ],
    }
  })
}
