import { correctItems, itemsOf, type Score, unratedItems } from '../../../core/score.ts'
import type { ExportedAttempt, ExportedRun } from '../exported-run.ts'
import { armColumns, joinColumns } from '../identity-columns.ts'
import { type Column, type ExportTable, fieldColumns, integer, number } from '../table.ts'

interface Row {
  readonly source: ExportedAttempt
  readonly score: Score
}

const columns: readonly Column<Row>[] = [
  ...joinColumns,
  ...armColumns,
  ...fieldColumns(({ score }: Row) => score, {
    scorer: ['text', 'The scorer.'],
    judge: ['text', 'The judge: `rules`, `none` or the name of a model.'],
    status: ['text', '`scored`, or `unscored` when the attempt says nothing about the agent.'],
    cause: ['text', 'What left the attempt unscored; null when scored.'],
    answered: ['boolean', 'True when an answer of the asked kind could be read.'],
    success: ['boolean', 'True when every item of the gold is right; null when unscored.'],
    infrastructureFailures: ['integer', 'Searches and fetches that failed through no fault of the agent.'],
  }),
  integer('items', 'Items of the gold.', ({ score }) => itemsOf(score).length),
  integer('correctItems', 'Items of the gold that are right in the answer.', ({ score }) =>
    correctItems(score),
  ),
  integer('unratedItems', 'Items of the gold that a judge did not rate.', ({ score }) => unratedItems(score)),
  ...fieldColumns(({ score }: Row) => score, {
    bounds: [
      'json',
      'The least and the greatest value of each metric that these items could move; null when all are rated.',
    ],
    unseenItems: ['integer', 'Right items whose evidence was never shown; null when not known.'],
    explanation: ['json', 'The reasons for the score, one sentence each; an empty list when there are none.'],
  }),
  integer('judgeCalls', 'Calls of the judge model.', ({ score }) => score.judgeUsage.calls),
  integer(
    'judgeInputTokens',
    'Tokens of its prompts.',
    ({ score }) => score.judgeUsage.inputTokens,
    'tokens',
  ),
  integer(
    'judgeOutputTokens',
    'Tokens of its replies.',
    ({ score }) => score.judgeUsage.outputTokens,
    'tokens',
  ),
  number(
    'judgeUsd',
    'Cost of judging; null when the price is unknown.',
    ({ score }) => score.judgeUsage.usd,
    'US dollars',
  ),
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
  return [...byKey.values()].map(({ key, unit, label }) =>
    number(
      `metric.${key}`,
      label,
      ({ score }) => score.metrics[key] ?? null,
      unit === 'share' ? '0 to 1' : '',
    ),
  )
}
