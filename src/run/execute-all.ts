import { systemClock } from '../core/runtime.ts'
import { type ModelNaming, modelNaming } from '../report/arm-names.ts'
import { fieldPassRateOf } from '../report/measures.ts'
import type { Executor } from './executor.ts'
import type { RunFolder } from './folder/run-folder.ts'
import type { RunGrounds } from './grounds/grounds.ts'
import type { PlannedAttempt } from './plan/plan.ts'
import { madeAgain } from './plan/retry.ts'
import { createSchedule, workThrough } from './plan/schedule.ts'
import type { RunSurroundings } from './run-surroundings.ts'
import { tellPace } from './watch/pace.ts'
import type { Tally } from './watch/tally.ts'

/**
 * Has the attempts made that are pending, side by side, and writes each as it ends; tells how it goes. Gives the ids of
 * those that need not be made again.
 */
export async function executeAll(
  pending: readonly PlannedAttempt[],
  grounds: RunGrounds,
  executor: Executor,
  folder: RunFolder,
  tally: Tally,
  { tell, stopping }: Pick<RunSurroundings, 'tell' | 'stopping'>,
): Promise<string[]> {
  const ended: string[] = []
  const models = modelNaming(grounds.modelNames.map(model => ({ model })))
  const isMadeAgain = madeAgain(null)
  const pace = tellPace(tally, tell, systemClock)
  const schedule = createSchedule(pending, grounds.serviceFor, grounds.limitOf)
  const makeOne = async (planned: PlannedAttempt, leave: () => void): Promise<void> => {
    const { attemptId } = planned
    const label = labelOf(planned, models, grounds.config.trials)
    const started = (): void => tell({ type: 'attempt-started', attemptId, label })
    const executed = await executor.execute(planned, started, leave)
    if (executed === null) return
    await folder.append(executed.attempt, executed.scores, executed.answerText, executed.leaks)
    executor.recorded(attemptId)
    if (!isMadeAgain(executed.attempt.termination)) ended.push(attemptId)
    const [score] = executed.scores
    const cellF1 = score?.cell?.f1 ?? null
    const fieldsPassed = score === undefined ? null : fieldPassRateOf(score)
    tally.add(executed.attempt)
    tell({ type: 'attempt-ended', attempt: executed.attempt, label, cellF1, fieldsPassed })
  }
  const makeOrWithdraw = async (planned: PlannedAttempt, leave: () => void): Promise<void> => {
    try {
      await makeOne(planned, leave)
    } catch (error) {
      executor.withdraw()
      throw error
    }
  }
  await workThrough(schedule, executor.atATime, stopping, makeOrWithdraw).finally(pace.stop)
  return ended
}

/** What progress calls an attempt: model and trial only where the run has several. */
function labelOf(
  { task, model, setting, variant, trial }: PlannedAttempt,
  models: ModelNaming,
  trials: number,
): string {
  const parts = [
    task.question.taskId,
    ...(models.several ? [models.of(model)] : []),
    setting,
    variant,
    ...(trials > 1 ? [`trial ${trial + 1} of ${trials}`] : []),
  ]
  return parts.filter(part => part !== '').join(' ')
}
