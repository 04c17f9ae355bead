import {
  isJsonList,
  isJsonObject,
  LargeInteger,
  missing,
  type PresentOrMissing,
  WholeFloat,
} from '../../src/score/python/json-value.ts'
import { type Refusal, RefusedError } from './errors.ts'
import type { MetricNode, ObjectNode } from './schema-node.ts'

/** The two values at a node. */
export interface ValuePair {
  readonly gold: PresentOrMissing
  readonly predicted: PresentOrMissing
}

/** Values by path. A path without an entry counts as null on both sides. */
export type ValuesByPath = ReadonlyMap<string, ValuePair>

/** The values of a document, or why the published package refuses them. */
interface DocumentValues {
  readonly values: ValuesByPath
  readonly refusal: Refusal | null
}

/**
 * Walks gold and prediction along the schema's tree together.
 *
 * @throws RefusedError when a value does not have its node's type, or a required key is absent
 */
export function walkValues(
  root: MetricNode,
  gold: PresentOrMissing,
  predicted: PresentOrMissing,
): ValuesByPath {
  const { values, refusal } = readValues(root, gold, predicted)
  if (refusal !== null) throw new RefusedError(refusal)
  return values
}

/** Like `walkValues`, but returns a refusal. Pairs of list items are refused too often to throw an error for each. */
export function readValues(
  root: MetricNode,
  gold: PresentOrMissing,
  predicted: PresentOrMissing,
): DocumentValues {
  const values = new Map<string, ValuePair>()
  const refusal = walk(root, '$', { gold, predicted }, values)
  return { values, refusal }
}

function walk(
  node: MetricNode,
  path: string,
  pair: ValuePair,
  values: Map<string, ValuePair>,
): Refusal | null {
  values.set(path, pair)
  // A null at a nullable node ends the walk: the published package checks neither the other value nor anything below.
  if (node.nullable && (pair.gold === null || pair.predicted === null)) return null
  return (
    refuseType(node, pair.gold, 'Gold', path) ??
    refuseType(node, pair.predicted, 'Extracted', path) ??
    (node.kind === 'object' ? walkObject(node, path, pair, values) : null)
  )
}

function walkObject(
  node: ObjectNode,
  path: string,
  pair: ValuePair,
  values: Map<string, ValuePair>,
): Refusal | null {
  for (const [key, child] of node.properties) {
    const inner: ValuePair = { gold: readMember(pair.gold, key), predicted: readMember(pair.predicted, key) }
    if (node.required.has(key)) {
      if (inner.gold === missing) return refuseAbsent(key, 'Gold', path)
      if (inner.predicted === missing) return refuseAbsent(key, 'Extracted', path)
    }
    const refusal = walk(child, `${path}.properties.${key}`, inner, values)
    if (refusal !== null) return refusal
  }
  if (node.additional === null) return null
  const keys = new Set([...listKeys(pair.gold), ...listKeys(pair.predicted)])
  for (const key of keys) {
    if (node.properties.has(key)) continue
    const inner: ValuePair = { gold: readMember(pair.gold, key), predicted: readMember(pair.predicted, key) }
    // All additional keys share one path, so that the last one wins: a defect of the published package that is kept.
    const refusal = walk(node.additional, `${path}.additionalProperties`, inner, values)
    if (refusal !== null) return refusal
  }
  return null
}

const listKeys = (value: PresentOrMissing): string[] => (isJsonObject(value) ? Object.keys(value) : [])

const readMember = (value: PresentOrMissing, key: string): PresentOrMissing =>
  isJsonObject(value) && Object.hasOwn(value, key) ? (value[key] as PresentOrMissing) : missing

const refuseAbsent = (key: string, side: string, path: string): Refusal => ({
  stage: 'instance',
  type: 'ValueError',
  message: `Required property '${key}' missing in ${side} instance at ${path}`,
})

/** The words of the published package's messages: for the value, and for the schema. */
const typeWords: Readonly<Record<Exclude<MetricNode['kind'], 'anyof'>, readonly [string, string]>> = {
  object: ['a dict', 'a dict'],
  array: ['a list', 'a list'],
  string: ['a string', 'a string'],
  number: ['a number', 'a number'],
  integer: ['an integer', 'an integer'],
  boolean: ['a boolean', 'a boolean'],
  null: ['None', 'null'],
}

function refuseType(node: MetricNode, value: PresentOrMissing, side: string, path: string): Refusal | null {
  if (value === missing || node.kind === 'anyof' || hasType(node.kind, value)) return null
  const [is, schema] = typeWords[node.kind]
  return {
    stage: 'instance',
    type: 'ValueError',
    message: `${side} instance is not ${is} at ${schema} schema: ${path}`,
  }
}

/** Whether a value has a type. Python's bool is an int, so true and false count as numbers. */
function hasType(kind: Exclude<MetricNode['kind'], 'anyof'>, value: PresentOrMissing): boolean {
  switch (kind) {
    case 'object':
      return isJsonObject(value)
    case 'array':
      return isJsonList(value)
    case 'string':
      return typeof value === 'string'
    case 'number':
      return hasType('integer', value) || typeof value === 'number' || value instanceof WholeFloat
    case 'integer':
      return Number.isInteger(value) || typeof value === 'boolean' || value instanceof LargeInteger
    case 'boolean':
      return typeof value === 'boolean'
    case 'null':
      return value === null
  }
}
