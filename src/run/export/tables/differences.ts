import type { DifferenceRow } from '../../../report/model/report-rows.ts'
import type { ExportedRun } from '../exported-run.ts'
import { boolean, type Column, type ExportTable, integer, number, text } from '../table.ts'

interface Row {
  readonly run: ExportedRun
  readonly row: DifferenceRow
}

const columns: readonly Column<Row>[] = [
  text('run', 'The name of the run.', ({ run }) => run.name),
  text('fromArm', 'The id of the arm that is compared with.', ({ row }) => row.fromArm),
  text('toArm', 'The id of the arm that is compared.', ({ row }) => row.arm),
  text('from', 'The name of `fromArm`: its setting, with its options.', ({ row }) => row.from),
  text('to', 'The name of `toArm`.', ({ row }) => row.to),
  boolean(
    'againstFirst',
    'False for a difference between two arms of which neither is the default or the first.',
    ({ row }) => row.againstFirst,
  ),
  text('domain', 'The domain; `all` for all tasks.', ({ row }) => row.domain),
  text('model', 'The model, or both models of a difference between models.', ({ row }) => row.model),
  text('scorer', 'The scorer.', ({ row }) => row.scorer),
  text('judge', 'The judge.', ({ row }) => row.judge),
  text('metric', 'The key of the metric.', ({ row }) => row.metric),
  integer('tasks', 'Tasks scored in both arms.', ({ row }) => row.n),
  integer(
    'components',
    'Groups of tasks that share documents: the independent units of interval and test.',
    ({ row }) => row.components,
  ),
  number('mean', '`toArm` minus `fromArm`, in the unit of the metric.', ({ row }) => row.mean),
  number(
    'low',
    'The lower end of the 95% interval; null when there are too few components.',
    ({ row }) => row.low,
  ),
  number(
    'high',
    'The upper end of the 95% interval; null when there are too few components.',
    ({ row }) => row.high,
  ),
  number(
    'pValue',
    'Of a sign-flip permutation test; null for fewer than five components.',
    ({ row }) => row.pValue,
    '0 to 1',
  ),
  number(
    'pValueHolm',
    '`pValue` corrected for the other p-values of its table by Holm; null like it.',
    ({ row }) => row.pValueHolm,
    '0 to 1',
  ),
]

/** One row for each difference between two arms of a run. */
export const differences: ExportTable<Row> = {
  name: 'differences',
  description:
    'One row for each difference between two arms of a run, paired over tasks ([statistics.md](statistics.md)).',
  columns,
  rowsOfRun: run => run.report.differences.map(row => ({ run, row })),
}
