import type { ExportedAttempt } from './exported-run.ts'
import type { Column } from './table.ts'

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
