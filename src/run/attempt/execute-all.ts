import { scorers } from '../../../tasks/registry.ts'
import { listScorerMetrics } from '../../../tasks/scorers.ts'
import { optionsText } from '../../core/arm.ts'
import { RunError } from '../../core/errors.ts'
import { type Clock, systemClock } from '../../core/runtime.ts'
import type { Score } from '../../core/score.ts'
import { isUnfinished } from '../../core/termination.ts'
import { type ModelNaming, nameModels } from '../../report/model/arm-names.ts'
import { listScoringMetrics, readRecordedValue } from '../../report/model/metrics.ts'
import type { RunResources } from '../open-run/open-resources.ts'
import type { PlannedAttempt } from '../plan/plan.ts'
import { createSchedule, runSchedule } from '../plan/schedule.ts'
import type { EventScore, RunEvent } from '../progress/progress.ts'
import type { Tally } from '../progress/tally.ts'
import type { RunFolder } from '../records/run-folder.ts'
import type { Executor } from './executor.ts'
import type { ServiceWatch } from './service-watch.ts'

/** Where the attempts of a run are recorded and counted. */
export interface AttemptRecording {
  readonly folder: RunFolder
  readonly tally: Tally
  readonly services: ServiceWatch
}

/** What makes and records the attempts of a run. */
export interface ExecutionContext extends AttemptRecording {
  readonly resources: RunResources
  /** --trials */
  readonly trials: number
  readonly executor: Executor
  tell(event: RunEvent): void
  readonly stopping: AbortSignal
}

/**
 * Makes the pending attempts concurrently, records each when it ends, and reports progress. Skips attempts that need a
 * service that the run has stopped using.
 *
 * @returns the ids of the attempts that need not be made again
 */
export async function executeAll(
  pending: readonly PlannedAttempt[],
  { resources, trials, executor, folder, tally, services, tell, stopping }: ExecutionContext,
): Promise<string[]> {
  const ended: string[] = []
  const models = nameModels(resources.modelNames.map(model => ({ model })))
  const byId = new Map(pending.map(planned => [planned.attemptId, planned]))
  const pace = reportPace(tally, tell, systemClock)
  const schedule = createSchedule(pending, resources.serviceFor, resources.limitOf)
  const tellFailedScorers = makeFailedScorerTeller(folder.folder, tell)
  const makeOne = async (planned: PlannedAttempt, leave: () => void): Promise<void> => {
    const { attemptId } = planned
    const label = labelAttempt(planned, models, trials)
    const started = (): void => tell({ type: 'attempt-started', attemptId, label })
    const result = await executor.execute(planned, started, leave)
    if (result === null) {
      const withdrawnFor = services.givenUp(planned)
      if (withdrawnFor !== null) services.skip(withdrawnFor)
      return
    }
    const executed = resources.withoutQuestions(result)
    await folder.append(executed.attempt, executed.scores, executed, executed.leaks)
    executor.recorded(attemptId)
    if (!isUnfinished(executed.attempt.termination)) ended.push(attemptId)
    if (services.ended(executed.attempt)) executor.withdraw(id => services.givenUp(byId.get(id)!) !== null)
    tellFailedScorers(executed.scores)
    const [score] = executed.scores
    tally.add(executed.attempt)
    tell({ type: 'attempt-ended', attempt: executed.attempt, label, score: pickEventScore(score) })
    if (executed.judgeFailure !== undefined)
      throw new RunError(`${executed.judgeFailure} ${repairText(folder.folder, executed.scores)}`, {
        code: 'provider-failed',
      })
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
  await runSchedule(schedule, executor.concurrency, stopping, makeOrWithdraw).finally(pace.stop)
  return ended
}

/** Says how the attempts that are left, and the scores that a judge left out, are made. */
function repairText(folder: string, scores: readonly Score[]): string {
  const judged = scores.filter(({ scorer }) => scorers.get(scorer).usesJudge !== false)
  const [judge = '', prompts] = (judged[0]?.judge ?? '').split('+prompts@')
  const options = `--scorer ${judged.map(({ scorer }) => scorer).join(',')} --judge ${judge}${prompts === undefined ? '' : ' --config FILE'}`
  return `It makes the attempts that are left. What the judge left unscored: tablehunt score ${folder} ${options}`
}

/** Returns a function that reports a failed scorer once, with the cause and the fix. */
function makeFailedScorerTeller(
  folder: string,
  tell: (event: RunEvent) => void,
): (scores: readonly Score[]) => void {
  const reportedScorers = new Set<string>()
  return scores => {
    for (const { cause, scorer, taskId, explanation = [] } of scores) {
      if (cause !== 'scorer' || reportedScorers.has(scorer)) continue
      reportedScorers.add(scorer)
      const fix = `Correct the scorer, then run tablehunt score ${folder} --scorer ${scorer}: it adds the missing scores and calls no model under test.`
      tell({ type: 'notice', text: `task ${taskId}: ${explanation.join(' ')} The answer is kept. ${fix}` })
    }
  }
}

/** Returns the primary metric of a score with its value; null for an attempt that is not scored. */
function pickEventScore(score: Score | undefined): EventScore | null {
  if (score?.status !== 'scored') return null
  const { primary } = listScoringMetrics(listScorerMetrics([score.scorer]), score.scorer)
  return primary === null
    ? null
    : { metric: primary, value: readRecordedValue(score, primary.key), metrics: score.metrics }
}

/** The name of an attempt in progress lines. It names model and trial only when the run has several. */
function labelAttempt(
  { task, model, setting, options, trial }: PlannedAttempt,
  models: ModelNaming,
  trials: number,
): string {
  const parts = [
    task.question.taskId,
    ...(models.several ? [models.of(model)] : []),
    setting,
    optionsText(options),
    ...(trials > 1 ? [`trial ${trial + 1} of ${trials}`] : []),
  ]
  return parts.filter(part => part !== '').join(' ')
}

const reportEveryMs = 1_000

/** Reports progress every second and once more when it is stopped. */
function reportPace(tally: Tally, tell: (event: RunEvent) => void, clock: Clock): { stop(): void } {
  const since = clock.now()
  const reportNow = (): void => {
    const { attemptsPerMinute, ...standing } = tally.standing({ since, now: clock.now() })
    tell({ type: 'progress', standing, attemptsPerMinute })
  }
  const timer = setInterval(reportNow, reportEveryMs)
  timer.unref()
  return {
    stop() {
      clearInterval(timer)
      reportNow()
    },
  }
}
