import type { TextMetric } from '../../src/score/metrics/metric.ts'
import { ratedInBothOrders, type TableRatings } from '../../src/score/metrics/struc-bench/both-orders.ts'
import { parseReply } from './p-score-replies.ts'

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
export const pScore: TextMetric = ratedInBothOrders({ promptOf, maxOutputTokens: 1333, parse: readRatings })
