import type { MetricDefinition } from '../../core/metric.ts'

const share = { unit: 'share', better: 'higher', primary: false, range: [0, 1] } as const

/** The metrics of all scorers of tables, in the order of the run summary. */
export const tableMetricDefinitions: readonly MetricDefinition[] = [
  {
    ...share,
    key: 'cellF1',
    label: 'Cell F1',
    primary: true,
    role: 'score',
    description: 'Harmonic mean of cell precision and cell recall.',
  },
  {
    ...share,
    key: 'columnRecall',
    label: 'Column recall',
    role: 'companion',
    description: 'Share of the gold target columns that the answer has.',
  },
  {
    ...share,
    key: 'rowF1',
    label: 'Row F1',
    role: 'score',
    description: 'Harmonic mean of row precision and row recall.',
  },
  {
    ...share,
    key: 'schemaPrecision',
    label: 'Schema precision',
    role: 'companion',
    description:
      "Share of the answer's columns, keys aside, that match a gold column. Extra columns lower it, and not Cell F1.",
  },
  {
    ...share,
    key: 'rowPrecision',
    label: 'Row precision',
    role: 'companion',
    detail: true,
    description: "Share of the answer's rows that match a gold row.",
  },
  {
    ...share,
    key: 'rowRecall',
    label: 'Row recall',
    role: 'companion',
    detail: true,
    description: 'Share of the gold rows that a row of the answer matches.',
  },
  {
    ...share,
    key: 'cellPrecision',
    label: 'Cell precision',
    role: 'companion',
    detail: true,
    description:
      "Sum of the cells' scores over the cells that the answer's rows have under the gold's target columns. Extra columns do not count.",
  },
  {
    ...share,
    key: 'cellRecall',
    label: 'Cell recall',
    role: 'companion',
    detail: true,
    description: "Sum of the cells' scores over the gold cells.",
  },
  {
    key: 'overall',
    label: 'Overall',
    unit: 'points',
    better: 'higher',
    primary: false,
    role: 'companion',
    detail: true,
    range: [0, 100],
    description:
      'A judge model rates intent, schema, content and format, 0 to 100 each; this is their mean (AOE, arXiv 2507.16271). Null without a judge model.',
  },
]
