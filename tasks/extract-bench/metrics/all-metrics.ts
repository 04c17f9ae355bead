import { readJsonObject } from '../../../src/score/judge/read-reply.ts'
import { isJsonEqual, type JsonValue } from '../../../src/score/python/json-value.ts'
import { pythonStrip } from '../../../src/score/python/text.ts'
import { casefold } from '../../../src/text/plain-text.ts'
import type { Metric } from '../metric.ts'
import { makeNodeMetadata, writeStringPrompt } from '../prompts.ts'
import { readPassThreshold } from '../python-coercion.ts'
import { arrayLlm } from './array-llm.ts'
import {
  booleanExact,
  integerExact,
  numberExact,
  numberTolerance,
  stringCaseInsensitive,
  stringExact,
  stringFuzzy,
} from './by-rules.ts'

/**
 * `string_semantic` and `string_llm`: a score of 0 to 1 by the judge model. Without one, texts are equal after
 * stripping and case folding, and other values are equal as JSON.
 */
const stringSemantic: Metric = {
  judged: true,
  compare({ gold, predicted, params }) {
    const score = areValuesEqual(gold, predicted) ? 1 : 0
    return { score, passed: score >= readPassThreshold(params) }
  },
  ask({ node, gold, predicted, params }) {
    const threshold = readPassThreshold(params)
    return {
      prompt: writeStringPrompt(
        makeNodeMetadata(node),
        gold,
        predicted,
        params.additional_instructions ?? null,
      ),
      maxOutputTokens: 500,
      parse(text) {
        const score = readJsonObject(text)?.score
        if (typeof score !== 'number' || score < 0 || score > 1) return null
        return { score, passed: score >= threshold }
      },
    }
  },
}

function areValuesEqual(gold: JsonValue, predicted: JsonValue): boolean {
  if (typeof gold !== 'string' || typeof predicted !== 'string') return isJsonEqual(gold, predicted)
  return casefold(pythonStrip(gold)) === casefold(pythonStrip(predicted))
}

/** The metrics of ExtractBench's published package, by metric_id. */
export const nodeMetrics = {
  string_exact: stringExact,
  string_case_insensitive: stringCaseInsensitive,
  string_fuzzy: stringFuzzy,
  string_semantic: stringSemantic,
  string_llm: stringSemantic,
  integer_exact: integerExact,
  number_exact: numberExact,
  number_tolerance: numberTolerance,
  boolean_exact: booleanExact,
  array_llm: arrayLlm,
} as const satisfies Record<string, Metric>
