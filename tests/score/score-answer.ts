import type { Attempt } from '../../src/core/attempt.ts'
import type { Gold } from '../../src/core/gold.ts'
import { systemClock } from '../../src/core/runtime.ts'
import type { Score } from '../../src/core/score.ts'
import type { AnswerForm, Question } from '../../src/core/task.ts'
import { noJudge } from '../../src/score/contract/judge.ts'
import { type AttemptToScore, scoreAttempt } from '../../src/score/score-attempt.ts'
import { findScorer, listScorersForKind } from '../../tasks/scorers.ts'
import { attemptEnding } from './attempt-ending.ts'

export interface AnswerToScore extends Partial<Omit<AttemptToScore, 'task' | 'answers' | 'scorer'>> {
  readonly gold: Gold
  readonly answerText: string | null
  readonly scorer?: string
  readonly attempt?: Attempt
}

const forms: Readonly<Record<Gold['kind'], AnswerForm>> = {
  table: { kind: 'table' },
  json: { kind: 'json', schema: {} },
  text: { kind: 'text' },
}

export const questionFor = (gold: Gold): Question => ({
  taskId: 't',
  benchmark: 'aoe',
  domain: 'legal',
  language: 'en',
  query: 'Which?',
  documentNames: [],
  form: forms[gold.kind],
})

/** Scores one answer with the first scorer that takes its gold, unless another is named. */
export async function scoreAnswer({
  gold,
  answerText,
  scorer = listScorersForKind(gold.kind)[0]!,
  ...given
}: AnswerToScore): Promise<Score> {
  return await scoreAttempt({
    attempt: attemptEnding({ cause: 'agent', reason: 'answered' }),
    scorer: findScorer(scorer),
    judge: noJudge,
    clock: systemClock,
    infrastructureFailures: 0,
    successAt: null,
    ...given,
    answers: [answerText],
    task: { question: questionFor(gold), gold },
  })
}
