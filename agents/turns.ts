import type { AnswerForm, Question } from '../src/core/task.ts'
import type { AttemptRun } from './attempt-run.ts'
import type { End, Ended } from './termination.ts'

/** The questions of a conversation in the order in which they are asked; one where the task has no further turns. */
export function turnsOf({ query, form, turns = [] }: Pick<Question, 'query' | 'form' | 'turns'>): readonly {
  readonly query: string
  readonly form: AnswerForm
}[] {
  return [{ query, form }, ...turns]
}

/**
 * Asks every question of a conversation, one after another, until one ends it. `ask` asks the question of the turn that
 * it is given (0-based).
 */
export async function askTurns(
  run: AttemptRun,
  question: Question,
  ask: (turn: number, before: Ended | null) => Promise<Ended>,
): Promise<Ended> {
  const last = turnsOf(question).length - 1
  let before: Ended | null = null
  for (;;) {
    const ended = await ask(run.turn(), before)
    if (run.turn() === last || !goesOn(ended.end)) return ended
    run.earlierTurns.push(ended)
    before = ended
  }
}

/** Whether the next question can be asked after a turn that ended in this way: the model has finished its answer. */
function goesOn({ cause, reason }: End): boolean {
  if (cause === 'agent') return reason !== 'no-progress'
  return cause === 'budget' && reason === 'output-limit'
}

/** How a whole conversation ended: by what ended it, otherwise by the first turn that has no answer of the asked kind. */
export function endOfTurns(ended: readonly Ended[], turns: number): End {
  const last = ended.at(-1)!.end
  if (turns === 1 || ended.length === 0) return last
  const isOver = !goesOn(last)
  const at = isOver ? ended.length - 1 : ended.findIndex(one => one.end.reason !== 'answered')
  const decisive = ended[at]?.end ?? last
  if (decisive.reason === 'answered') return decisive
  const place = `turn ${at + 1} of ${turns}`
  return { ...decisive, detail: decisive.detail === null ? place : `${place}: ${decisive.detail}` }
}

/** The answer's text of each question, null where there is none; undefined for a task with one question. */
export function turnTextsOf(
  ended: readonly Ended[],
  question: Question,
): readonly (string | null)[] | undefined {
  if (question.turns === undefined) return undefined
  return turnsOf(question).map((_, turn) => ended[turn]?.answerText ?? null)
}
