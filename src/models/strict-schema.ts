import { isObject } from '../text/json.ts'

type Schema = Readonly<Record<string, unknown>>

/** The keywords that strict structured output takes everywhere. Others, such as the settings of scorers, are left out. */
const keptKeywords = ['title', 'description', 'type', 'enum'] as const

/**
 * Converts a JSON Schema to the subset that servers accept for strict structured output: every object lists all of its
 * properties as required and allows no others. A property that may be missing may be null instead; `withoutAddedNulls`
 * reverses that in the answer. Limits of numbers, lengths and patterns are left out.
 */
export function toStrictSchema(schema: unknown): Record<string, unknown> {
  const root = isObject(schema) ? schema : {}
  const definitions = readDefinitions(root)
  const named = Object.entries(definitions).map(([name, definition]) => [name, strict(definition)])
  return { ...strict(root), ...(named.length > 0 && { $defs: Object.fromEntries(named) }) }
}

function strict(schema: unknown): Record<string, unknown> {
  if (!isObject(schema)) return {}
  const { $ref, anyOf, nullable } = schema
  const strictSchema =
    typeof $ref === 'string'
      ? { $ref: $ref.replace('#/defs/', '#/$defs/') }
      : Array.isArray(anyOf)
        ? { ...selectKeywords(schema, ['title', 'description']), anyOf: anyOf.map(strict) }
        : strictNode(schema)
  return nullable === true ? orNull(strictSchema) : strictSchema
}

function strictNode(schema: Schema): Record<string, unknown> {
  const keywords = selectKeywords(schema, keptKeywords)
  if (isObject(schema.properties) || schema.type === 'object') {
    const required = readRequired(schema)
    const properties = Object.entries(readProperties(schema)).map(([name, property]) => {
      const strictProperty = strict(property)
      return [name, required.has(name) ? strictProperty : orNull(strictProperty)]
    })
    return {
      ...keywords,
      type: schema.type ?? 'object',
      properties: Object.fromEntries(properties),
      required: properties.map(([name]) => name),
      additionalProperties: false,
    }
  }
  return schema.items === undefined ? keywords : { ...keywords, items: strict(schema.items) }
}

function selectKeywords(schema: Schema, names: readonly string[]): Record<string, unknown> {
  return Object.fromEntries(
    names.filter(name => schema[name] !== undefined).map(name => [name, schema[name]]),
  )
}

/** Returns a schema that also allows null. */
function orNull(schema: Record<string, unknown>): Record<string, unknown> {
  if (allowsNull(schema)) return schema
  if (Array.isArray(schema.anyOf)) return { ...schema, anyOf: [...schema.anyOf, { type: 'null' }] }
  const { type } = schema
  if (type === undefined) return { anyOf: [schema, { type: 'null' }] }
  const values = Array.isArray(schema.enum) ? { enum: [...schema.enum, null] } : {}
  return { ...schema, type: [...[type].flat(), 'null'], ...values }
}

function allowsNull({ type, anyOf, nullable }: Schema): boolean {
  if (nullable === true || [type].flat().includes('null')) return true
  return Array.isArray(anyOf) && anyOf.some(branch => isObject(branch) && allowsNull(branch))
}

/**
 * Removes the nulls that represent missing properties from an answer to `toStrictSchema`.
 *
 * @param schema the schema before its conversion
 * @returns the text unchanged when it is not JSON
 */
export function withoutAddedNulls(text: string, schema: unknown): string {
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch {
    return text
  }
  return JSON.stringify(pruneSchema(value, schema, readDefinitions(schema)), null, 2)
}

function pruneSchema(value: unknown, unresolved: unknown, definitions: Schema): unknown {
  const schema = resolveSchema(unresolved, definitions)
  if (Array.isArray(value)) return value.map(item => pruneSchema(item, schema.items, definitions))
  if (!isObject(value)) return value
  const fitting = objectSchema(schema, definitions)
  const [required, properties] = [readRequired(fitting), readProperties(fitting)]
  const isAdded = (name: string, inner: unknown): boolean =>
    inner === null && !required.has(name) && !allowsNull(resolveSchema(properties[name], definitions))
  return Object.fromEntries(
    Object.entries(value)
      .filter(([name, inner]) => !isAdded(name, inner))
      .map(([name, inner]) => [name, pruneSchema(inner, properties[name], definitions)]),
  )
}

/** Returns the branch of a choice that describes an object; the schema itself when it is not a choice. */
function objectSchema(schema: Schema, definitions: Schema): Schema {
  if (!Array.isArray(schema.anyOf)) return schema
  const branches = schema.anyOf.map(branch => resolveSchema(branch, definitions))
  return branches.find(branch => isObject(branch.properties)) ?? {}
}

function resolveSchema(schema: unknown, definitions: Schema): Schema {
  if (!isObject(schema)) return {}
  if (typeof schema.$ref !== 'string') return schema
  const definition = definitions[schema.$ref.slice(schema.$ref.lastIndexOf('/') + 1)]
  return isObject(definition) ? { ...definition, ...(schema.nullable === true && { nullable: true }) } : {}
}

function readDefinitions(schema: unknown): Schema {
  if (!isObject(schema)) return {}
  const definitions = schema.$defs ?? schema.defs
  return isObject(definitions) ? definitions : {}
}

function readRequired({ required }: Schema): ReadonlySet<unknown> {
  return new Set(Array.isArray(required) ? required : [])
}

function readProperties({ properties }: Schema): Schema {
  return isObject(properties) ? properties : {}
}
