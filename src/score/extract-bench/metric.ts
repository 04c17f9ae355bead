import type { JsonObject, JsonValue } from './json-value.ts'
import type { SchemaNode } from './schema-node.ts'

/** Two present values to be compared. */
export interface MetricInput {
  readonly node: SchemaNode
  readonly gold: JsonValue
  readonly predicted: JsonValue
  readonly params: JsonObject
}

/** Pairs of two lists. */
export interface ItemMatches {
  readonly matched: number
  readonly missedGold: number
  readonly spuriousPredicted: number
  /** The gold item of each predicted item that has one, by position. Absent where only the counts are known. */
  readonly goldOf?: ReadonlyMap<number, number>
}

export interface MetricOutcome {
  /** 0..1. */
  readonly score: number
  readonly passed: boolean
  readonly matches?: ItemMatches
}

/** Whether two items of a list pass every metric below their schema; null: no schema, then they must be equal. */
export type ItemAgreement = (item: SchemaNode | null, gold: JsonValue, predicted: JsonValue) => boolean

/** A metric of a schema node; a new one is a file and a line in the registry. */
export interface Metric {
  /** Does the published package ask a language model here? It then looks no further below the node. */
  readonly judged: boolean
  /** Compares two present values without a language model. Throws MetricError. */
  compare(input: MetricInput, itemsAgree: ItemAgreement): MetricOutcome
  /** What to ask a judge model, and how its answer is read; null where the answer is out of form. */
  ask?(input: MetricInput): {
    readonly prompt: string
    readonly maxOutputTokens: number
    readonly parse: (text: string) => MetricOutcome | null
  }
}

/** A metric that can not be carried out; the node scores 0. `type` is the published package's exception. */
export class MetricError extends Error {
  override readonly name = 'MetricError'
  readonly type: string
  constructor(type: string, message: string) {
    super(message)
    this.type = type
  }
}

export const passOrFail = (passed: boolean): MetricOutcome => ({ score: passed ? 1 : 0, passed })
