import { correctItems, itemsOf, type Score, unratedItems } from '../../../core/score.ts'
import type { ExportedAttempt, ExportedRun } from '../exported-run.ts'
import { armColumns, joinColumns } from '../identity-columns.ts'
import { type Column, type ExportTable, jsonText } from '../table.ts'

interface Row {
  readonly source: ExportedAttempt
  readonly score: Score
}

const columns: readonly Column<Row>[] = [
  ...joinColumns,
  ...armColumns,
  {
    name: 'scorer',
    type: 'text',
    unit: '',
    description: 'The scorer.',
    value: ({ score }) => score.scorer,
  },
  {
    name: 'judge',
    type: 'text',
    unit: '',
    description: 'The judge: `rules`, `none` or the name of a model.',
    value: ({ score }) => score.judge,
  },
  {
    name: 'status',
    type: 'text',
    unit: '',
    description: '`scored`, or `unscored` when the attempt says nothing about the agent.',
    value: ({ score }) => score.status,
  },
  {
    name: 'cause',
    type: 'text',
    unit: '',
    description: 'What left the attempt unscored; null when scored.',
    value: ({ score }) => score.cause,
  },
  {
    name: 'answered',
    type: 'boolean',
    unit: '',
    description: 'True when an answer of the asked kind could be read.',
    value: ({ score }) => score.answered,
  },
  {
    name: 'success',
    type: 'boolean',
    unit: '',
    description: 'True when every item of the gold is right; null when unscored.',
    value: ({ score }) => score.success,
  },
  {
    name: 'infrastructureFailures',
    type: 'integer',
    unit: '',
    description: 'Searches and fetches that failed through no fault of the agent.',
    value: ({ score }) => score.infrastructureFailures,
  },
  {
    name: 'items',
    type: 'integer',
    unit: '',
    description: 'Items of the gold.',
    value: ({ score }) => itemsOf(score).length,
  },
  {
    name: 'correctItems',
    type: 'integer',
    unit: '',
    description: 'Items of the gold that are right in the answer.',
    value: ({ score }) => correctItems(score),
  },
  {
    name: 'unratedItems',
    type: 'integer',
    unit: '',
    description: 'Items of the gold that a judge did not rate.',
    value: ({ score }) => unratedItems(score),
  },
  {
    name: 'bounds',
    type: 'json',
    unit: '',
    description:
      'The least and the greatest value of each metric that these items could move; null when all are rated.',
    value: ({ score }) => jsonText(score.bounds),
  },
  {
    name: 'unseenItems',
    type: 'integer',
    unit: '',
    description: 'Right items whose evidence was never shown; null when not known.',
    value: ({ score }) => score.unseenItems ?? null,
  },
  {
    name: 'explanation',
    type: 'json',
    unit: '',
    description: 'Why the score is what it is, in sentences; null in records of older versions.',
    value: ({ score }) => jsonText(score.explanation),
  },
  {
    name: 'judgeCalls',
    type: 'integer',
    unit: '',
    description: 'Calls of the judge model.',
    value: ({ score }) => score.judgeUsage.calls,
  },
  {
    name: 'judgeInputTokens',
    type: 'integer',
    unit: 'tokens',
    description: 'Tokens of its prompts.',
    value: ({ score }) => score.judgeUsage.inputTokens,
  },
  {
    name: 'judgeOutputTokens',
    type: 'integer',
    unit: 'tokens',
    description: 'Tokens of its replies.',
    value: ({ score }) => score.judgeUsage.outputTokens,
  },
  {
    name: 'judgeUsd',
    type: 'number',
    unit: 'US dollars',
    description: 'Cost of judging; null when the price is unknown.',
    value: ({ score }) => score.judgeUsage.usd,
  },
]

/** One row for each attempt, scorer and judge. */
export const scores: ExportTable<Row> = {
  name: 'scores',
  description: 'One row for each attempt, scorer and judge.',
  columns,
  columnsOf: {
    pattern: 'metric.KEY',
    type: 'number',
    description:
      'The value of the metric KEY of the scorer ([scorers.md](scorers.md) lists the keys). Null when unscored, when a judge failed, and for metrics of other scorers.',
    of: metricColumns,
  },
  rowsOfAttempt: source => source.scores.map(score => ({ source, score })),
}

function metricColumns(runs: readonly ExportedRun[]): Column<Row>[] {
  const metrics = runs.flatMap(({ report }) => Object.values(report.scorers).flatMap(one => one.metrics))
  const byKey = new Map(metrics.map(metric => [metric.key, metric]))
  return [...byKey.values()].map(({ key, unit, label }) => ({
    name: `metric.${key}`,
    type: 'number',
    unit: unit === 'share' ? '0 to 1' : '',
    description: label,
    value: ({ score }) => score.metrics[key] ?? null,
  }))
}
