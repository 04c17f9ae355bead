import type { ExportedAttempt } from '../exported-run.ts'
import { armColumns, joinColumns } from '../identity-columns.ts'
import type { Column, ExportTable } from '../table.ts'

interface Row {
  readonly source: ExportedAttempt
}

const columns: readonly Column<Row>[] = [
  ...joinColumns,
  ...armColumns,
  {
    name: 'cause',
    type: 'text',
    unit: '',
    description:
      'What ended the attempt: the agent itself, a budget, a provider, the harness or the operator.',
    value: ({ source }) => source.attempt.termination.cause,
  },
  {
    name: 'reason',
    type: 'text',
    unit: '',
    description: 'Why, as one of a closed set for each cause.',
    value: ({ source }) => source.attempt.termination.reason,
  },
  {
    name: 'answerProduced',
    type: 'boolean',
    unit: '',
    description: 'True when an answer of the asked kind could be read.',
    value: ({ source }) => source.attempt.termination.answerProduced,
  },
  {
    name: 'forcedFinal',
    type: 'boolean',
    unit: '',
    description: 'True when a budget ran out and the model was asked for its final answer.',
    value: ({ source }) => source.attempt.termination.forcedFinal,
  },
  {
    name: 'lastHealthyStep',
    type: 'integer',
    unit: 'model turns',
    description: 'The last model turn, from 1, that ended without a failure; 0 when there was none.',
    value: ({ source }) => source.attempt.termination.lastHealthyStep,
  },
  {
    name: 'detail',
    type: 'text',
    unit: '',
    description: 'What exactly ended the attempt; null when cause and reason say all.',
    value: ({ source }) => source.attempt.termination.detail,
  },
  {
    name: 'fatalService',
    type: 'text',
    unit: '',
    description: 'The service whose failure only the operator can fix; null for any other end.',
    value: ({ source }) => source.attempt.termination.fatalService ?? null,
  },
]

/** Why and how each attempt ended. */
export const terminations: ExportTable<Row> = {
  name: 'terminations',
  description: 'One row for each attempt: why and how it ended.',
  columns,
  rowsOfAttempt: source => [{ source }],
}
