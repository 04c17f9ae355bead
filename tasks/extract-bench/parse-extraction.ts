import { describeExcess, extractionLimits } from '../../src/score/answer/limits.ts'
import {
  isJsonList,
  isJsonObject,
  type JsonValue,
  parseJsonAsPython,
} from '../../src/score/python/json-value.ts'
import { findFences } from '../../src/text/fences.ts'
import { splitThinking } from '../../src/text/thinking.ts'

/** Why an answer contains no JSON that can be scored: the failure modes of ExtractBench's Table 7, and others. */
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

/** An answer as read. `json` is the text that was parsed. Malformed JSON is not repaired: the failure is recorded. */
type ParsedExtraction =
  | { readonly status: 'json'; readonly value: JsonValue; readonly json: string }
  | { readonly status: 'unreadable' | 'none'; readonly failure: ExtractionFailure; readonly note: string }

/**
 * Reads the JSON in a model's answer, without reasoning. It uses the last fenced block that is JSON or is
 * labelled so, even if unclosed; else the text from its first brace or bracket on.
 */
export function parseExtraction(text: string): ParsedExtraction {
  const tooLarge = describeExcess(text)
  if (tooLarge !== null) return { status: 'unreadable', failure: 'too-large', note: tooLarge }
  const answer = splitThinking(text).text.replaceAll('\ufeff', '')
  if (answer.trim() === '') return { status: 'none', failure: 'empty-response', note: 'empty answer' }
  const json = findJsonPart(answer)
  if (json === null) return { status: 'none', failure: 'no-json', note: 'no JSON in the answer' }
  try {
    const value = parseJsonAsPython(json)
    const excess = describeValueExcess(value)
    if (excess !== null) return { status: 'unreadable', failure: 'too-large', note: excess }
    return { status: 'json', value, json }
  } catch (error) {
    if (!(error instanceof SyntaxError || error instanceof RangeError)) throw error
    return { status: 'unreadable', failure: classifyFailure(json), note: error.message }
  }
}

/**
 * Describes how a value exceeds the limits of an answer; null when it does not. The limits bound the time that an
 * answer can take.
 */
function describeValueExcess(root: JsonValue): string | null {
  let values = 0
  let level: JsonValue[] = [root]
  for (let depth = 0; level.length > 0; depth += 1) {
    if (depth > extractionLimits.depth) return `nested more than ${extractionLimits.depth} deep`
    values += level.length
    if (values > extractionLimits.values) return `more than ${extractionLimits.values} values`
    const next: JsonValue[] = []
    for (const value of level) {
      if (isJsonList(value) && value.length > extractionLimits.items)
        return `a list of ${value.length} items, at most ${extractionLimits.items}`
      if (typeof value === 'string' && value.length > extractionLimits.textChars)
        return `a text of ${value.length} characters, at most ${extractionLimits.textChars}`
      const children = isJsonList(value) ? value : isJsonObject(value) ? Object.values(value) : []
      for (const child of children) next.push(child)
    }
    level = next
  }
  return null
}

function findJsonPart(answer: string): string | null {
  const fences = findFences(answer).filter(fence => fence.body.trim() !== '')
  const fence =
    fences.findLast(({ label }) => /^json/i.test(label)) ??
    fences.findLast(({ body }) => /^\s*[[{]/.test(body))
  if (fence !== undefined) return fence.body.trim()
  const start = answer.search(/[[{]/)
  if (start < 0) return isBareValue(answer.trim()) ? answer.trim() : null
  const end = findMatchingEnd(answer, start)
  return answer.slice(start, end ?? undefined).trim()
}

const isBareValue = (text: string): boolean => /^(?:null|true|false|-?\d+(?:\.\d+)?|"[^"\n]*")$/.test(text)

/** The position after the bracket that closes the one at `start`; null when none does. */
function findMatchingEnd(text: string, start: number): number | null {
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

function classifyFailure(json: string): ExtractionFailure {
  const start = json.search(/[[{]/)
  if (start >= 0 && findMatchingEnd(json, start) === null) return 'truncated-json'
  return canParse(withoutTrailingCommas(json)) ? 'trailing-comma' : 'malformed-json'
}

function canParse(json: string): boolean {
  try {
    JSON.parse(json)
    return true
  } catch {
    return false
  }
}

/** Removes commas before closing brackets, outside strings. */
const withoutTrailingCommas = (json: string): string =>
  json.replace(/"(?:[^"\\]|\\.)*"|,(?=\s*[}\]])/g, match => (match === ',' ? '' : match))
