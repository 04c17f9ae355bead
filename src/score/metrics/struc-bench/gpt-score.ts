import { readJsonObject } from '../../judge/read-reply.ts'
import type { TextMetric } from '../metric.ts'
import { ratedInBothOrders, type TableRatings } from './both-orders.ts'

const promptOf = (first: string, second: string): string =>
  `Rate how alike two tables are, in content and in structure, each from 0 to 10.
Content: 10 where all cells hold the same, 5 where about half of them do, 0 where none does.
Structure: 10 where rows, columns, their order and alignment are the same; colours and fonts do not matter.

Table 1:
\`\`\`
${first}
\`\`\`

Table 2:
\`\`\`
${second}
\`\`\`

Think it through, then end with one JSON object: {"content_similarity": N, "structural_similarity": N}`

function readSimilarities(text: string): TableRatings | null {
  const start = text.lastIndexOf('{')
  const object = start < 0 ? null : readJsonObject(text.slice(start))
  const content = object?.content_similarity
  const structure = object?.structural_similarity
  const isRating = (value: unknown): value is number => typeof value === 'number' && value >= 0 && value <= 10
  return isRating(content) && isRating(structure) ? { content, structure } : null
}

/**
 * Struc-Bench's GPTscore (arXiv 2309.08963, section 3.3.1). A judge model rates content and structure from 0
 * to 10, with the two tables in both orders, and the ratings are averaged. The value is the mean of content
 * and structure over 10.
 */
export const gptScore: TextMetric = ratedInBothOrders({
  ...{ promptOf, maxOutputTokens: 1000 },
  parse: readSimilarities,
})
