import { isObject, parseJsonOrNull } from '../src/text/json.ts'

/** A tool call's arguments as the tool's schema understands them. */
export interface ReadInput {
  readonly input: Readonly<Record<string, unknown>>
  /** Names of arguments that the tool does not have. */
  readonly ignored: readonly string[]
}

/** The parts of a JSON Schema that arguments are read by. */
interface InputSchema {
  readonly properties?: Readonly<Record<string, unknown>>
  readonly required?: unknown
  readonly additionalProperties?: unknown
}

/**
 * Reads the arguments of a call as a person would: `"2"` for 2, a text for a list of texts, JSON text for a list or an
 * object, and `query` for `queries`. An empty text or null for an optional argument counts as left out, and so do arguments
 * that the tool does not have. Everything else is left to the schema, which reports what is wrong.
 *
 * @param schema - the JSON Schema of the tool's input
 */
export function readLeniently(schema: unknown, written: unknown): ReadInput {
  const { properties = {}, required = [], additionalProperties } = schema as InputSchema
  const args = typeof written === 'string' ? parseJsonOrNull(written) : written
  if (!isObject(args)) return { input: written as Record<string, unknown>, ignored: [] }
  const input: Record<string, unknown> = {}
  const ignored: string[] = []
  for (const [name, value] of Object.entries(args)) {
    const argument = name in properties ? name : nameMeant(name, Object.keys(properties), args)
    if (argument !== null && !isRequired(required, argument) && isLeftOut(properties[argument], value))
      continue
    if (argument !== null) input[argument] = readValue(properties[argument], value)
    else if (additionalProperties !== false) input[name] = value
    else if (value !== null) ignored.push(name)
  }
  return { input, ignored }
}

/** Servers send `required` in other forms than a list too. */
function isRequired(required: unknown, name: string): boolean {
  return Array.isArray(required) && required.includes(name)
}

/**
 * Whether the value of an optional argument means that there is none: null, or an empty text. Where the schema asks for a
 * text and does not take null, as those of some MCP servers do, an empty text is a value like any other.
 */
function isLeftOut(schema: unknown, value: unknown): boolean {
  if (value === null) return true
  if (typeof value !== 'string' || value.trim() !== '') return false
  const isAnyText = isObject(schema) && schema.type === 'string' && !('enum' in schema) && !schema.minLength
  return !isAnyText
}

/** Describes the arguments of a tool for a model: `url (text), part (whole number, optional)`. */
export function describeArguments(schema: unknown): string {
  const { properties = {}, required = [] } = schema as InputSchema
  const described = Object.entries(properties).map(([name, property]) => {
    const optional = isRequired(required, name) ? '' : ', optional'
    return `${name} (${words[findSchemaKind(property)]}${optional})`
  })
  return described.length === 0 ? 'no arguments' : described.join(', ')
}

/**
 * Returns the argument whose name is the plural or singular of the given name, unless the call has that argument too.
 */
function nameMeant(name: string, names: readonly string[], args: object): string | null {
  const match = names.find(
    candidate => !(candidate in args) && (isPlural(candidate, name) || isPlural(name, candidate)),
  )
  return match ?? null
}

function isPlural(plural: string, singular: string): boolean {
  return plural === `${singular}s` || plural === singular.replace(/y$/, 'ies')
}

type Kind = 'array' | 'integer' | 'number' | 'boolean' | 'object' | 'string' | 'any'

const words: Readonly<Record<Kind, string>> = {
  array: 'list',
  integer: 'whole number',
  number: 'number',
  boolean: 'true or false',
  object: 'object',
  string: 'text',
  any: 'value',
}

/** Returns the schema of a value that is not null. */
function withoutNull(schema: unknown): Readonly<Record<string, unknown>> {
  if (!isObject(schema)) return {}
  const forms = Array.isArray(schema.anyOf) ? schema.anyOf.filter(form => !isNullSchema(form)) : [schema]
  return forms.length === 1 && isObject(forms[0]) ? forms[0] : {}
}

function isNullSchema(schema: unknown): boolean {
  return isObject(schema) && schema.type === 'null'
}

function findSchemaKind(schema: unknown): Kind {
  const { type } = withoutNull(schema)
  const only = Array.isArray(type) ? type.filter(name => name !== 'null') : [type]
  return only.length === 1 && typeof only[0] === 'string' && only[0] in words ? (only[0] as Kind) : 'any'
}

function readValue(schema: unknown, value: unknown): unknown {
  switch (findSchemaKind(schema)) {
    case 'array':
      return readList(withoutNull(schema).items, value)
    case 'integer':
    case 'number':
      return readNumber(takeOnlyElement(value))
    case 'boolean':
      return value === 'true' ? true : value === 'false' ? false : value
    case 'object':
      return typeof value === 'string' ? (parseJsonOrNull(value) ?? value) : value
    case 'string': {
      const element = takeOnlyElement(value)
      return typeof element === 'number' || typeof element === 'boolean' ? String(element) : element
    }
    default:
      return value
  }
}

/** A text or a number is a list of one element, unless it is the JSON text of a list. An empty text is an empty list. */
function readList(items: unknown, value: unknown): unknown {
  if (Array.isArray(value)) return value.map(item => readValue(items, item))
  if (typeof value === 'number') return [readValue(items, value)]
  if (typeof value !== 'string') return value
  const list = value.trim().startsWith('[') ? parseJsonOrNull(value) : null
  if (Array.isArray(list)) return list.map(item => readValue(items, item))
  return value.trim() === '' ? [] : [readValue(items, value)]
}

/** An empty text counts as an argument that is left out. */
function readNumber(value: unknown): unknown {
  if (typeof value !== 'string') return value
  if (value.trim() === '') return null
  const number = Number(value)
  return Number.isFinite(number) ? number : value
}

function takeOnlyElement(value: unknown): unknown {
  return Array.isArray(value) && value.length === 1 ? value[0] : value
}
