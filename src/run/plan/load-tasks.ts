import type { ValidatedTasks } from '../../../tasks/validate/validate-tasks.ts'
import type { RunConfig } from '../../config.ts'
import { ConfigError } from '../../core/errors.ts'
import { chooseScorers } from './choose-scorers.ts'
import { withOptionalDocuments } from './optional-documents.ts'
import { readTasks } from './read-tasks.ts'

/**
 * Loads the tasks of a run.
 *
 * @throws ConfigError [no-task-matches] and those of `chooseScorers` DataError [no-task]
 */
export async function loadTasks(config: RunConfig): Promise<ValidatedTasks> {
  const { tasks, skipped, problems } = await readTasks(config)
  const { filter } = config
  const matches = tasks.filter(
    ({ question }) => filter === null || question.taskId.includes(filter) || question.domain.includes(filter),
  )
  if (matches.length === 0)
    throw new ConfigError(
      `--filter ${filter}: none of ${tasks.length} tasks contains this text in its id or domain. Correct the filter.`,
      { code: 'no-task-matches' },
    )
  chooseScorers(config, matches)
  const chosen = matches.slice(0, config.limit ?? matches.length)
  const ids = new Set(chosen.map(({ question }) => question.taskId))
  const ofChosen = problems.filter(({ taskId }) => taskId !== null && ids.has(taskId))
  return { tasks: await withOptionalDocuments(chosen, config.docs), skipped, problems: ofChosen }
}
