import type { ReferenceCaseScore } from '../../src/score/metrics/metric.ts'
import type { TableFormat } from '../../src/text/table-format.ts'

/** What the published code reads of a judge's reply: any object with both keys, whatever their values are. */
interface ParsedReply {
  readonly content_similarity: unknown
  readonly structural_similarity: unknown
}

/**
 * Reads a judge's reply as Struc-Bench's code does: the first fenced block marked `json`, if it is JSON with both
 * keys. Returns null otherwise. Values outside 0 to 10 pass.
 */
export function parseReply(reply: string): ParsedReply | null {
  const block = /```json([\s\S]*?)```/.exec(reply)?.[1]
  if (block === undefined) return null
  try {
    const value: unknown = JSON.parse(block)
    const isRated =
      value !== null &&
      typeof value === 'object' &&
      'content_similarity' in value &&
      'structural_similarity' in value
    return isRated ? value : null
  } catch {
    return null
  }
}

/**
 * Computes the P-Score of a data set from its replies, which come in pairs: answer first, gold first. A pair with an
 * unreadable reply is left out; for HTML also most pairs with values that are not numbers. Content and structure are
 * means over the replies of the other pairs.
 */
export function computePScore(format: TableFormat, replies: readonly string[]): ReferenceCaseScore {
  const parsed = replies.map(parseReply)
  const usable: ParsedReply[] = []
  for (let at = 0; at + 1 < parsed.length; at += 2) {
    const [first, second] = [parsed[at], parsed[at + 1]]
    if (!first || !second) continue
    if (format !== 'html' || isKeptInHtml(first, second)) usable.push(first, second)
  }
  const content = addNumbers(usable.map(reply => reply.content_similarity))
  const structure = addNumbers(usable.map(reply => reply.structural_similarity))
  if (content === null || structure === null) return { metrics: { parsed }, error: 'TypeError' }
  if (usable.length === 0) return { metrics: { parsed }, error: 'ZeroDivisionError' }
  const metrics = { parsed, content: content / usable.length, structure: structure / usable.length }
  return { metrics, error: null }
}

/** The published code checks three of the four values; of the second reply's, one number is enough. */
function isKeptInHtml(first: ParsedReply, second: ParsedReply): boolean {
  return (
    isNumber(first.content_similarity) &&
    isNumber(first.structural_similarity) &&
    second.structural_similarity !== null &&
    (isNumber(second.content_similarity) || isNumber(second.structural_similarity))
  )
}

/** In Python, true and false are numbers. */
const isNumber = (value: unknown): value is number | boolean =>
  typeof value === 'number' || typeof value === 'boolean'

/** The sum as in Python; null for texts, null and lists, which cannot be added to a number. */
function addNumbers(values: readonly unknown[]): number | null {
  let sum = 0
  for (const value of values) {
    if (!isNumber(value)) return null
    sum += Number(value)
  }
  return sum
}
