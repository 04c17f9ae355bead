/** A number written with a point or an exponent whose value is whole: Python's 5.0, a float and no int. */
export class WholeFloat {
  readonly value: number
  constructor(value: number) {
    this.value = value
  }
  toJSON(): number {
    return this.value
  }
}

/** A parsed JSON value. */
export type JsonValue = string | number | boolean | null | WholeFloat | readonly JsonValue[] | JsonObject
export type JsonObject = { readonly [key: string]: JsonValue }

/** A key that is absent, kept apart from null. */
export const missing: unique symbol = Symbol('missing')
export type Value = JsonValue | typeof missing

export const isJsonObject = (value: unknown): value is JsonObject =>
  value !== null && typeof value === 'object' && !Array.isArray(value) && !(value instanceof WholeFloat)

export const isJsonList = (value: unknown): value is readonly JsonValue[] => Array.isArray(value)

/** Equal as JSON: keys in any order, numbers by value, true is not 1. */
export function jsonEqual(left: JsonValue, right: JsonValue): boolean {
  if (isJsonList(left)) {
    return (
      isJsonList(right) && left.length === right.length && left.every((item, i) => jsonEqual(item, right[i]!))
    )
  }
  if (isJsonObject(left)) {
    if (!isJsonObject(right)) return false
    const keys = Object.keys(left)
    return (
      keys.length === Object.keys(right).length &&
      keys.every(key => Object.hasOwn(right, key) && jsonEqual(left[key]!, right[key]!))
    )
  }
  return plainNumber(left) === plainNumber(right)
}

/** A number whichever way it was written; anything else as it is. */
export const plainNumber = (value: JsonValue): JsonValue =>
  value instanceof WholeFloat ? value.value : value

const token = /"(?:[^"\\]|\\.)*"|-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?/g
const mark = '\u0000whole-float'

/** JSON text as Python reads it: 5 and 5.0 kept apart. @throws SyntaxError */
export function parseJsonAsPython(text: string): JsonValue {
  if (!/\d[.eE]/.test(text)) return JSON.parse(text) as JsonValue
  JSON.parse(text)
  const marked = text.replace(token, found =>
    found[0] !== '"' && /[.eE]/.test(found) && Number.isInteger(Number(found))
      ? JSON.stringify({ [mark]: found })
      : found,
  )
  return JSON.parse(marked, (_, value: unknown) =>
    isJsonObject(value) && mark in value ? new WholeFloat(Number(value[mark])) : value,
  ) as JsonValue
}
