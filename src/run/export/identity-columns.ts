import type { ExportedAttempt } from './exported-run.ts'
import type { Column } from './table.ts'
import type { TracedCall } from './traced-calls.ts'

interface OfAttempt {
  readonly source: ExportedAttempt
}

/** The columns that join the rows of an attempt with other tables. */
export const joinColumns: readonly Column<OfAttempt>[] = [
  {
    name: 'run',
    type: 'text',
    unit: '',
    description: 'The name of the run: the name of its folder. Its path when several folders have that name.',
    value: ({ source }) => source.run.name,
  },
  {
    name: 'attemptId',
    type: 'text',
    unit: '',
    description: 'The attempt. Ids are unique within a run.',
    value: ({ source }) => source.attempt.attemptId,
  },
]

/** The columns that say what was attempted, and how. */
export const armColumns: readonly Column<OfAttempt>[] = [
  {
    name: 'taskId',
    type: 'text',
    unit: '',
    description: 'The task.',
    value: ({ source }) => source.attempt.taskId,
  },
  {
    name: 'domain',
    type: 'text',
    unit: '',
    description: 'The domain of the task.',
    value: ({ source }) => source.attempt.domain,
  },
  {
    name: 'arm',
    type: 'text',
    unit: '',
    description: 'The id of the arm (setting, model and options), as in `report --json`.',
    value: ({ source }) => source.arm,
  },
  {
    name: 'setting',
    type: 'text',
    unit: '',
    description: 'How the question was asked, such as `offline`.',
    value: ({ source }) => source.attempt.setting,
  },
  {
    name: 'model',
    type: 'text',
    unit: '',
    description: 'The model under test.',
    value: ({ source }) => source.attempt.model,
  },
  {
    name: 'variant',
    type: 'text',
    unit: '',
    description: "Options that differ from the defaults; `''` when none does.",
    value: ({ source }) => source.attempt.variant,
  },
  {
    name: 'trial',
    type: 'integer',
    unit: '',
    description: 'The number of the repetition, from 0.',
    value: ({ source }) => source.attempt.trial,
  },
]

interface OfCall {
  readonly call: TracedCall
}

/** The columns that join a search or a fetch with its call. */
export const callColumns: readonly Column<OfAttempt & OfCall>[] = [
  ...joinColumns,
  {
    name: 'callSeq',
    type: 'integer',
    unit: '',
    description: 'The call: `seq` in `calls`.',
    value: ({ call }) => call.seq,
  },
  {
    name: 'at',
    type: 'time',
    unit: '',
    description: 'When the call began.',
    value: ({ call }) => call.at,
  },
  {
    name: 'step',
    type: 'integer',
    unit: 'model turns',
    description: 'The model turn, from 1.',
    value: ({ call }) => call.step,
  },
]

/** The columns that say whether a search or a fetch failed. */
export const failureColumns: readonly Column<OfCall>[] = [
  {
    name: 'failed',
    type: 'boolean',
    unit: '',
    description: 'True when the call failed.',
    value: ({ call }) => call.failed,
  },
  {
    name: 'error',
    type: 'text',
    unit: '',
    description: 'The error class; null when it did not fail.',
    value: ({ call }) => call.error,
  },
]

/** How long the call of a search or a fetch took. */
export const callTimeColumn: Column<OfCall> = {
  name: 'wallMs',
  type: 'integer',
  unit: 'milliseconds',
  description: 'Time of the whole call; null when it never ended.',
  value: ({ call }) => call.wallMs,
}
