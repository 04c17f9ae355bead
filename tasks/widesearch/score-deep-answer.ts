import type { TableGold } from '../../src/core/task.ts'
import type { NotScored, Scored, ScoringInput } from '../../src/score/contract/scorer.ts'
import { addUsage, createTally } from '../../src/score/judge/tally.ts'
import { normaliseText } from '../../src/score/text/normalise.ts'
import { evaluateDeep } from './evaluate-deep.ts'
import { scoreWideSearchAnswer } from './score-answer.ts'
import type { WideSearchGold } from './settings.ts'

/**
 * Scores an answer to a DeepWideSearch task. A judge decides whether the answer names the hidden subject; if it does not,
 * every figure is 0. Without a judge model, the answer must contain a name of the subject.
 */
export async function scoreDeepAnswer(input: ScoringInput<TableGold>): Promise<Scored | NotScored> {
  const { entity = [] } = input.configuration as WideSearchGold
  const tally = createTally()
  const namesEntity = await isNamed(input, entity, tally)
  if (namesEntity === null)
    return { status: 'unscored', answered: input.answerText !== null, judgeUsage: tally.usage() }
  const evaluator = { evaluate: evaluateDeep, needsReadableReply: false }
  const answerText = namesEntity ? input.answerText : null
  const scored = await scoreWideSearchAnswer(evaluator, { ...input, answerText })
  const judgeUsage = addUsage(scored.judgeUsage, tally.usage())
  if (scored.status === 'unscored') return { ...scored, judgeUsage }
  const { goldRows = 0, predictedRows = 0, matchedRows = 0 } = scored.counts
  const rows = goldRows + predictedRows
  return {
    ...scored,
    judgeUsage,
    answered: input.answerText !== null && (scored.answered || !namesEntity),
    explanation: namesEntity
      ? scored.explanation
      : ['The answer does not name the hidden subject, so every figure is 0.'],
    metrics: {
      ...scored.metrics,
      columnF1: rows === 0 ? 0 : (2 * matchedRows) / rows,
      coreEntityAccuracy: Number(namesEntity),
    },
  }
}

/** Null when the judge failed. */
async function isNamed(
  { answerText, judge, question }: ScoringInput,
  entity: readonly string[],
  tally: ReturnType<typeof createTally>,
): Promise<boolean | null> {
  if (answerText === null) return false
  if (judge.kind !== 'model') {
    const text = normaliseText(answerText)
    return entity.some(name => text.includes(normaliseText(name)))
  }
  return await tally.ask(judge, {
    prompt: `Decide whether an answer names the subject that its question describes without naming it.

Question:
${question.query}

The subject, by its names:
${entity.join('\n')}

Answer:
${answerText}

Another spelling or translation of a name counts. End with one line: Named: yes or Named: no`,
    maxOutputTokens: 2000,
    parse: text => {
      const verdict = [...text.matchAll(/named\s*:\s*\**\s*(yes|no)/gi)].at(-1)?.[1]
      return verdict === undefined ? null : verdict.toLowerCase() === 'yes'
    },
  })
}
