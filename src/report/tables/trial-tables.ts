import { isSameArm } from '../../core/arm.ts'
import { successMetric } from '../../core/metric.ts'
import { makeTable, type Table } from '../../core/table.ts'
import { isPrimary, metricNamed } from '../model/metrics.ts'
import type { Report } from '../model/report.ts'
import type { TrialRow } from '../model/report-rows.ts'
import { scoringOf, scorings } from '../model/scorings.ts'
import { facetColumn, measuredCell, modelColumn, settingColumn } from './columns.ts'

/** Shows Avg@N, Max@N, Min@N and Pass@N for the largest N of each arm; with `all`, for every N and metric. */
export function trialTables(
  { trials, scorers, facet }: Pick<Report, 'trials' | 'scorers' | 'facet'>,
  { all = false }: { readonly all?: boolean } = {},
): Table[] {
  return scorings(trials).map(scoring => {
    const own = trials.filter(row => scoringOf(row) === scoring)
    const rows = own.flatMap(row => {
      const metric = metricNamed(scorers, row.scorer, row.metric)
      const isShown = row.metric === successMetric.key || isPrimary(scorers, row.scorer, row.metric)
      return metric !== undefined && (all || (isShown && isLargest(row, own))) ? [{ row, metric }] : []
    })
    return makeTable({
      title: `Repeated trials (${scoring})`,
      rows: rows.map(({ row, metric }) => ({ ...row, definition: metric })),
      columns: column => [
        facetColumn(facet),
        modelColumn(),
        settingColumn(),
        column('metric', 'text', row => row.definition.label),
        column('tasks', 'count', row => row.tasks),
        column('N', 'count', row => row.trials),
        column('Avg@N', 'mean', row => measuredCell(row.definition, { mean: row.average })),
        column('Max@N', 'mean', row => measuredCell(row.definition, { mean: row.maximum })),
        column('Min@N', 'mean', row => measuredCell(row.definition, { mean: row.minimum })),
        column('Pass@N', 'share', row => row.successRate),
      ],
      remarks: [
        "Over tasks with at least N scored trials, shares in percent. Avg@N: mean of a task's trials. Max@N and Min@N: expected best and worst of N trials. Pass@N: probability that at least one of N trials is a success. Min@N of success: probability that all N are.",
      ],
    })
  })
}

function isLargest(row: TrialRow, all: readonly TrialRow[]): boolean {
  return !all.some(
    other =>
      other.trials > row.trials &&
      other.metric === row.metric &&
      other.domain === row.domain &&
      isSameArm(other, row),
  )
}
