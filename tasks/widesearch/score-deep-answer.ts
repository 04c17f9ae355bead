import type { TableGold } from '../../src/core/gold.ts'
import type { NotScored, Scored, ScoringInput } from '../../src/score/contract/scorer.ts'
import { addUsage, createTally } from '../../src/score/judge/tally.ts'
import { normaliseText } from '../../src/score/text/normalise.ts'
import { type EvaluationInput, type EvaluationResult, evaluateBy, publishedRules } from './evaluate.ts'
import type { JudgeCall } from './judge-calls.ts'
import { PythonFailure } from './python-failure.ts'
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

/**
 * Evaluates one answer as DeepWideSearch's published code does once the subject is named (AIDC-AI, commit 57965f0): as
 * WideSearch, but with the last table of the answer and with stricter criteria.
 */
export async function evaluateDeep(input: EvaluationInput): Promise<EvaluationResult> {
  const ask: EvaluationInput['ask'] = async call => await input.ask(stricter(call))
  return await evaluateBy({ ...publishedRules, table: 'last' }, { ...input, ask })
}

/** The demand is that of the published code in our words. */
function stricter(call: JudgeCall): JudgeCall {
  if (call.call !== 'grade') return call
  if (typeof call.criterion !== 'string')
    throw new PythonFailure('TypeError', `column '${call.of}' has no criterion in words`)
  const criterion = `${call.criterion} Be strict: the wording may differ only where the response and the target agree. When they name different things, the response is wrong, even where some of its words are in the target.`
  return { ...call, criterion }
}
