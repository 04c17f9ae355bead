import { z } from 'zod/v4'
import {
  isJsonList,
  isJsonObject,
  type JsonValue,
  LargeInteger,
  parseJsonAsPython,
  WholeFloat,
} from '../../src/score/python/json-value.ts'
import type { GoldRecord } from './compare-rows.ts'
import { type PythonValue, readPythonLiteral, writePythonValue } from './python-literal.ts'

/** `gold.scoring` of a LongTableBench task: the gold as JSON text, because 5.0 and 5 are compared differently. */
export const longTableConfiguration = z.object({ answer: z.string() }).optional()

/** The gold: a list of items, or the row that a fact names. */
export type GoldAnswer =
  | { readonly kind: 'list'; readonly items: readonly string[] }
  | { readonly kind: 'row'; readonly row: GoldRecord }

/**
 * Reads a gold answer: a list or object as JSON or as a Python literal. Any other text is a list with one item per line.
 */
export function readGoldAnswer(text: string): GoldAnswer {
  const value = parseJsonValue(text) ?? readPythonLiteral(text) ?? null
  if (typeof value === 'object' && value !== null) {
    if (value.kind === 'list') return { kind: 'list', items: value.items.map(writePythonValue) }
    if (value.kind === 'dict')
      return { kind: 'row', row: new Map(value.entries.map(([key, inner]) => [String(key), inner])) }
  }
  return { kind: 'list', items: text.split('\n').filter(line => line.trim() !== '') }
}

function parseJsonValue(text: string): PythonValue | null {
  try {
    return asPython(parseJsonAsPython(text))
  } catch (error) {
    if (error instanceof SyntaxError) return null
    throw error
  }
}

function asPython(value: JsonValue): PythonValue {
  if (value instanceof WholeFloat || value instanceof LargeInteger) return value.value
  if (typeof value === 'number') return Number.isSafeInteger(value) ? BigInt(value) : value
  if (isJsonList(value)) return { kind: 'list', items: value.map(asPython) }
  if (!isJsonObject(value)) return value
  return { kind: 'dict', entries: Object.entries(value).map(([key, inner]) => [key, asPython(inner)]) }
}
