import { makeTable, type Table } from '../../core/table.ts'
import { listScoringMetrics } from '../model/metrics.ts'
import type { NeededSize } from '../model/needed-sizes.ts'
import type { Report } from '../model/report.ts'
import { convertToUnits } from './value-text.ts'

/** Converts points to the unit of the primary metric of a report. */
export function convertToPoints({ scorers, groups }: Report, points: number): number {
  const { primary } = listScoringMetrics(scorers, groups[0]?.scorer ?? 'none')
  return points / convertToUnits(primary ?? { unit: 'share' }, 1)
}

/** Shows how large a run must be to detect a difference between two arms of a pilot run. */
export function makeNeededSizesTable(report: Report, sizes: readonly NeededSize[], points: number): Table {
  const { scorers, groups, arms } = report
  const { primary } = listScoringMetrics(scorers, groups[0]?.scorer ?? 'none')
  const unit = primary?.unit ?? 'share'
  const nameOf = (id: string): string => arms.find(arm => arm.id === id)?.name ?? id
  const tests = report.differences.find(row => row.metric === primary?.key && row.againstFirst)?.tests ?? 0
  return makeTable({
    title: `Needed to detect a difference of ${points} points in ${primary?.label ?? 'a score'} (pilot ${report.run.runId})`,
    rows: sizes,
    columns: column => [
      column('from', 'text', row => nameOf(row.fromArm)),
      column('to', 'text', row => nameOf(row.toArm)),
      column('spread', 'mean', row => ({ unit, mean: row.spread })),
      column('trials', 'count', row => row.trials),
      column('groups', 'count', row => row.groups),
      column('tasks', 'count', row => row.tasks),
      column('attempts', 'count', row => row.attempts),
      column('US$', 'usd', row => row.usd),
    ],
    remarks: [
      `In 80% of such runs, p Holm is at most 0.05 among the ${tests} tests of the pilot's table. spread: standard deviation of the difference between groups of tasks. tasks, attempts and US$: as many for each group as in the pilot, attempts of both arms.`,
      ...(sizes.length === 0
        ? ['The pilot has no pair of arms over at least five groups of tasks that differ.']
        : []),
      ...(sizes.every(({ trials }) => trials === 1)
        ? ['The pilot has one trial for each task, so it does not show what more trials would gain.']
        : []),
    ],
  })
}
