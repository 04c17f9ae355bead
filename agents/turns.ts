import type { AnswerForm, Question } from '../src/core/task.ts'
import type { AttemptRun } from './attempt-run.ts'
import type { Ended, EndOfAttempt } from './termination.ts'

/** Returns the questions of a conversation in order; one question for a task without further turns. */
export function listTurns({ query, form, turns = [] }: Question): readonly {
  readonly query: string
  readonly form: AnswerForm
}[] {
  return [{ query, form }, ...turns]
}

/**
 * Asks the questions of a conversation in order, until one of them ends the attempt.
 *
 * @param ask - asks the question of a turn (0-based); `before` is the result of the previous turn, null for the first
 */
export async function askTurns(
  run: AttemptRun,
  question: Question,
  ask: (turn: number, before: Ended | null) => Promise<Ended>,
): Promise<Ended> {
  const last = listTurns(question).length - 1
  let before: Ended | null = null
  for (;;) {
    const ended = await ask(run.currentTurn(), before)
    if (run.currentTurn() === last || !canContinue(ended.end)) return ended
    run.earlierTurns.push(ended)
    before = ended
  }
}

/** Returns whether the next question can be asked after a turn that ended like this. */
function canContinue({ cause, reason }: EndOfAttempt): boolean {
  if (cause === 'agent') return reason !== 'no-progress'
  return cause === 'budget' && reason === 'output-limit'
}

/**
 * Returns the end of a conversation: the end that stopped it, or else the end of the first turn without a
 * proper answer.
 */
export function endOfTurns(ended: readonly Ended[], turns: number): EndOfAttempt {
  const last = ended.at(-1)!.end
  if (turns === 1 || ended.length === 0) return last
  const isOver = !canContinue(last)
  const at = isOver ? ended.length - 1 : ended.findIndex(turn => turn.end.reason !== 'answered')
  const decisive = ended[at]?.end ?? last
  if (decisive.reason === 'answered') return decisive
  const place = `turn ${at + 1} of ${turns}`
  return { ...decisive, detail: decisive.detail === null ? place : `${place}: ${decisive.detail}` }
}

/** Returns the text for each question, null when it is missing; undefined for a task with one question. */
export function listTurnTexts(
  ended: readonly Ended[],
  question: Question,
): readonly (string | null)[] | undefined {
  if (question.turns === undefined) return undefined
  return listTurns(question).map((_, turn) => ended[turn]?.answerText ?? null)
}
