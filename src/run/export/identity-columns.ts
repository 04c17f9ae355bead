import { optionsText } from '../../core/arm.ts'
import type { ExportedAttempt } from './exported-run.ts'
import { boolean, type Column, integer, text, time } from './table.ts'
import type { TracedCall } from './traced-calls.ts'

interface OfAttempt {
  readonly source: ExportedAttempt
}

/** The columns that join the rows of an attempt with other tables. */
export const joinColumns: readonly Column<OfAttempt>[] = [
  text(
    'run',
    'The name of the run: the name of its folder. Its path when several folders have that name.',
    ({ source }) => source.run.name,
  ),
  text('attemptId', 'The attempt. Ids are unique within a run.', ({ source }) => source.attempt.attemptId),
]

/** The columns that say what was attempted, and how. */
export const armColumns: readonly Column<OfAttempt>[] = [
  text('taskId', 'The task.', ({ source }) => source.attempt.taskId),
  text('domain', 'The domain of the task.', ({ source }) => source.attempt.domain),
  text(
    'arm',
    'The id of the arm (setting, model and options), as in `report --json`.',
    ({ source }) => source.arm,
  ),
  text('setting', 'How the question was asked, such as `offline`.', ({ source }) => source.attempt.setting),
  text('model', 'The model under test.', ({ source }) => source.attempt.model),
  text(
    'options',
    "Options that differ from the defaults, such as `cot=off,retriever=hybrid`; `''` when none does.",
    ({ source }) => optionsText(source.attempt.options),
  ),
  integer('trial', 'The number of the repetition, from 0.', ({ source }) => source.attempt.trial),
]

interface OfCall {
  readonly call: TracedCall
}

/** The columns that join a search or a fetch with its call. */
export const callColumns: readonly Column<OfAttempt & OfCall>[] = [
  ...joinColumns,
  integer('callSeq', 'The call: `seq` in `calls`.', ({ call }) => call.seq),
  time('at', 'When the call began.', ({ call }) => call.at),
  integer('step', 'The model turn, from 1.', ({ call }) => call.step, 'model turns'),
]

/** The columns that say whether a search or a fetch failed. */
export const failureColumns: readonly Column<OfCall>[] = [
  boolean('failed', 'True when the call failed.', ({ call }) => call.failed),
  text('error', 'The error class; null when it did not fail.', ({ call }) => call.error),
]

/** How long the call of a search or a fetch took. */
export const callTimeColumn: Column<OfCall> = integer(
  'wallMs',
  'Time of the whole call; null when it never ended.',
  ({ call }) => call.wallMs,
  'milliseconds',
)
