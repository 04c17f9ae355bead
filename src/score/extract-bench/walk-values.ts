import { RefusedError } from './errors.ts'
import { isJsonList, isJsonObject, LargeInteger, missing, type Value, WholeFloat } from './json-value.ts'
import type { ObjectNode, SchemaNode } from './schema-node.ts'

/** The two values at a node. */
export interface ValuePair {
  readonly gold: Value
  readonly predicted: Value
}

/** Values by path. A path that is not in it is unset, which counts as null on both sides. */
export type ValuesByPath = ReadonlyMap<string, ValuePair>

/**
 * Walks gold and prediction along the tree together.
 * @throws RefusedError where a value has not its node's type, or a required key is absent
 */
export function walkValues(root: SchemaNode, gold: Value, predicted: Value): ValuesByPath {
  const values = new Map<string, ValuePair>()
  walk(root, '$', { gold, predicted }, values)
  return values
}

function walk(node: SchemaNode, path: string, pair: ValuePair, values: Map<string, ValuePair>): void {
  values.set(path, pair)
  // A null at a nullable node ends the walk there: nothing below is set, and the other value's type is not looked at.
  if (node.nullable && (pair.gold === null || pair.predicted === null)) return
  checkType(node, pair.gold, 'Gold', path)
  checkType(node, pair.predicted, 'Extracted', path)
  if (node.kind === 'object') walkObject(node, path, pair, values)
}

function walkObject(node: ObjectNode, path: string, pair: ValuePair, values: Map<string, ValuePair>): void {
  for (const [key, child] of node.properties) {
    const inner: ValuePair = { gold: member(pair.gold, key), predicted: member(pair.predicted, key) }
    if (node.required.has(key)) {
      if (inner.gold === missing) throw absent(key, 'Gold', path)
      if (inner.predicted === missing) throw absent(key, 'Extracted', path)
    }
    walk(child, `${path}.properties.${key}`, inner, values)
  }
  if (node.additional === null) return
  const others = new Set([...keysOf(pair.gold), ...keysOf(pair.predicted)])
  for (const key of others) {
    if (node.properties.has(key)) continue
    const inner: ValuePair = { gold: member(pair.gold, key), predicted: member(pair.predicted, key) }
    walk(node.additional, `${path}.additionalProperties`, inner, values)
  }
}

const keysOf = (value: Value): string[] => (isJsonObject(value) ? Object.keys(value) : [])

const member = (value: Value, key: string): Value =>
  isJsonObject(value) && Object.hasOwn(value, key) ? (value[key] as Value) : missing

const absent = (key: string, side: string, path: string): RefusedError =>
  new RefusedError(
    'instance',
    'ValueError',
    `Required property '${key}' missing in ${side} instance at ${path}`,
  )

const typeWords: Readonly<Record<Exclude<SchemaNode['kind'], 'anyof'>, readonly [string, string]>> = {
  object: ['a dict', 'a dict'],
  array: ['a list', 'a list'],
  string: ['a string', 'a string'],
  number: ['a number', 'a number'],
  integer: ['an integer', 'an integer'],
  boolean: ['a boolean', 'a boolean'],
  null: ['None', 'null'],
}

function checkType(node: SchemaNode, value: Value, side: string, path: string): void {
  if (value === missing || node.kind === 'anyof' || hasType(node.kind, value)) return
  const [is, schema] = typeWords[node.kind]
  throw new RefusedError(
    'instance',
    'ValueError',
    `${side} instance is not ${is} at ${schema} schema: ${path}`,
  )
}

/** Python's bool is an int, so true and false pass for numbers. */
function hasType(kind: Exclude<SchemaNode['kind'], 'anyof'>, value: Value): boolean {
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
