import { replaceNumbers, writePythonFloat } from '../../text/python-json.ts'
import { pythonRepr } from './text.ts'

/** A whole number written with a point or an exponent: Python's 5.0, which is a float and not an int. */
export class WholeFloat {
  readonly value: number
  constructor(value: number) {
    this.value = value
  }
  toJSON(): number {
    return this.value
  }
}

/** A whole number too large for a double: Python's int has any size. */
export class LargeInteger {
  readonly value: bigint
  constructor(value: bigint) {
    this.value = value
  }
  /** As text, because a JSON number of this size would be read with other digits. */
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
  | PythonJsonObject
/** A parsed JSON object. */
export type PythonJsonObject = { readonly [key: string]: JsonValue }

/** The value of an absent key. It differs from null. */
export const missing: unique symbol = Symbol('missing')
/** A JSON value, or that its key is absent. */
export type PresentOrMissing = JsonValue | typeof missing

/** Whether a parsed value is a JSON object. */
export const isJsonObject = (value: unknown): value is PythonJsonObject =>
  value !== null &&
  typeof value === 'object' &&
  !Array.isArray(value) &&
  !(value instanceof WholeFloat) &&
  !(value instanceof LargeInteger)

/** Whether a parsed value is a JSON list. */
export const isJsonList = (value: unknown): value is readonly JsonValue[] => Array.isArray(value)

/** Whether two values are equal as JSON: keys in any order, numbers by value. true does not equal 1. */
export function isJsonEqual(left: JsonValue, right: JsonValue): boolean {
  if (isJsonList(left)) {
    return (
      isJsonList(right) &&
      left.length === right.length &&
      left.every((item, i) => isJsonEqual(item, right[i]!))
    )
  }
  if (isJsonObject(left)) {
    if (!isJsonObject(right)) return false
    const keys = Object.keys(left)
    return (
      keys.length === Object.keys(right).length &&
      keys.every(key => Object.hasOwn(right, key) && isJsonEqual(left[key]!, right[key]!))
    )
  }
  return makeExactNumber(left) === makeExactNumber(right)
}

/** Converts a number in any notation to a double. Returns other values unchanged. */
export function makePlainNumber(value: JsonValue): JsonValue {
  if (value instanceof WholeFloat) return value.value
  return value instanceof LargeInteger ? Number(value.value) : value
}

/** Returns the same result for numbers of the same value: a bigint for whole numbers beyond 2^53, else a double. */
function makeExactNumber(value: JsonValue): JsonValue | bigint {
  if (value instanceof LargeInteger) return value.value
  const plain = makePlainNumber(value)
  return typeof plain === 'number' && Number.isInteger(plain) && !Number.isSafeInteger(plain)
    ? BigInt(plain)
    : plain
}

const floatMark = '\u0000whole-float'
const integerMark = '\u0000large-integer'

/**
 * Parses JSON like Python: 5 and 5.0 differ, and integers may have any size.
 *
 * @throws SyntaxError when the text is not JSON
 */
export function parseJsonAsPython(text: string): JsonValue {
  if (!/\d[.eE]|\d{16}/.test(text)) return JSON.parse(text) as JsonValue
  JSON.parse(text)
  const marked = replaceNumbers(text, markNumber)
  return JSON.parse(marked, (_, value: unknown) => {
    if (!isJsonObject(value)) return value
    if (floatMark in value) return new WholeFloat(Number(value[floatMark]))
    return integerMark in value ? new LargeInteger(BigInt(value[integerMark] as string)) : value
  }) as JsonValue
}

/**
 * Replaces a number that JavaScript's JSON would change by an object that contains its spelling. Leaves other numbers
 * unchanged.
 */
function markNumber(number: string): string {
  const value = Number(number)
  if (/[.eE]/.test(number)) return Number.isInteger(value) ? JSON.stringify({ [floatMark]: number }) : number
  return Number.isSafeInteger(value) ? number : JSON.stringify({ [integerMark]: number })
}

/** Python's str() of a parsed JSON value: a text unchanged, True, 12, 1e-07, ['a', 1], {'a': None}. */
export const pythonStr = (value: unknown): string => (typeof value === 'string' ? value : writeRepr(value))

function writeRepr(value: unknown): string {
  if (value === null) return 'None'
  if (typeof value === 'string') return pythonRepr(value)
  if (typeof value === 'boolean') return value ? 'True' : 'False'
  if (value instanceof LargeInteger) return value.value.toString()
  if (value instanceof WholeFloat) return writePythonFloat(value.value)
  if (typeof value === 'number') {
    return Number.isInteger(value) && Math.abs(value) < 1e21
      ? BigInt(value).toString()
      : writePythonFloat(value)
  }
  if (Array.isArray(value)) return `[${value.map(writeRepr).join(', ')}]`
  const members = Object.entries(value as object).map(
    ([key, inner]) => `${pythonRepr(key)}: ${writeRepr(inner)}`,
  )
  return `{${members.join(', ')}}`
}
