import type { DifferenceRow } from '../../../report/model/report-rows.ts'
import type { ExportedRun } from '../exported-run.ts'
import type { Column, ExportTable } from '../table.ts'

interface Row {
  readonly run: ExportedRun
  readonly row: DifferenceRow
}

const columns: readonly Column<Row>[] = [
  {
    name: 'run',
    type: 'text',
    unit: '',
    description: 'The name of the run.',
    value: ({ run }) => run.name,
  },
  {
    name: 'fromArm',
    type: 'text',
    unit: '',
    description: 'The id of the arm that is compared with.',
    value: ({ row }) => row.fromArm,
  },
  {
    name: 'toArm',
    type: 'text',
    unit: '',
    description: 'The id of the arm that is compared.',
    value: ({ row }) => row.arm,
  },
  {
    name: 'from',
    type: 'text',
    unit: '',
    description: 'The name of `fromArm`: its setting, with its options.',
    value: ({ row }) => row.from,
  },
  {
    name: 'to',
    type: 'text',
    unit: '',
    description: 'The name of `toArm`.',
    value: ({ row }) => row.to,
  },
  {
    name: 'againstFirst',
    type: 'boolean',
    unit: '',
    description: 'False for a difference between two variants of which neither is the default or the first.',
    value: ({ row }) => row.againstFirst,
  },
  {
    name: 'domain',
    type: 'text',
    unit: '',
    description: 'The domain; `all` for all tasks.',
    value: ({ row }) => row.domain,
  },
  {
    name: 'model',
    type: 'text',
    unit: '',
    description: 'The model, or both models of a difference between models.',
    value: ({ row }) => row.model,
  },
  {
    name: 'scorer',
    type: 'text',
    unit: '',
    description: 'The scorer.',
    value: ({ row }) => row.profile,
  },
  {
    name: 'judge',
    type: 'text',
    unit: '',
    description: 'The judge.',
    value: ({ row }) => row.judge,
  },
  {
    name: 'metric',
    type: 'text',
    unit: '',
    description: 'The key of the metric.',
    value: ({ row }) => row.metric,
  },
  {
    name: 'tasks',
    type: 'integer',
    unit: '',
    description: 'Tasks scored in both arms.',
    value: ({ row }) => row.n,
  },
  {
    name: 'components',
    type: 'integer',
    unit: '',
    description: 'Groups of tasks that share documents: the independent units of interval and test.',
    value: ({ row }) => row.components,
  },
  {
    name: 'mean',
    type: 'number',
    unit: '',
    description: '`toArm` minus `fromArm`, in the unit of the metric.',
    value: ({ row }) => row.mean,
  },
  {
    name: 'low',
    type: 'number',
    unit: '',
    description: 'The lower end of the 95% interval; null when there are too few components.',
    value: ({ row }) => row.low,
  },
  {
    name: 'high',
    type: 'number',
    unit: '',
    description: 'The upper end of the 95% interval; null when there are too few components.',
    value: ({ row }) => row.high,
  },
  {
    name: 'pValue',
    type: 'number',
    unit: '0 to 1',
    description: 'Of a sign-flip permutation test; null for fewer than five components.',
    value: ({ row }) => row.pValue,
  },
  {
    name: 'pValueHolm',
    type: 'number',
    unit: '0 to 1',
    description: '`pValue` corrected for the other p-values of its table by Holm; null like it.',
    value: ({ row }) => row.pValueHolm,
  },
]

/** One row for each difference between two arms of a run. */
export const differences: ExportTable<Row> = {
  name: 'differences',
  description:
    'One row for each difference between two arms of a run, paired over tasks ([statistics.md](statistics.md)).',
  columns,
  rowsOfRun: run => run.report.differences.map(row => ({ run, row })),
}
