import type { JsonValue } from '../../src/score/python/json-value.ts'
import { writePythonJson } from '../../src/text/python-json.ts'
import type { MetricNode } from './schema-node.ts'

/** The description of a node for a judge. */
export const makeNodeMetadata = (node: MetricNode): JsonValue => ({
  schema_type: node.kind,
  description: node.description,
  example: node.example,
  nullable: node.nullable,
  title: node.title,
})

const writeInstructions = (additional: JsonValue): string =>
  additional === null
    ? ''
    : `\nFurther instructions: ${typeof additional === 'string' ? additional : writePythonJson(additional)}`

/** The prompt that asks whether two texts mean the same, from 0 to 1. */
export function writeStringPrompt(
  metadata: JsonValue,
  gold: JsonValue,
  predicted: JsonValue,
  additional: JsonValue,
): string {
  return `Judge whether an extracted value means the same as the reference value of a field. Differences in spelling, case, punctuation or format that change nothing in the meaning do not count.
Field: ${writePythonJson(metadata)}
Reference: ${JSON.stringify(gold, null, 2)}
Extracted: ${JSON.stringify(predicted, null, 2)}${writeInstructions(additional)}

Answer with one JSON object and nothing else: {"reasoning": "one sentence", "score": NUMBER from 0 (another meaning) to 1 (the same meaning)}`
}

/** Two lists, and how their items are matched. */
interface ListQuestion {
  readonly metadata: JsonValue
  readonly gold: JsonValue
  readonly predicted: JsonValue
  /** The metrics of the items' fields. */
  readonly metrics: readonly unknown[]
  /** Further instructions of the schema; null when there are none. */
  readonly additional: JsonValue
}

/** The prompt that asks how many items of two lists match. */
export function writeArrayPrompt({ metadata, gold, predicted, metrics, additional }: ListQuestion): string {
  return `Match the items of an extracted list with those of the reference list: in any order, each at most once, and only where every field of the two items agrees by its metric.
List: ${writePythonJson(metadata)}
Metrics of the items' fields: ${writePythonJson(metrics)}
Reference: ${JSON.stringify(gold, null, 2)}
Extracted: ${JSON.stringify(predicted, null, 2)}${writeInstructions(additional)}

Answer with one JSON object and nothing else: {"reasoning": "short", "matches_summary": {"matched": N, "missed_gold": N, "spurious_pred": N}}`
}
