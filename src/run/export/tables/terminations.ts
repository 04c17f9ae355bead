import type { ExportedAttempt } from '../exported-run.ts'
import { armColumns, joinColumns } from '../identity-columns.ts'
import { boolean, type Column, type ExportTable, integer, text } from '../table.ts'

interface Row {
  readonly source: ExportedAttempt
}

const columns: readonly Column<Row>[] = [
  ...joinColumns,
  ...armColumns,
  text(
    'cause',
    'What ended the attempt: the agent itself, a budget, a provider, the harness or the operator.',
    ({ source }) => source.attempt.termination.cause,
  ),
  text(
    'reason',
    'Why, as one of a closed set for each cause.',
    ({ source }) => source.attempt.termination.reason,
  ),
  boolean(
    'answerProduced',
    'True when an answer of the asked kind could be read.',
    ({ source }) => source.attempt.termination.answerProduced,
  ),
  boolean(
    'forcedFinal',
    'True when a budget ran out and the model was asked for its final answer.',
    ({ source }) => source.attempt.termination.forcedFinal,
  ),
  integer(
    'lastHealthyStep',
    'The last model turn, from 1, that ended without a failure; 0 when there was none.',
    ({ source }) => source.attempt.termination.lastHealthyStep,
    'model turns',
  ),
  text(
    'detail',
    'What exactly ended the attempt; null when cause and reason say all.',
    ({ source }) => source.attempt.termination.detail,
  ),
  text(
    'fatalService',
    'The service whose failure only the operator can fix; null for any other end.',
    ({ source }) => source.attempt.termination.fatalService ?? null,
  ),
]

/** Why and how each attempt ended. */
export const terminations: ExportTable<Row> = {
  name: 'terminations',
  description: 'One row for each attempt: why and how it ended.',
  columns,
  rowsOfAttempt: source => [{ source }],
}
