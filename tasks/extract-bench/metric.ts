import type { JsonValue, PythonJsonObject } from '../../src/score/python/json-value.ts'
import type { MetricNode } from './schema-node.ts'

/** Two values to compare. Both are present. */
export interface MetricInput {
  readonly node: MetricNode
  readonly gold: JsonValue
  readonly predicted: JsonValue
  readonly params: PythonJsonObject
}

/** The pairs found between two lists. */
export interface ItemMatches {
  readonly matched: number
  readonly missedGold: number
  readonly spuriousPredicted: number
  /** The position of the gold item of each paired predicted item. Absent when only the counts are known. */
  readonly goldOf?: ReadonlyMap<number, number>
}

/** The result of one comparison. */
export interface MetricOutcome {
  /** 0 to 1. */
  readonly score: number
  readonly passed: boolean
  readonly matches?: ItemMatches
}

/** Tests whether two items of a list pass every metric of their schema. Without a schema (null) they must be equal. */
type ItemAgreement = (item: MetricNode | null, gold: JsonValue, predicted: JsonValue) => boolean

/** A metric of a schema node. A new metric is one file and one line in the registry. */
export interface Metric {
  /** The published package asks a language model here. It then evaluates nothing below the node. */
  readonly judged: boolean
  /**
   * Compares two present values without a language model.
   *
   * @throws MetricError when the metric cannot be evaluated
   */
  compare(input: MetricInput, itemsAgree: ItemAgreement): MetricOutcome
  /** The question for a judge model. `parse` returns null when the reply is not in the required form. */
  ask?(input: MetricInput): {
    readonly prompt: string
    readonly maxOutputTokens: number
    readonly parse: (text: string) => MetricOutcome | null
  }
}

/** A metric that cannot be evaluated; the node scores 0. `type` is the exception of the published package. */
export class MetricError extends Error {
  override readonly name = 'MetricError'
  readonly type: string
  constructor(type: string, message: string) {
    super(message)
    this.type = type
  }
}

/** The outcome of a metric without partial credit. */
export const passOrFail = (passed: boolean): MetricOutcome => ({ score: passed ? 1 : 0, passed })
