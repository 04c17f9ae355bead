import type { TableGold } from '../../core/task.ts'
import type { Scorer, ScoringInput } from '../contract/scorer.ts'
import type { CompareTables } from './comparison.ts'
import { tableMetricDefinitions } from './table-metrics.ts'

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
export function tableScorer(
  about: Pick<Scorer, 'summary'> & { readonly forgives: string },
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
