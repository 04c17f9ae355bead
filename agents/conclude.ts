import type { Question } from '../src/core/task.ts'
import { type Termination, withCutOffNote } from '../src/core/termination.ts'
import type { Usage } from '../src/core/usage.ts'
import type { ModelAnswer } from '../src/models/model-answer.ts'
import { isFatalToRun } from '../src/system/system-errors.ts'
import type { AttemptRun } from './attempt-run.ts'
import { buildTermination, type Ended, type EndOfAttempt, endOfFailure } from './termination.ts'
import { endOfTurns, listTurns, listTurnTexts } from './turns.ts'

/** The state of an answer that may still change. */
interface AnswerInProgress {
  readonly draft: string | null
  readonly forcedFinal: boolean
}

/** The answer, the termination and the usage of a finished attempt. */
export interface ConcludedAttempt {
  readonly answerText: string | null
  /** The text for each question of a conversation. Absent for a task with one question. */
  readonly turnTexts?: readonly (string | null)[]
  readonly termination: Termination
  readonly usage: Usage
}

/**
 * Runs the work of an attempt and concludes it, whether it succeeds or fails. Failures become terminations, timers are
 * stopped and usage is summed.
 *
 * @throws the error when it ends the whole run, such as a full disk
 */
export async function conclude(
  run: AttemptRun,
  question: Question,
  work: () => Promise<Ended>,
  unfinished: () => AnswerInProgress = () => ({ draft: null, forcedFinal: false }),
): Promise<ConcludedAttempt> {
  try {
    const last = await endWork(run, work, unfinished)
    const ended = [...run.earlierTurns, last]
    const end = endOfTurns(ended, listTurns(question).length)
    const turnTexts = listTurnTexts(ended, question)
    const answerText = turnTexts === undefined ? last.answerText : (turnTexts.at(-1) ?? null)
    const cutOff = run.usage.cutOffCalls()
    const detail = cutOff === 0 ? end.detail : withCutOffNote(cutOff, end.detail)
    const answerProduced = ended.some(
      ({ answerText }, turn) => answerText !== null && run.environment.hasAnswer(answerText, turn),
    )
    const { forcedFinal } = unfinished()
    const { lastHealthyStep } = run
    return {
      answerText,
      ...(turnTexts === undefined ? {} : { turnTexts }),
      termination: buildTermination({ ...end, detail }, { answerProduced, forcedFinal, lastHealthyStep }),
      usage: run.totalUsage(),
    }
  } finally {
    run.close()
  }
}

async function endWork(
  run: AttemptRun,
  work: () => Promise<Ended>,
  unfinished: () => AnswerInProgress,
): Promise<Ended> {
  try {
    return await work()
  } catch (error) {
    const cause = run.signal.aborted ? run.signal.reason : error
    if (isFatalToRun(cause)) throw cause
    return { end: endOfFailure(cause, run.failing), answerText: unfinished().draft }
  }
}

/** Returns the end of an attempt whose answer was filtered or refused; null for an ordinary answer. */
export function stoppedEnd(answer: ModelAnswer): EndOfAttempt | null {
  if (answer.finishReason === 'content_filter')
    return {
      cause: 'provider',
      reason: 'content-filter',
      detail: 'the answer was stopped by a content filter',
    }
  if (answer.refusal !== null) return { cause: 'agent', reason: 'refused', detail: null }
  return null
}

/** Returns the end of an attempt whose model finished its answer by itself. */
export function answeredEnd(run: AttemptRun, answer: ModelAnswer, text: string): EndOfAttempt {
  if (answer.finishReason === 'length')
    return { cause: 'budget', reason: 'output-limit', detail: 'the answer was cut by its length' }
  const reason = run.environment.hasAnswer(text, run.currentTurn()) ? 'answered' : 'answered-without-table'
  return { cause: 'agent', reason, detail: null }
}

/** Returns the text; null when it is blank. */
export function nonEmptyText(text: string): string | null {
  return text.trim() === '' ? null : text
}
