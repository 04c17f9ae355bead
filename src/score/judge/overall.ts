import type { Score } from '../../core/score.ts'
import type { ModelJudge } from '../contract/judge.ts'
import { overallPrompt } from './prompts.ts'
import { publishedAnswer, publishedOutputTokens } from './published-prompts.ts'
import { publishedTokens } from './published-tokens.ts'
import type { JudgeTally } from './tally.ts'

/** The four ratings of a table and their mean, 0 to 100. */
type Overall = NonNullable<Score['overall']>

/**
 * Asks for the overall quality of a table as the AOE paper defines it. Intent, schema, content and format are
 * rated 0 to 100 each, and averaged.
 *
 * @returns null when no reply was in the required form: unscored, never 0
 */
export async function rateOverall(
  judge: ModelJudge,
  tally: JudgeTally,
  input: { readonly query: string; readonly goldCsv: string; readonly answer: string },
): Promise<Overall | null> {
  tally.wouldCall(1, publishedTokens(input.query, input.goldCsv, input.answer))
  const { query, goldCsv, answer } = input
  return await tally.ask(judge, {
    prompt:
      judge.published?.overall(query, goldCsv, publishedAnswer(answer)) ??
      overallPrompt(query, goldCsv, answer),
    maxOutputTokens: publishedOutputTokens.overall,
    parse: readOverall,
  })
}

function readOverall(text: string): Overall | null {
  const scores = [1, 2, 3, 4].map(n => {
    const match = new RegExp(`<score${n}>\\s*(\\d+)\\s*</score${n}>`, 'i').exec(text)
    const score = match === null ? Number.NaN : Number(match[1])
    return score <= 100 ? score : Number.NaN
  })
  if (scores.some(Number.isNaN)) return null
  const [intent, schema, content, format] = scores as [number, number, number, number]
  return { intent, schema, content, format, mean: (intent + schema + content + format) / 4 }
}
