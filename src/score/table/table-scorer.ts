import type { TableGold } from '../../core/gold.ts'
import type { MetricDefinition } from '../../core/metric.ts'
import { definePrimaryMetric, defineScoreMetric, defineShareMetric } from '../contract/define-metric.ts'
import type { Scorer, ScoringInput } from '../contract/scorer.ts'
import type { CompareTables } from './comparison.ts'

/** A scorer that compares tables row by row and cell by cell. */
export interface TableScorer extends Scorer {
  readonly kind: 'table'
  readonly compare: CompareTables
}

/**
 * Creates a scorer of tables from a comparison. Reading answers, metrics and explanations are the same for all.
 *
 * @param about `summary`: one line for `--help`; `forgives`: one line that says which differences it forgives
 */
export function createTableScorer(
  about: { readonly summary: string; readonly forgives: string },
  compare: CompareTables,
): TableScorer {
  return {
    ...about,
    kind: 'table',
    metrics: tableMetricDefinitions,
    hasGoldCheck: true,
    compare,
    async score(input) {
      // Imported here, because batches of tables do not need it.
      const { scoreTableAnswer } = await import('./score-table-answer.ts')
      return await scoreTableAnswer(compare, input as ScoringInput<TableGold>)
    },
  }
}

/** Whether a scorer compares tables. */
export function isTableScorer(scorer: Scorer): scorer is TableScorer {
  return 'compare' in scorer
}

const detail = { detail: true }

/** The metrics of all scorers of tables, in the order of the run summary. */
export const tableMetricDefinitions: readonly MetricDefinition[] = [
  definePrimaryMetric('cellF1', 'Cell F1', 'Harmonic mean of cell precision and cell recall.'),
  defineShareMetric('columnRecall', 'Column recall', 'Share of the gold target columns that the answer has.'),
  defineScoreMetric('rowF1', 'Row F1', 'Harmonic mean of row precision and row recall.'),
  defineShareMetric(
    'schemaPrecision',
    'Schema precision',
    "Share of the answer's columns, keys aside, that match a gold column. Extra columns lower it, and not Cell F1.",
  ),
  defineShareMetric(
    'rowPrecision',
    'Row precision',
    "Share of the answer's rows that match a gold row.",
    detail,
  ),
  defineShareMetric(
    'rowRecall',
    'Row recall',
    'Share of the gold rows that a row of the answer matches.',
    detail,
  ),
  defineShareMetric(
    'cellPrecision',
    'Cell precision',
    "Sum of the cells' scores over the cells that the answer's rows have under the gold's target columns. Extra columns do not count.",
    detail,
  ),
  defineShareMetric('cellRecall', 'Cell recall', "Sum of the cells' scores over the gold cells.", detail),
  {
    ...defineShareMetric(
      'overall',
      'Overall',
      'A judge model rates intent, schema, content and format, 0 to 100 each; this is their mean (AOE, arXiv 2507.16271). Null without a judge model.',
      detail,
    ),
    unit: 'points',
    range: [0, 100],
  },
]
