import { makeNotScored, makeScored, type TextMetric } from '../../src/score/metrics/metric.ts'
import { parseReply } from './p-score-replies.ts'

/** A judge's ratings of two tables, each usually 0 to 10. */
interface TableRatings {
  readonly content: number
  readonly structure: number
}

/** How a judge model is asked to rate two tables. */
interface TableRating {
  readonly maxOutputTokens: number
  promptOf(first: string, second: string): string
  /** Returns null for a reply that cannot be read. The judge is then asked again. */
  parse(reply: string): TableRatings | null
}

/**
 * Makes a metric that asks a judge model to rate content and structure, with the two tables in both orders. Its value
 * is the mean of all ratings over 10, between 0 and 1. Without both replies an answer is not scored.
 */
function rateInBothOrders({ maxOutputTokens, promptOf, parse }: TableRating): TextMetric {
  return {
    async score({ reference, prediction, judge }) {
      if (judge.kind !== 'model') return makeNotScored('needs a judge model')
      const ask = (first: string, second: string) =>
        judge.ask({ prompt: promptOf(first, second), maxOutputTokens, parse })
      const outcomes = await Promise.all([ask(prediction, reference), ask(reference, prediction)])
      const [answerFirst, goldFirst] = outcomes.map(outcome => outcome.value)
      if (!answerFirst || !goldFirst)
        return makeNotScored(
          outcomes.find(outcome => outcome.failure !== null)?.failure ?? 'the judge failed',
        )
      const content = (answerFirst.content + goldFirst.content) / 2
      const structure = (answerFirst.structure + goldFirst.structure) / 2
      return makeScored(Math.min(1, Math.max(0, (content + structure) / 20)), { content, structure })
    },
  }
}

function readRatings(reply: string): TableRatings | null {
  const parsed = parseReply(reply)
  const [content, structure] = [parsed?.content_similarity, parsed?.structural_similarity]
  return typeof content === 'number' && typeof structure === 'number' ? { content, structure } : null
}

const promptOf = (first: string, second: string): string =>
  `Compare two tables and rate how similar they are from 0 to 10, in two respects.
Content: 10 when every cell has the same text, 5 when about half of the cells do, and 0 when none does.
Structure: 10 when rows, columns, their order and their alignment are the same. Ignore colours, fonts and other looks.

Table A:
\`\`\`
${first}
\`\`\`

Table B:
\`\`\`
${second}
\`\`\`

Explain the differences first. Then end with one JSON object in a fenced block marked json:
\`\`\`json
{"content_similarity": NUMBER, "structural_similarity": NUMBER}
\`\`\``

/**
 * Struc-Bench's P-Score, which its first version calls GPTscore. A judge model rates content and structure from 0 to 10,
 * with the two tables in both orders. Replies are read as in the published code, but values that are not numbers are
 * asked for again.
 */
export const pScore: TextMetric = rateInBothOrders({ promptOf, maxOutputTokens: 1333, parse: readRatings })
