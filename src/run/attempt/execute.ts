import { defaultAgent } from '../../../agents/online-options.ts'
import type { Setting, SettingEnvironment, SettingOutcome } from '../../../agents/setting.ts'
import type { Trace } from '../../../logs/writer.ts'
import { answerKindOf } from '../../../tasks/kinds/answer-kinds.ts'
import type { RunConfig } from '../../config.ts'
import type { Attempt, Termination } from '../../core/attempt.ts'
import { yieldToEventLoop } from '../../core/runtime.ts'
import type { Score } from '../../core/score.ts'
import { goldsOf, type Question, type Task } from '../../core/task.ts'
import type { PlannedAttempt } from '../plan/plan.ts'
import type { AnswerTexts } from '../records/answer-files.ts'
import type { Leak } from '../records/leaks.ts'
import { withRunBudgetDetail } from '../resources/run-budget.ts'
import type { RunResources } from '../resources/run-resources.ts'
import { type EnvironmentOptions, environmentFor } from './environment.ts'
import { measureOrCrash } from './measure-or-crash.ts'
import type { Measurer } from './measurer.ts'
import { runSetting } from './run-setting.ts'
import { type AttemptWatch, type FoundLeak, watchAttempt } from './watch.ts'

export interface ExecutedAttempt extends AnswerTexts {
  readonly attempt: Attempt
  readonly scores: readonly Score[]
  /** The lines of the leak ledger about it. */
  readonly leaks: readonly Leak[]
  /** Why the judge can rate no further attempt, so that the run ends. Absent while it works. */
  readonly judgeFailure?: string
}

/** The options that decide how an attempt is made. */
export type AttemptOptions = EnvironmentOptions & Pick<RunConfig, 'showColumns'>

/** An attempt to make, with what it needs. */
export interface AttemptToMake {
  readonly planned: PlannedAttempt
  readonly setting: Setting
  readonly options: AttemptOptions
  readonly resources: RunResources
  readonly measurer: Measurer
  readonly cancelled: AbortSignal
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
  const { planned, resources, measurer, cancelled } = toMake
  const { task, attemptId } = planned
  const model = resources.modelFor(planned)
  const allotment = await resources.allot(planned.setting, model, cancelled)
  const startedAt = resources.clock.now()
  const trace = resources.spans.watch(await resources.openTrace(attemptId), planned)
  traceStart(trace, planned, allotment.caps)
  const watch = watchAttempt(trace)
  const missing = new Map<string, string>()
  const environment = {
    ...watchDocuments(environmentFor({ ...toMake, model, watch }), missing),
    caps: allotment.caps,
  }
  const outcome = await runSetting(toMake.setting, questionOf(task, toMake.options), environment).finally(
    () => allotment.settle(watch.spent()),
  )
  const times = { startedAt, endedAt: resources.clock.now() }
  // The next attempt would fail in the same way. The run decides whether to make it after it has recorded
  // this one.
  if (outcome.termination.fatalService === undefined) toMake.answered?.()
  await yieldToEventLoop()
  const termination = withoutSecrets(withRunBudgetDetail(outcome.termination, allotment), resources)
  const agent = resources.agents.nameOf((planned.values?.agent as string | undefined) ?? defaultAgent)
  const record = {
    ...recordOf(planned, { agent, outcome, termination, times, watch }),
    ...missingDocumentsOf(outcome, missing),
    ...openedInPartBy(watch),
  }
  const made = { planned, outcome, record, watch, cancelled }
  const { seenHash, goldShown, ...measured } = await measureOrCrash(made, measurer, resources)
  const leaks = distinctInOrder([...watch.blockedLeaks, ...goldShown])
  // These events are written last, so an attempt whose trace contains them has a record or receives it next.
  traceEnd(trace, { endedAt: times.endedAt, leaks, attempt: measured.attempt, seenHash })
  await trace.close()
  const whose = { attemptId, taskId: task.question.taskId, setting: planned.setting }
  const judgeFailure = resources.judgeFailure()
  return {
    ...measured,
    ...(judgeFailure === null ? {} : { judgeFailure }),
    ...textsOf(outcome),
    leaks: leaks.map(leak => ({ ...whose, ...leak })),
  }
}

/** Notes the documents without text that a setting receives, by name with the problem. */
function watchDocuments<E extends Pick<SettingEnvironment, 'documents'>>(
  environment: E,
  missing: Map<string, string>,
): E {
  return {
    ...environment,
    async documents() {
      const documents = await environment.documents()
      for (const { hint, text, problem } of documents)
        if (text === '') missing.set(hint, problem ?? 'no text')
      return documents
    },
  }
}

/** Returns the documents that the model lacked. A document without text may have reached it as a file. */
function missingDocumentsOf(
  { context }: Pick<SettingOutcome, 'context'>,
  missing: ReadonlyMap<string, string>,
): Pick<Attempt, 'missingDocuments'> {
  const whole = new Set(context?.documents.filter(({ problem }) => problem === null).map(({ hint }) => hint))
  const lacked = [...missing].filter(([name]) => !whole.has(name))
  return lacked.length === 0 ? {} : { missingDocuments: lacked.map(([name, problem]) => ({ name, problem })) }
}

/** Returns the documents that tools opened and that were read with notices, each once. */
function openedInPartBy({ toolResults }: Pick<AttemptWatch, 'toolResults'>): Pick<Attempt, 'openedInPart'> {
  const bodies = new Map<string, { url: string; notices: string[] }>()
  for (const seen of toolResults.flatMap(({ observations }) => observations))
    if (seen.kind === 'body' && seen.notices !== undefined)
      bodies.set(seen.sha256, { url: seen.finalUrl, notices: seen.notices })
  const opened = [...bodies.values()].sort((one, other) => (one.url < other.url ? -1 : 1))
  return opened.length === 0 ? {} : { openedInPart: opened }
}

/** Removes keys from the detail: some servers repeat the key that they refuse. */
function withoutSecrets(
  termination: Termination,
  resources: Pick<RunResources, 'withoutSecrets'>,
): Termination {
  const { detail } = termination
  return { ...termination, detail: detail === null ? null : resources.withoutSecrets(detail) }
}

function traceStart(trace: Trace, planned: PlannedAttempt, caps: Readonly<Record<string, number>>): void {
  const { task, setting, model, trial } = planned
  const { taskId } = task.question
  trace.emit(0, { type: 'attempt-started', taskId, setting, model, trial, caps: { ...caps } })
}

/** What the last events of a trace contain. */
interface TracedEnd {
  /** Milliseconds since the epoch. */
  readonly endedAt: number
  readonly leaks: readonly FoundLeak[]
  readonly attempt: Pick<Attempt, 'answer' | 'termination'>
  readonly seenHash: string | null
}

function traceEnd(trace: Trace, { endedAt, leaks, attempt, seenHash }: TracedEnd): void {
  const { answer, termination } = attempt
  const { parseStatus, rows, columns } = answer
  const { lastHealthyStep } = termination
  for (const { step, ...leak } of leaks) trace.emit(step, { type: 'leak-found', ...leak }, endedAt)
  const kept = seenHash === null ? {} : { sight: seenHash }
  trace.emit(lastHealthyStep, { type: 'answer-parsed', parseStatus, rows, columns, ...kept }, endedAt)
  trace.emit(lastHealthyStep, { type: 'terminated', termination }, endedAt)
}

/** The question as the setting receives it. With --show-columns it contains the names of the gold's key columns; nothing else of the gold. */
function questionOf(
  { question, gold }: Task,
  { showColumns }: Pick<AttemptOptions, 'showColumns'>,
): Question {
  const { form } = question
  if (!showColumns || form.kind !== 'table') return question
  const { keyColumns } = answerKindOf(gold).shape(gold)
  return { ...question, form: { ...form, keyColumns } }
}

function textsOf({ answerText, turnTexts }: SettingOutcome): AnswerTexts {
  return { answerText, ...(turnTexts === undefined ? {} : { turnTexts }) }
}

/** An attempt that has ended. */
interface EndedAttempt {
  /** The name of its agent. */
  readonly agent: string
  readonly outcome: SettingOutcome
  readonly termination: Termination
  /** Milliseconds since the epoch. */
  readonly times: { readonly startedAt: number; readonly endedAt: number }
  readonly watch: Pick<AttemptWatch, 'toolFailures' | 'callsInText'>
}

/** The record of an attempt before its measures. */
function recordOf(
  planned: PlannedAttempt,
  { agent, outcome, termination, times, watch }: EndedAttempt,
): Attempt {
  const { taskId, benchmark, domain, language, facets } = planned.task.question
  const { attemptId, setting, options, model, trial, seed } = planned
  return {
    attemptId,
    taskId,
    benchmark,
    domain,
    ...(facets === undefined ? {} : { facets }),
    documents: planned.task.documents.map(({ name }) => name),
    language,
    agent,
    setting,
    options,
    model,
    trial,
    seed,
    startedAt: new Date(times.startedAt).toISOString(),
    endedAt: new Date(times.endedAt).toISOString(),
    termination,
    usage: outcome.usage,
    answer: answerKindOf(goldsOf(planned.task).at(-1)!).read(outcome.answerText ?? ''),
    ...turnRecords(planned.task, outcome),
    context: outcome.context,
    discovery: null,
    retrieval: null,
    ...watch.toolFailures(),
    ...watch.callsInText(),
  }
}

/** The answers to each question of a conversation; empty for a task with one question. */
function turnRecords(task: Task, { turnTexts = [] }: SettingOutcome): Pick<Attempt, 'turns'> {
  if (task.question.turns === undefined) return {}
  const golds = goldsOf(task)
  return { turns: golds.map((gold, turn) => ({ answer: answerKindOf(gold).read(turnTexts[turn] ?? '') })) }
}

/** Removes duplicates and sorts by step and address, because concurrent calls end in any order. */
function distinctInOrder(leaks: readonly FoundLeak[]): FoundLeak[] {
  const keyOf = (leak: FoundLeak): string => JSON.stringify([leak.how, leak.url, leak.detail])
  const distinct = new Map(leaks.map(leak => [`${leak.step} ${keyOf(leak)}`, leak]))
  return [...distinct.values()].sort((a, b) => a.step - b.step || (keyOf(a) < keyOf(b) ? -1 : 1))
}
