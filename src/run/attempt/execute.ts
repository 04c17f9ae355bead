import { defaultAgent } from '../../../agents/online-options.ts'
import type { Setting, SettingEnvironment, SettingOutcome } from '../../../agents/setting.ts'
import type { Trace } from '../../../logs/writer.ts'
import { findAnswerKind } from '../../../tasks/kinds/answer-kinds.ts'
import type { RunConfig } from '../../config.ts'
import type { Attempt } from '../../core/attempt.ts'
import { yieldToEventLoop } from '../../core/runtime.ts'
import type { Score } from '../../core/score.ts'
import type { Question, Task } from '../../core/task.ts'
import type { Termination } from '../../core/termination.ts'
import { unknownUsage } from '../../core/usage.ts'
import { valueWithoutSecrets } from '../../system/secret-values.ts'
import { isFatalToRun } from '../../system/system-errors.ts'
import type { RunResources } from '../open-run/open-resources.ts'
import { withRunBudgetDetail } from '../open-run/run-budget.ts'
import type { PlannedAttempt } from '../plan/plan.ts'
import type { AnswerTexts } from '../records/answer-files.ts'
import type { Leak } from '../records/leaks.ts'
import { createRecord } from './attempt-record.ts'
import { makeEnvironment } from './environment.ts'
import { forkSetting } from './fork-attempt.ts'
import { type AttemptMeasures, measureAttempt } from './measure-attempt.ts'
import { type FoundLeak, watchAttempt } from './watch.ts'

/** The records and texts of an attempt. */
export interface ExecutedAttempt extends AnswerTexts {
  readonly attempt: Attempt
  readonly scores: readonly Score[]
  /** The lines of the leak ledger about it. */
  readonly leaks: readonly Leak[]
  /** Why the judge can rate no further attempt, so that the run ends. Absent while it works. */
  readonly judgeFailure?: string
}

/** What the attempts of a run need. */
export interface AttemptExecution {
  readonly options: RunConfig
  readonly resources: RunResources
  readonly measures: AttemptMeasures
  readonly cancelled: AbortSignal
}

/** An attempt to make, with what it needs. */
export interface AttemptToMake extends AttemptExecution {
  readonly planned: PlannedAttempt
  readonly setting: Setting
  /** Called when the model has answered and only measuring and scoring are left. */
  readonly answered?: () => void
}

/**
 * Makes one attempt and measures and scores it. Its trace and its blobs are written through `resources`; the caller
 * writes the record.
 *
 * @throws what ends the run, such as a full disk or wrong input
 */
export async function executeAttempt(toMake: AttemptToMake): Promise<ExecutedAttempt> {
  const { planned, resources, measures, cancelled } = toMake
  const { task, attemptId, setting } = planned
  const { allotment, startedAt, trace, watch, withoutText, environment } = await beginAttempt(toMake)
  const fork = forkSetting(toMake, watch)
  const question = makeQuestion(task, toMake.options)
  const outcome = await runSetting(fork.setting, question, environment).finally(() =>
    allotment.settle(watch.spent()),
  )
  const times = { startedAt, endedAt: resources.clock.now() }
  // The next attempt would fail in the same way. The run decides whether to make it after it has recorded
  // this one.
  if (outcome.termination.fatalService === undefined) toMake.answered?.()
  await yieldToEventLoop()
  const termination = withRunBudgetDetail(outcome.termination, allotment.lowered)
  const { detail } = termination
  const record = createRecord(planned, {
    agent: resources.agents.nameOf((planned.values?.agent as string | undefined) ?? defaultAgent),
    // Some servers repeat the key that they refuse.
    termination: { ...termination, detail: detail === null ? null : resources.withoutSecrets(detail) },
    outcome,
    times,
    watch,
    withoutText,
    fork: fork.record(),
  })
  const ended = { planned, outcome, record, watch, cancelled }
  const { seenHash, goldShown, attempt, scores } = await measureAttempt(ended, resources, measures)
  const leaks = removeEqualLeaks([...watch.blockedLeaks, ...goldShown])
  // These events are written last, so an attempt whose trace contains them has a record or receives it next.
  traceEnd(trace, { endedAt: times.endedAt, leaks, attempt, seenHash })
  await trace.close()
  const judgeFailure = resources.judgeFailure()
  const { answerText, turnTexts } = outcome
  return {
    attempt,
    scores,
    ...(judgeFailure === null ? {} : { judgeFailure }),
    answerText,
    ...(turnTexts === undefined ? {} : { turnTexts }),
    leaks: leaks.map(leak => ({ attemptId, taskId: task.question.taskId, setting, ...leak })),
  }
}

/** Reserves the budget of an attempt, begins its trace, and makes the environment of its setting. */
async function beginAttempt(toMake: AttemptToMake) {
  const { planned, resources, cancelled } = toMake
  const { task, attemptId, setting, model: modelName, trial } = planned
  const model = resources.modelFor(planned)
  const allotment = await resources.allot(setting, model, cancelled)
  const { caps } = allotment
  const startedAt = resources.clock.now()
  const trace = resources.spans.watch(await resources.openTrace(attemptId), planned)
  const { taskId } = task.question
  trace.emit(0, { type: 'attempt-started', taskId, setting, model: modelName, trial, caps: { ...caps } })
  const watch = watchAttempt(trace)
  const withoutText = new Map<string, string>()
  const environment = makeEnvironment({ ...toMake, model, watch, caps, withoutText })
  return { allotment, startedAt, trace, watch, withoutText, environment }
}

/**
 * Runs a setting. Its answers are returned without secrets, because scores and records are about the answer as it is
 * written. An unexpected error in it ends the attempt as harness / crash, with the error as its detail.
 *
 * @throws errors that end the whole run, such as a full disk
 */
export async function runSetting(
  setting: Setting,
  question: Question,
  environment: SettingEnvironment,
): Promise<SettingOutcome> {
  try {
    const outcome = await setting.run(question, environment)
    const { answerText, turnTexts } = outcome
    const texts = { answerText, ...(turnTexts === undefined ? {} : { turnTexts }) }
    return { ...outcome, ...valueWithoutSecrets(texts) }
  } catch (error) {
    if (isFatalToRun(error)) throw error
    const termination: Termination = {
      cause: 'harness',
      reason: 'crash',
      answerProduced: false,
      forcedFinal: false,
      lastHealthyStep: 0,
      detail: error instanceof Error ? `${error.name}: ${error.message}` : String(error),
    }
    return {
      answerText: null,
      termination,
      usage: unknownUsage,
      context: null,
      retrieval: null,
      chunks: null,
    }
  }
}

/** The question as the setting receives it. With --show-columns it contains the names of the gold's key columns; nothing else of the gold. */
function makeQuestion({ question, gold }: Task, { showColumns }: RunConfig): Question {
  const { form } = question
  if (!showColumns || form.kind !== 'table') return question
  const { keyColumns } = findAnswerKind(gold).shape(gold)
  return { ...question, form: { ...form, keyColumns } }
}

/** What the last events of a trace contain. */
interface TracedEnd {
  /** Milliseconds since the epoch. */
  readonly endedAt: number
  readonly leaks: readonly FoundLeak[]
  readonly attempt: Attempt
  readonly seenHash: string | null
}

function traceEnd(trace: Trace, { endedAt, leaks, attempt, seenHash }: TracedEnd): void {
  const { answer, termination } = attempt
  const { parseStatus, rows, columns } = answer
  const { lastHealthyStep } = termination
  for (const { step, ...leak } of leaks) trace.emit(step, { type: 'leak-found', ...leak }, endedAt)
  const sight = seenHash === null ? {} : { sight: seenHash }
  trace.emit(lastHealthyStep, { type: 'answer-parsed', parseStatus, rows, columns, ...sight }, endedAt)
  trace.emit(lastHealthyStep, { type: 'terminated', termination }, endedAt)
}

/** Removes duplicates and sorts by step and address, because concurrent calls end in any order. */
function removeEqualLeaks(leaks: readonly FoundLeak[]): FoundLeak[] {
  const keyOf = (leak: FoundLeak): string => JSON.stringify([leak.how, leak.url, leak.detail])
  const distinct = new Map(leaks.map(leak => [`${leak.step} ${keyOf(leak)}`, leak]))
  return [...distinct.values()].sort((a, b) => a.step - b.step || (keyOf(a) < keyOf(b) ? -1 : 1))
}
