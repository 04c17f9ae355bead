import type { Metric } from '../metric.ts'
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
import { stringSemantic } from './string-semantic.ts'

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
