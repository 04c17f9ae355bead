import { isObject, parseJsonOrNull } from '../json.ts'
import { type PythonArguments, readLiteral } from '../literal.ts'
import { argumentMembers, callMembers, nameMembers } from './grammars.ts'

/** A tool that the model can call. */
export interface CallableTool {
  readonly name: string
  /** The JSON Schema of its input. */
  readonly schema: unknown
}

/** The name of a tool and its input, as a model wrote them. */
export interface NamedCall {
  readonly name: string
  readonly args: unknown
}

/**
 * Returns the tool's own name for a name that a model wrote, such as `functions.web_search:0` or `Web-Search()`. Marks that
 * a server left behind the name do not count. The name of no tool is
 * returned unchanged.
 */
export function resolveToolName(written: string, tools: readonly CallableTool[]): string {
  const isTool = (name: string): boolean => tools.some(tool => tool.name === name)
  if (isTool(written)) return written
  const bare = written
    .trim()
    .replace(/(?:<\|.*|\(\)|:\d+)$/s, '')
    .replace(/^.*(?:[./:]|__)/s, '')
  return tools.find(({ name }) => foldName(name) === foldName(bare))?.name ?? written
}

function foldName(name: string): string {
  return name.toLowerCase().replaceAll('-', '_')
}

/**
 * Returns the calls that a value describes: one object, a list of objects, or an object that contains such a list. Returns
 * null when some part of it is not a call.
 *
 * @param mustBeTools - whether only names of tools, together with arguments, count as calls
 */
export function readCallsInValue(
  value: unknown,
  tools: readonly CallableTool[],
  mustBeTools: boolean,
): readonly NamedCall[] | null {
  if (Array.isArray(value)) {
    const calls = value.map(item => (isObject(item) ? readCallsInValue(item, tools, mustBeTools) : null))
    return calls.length > 0 && calls.every(call => call !== null) ? calls.flat() : null
  }
  if (!isObject(value)) return null
  const call = callInObject(value, tools)
  if (call !== null) {
    const isTool = tools.some(({ name }) => name === call.name)
    return mustBeTools && !(isTool && call.hasArguments) ? null : [{ name: call.name, args: call.args }]
  }
  const inner = callMembers.map(member => value[member]).find(member => member !== undefined)
  return inner === undefined ? null : readCallsInValue(inner, tools, mustBeTools)
}

function callInObject(
  value: Readonly<Record<string, unknown>>,
  tools: readonly CallableTool[],
): (NamedCall & { readonly hasArguments: boolean }) | null {
  if (isObject(value.function)) return callInObject(value.function, tools)
  const written = nameMembers
    .map(member => value[member])
    .find(name => typeof name === 'string' && name !== '')
  if (typeof written === 'string') {
    const argument = argumentMembers.map(member => value[member]).find(args => args !== undefined)
    const name = resolveToolName(written, tools)
    const args = nameInput(
      readCallArguments(argument),
      tools.find(tool => tool.name === name),
    )
    const hasArguments = argument !== undefined && isObject(args)
    return { name, args, hasArguments }
  }
  // Apertus writes the name of the tool as the only member.
  const [entry, ...more] = Object.entries(value)
  const isTool = more.length === 0 && tools.some(({ name }) => name === entry?.[0])
  return isTool && isObject(entry?.[1]) ? { name: entry[0], args: entry[1], hasArguments: true } : null
}

/** Returns the arguments of a call. Some models write them as a string that contains an object. */
export function readCallArguments(value: unknown): unknown {
  if (value === undefined || value === null) return {}
  if (typeof value !== 'string') return value
  const text = value.trim()
  if (text === '') return {}
  const inner = readLiteral(text, 0)
  return 'value' in inner && inner.end === text.length ? inner.value : value
}

/** Names an input that is a text and no object. It is the tool's first parameter. */
function nameInput(args: unknown, tool: CallableTool | undefined): unknown {
  const isText = typeof args === 'string' && !/^\s*[[{]/.test(args)
  return isText && tool !== undefined ? nameArguments({ positional: [args], named: {} }, tool) : args
}

/** Names the arguments of a Python call. Those without a name follow the order of the tool's schema. */
export function nameArguments(
  { positional, named }: PythonArguments,
  tool: CallableTool | undefined,
): Record<string, unknown> {
  const names = Object.keys(readSchemaProperties(tool?.schema))
  const byPosition = positional.map((value, at): [string, unknown] => [
    names[at] ?? `argument${at + 1}`,
    value,
  ])
  return { ...Object.fromEntries(byPosition), ...named }
}

/** Returns the schemas of a tool's parameters by their names. */
export function readSchemaProperties(schema: unknown): Readonly<Record<string, unknown>> {
  return isObject(schema) && isObject(schema.properties) ? schema.properties : {}
}

/**
 * Returns the value of a parameter that a model wrote as plain text, in the type that the tool's schema asks for.
 *
 * @param schema - the schema of the parameter; undefined when the tool has no such parameter
 * @param isString - what the model says about the type; undefined when it says nothing
 */
export function typeParameter(written: string, schema: unknown, isString?: boolean): unknown {
  const text = written.trim()
  const types = listTypes(schema)
  const isKnown = types.size > 0
  if (isKnown ? types.size === 1 && types.has('string') : isString === true) return text
  const literal = readLiteral(text, 0)
  const isWhole = 'value' in literal && literal.end === text.length
  if (!isWhole) {
    if (types.has('boolean') && /^(?:true|false)$/i.test(text)) return text.toLowerCase() === 'true'
    return text
  }
  return !isKnown || types.has(typeName(literal.value)) ? literal.value : retype(literal.value, text, types)
}

/** Returns a value of a type that the schema does not allow in one that it allows, if there is one. */
function retype(value: unknown, text: string, types: ReadonlySet<string>): unknown {
  const isNumber = typeof value === 'string' && value.trim() !== '' && Number.isFinite(Number(value))
  if (isNumber && types.has('number')) return Number(value)
  if (types.has('string')) return text
  return value
}

function typeName(value: unknown): string {
  if (value === null) return 'null'
  return Array.isArray(value) ? 'array' : typeof value
}

/** Returns the JSON types that a schema allows. Empty when it does not say. An integer is a number. */
function listTypes(schema: unknown, depth = 0): ReadonlySet<string> {
  if (!isObject(schema) || depth > 4) return new Set()
  const { type, anyOf, oneOf, allOf } = schema
  const ownNames = (Array.isArray(type) ? type : [type]).filter(name => typeof name === 'string')
  const inner = [anyOf, oneOf, allOf].flatMap(list => (Array.isArray(list) ? list : []))
  const names = [...ownNames, ...inner.flatMap(schemaPart => [...listTypes(schemaPart, depth + 1)])]
  const values = Array.isArray(schema.enum) ? schema.enum.map(typeName) : []
  return new Set(
    [...names, ...(names.length === 0 ? values : [])].map(name => (name === 'integer' ? 'number' : name)),
  )
}

/**
 * Reads the objects in the arguments of one call that are no valid JSON: one in another spelling, such as Python's, or
 * several, when a server joined the arguments of several calls, repeated them, or sent an empty object before them.
 *
 * @returns the arguments of each call of the tool; why they cannot be calls; or null when the text is anything else
 */
export function splitArguments(
  text: string,
  tool: CallableTool | undefined,
): readonly Record<string, unknown>[] | { readonly problem: string } | null {
  const objects = readObjects(text)
  if (objects.length === 0 || parseJsonOrNull(text) !== null) return null
  const filled = objects.filter(object => Object.keys(object).length > 0)
  const different = new Map(
    (filled.length === 0 ? objects : filled).map(object => [JSON.stringify(object), object]),
  )
  const calls = [...different.values()]
  if (tool !== undefined && calls.every(args => fits(args, tool.schema))) return calls
  if (objects.length === 1) return null
  return {
    problem: `its arguments are ${objects.length} JSON objects, one after the other, and not all of them fit the tool: make one call for each`,
  }
}

/** Returns the objects that a text consists of; empty when it contains anything else. */
function readObjects(text: string): Record<string, unknown>[] {
  const objects: Record<string, unknown>[] = []
  // Marks of the end of a turn and of code are left behind by servers.
  const separator = /(?:[\s,;]|```(?:json)?|<\|\w{1,40}\|>|<\/tool_call>)*/y
  for (let at = 0; at < text.length; ) {
    separator.lastIndex = at
    at += separator.exec(text)![0].length
    if (at === text.length) break
    const literal = readLiteral(text, at)
    if ('problem' in literal || !isObject(literal.value)) return []
    objects.push(literal.value)
    at = literal.end
  }
  return objects
}

/** Whether an object has only members of a schema, and all that the schema requires. */
function fits(args: Readonly<Record<string, unknown>>, schema: unknown): boolean {
  const properties = readSchemaProperties(schema)
  const required = isObject(schema) && Array.isArray(schema.required) ? schema.required : []
  return (
    Object.keys(args).every(name => Object.hasOwn(properties, name)) &&
    required.every(name => Object.hasOwn(args, String(name)))
  )
}
