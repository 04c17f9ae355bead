import type { ForeignAttempt } from '../../../logs/import/foreign-log.ts'
import { answerKinds } from '../../../tasks/kinds/answer-kinds.ts'
import type { Attempt } from '../../core/attempt.ts'
import type { Score } from '../../core/score.ts'
import type { Task } from '../../core/task.ts'
import type { AttemptEnd, Termination } from '../../core/termination.ts'
import { type Usage, unknownUsage } from '../../core/usage.ts'
import { sha256 } from '../../system/hash.ts'
import { type AttemptKey, createAttemptId } from '../plan/plan.ts'
import { countCalls, countTurns } from './import-trace.ts'
import type { ForeignRecord } from './read-logs.ts'

interface ImportInProgress {
  readonly format: string
  readonly importedAt: string
  /** Ids of the attempts that are already written. */
  readonly usedIds: Set<string>
}

/** Makes an attempt record. External agents search for their documents, so the setting is online unless the log says otherwise. */
export function makeRecord(
  { place, attempt: foreign }: ForeignRecord,
  task: Task | null,
  { format, importedAt, usedIds }: ImportInProgress,
): Attempt {
  const { end, question, original } = foreign
  if (original !== undefined) {
    const { attempt } = original
    return { ...attempt, ...findFreeId(attempt, usedIds), sourceId: attempt.sourceId ?? attempt.attemptId }
  }
  const sourceId = foreign.sourceId ?? place
  const taskId =
    task?.question.taskId ??
    foreign.taskId ??
    (question === null ? sourceId : `q-${sha256(question.trim()).slice(0, 12)}`)
  const setting = foreign.setting ?? 'online'
  const model = foreign.model ?? format
  const key = { taskId, setting, model, trial: foreign.trial ?? 0, options: {} }
  const { attemptId, trial } = findFreeId(key, usedIds)
  const text = end.answered && (foreign.answerText ?? '').trim() !== '' ? foreign.answerText : null
  return {
    attemptId,
    sourceId,
    taskId,
    benchmark: task?.question.benchmark ?? foreign.benchmark ?? format,
    domain: task?.question.domain ?? foreign.domain ?? 'imported',
    ...(task?.question.facets === undefined ? {} : { facets: task.question.facets }),
    ...(task === null ? {} : { documents: task.documents.map(({ name }) => name) }),
    language: task?.question.language ?? guessLanguage(question ?? text ?? ''),
    setting,
    options: {},
    model,
    trial,
    seed: 0,
    startedAt: foreign.startedAt ?? importedAt,
    endedAt: foreign.endedAt ?? foreign.startedAt ?? importedAt,
    termination: makeTermination(foreign, text !== null),
    usage: readUsage(foreign),
    answer: answerKinds[task?.gold.kind ?? 'table'].read(text ?? ''),
    context: null,
    discovery: null,
    retrieval: null,
  }
}

function makeTermination({ end, messages }: ForeignAttempt, answerProduced: boolean): Termination {
  const { cause, reason, forcedFinal, detail } = end
  const lastHealthyStep = countTurns(messages)
  return { ...({ cause, reason } as AttemptEnd), answerProduced, forcedFinal, lastHealthyStep, detail }
}

/** Returns the scores of an attempt that Tablehunt recorded; none for other attempts. */
export function listOriginalScores({ original }: ForeignAttempt, { attemptId, trial }: Attempt): Score[] {
  return (original?.scores ?? []).map(score => ({ ...score, attemptId, trial }))
}

/** Returns a free id. Two records of the same task and model become two trials. */
function findFreeId(key: AttemptKey, usedIds: Set<string>): { attemptId: string; trial: number } {
  for (let { trial } = key; ; trial++) {
    const attemptId = createAttemptId({ ...key, trial })
    if (usedIds.has(attemptId)) continue
    usedIds.add(attemptId)
    return { attemptId, trial }
  }
}

/** Returns Chinese when at least 30% of the letters are Chinese. */
function guessLanguage(text: string): 'zh' | 'en' {
  const letters = text.match(/\p{L}/gu)?.length ?? 0
  const han = text.match(/\p{Script=Han}/gu)?.length ?? 0
  return letters > 0 && han / letters >= 0.3 ? 'zh' : 'en'
}

/** Takes the usage from the log. Calls that the log does not count are counted in its messages. */
function readUsage(foreign: ForeignAttempt): Usage {
  const counted = foreign.messages.length === 0 ? {} : countCalls(foreign.messages)
  const reported = Object.entries(foreign.usage).filter(([, value]) => value !== undefined)
  return { ...unknownUsage, ...counted, ...Object.fromEntries(reported) }
}
