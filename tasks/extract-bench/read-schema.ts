import {
  isJsonList,
  isJsonObject,
  type JsonValue,
  makePlainNumber,
  type PythonJsonObject,
} from '../../src/score/python/json-value.ts'
import { type Refusal, RefusedError } from './errors.ts'
import { readMetrics } from './metric-config.ts'
import type { MetricNode } from './schema-node.ts'

const common = ['title', 'description', 'default', 'example', 'examples', 'nullable', 'evaluation_config']
const keywords: Readonly<Record<string, readonly string[]>> = {
  string: ['minLength', 'maxLength', 'pattern', 'enum', 'format'],
  integer: ['minimum', 'maximum', 'enum', 'format'],
  number: ['minimum', 'maximum', 'enum', 'format'],
  boolean: [],
  null: [],
  array: ['items', 'minItems', 'maxItems'],
  object: ['properties', 'required', 'minProperties', 'maxProperties', 'additionalProperties'],
}
const rootKeywords = ['$defs', 'defs', '$schema', 'schema', '$id', 'id']
const primitives = ['string', 'integer', 'number', 'boolean', 'null']
const formats: Readonly<Record<string, readonly string[]>> = {
  integer: ['int32', 'int64'],
  number: ['float', 'double'],
}

interface SchemaReading {
  readonly definitions: ReadonlyMap<string, JsonValue>
  /** Names of the definitions being expanded, to detect recursion. */
  readonly open: readonly string[]
}

/**
 * Reads a JSON Schema as the tree that ExtractBench's published package makes of it, with every `$ref` expanded. A schema
 * object is read once, because all attempts at a task share it.
 *
 * @throws RefusedError when the package refuses the schema: unknown keywords, no type, recursive definitions, …
 */
export function readSchema(schema: JsonValue): MetricNode {
  if (!isJsonObject(schema)) throw makeSchemaError('the schema is not an object')
  const tree = treeBySchema.get(schema) ?? readRoot(schema)
  treeBySchema.set(schema, tree)
  return tree
}

const treeBySchema = new WeakMap<PythonJsonObject, MetricNode>()

function readRoot(schema: PythonJsonObject): MetricNode {
  const definitions = readDefinitions(schema)
  const reading: SchemaReading = { definitions, open: [] }
  for (const name of definitions.keys()) expand(name, reading)
  if (schema.type === 'object' && schema.nullable === true && !('$ref' in schema) && !('anyOf' in schema)) {
    throw makeSchemaError('the root is nullable')
  }
  return readNode(schema, reading, true)
}

function readDefinitions(schema: PythonJsonObject): Map<string, JsonValue> {
  const definitions = new Map<string, JsonValue>()
  if (schema.type !== 'object') return definitions
  for (const key of ['$defs', 'defs']) {
    const group = schema[key]
    if (group === undefined || group === null) continue
    if (!isJsonObject(group)) throw makeSchemaError(`${key} is not an object`)
    for (const [name, definition] of Object.entries(group)) definitions.set(name, definition)
  }
  return definitions
}

function readNode(schema: JsonValue | undefined, reading: SchemaReading, isRoot = false): MetricNode {
  if (!isJsonObject(schema)) throw makeSchemaError('a schema is not an object')
  checkCommon(schema)
  if ('$ref' in schema) return readRef(schema, reading)
  if ('anyOf' in schema) return readAlternatives(schema, reading)
  const { type } = schema
  if (isJsonList(type)) return readTypeList(schema, type)
  if (typeof type !== 'string' || !Object.hasOwn(keywords, type))
    throw makeSchemaError('type is missing or unknown')
  allow(schema, ['type', ...keywords[type]!, ...(isRoot && type === 'object' ? rootKeywords : [])])
  if (type === 'object') return readObject(schema, reading)
  if (type === 'array') {
    checkCounts(schema, ['minItems', 'maxItems'])
    return { kind: 'array', ...readBase(schema, 'array'), items: readNode(schema.items, reading) }
  }
  checkPrimitive(schema, type)
  const kind = type as 'string' | 'integer' | 'number' | 'boolean' | 'null'
  return { kind, ...readBase(schema, kind) }
}

function readObject(schema: PythonJsonObject, reading: SchemaReading): MetricNode {
  const { properties = {}, required = [], additionalProperties = null } = schema
  if (!isJsonObject(properties)) throw makeSchemaError('properties is not an object')
  if (!isJsonList(required) || !required.every(name => typeof name === 'string'))
    throw makeSchemaError('required is not a list of texts')
  checkCounts(schema, ['minProperties', 'maxProperties'])
  const isSchema = additionalProperties !== null && typeof additionalProperties !== 'boolean'
  return {
    kind: 'object',
    ...readBase(schema, 'object'),
    properties: new Map(Object.entries(properties).map(([key, child]) => [key, readNode(child, reading)])),
    required: new Set(required as readonly string[]),
    additional: isSchema ? readNode(additionalProperties, reading) : null,
  }
}

function readAlternatives(schema: PythonJsonObject, reading: SchemaReading): MetricNode {
  allow(schema, ['anyOf'])
  const { anyOf } = schema
  if (!isJsonList(anyOf)) throw makeSchemaError('anyOf is not a list')
  return {
    kind: 'anyof',
    ...readBase(schema, 'anyof'),
    branches: anyOf.map(branch => readNode(branch, reading)),
  }
}

/** Reads `type: [a, b]` as an anyOf of bare primitive types. All other keywords stay on the anyOf. */
function readTypeList(schema: PythonJsonObject, types: readonly JsonValue[]): MetricNode {
  allow(schema, ['type'])
  if (types.length === 0 || !types.every(type => typeof type === 'string' && primitives.includes(type))) {
    throw makeSchemaError('a list of types may only contain primitive types')
  }
  const branches = types.map(type => readNode({ type }, { definitions: new Map(), open: [] }))
  return { kind: 'anyof', ...readBase(schema, 'anyof'), branches }
}

function readRef(schema: PythonJsonObject, reading: SchemaReading): MetricNode {
  allow(schema, ['$ref', 'summary'])
  const { $ref: ref } = schema
  const name = typeof ref === 'string' ? /^#\/(?:\$defs|defs)\/([^/]+)$/.exec(ref)?.[1] : undefined
  if (name === undefined) throw createRefusal('ValueError', `Unsupported $ref: ${String(ref)}`)
  // The published package ignores the node's own evaluation_config, but refuses an invalid one.
  readMetrics('null', schema.evaluation_config)
  const target = expand(name, reading)
  const overrides = readBase({ ...schema, evaluation_config: null }, 'null')
  return {
    ...target,
    title: overrides.title ?? target.title,
    description: overrides.description ?? target.description,
    example: overrides.example ?? target.example,
    nullable: 'nullable' in schema ? overrides.nullable : target.nullable,
  }
}

function expand(name: string, reading: SchemaReading): MetricNode {
  const definition = reading.definitions.get(name)
  if (definition === undefined) throw createRefusal('ValueError', `Unknown $ref: ${name}`)
  if (reading.open.includes(name)) {
    throw createRefusal('RecursionError', `the definition ${name} is recursive`)
  }
  return readNode(definition, { ...reading, open: [...reading.open, name] })
}

function readBase(schema: PythonJsonObject, kind: MetricNode['kind']) {
  const { title = null, description = null, example = schema.examples ?? null, nullable } = schema
  return {
    nullable: nullable === true,
    title: title as string | null,
    description: description as string | null,
    example,
    metrics: readMetrics(kind, schema.evaluation_config),
  }
}

function allow(schema: PythonJsonObject, allowed: readonly string[]): void {
  const unknown = Object.keys(schema).find(key => !allowed.includes(key) && !common.includes(key))
  if (unknown !== undefined) throw makeSchemaError(`unknown keyword ${unknown}`)
}

function checkCommon(schema: PythonJsonObject): void {
  for (const key of ['title', 'description']) {
    const value = schema[key] ?? null
    if (value !== null && typeof value !== 'string') throw makeSchemaError(`${key} is not a text`)
  }
  const nullable = schema.nullable ?? null
  if (nullable !== null && typeof nullable !== 'boolean')
    throw makeSchemaError('nullable is neither true nor false')
}

function checkPrimitive(schema: PythonJsonObject, type: string): void {
  const { enum: values = null, format = null } = schema
  if (values !== null) {
    const isOne = (value: JsonValue): boolean =>
      type === 'string' ? typeof value === 'string' : typeof makePlainNumber(value) === 'number'
    if (!isJsonList(values) || !values.every(isOne))
      throw makeSchemaError(`enum has values that are not of type ${type}`)
  }
  if (
    format !== null &&
    (typeof format !== 'string' || (formats[type] !== undefined && !formats[type].includes(format)))
  ) {
    throw makeSchemaError(`unknown format of type ${type}`)
  }
  checkCounts(schema, ['minLength', 'maxLength'])
}

function checkCounts(schema: PythonJsonObject, keys: readonly string[]): void {
  for (const key of keys) {
    const value = schema[key] ?? null
    if (value !== null && !Number.isInteger(makePlainNumber(value)))
      throw makeSchemaError(`${key} is not a whole number`)
  }
}

const makeSchemaError = (what: string): RefusedError =>
  createRefusal('ValidationError', `validation error for RootSchema: ${what}`)

const createRefusal = (type: Refusal['type'], message: string): RefusedError =>
  new RefusedError({ stage: 'schema', type, message })
