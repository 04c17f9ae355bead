import { replaceNumbers } from '../../text/python-json.ts'

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

/** A whole number beyond what a double holds: Python's int, of any size. */
export class LargeInteger {
  readonly value: bigint
  constructor(value: bigint) {
    this.value = value
  }
  /** As text, since a JSON number would be read with other digits. */
  toJSON(): string {
    return this.value.toString()
  }
}

/** A parsed JSON value. */
export type JsonValue =
  | string
  | number
  | boolean
  | null
  | WholeFloat
  | LargeInteger
  | readonly JsonValue[]
  | JsonObject
export type JsonObject = { readonly [key: string]: JsonValue }

/** A key that is absent, kept apart from null. */
export const missing: unique symbol = Symbol('missing')
export type Value = JsonValue | typeof missing

export const isJsonObject = (value: unknown): value is JsonObject =>
  value !== null &&
  typeof value === 'object' &&
  !Array.isArray(value) &&
  !(value instanceof WholeFloat) &&
  !(value instanceof LargeInteger)

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
  return exactNumber(left) === exactNumber(right)
}

/** A number whichever way it was written, as a double; anything else as it is. */
export function plainNumber(value: JsonValue): JsonValue {
  if (value instanceof WholeFloat) return value.value
  return value instanceof LargeInteger ? Number(value.value) : value
}

/** Numbers of the same value come out the same: whole ones beyond 2^53 as a bigint, others as a double. */
function exactNumber(value: JsonValue): JsonValue | bigint {
  if (value instanceof LargeInteger) return value.value
  const plain = plainNumber(value)
  return typeof plain === 'number' && Number.isInteger(plain) && !Number.isSafeInteger(plain)
    ? BigInt(plain)
    : plain
}

const floatMark = '\u0000whole-float'
const integerMark = '\u0000large-integer'

/** JSON text as Python reads it: 5 and 5.0 kept apart, integers of any size. @throws SyntaxError */
export function parseJsonAsPython(text: string): JsonValue {
  if (!/\d[.eE]|\d{16}/.test(text)) return JSON.parse(text) as JsonValue
  JSON.parse(text)
  const marked = replaceNumbers(text, marking)
  return JSON.parse(marked, (_, value: unknown) => {
    if (!isJsonObject(value)) return value
    if (floatMark in value) return new WholeFloat(Number(value[floatMark]))
    return integerMark in value ? new LargeInteger(BigInt(value[integerMark] as string)) : value
  }) as JsonValue
}

/** A number that JavaScript's JSON would change, as an object that says how it was written; others as they stand. */
function marking(found: string): string {
  const value = Number(found)
  if (/[.eE]/.test(found)) return Number.isInteger(value) ? JSON.stringify({ [floatMark]: found }) : found
  return Number.isSafeInteger(value) ? found : JSON.stringify({ [integerMark]: found })
}
