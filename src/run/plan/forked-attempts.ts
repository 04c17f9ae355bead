import { DataError } from '../../core/errors.ts'
import { describeIntervention } from '../../core/fork.ts'
import type { ForkPlan } from './fork-plan.ts'
import { createAttemptId, type PlannedAttempt } from './plan.ts'

/**
 * Returns the planned attempts of a plan's forks.
 *
 * @param sources the attempts that the source run planned
 * @throws DataError [fork-source] when the options or tasks of the source run have changed
 */
export function planForks(plan: ForkPlan, sources: readonly PlannedAttempt[]): PlannedAttempt[] {
  const byId = new Map(sources.map(source => [source.attemptId, source]))
  const byTask = new Map(sources.map(source => [source.task.question.taskId, source]))
  const counts = new Map<string, number>()
  return plan.forks.map(fork => {
    const source = plan.isImported ? byTask.get(fork.taskId) : byId.get(fork.rootId)
    if (source === undefined)
      throw new DataError(
        `no attempt ${fork.attemptId} is planned: the options or the tasks of its run have changed. Use those of the run.`,
        { code: 'fork-source' },
      )
    const { intervention, lossClass, values, seed } = fork
    const model = fork.model ?? source.model
    const options = {
      ...source.options,
      fork: describeIntervention(intervention),
      ...(lossClass === undefined ? {} : { cause: lossClass }),
    }
    const { taskId } = source.task.question
    const { setting } = source
    const key = JSON.stringify([taskId, model, options])
    const trial = counts.get(key) ?? 0
    counts.set(key, trial + 1)
    return {
      ...source,
      attemptId: createAttemptId({ taskId, setting, model, trial, options }),
      ...{ model, trial, seed, options },
      // The recorded part keeps the other options of its source.
      values: { ...source.values, ...(values.search === undefined ? {} : { search: values.search }) },
      fork: { ...fork, run: plan.run, isImported: plan.isImported },
    }
  })
}
