import { optionsText } from '../../core/arm.ts'
import { type ExportedAttempt, integer, text } from './table.ts'

/** The columns that join the rows of an attempt with other tables. */
export const joinColumns = text({
  run: 'The name of the run: the name of its folder. Its path when several folders have that name.',
  attemptId: 'The attempt. Ids are unique within a run.',
})

/** Returns the fields of these columns. */
export const readJoinFields = ({ run, attempt }: ExportedAttempt) => ({
  run: run.name,
  attemptId: attempt.attemptId,
})

/** The columns that say what was attempted, and how. */
export const armColumns = {
  ...text({
    taskId: 'The task.',
    domain: 'The domain of the task.',
    arm: 'The id of the arm (setting, model and options), as in `report --json`.',
    setting: 'How the question was asked, such as `offline`.',
    model: 'The model under test.',
    options:
      "Options that differ from the defaults, such as `cot=off,retriever=hybrid`; `''` when none does.",
  }),
  ...integer({ trial: 'The number of the repetition, from 0.' }),
}

export const identifyAttempt = (source: ExportedAttempt) => {
  const { taskId, domain, setting, model, options, trial } = source.attempt
  const { arm } = source
  return {
    ...readJoinFields(source),
    taskId,
    domain,
    arm,
    setting,
    model,
    options: optionsText(options),
    trial,
  }
}
