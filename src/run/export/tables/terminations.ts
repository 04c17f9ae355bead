import type { ExportedAttempt } from '../exported-run.ts'
import { armColumns, joinColumns } from '../identity-columns.ts'
import { type Column, type ExportTable, fieldColumns } from '../table.ts'

interface Row {
  readonly source: ExportedAttempt
}

const columns: readonly Column<Row>[] = [
  ...joinColumns,
  ...armColumns,
  ...fieldColumns(({ source }: Row) => source.attempt.termination, {
    cause: [
      'text',
      'What ended the attempt: the agent itself, a budget, a provider, the harness or the operator.',
    ],
    reason: ['text', 'Why, as one of a closed set for each cause.'],
    answerProduced: ['boolean', 'True when an answer of the asked kind could be read.'],
    forcedFinal: ['boolean', 'True when a budget ran out and the model was asked for its final answer.'],
    lastHealthyStep: [
      'integer',
      'The last model turn, from 1, that ended without a failure; 0 when there was none.',
      'model turns',
    ],
    detail: ['text', 'What exactly ended the attempt; null when cause and reason say all.'],
    fatalService: ['text', 'The service whose failure only the operator can fix; null for any other end.'],
  }),
]

/** Why and how each attempt ended. */
export const terminations: ExportTable<Row> = {
  name: 'terminations',
  description: 'One row for each attempt: why and how it ended.',
  columns,
  rowsOfAttempt: source => [{ source }],
}
