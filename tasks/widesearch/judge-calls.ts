import { pythonRepr } from '../../src/score/python/text.ts'
import { parsePythonJson, readMarkedNumber } from '../../src/text/python-json.ts'
import { PythonFailure } from './python-failure.ts'

/** A question for the judge: to match names or keys, or to grade the pairs of a column. */
export type JudgeCall =
  | {
      readonly call: 'align'
      /** `columns`, or the key column. */
      readonly of: string
      readonly given: readonly string[]
      readonly reference: readonly string[]
    }
  | {
      readonly call: 'grade'
      /** The column. */
      readonly of: string
      readonly criterion: string | number | null
      /** The answer's value and the gold's, preprocessed. */
      readonly pairs: readonly (readonly [string, string])[]
    }

/** Asks the judge; returns the text of its reply, or null when there is none. */
export type AskJudge = (call: JudgeCall) => Promise<string | null>

/** Writes the prompt of a call. The rules are those of the published prompts; the words are ours. */
export function writePrompt(call: JudgeCall): string {
  return call.call === 'align' ? writeAlignPrompt(call) : writeGradePrompt(call)
}

const writeList = (texts: readonly string[]): string => `[${texts.map(pythonRepr).join(', ')}]`

function writeAlignPrompt({ given, reference }: Extract<JudgeCall, { call: 'align' }>): string {
  return `Match two lists of terms by meaning. The position of a term in its list does not matter. Two terms match when they name the same thing and differ only in wording or format. Equal terms always match.

Terms to match:
${writeList(given)}

Reference terms:
${writeList(reference)}

For each term to match, find the reference term that is closest in meaning, and decide whether both name the same thing. If they do, map the term to the reference term. If no reference term does, leave the term out or map it to itself.
Copy each term exactly as it is in its list, including Markdown marks.

End with a JSON object in a fence:
\`\`\`json
{
    "term to match": "reference term"
}
\`\`\``
}

function writeGradePrompt({ criterion, pairs }: Extract<JudgeCall, { call: 'grade' }>): string {
  const items = pairs.map(
    ([response, target], i) =>
      `'idx_${i}': {'response': ${pythonRepr(response)}, 'target': ${pythonRepr(target)}}`,
  )
  return `Grade answers against a reference. Each entry below has an index, a response and the target, which is right.
Grade each entry by the criterion: 1 when the response is right, else 0. No other grades are allowed. First go through the entries one by one and reason about each. Then give every entry its grade.

Criterion:
${criterion === null ? 'None' : String(criterion)}

Entries:
{${items.join(', ')}}

End with a JSON object in a fence:
\`\`\`json
{
    "idx_0": 1,
    "idx_1": 0
}
\`\`\``
}

/** Reads the last fence `json` of a reply; null when it has none, or none that is a JSON object. */
export function readReply(
  reply: string | null,
  parse: (json: string) => unknown = JSON.parse,
): Readonly<Record<string, unknown>> | null {
  const fences = [...(reply ?? '').matchAll(/```json\s*(\{.*?\})\s*```/gs)]
  const last = fences.at(-1)?.[1]
  if (last === undefined) return null
  try {
    return parse(last) as Readonly<Record<string, unknown>>
  } catch {
    return null
  }
}

/** Reads the map of an align call as the published code does: an unreadable reply maps nothing. 5.0 stays `5.0`. */
export function readAlignment(reply: string | null): ReadonlyMap<string, string> {
  const map = readReply(reply, parsePythonJson)
  return new Map(Object.entries(map ?? {}).map(([from, to]) => [from, writePythonText(to)]))
}

function writePythonText(value: unknown): string {
  if (typeof value === 'string') return readMarkedNumber(value) ?? value
  if (value === null) return 'None'
  return typeof value === 'boolean' ? (value ? 'True' : 'False') : String(value)
}

/**
 * Reads the points of a grade call as the published code does. An unreadable reply and a missing index are 0 points;
 * points are not checked.
 *
 * @returns null for points that count neither in a row's minimum nor in a sum
 * @throws PythonFailure for points that are no numbers
 */
export function readPoints(reply: string | null, pairs: number): (number | null)[] {
  const grades = readReply(reply) ?? {}
  return Array.from({ length: pairs }, (_, i) => {
    const points = Object.hasOwn(grades, `idx_${i}`) ? grades[`idx_${i}`] : 0
    if (points === null || typeof points === 'number') return points
    if (typeof points === 'boolean') return Number(points)
    throw new PythonFailure('TypeError', 'the judge gave points that are not numbers')
  })
}
