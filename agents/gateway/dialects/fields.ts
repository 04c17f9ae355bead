import { isObject, jsonOrNull } from '../../../src/text/json.ts'
import { readCount } from '../../../src/text/reported-usage.ts'
import type { JsonObject } from './dialect.ts'

export { readCount }

/** Returns a JSON object; an empty one for any other value. */
export function objectOf(value: unknown): JsonObject {
  return isObject(value) ? value : {}
}

/** Returns the objects of a list; an empty list for any other value. */
export function objectsOf(value: unknown): readonly JsonObject[] {
  return Array.isArray(value) ? value.filter(isObject) : []
}

/** Returns a text; an empty one for any other value. */
export function textOf(value: unknown): string {
  return typeof value === 'string' ? value : ''
}

/** Returns the arguments of a tool call that are written as JSON; an empty object when they are not. */
export function argumentsOf(json: unknown): Record<string, unknown> {
  const value = typeof json === 'string' ? jsonOrNull(json) : json
  return isObject(value) ? value : {}
}

/**
 * Returns the text of a message's content: a text, or a list of parts in the form of any provider. A part that is not
 * text is replaced by its kind, such as `[image]`.
 */
export function contentText(content: unknown): string {
  if (typeof content === 'string') return content
  if (isObject(content)) return contentText([content])
  if (!Array.isArray(content)) return ''
  return content.map(partText).join('')
}

function partText(part: unknown): string {
  if (typeof part === 'string') return part
  if (!isObject(part)) return ''
  if (typeof part.text === 'string') return part.text
  if (typeof part.refusal === 'string') return part.refusal
  const kind = textOf(part.type)
  if (/image/.test(kind)) return '[image]'
  if (/audio/.test(kind)) return '[audio]'
  if (/file|document/.test(kind)) return '[file]'
  return ''
}

/**
 * Returns the smaller of the output cap of a request and that of the budget, under the name of the field; nothing when
 * there is neither.
 */
export function loweredCap(field: string, own: unknown, cap: number | null): JsonObject {
  const asked = readCount(own)
  if (cap === null) return asked === null ? {} : { [field]: asked }
  return { [field]: asked === null ? cap : Math.min(asked, cap) }
}

/** Returns a body without some of its members. */
export function without(body: JsonObject, names: readonly string[]): JsonObject {
  return Object.fromEntries(Object.entries(body).filter(([name]) => !names.includes(name)))
}

/** Returns the members of `given` that are not null. */
export function onlyGiven(given: Readonly<Record<string, unknown>>): JsonObject {
  return Object.fromEntries(Object.entries(given).filter(([, value]) => value !== null))
}

/** Returns one event of a `text/event-stream` body. */
export function eventText(data: JsonObject, name: string | null = null): string {
  return `${name === null ? '' : `event: ${name}\n`}data: ${JSON.stringify(data)}\n\n`
}
