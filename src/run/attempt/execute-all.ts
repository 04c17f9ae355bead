import { isUnfinished } from '../../core/attempt.ts'
import { type Clock, systemClock } from '../../core/runtime.ts'
import type { Score } from '../../core/score.ts'
import { type ModelNaming, modelNaming } from '../../report/model/arm-names.ts'
import { metricsOf, recordedValue } from '../../report/model/metrics.ts'
import { metricsOfScorers } from '../../score/registry.ts'
import type { PlannedAttempt } from '../plan/plan.ts'
import { createSchedule, workThrough } from '../plan/schedule.ts'
import type { RunFolder } from '../records/run-folder.ts'
import type { RunResources } from '../resources/run-resources.ts'
import type { RunEvent, ToldScore } from '../watch/progress.ts'
import type { Tally } from '../watch/tally.ts'
import type { Executor } from './executor.ts'
import type { ServiceWatch } from './service-watch.ts'

/** What the attempts of a run are made with and written to. */
export interface ExecutionContext {
  readonly resources: Pick<RunResources, 'limitOf' | 'modelNames' | 'serviceFor'>
  /** --trials */
  readonly trials: number
  readonly executor: Executor
  readonly folder: RunFolder
  readonly tally: Tally
  readonly services: ServiceWatch
  tell(event: RunEvent): void
  readonly stopping: AbortSignal
}

/**
 * Has the attempts made that are pending, side by side, and writes each as it ends; tells how it goes. Attempts that need
 * a service that was given up are not made. Returns the ids of those that need not be made again.
 */
export async function executeAll(
  pending: readonly PlannedAttempt[],
  { resources, trials, executor, folder, tally, services, tell, stopping }: ExecutionContext,
): Promise<string[]> {
  const ended: string[] = []
  const models = modelNaming(resources.modelNames.map(model => ({ model })))
  const byId = new Map(pending.map(planned => [planned.attemptId, planned]))
  const pace = tellPace(tally, tell, systemClock)
  const schedule = createSchedule(pending, resources.serviceFor, resources.limitOf)
  const tellFailedScorers = failedScorerTeller(folder.folder, tell)
  const makeOne = async (planned: PlannedAttempt, leave: () => void): Promise<void> => {
    const { attemptId } = planned
    const label = labelOf(planned, models, trials)
    const started = (): void => tell({ type: 'attempt-started', attemptId, label })
    const executed = await executor.execute(planned, started, leave)
    if (executed === null) {
      const withdrawnFor = services.givenUp(planned)
      if (withdrawnFor !== null) services.skip(withdrawnFor)
      return
    }
    await folder.append(executed.attempt, executed.scores, executed, executed.leaks)
    executor.recorded(attemptId)
    if (!isUnfinished(executed.attempt.termination)) ended.push(attemptId)
    if (services.ended(executed.attempt)) executor.withdraw(id => services.givenUp(byId.get(id)!) !== null)
    tellFailedScorers(executed.scores)
    const [score] = executed.scores
    tally.add(executed.attempt)
    tell({ type: 'attempt-ended', attempt: executed.attempt, label, score: toldScore(score) })
  }
  const makeOrWithdraw = async (planned: PlannedAttempt, leave: () => void): Promise<void> => {
    const missing = await services.enter(planned)
    if (missing !== null) return services.skip(missing)
    try {
      if (!stopping.aborted) await makeOne(planned, leave)
    } catch (error) {
      executor.withdraw()
      throw error
    } finally {
      services.left(planned)
    }
  }
  await workThrough(schedule, executor.atATime, stopping, makeOrWithdraw).finally(pace.stop)
  return ended
}

/** Returns a function that tells once for each scorer that it failed, why, and what to do. */
function failedScorerTeller(
  folder: string,
  tell: (event: RunEvent) => void,
): (scores: readonly Score[]) => void {
  const told = new Set<string>()
  return scores => {
    for (const { cause, scorer, taskId, explanation = [] } of scores) {
      if (cause !== 'scorer' || told.has(scorer)) continue
      told.add(scorer)
      const fix = `Correct the scorer, then run tablehunt score ${folder}: it adds the missing scores and calls no model under test.`
      tell({ type: 'notice', text: `task ${taskId}: ${explanation.join(' ')} The answer is kept. ${fix}` })
    }
  }
}

/** The primary metric of a score with its value; null for an attempt that is not scored. */
function toldScore(score: Score | undefined): ToldScore | null {
  if (score?.status !== 'scored') return null
  const { primary } = metricsOf(metricsOfScorers([score.scorer]), score.scorer)
  return primary === null
    ? null
    : { metric: primary, value: recordedValue(score, primary.key), metrics: score.metrics }
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

const everyMs = 1_000

/** Tells every second how far a run is, until it is stopped, and then once more. */
export function tellPace(tally: Tally, tell: (event: RunEvent) => void, clock: Clock): { stop(): void } {
  const since = clock.now()
  const tellNow = (): void => {
    const { attemptsPerMinute, ...standing } = tally.standing({ since, now: clock.now() })
    tell({ type: 'progress', standing, attemptsPerMinute })
  }
  const timer = setInterval(tellNow, everyMs)
  timer.unref()
  return {
    stop() {
      clearInterval(timer)
      tellNow()
    },
  }
}
