import { isObject } from '../json.ts'
import { readLiteral } from '../literal.ts'
import { type CallableTool, propertiesOf } from './call-values.ts'

/**
 * Reads several JSON objects that a server put into the arguments of one call: it joined the arguments of several calls,
 * repeated them, or sent an empty object before them.
 *
 * @returns the arguments of each call of the tool; why they cannot be calls; or null when the text is anything else
 */
export function splitArguments(
  text: string,
  tool: CallableTool | undefined,
): readonly Record<string, unknown>[] | { readonly problem: string } | null {
  const objects = objectsIn(text)
  if (objects.length < 2) return null
  const filled = objects.filter(object => Object.keys(object).length > 0)
  const different = new Map((filled.length === 0 ? objects : filled).map(one => [JSON.stringify(one), one]))
  const calls = [...different.values()]
  if (tool !== undefined && calls.every(args => fits(args, tool.schema))) return calls
  return {
    problem: `its arguments are ${objects.length} JSON objects, one after the other, and not all of them fit the tool: make one call for each`,
  }
}

/** Returns the objects that a text consists of; empty when it contains anything else. */
function objectsIn(text: string): Record<string, unknown>[] {
  const objects: Record<string, unknown>[] = []
  const separator = /[\s,;]*/y
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
  const properties = propertiesOf(schema)
  const required = isObject(schema) && Array.isArray(schema.required) ? schema.required : []
  return (
    Object.keys(args).every(name => Object.hasOwn(properties, name)) &&
    required.every(name => Object.hasOwn(args, String(name)))
  )
}
