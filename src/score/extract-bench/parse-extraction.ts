import { findFences } from '../answer/fences.ts'
import { answerLimits } from '../answer/limits.ts'
import { withoutReasoning } from '../answer/reasoning.ts'
import { type JsonValue, parseJsonAsPython } from './json-value.ts'

/** Why an answer holds no JSON that can be scored: the failure modes of ExtractBench's Table 7, and what else there is. */
export type ExtractionFailure =
  | 'empty-response'
  | 'no-json'
  | 'trailing-comma'
  | 'truncated-json'
  | 'malformed-json'
  | 'too-large'
  | 'context-length'
  | 'page-limit'
  | 'schema-mismatch'

/** An answer as read. `json` is the text that was parsed. Nothing is mended: what is malformed is named. */
export type ParsedExtraction =
  | { readonly status: 'json'; readonly value: JsonValue; readonly json: string }
  | { readonly status: 'unreadable' | 'none'; readonly failure: ExtractionFailure; readonly note: string }

/**
 * Reads the JSON of a model's answer: reasoning left out; the last fenced block that is JSON or says so, an unclosed last
 * one too; else the text from its first brace or bracket on.
 */
export function parseExtraction(text: string): ParsedExtraction {
  if (text.length > answerLimits.chars) {
    return {
      status: 'unreadable',
      failure: 'too-large',
      note: `${text.length} characters, at most ${answerLimits.chars}`,
    }
  }
  const answer = withoutReasoning(text).replaceAll('\ufeff', '')
  if (answer.trim() === '') return { status: 'none', failure: 'empty-response', note: 'empty answer' }
  const json = jsonPart(answer)
  if (json === null) return { status: 'none', failure: 'no-json', note: 'no JSON in the answer' }
  try {
    return { status: 'json', value: parseJsonAsPython(json), json }
  } catch (error) {
    if (!(error instanceof SyntaxError || error instanceof RangeError)) throw error
    return { status: 'unreadable', failure: failureOf(json), note: error.message }
  }
}

function jsonPart(answer: string): string | null {
  const fences = findFences(answer).filter(fence => fence.body.trim() !== '')
  const fence =
    fences.findLast(({ label }) => /^json/i.test(label)) ??
    fences.findLast(({ body }) => /^\s*[[{]/.test(body))
  if (fence !== undefined) return fence.body.trim()
  const start = answer.search(/[[{]/)
  if (start < 0) return isBareValue(answer.trim()) ? answer.trim() : null
  const end = matchingEnd(answer, start)
  return answer.slice(start, end ?? undefined).trim()
}

const isBareValue = (text: string): boolean => /^(?:null|true|false|-?\d+(?:\.\d+)?|"[^"\n]*")$/.test(text)

/** The position behind the bracket that closes the one at `start`; null where none does. */
function matchingEnd(text: string, start: number): number | null {
  let depth = 0
  let inString = false
  for (let at = start; at < text.length; at += 1) {
    const sign = text[at]
    if (inString) {
      if (sign === '\\') at += 1
      else if (sign === '"') inString = false
    } else if (sign === '"') inString = true
    else if (sign === '{' || sign === '[') depth += 1
    else if ((sign === '}' || sign === ']') && (depth -= 1) === 0) return at + 1
  }
  return null
}

function failureOf(json: string): ExtractionFailure {
  const start = json.search(/[[{]/)
  if (start >= 0 && matchingEnd(json, start) === null) return 'truncated-json'
  return parses(withoutTrailingCommas(json)) ? 'trailing-comma' : 'malformed-json'
}

function parses(json: string): boolean {
  try {
    JSON.parse(json)
    return true
  } catch {
    return false
  }
}

/** Commas before a closing bracket out; strings are kept as they are. */
const withoutTrailingCommas = (json: string): string =>
  json.replace(/"(?:[^"\\]|\\.)*"|,(?=\s*[}\]])/g, found => (found === ',' ? '' : found))
