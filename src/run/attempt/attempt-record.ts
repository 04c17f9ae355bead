import type { SettingOutcome } from '../../../agents/setting.ts'
import { findAnswerKind } from '../../../tasks/kinds/answer-kinds.ts'
import type { Attempt } from '../../core/attempt.ts'
import { listGolds, type Task } from '../../core/task.ts'
import type { Termination } from '../../core/termination.ts'
import type { PlannedAttempt } from '../plan/plan.ts'
import type { AttemptWatch } from './watch.ts'

/** An attempt that has ended and is not measured yet. */
export interface EndedAttempt {
  readonly planned: PlannedAttempt
  readonly outcome: SettingOutcome
  /** Its record, before measures are added. */
  readonly record: Attempt
  readonly watch: AttemptWatch
  readonly cancelled: AbortSignal
}

/** How an attempt ended, for its record. */
interface AttemptEnding {
  /** The name of its agent. */
  readonly agent: string
  readonly outcome: SettingOutcome
  readonly termination: Termination
  /** Milliseconds since the epoch. */
  readonly times: { readonly startedAt: number; readonly endedAt: number }
  readonly watch: AttemptWatch
  /** The documents without text that the setting received, by name with the problem. */
  readonly withoutText: ReadonlyMap<string, string>
  /** The fields of a fork; empty for other attempts. */
  readonly fork: Partial<Attempt>
}

/** Returns the record of an attempt before its measures. */
export function createRecord(
  planned: PlannedAttempt,
  { agent, outcome, termination, times, watch, withoutText, fork }: AttemptEnding,
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
    ...(outcome.isolation === undefined ? {} : { isolation: outcome.isolation }),
    setting,
    options,
    model,
    trial,
    seed,
    startedAt: new Date(times.startedAt).toISOString(),
    endedAt: new Date(times.endedAt).toISOString(),
    termination,
    usage: outcome.usage,
    answer: findAnswerKind(listGolds(planned.task).at(-1)!).read(outcome.answerText ?? ''),
    ...turnRecords(planned.task, outcome),
    context: outcome.context,
    discovery: null,
    retrieval: null,
    ...watch.toolFailures(),
    ...watch.callsInText(),
    ...describeMissingDocuments(outcome, withoutText),
    ...describeOpenedPart(watch),
    ...fork,
  }
}

/** The answers to each question of a conversation; empty for a task with one question. */
function turnRecords(task: Task, { turnTexts = [] }: SettingOutcome): Partial<Attempt> {
  if (task.question.turns === undefined) return {}
  const golds = listGolds(task)
  return { turns: golds.map((gold, turn) => ({ answer: findAnswerKind(gold).read(turnTexts[turn] ?? '') })) }
}

/** The documents that the model lacked. A document without text may have reached it as a file. */
function describeMissingDocuments(
  { context }: SettingOutcome,
  withoutText: ReadonlyMap<string, string>,
): Partial<Attempt> {
  const whole = new Set(context?.documents.filter(({ problem }) => problem === null).map(({ hint }) => hint))
  const lacking = [...withoutText].filter(([name]) => !whole.has(name))
  return lacking.length === 0
    ? {}
    : { missingDocuments: lacking.map(([name, problem]) => ({ name, problem })) }
}

/** The documents that tools opened and that were read with notices, each once. */
function describeOpenedPart({ toolResults }: AttemptWatch): Partial<Attempt> {
  const bodies = new Map<string, { url: string; notices: string[] }>()
  for (const observation of toolResults.flatMap(({ observations }) => observations))
    if (observation.kind === 'body' && observation.notices !== undefined)
      bodies.set(observation.sha256, { url: observation.finalUrl, notices: observation.notices })
  const opened = [...bodies.values()].sort((a, b) => (a.url < b.url ? -1 : 1))
  return opened.length === 0 ? {} : { openedInPart: opened }
}
