import { writePythonFloat } from '../../text/python-json.ts'

const number = /^([+-]?)(\d*)(?:\.(\d*))?(?:[eE]([+-]?)(\d+))?$/
const infinity = /^([+-]?)inf(?:inity)?$/i
const maxDigits = 17

/**
 * Reads a float like pandas' default reader: at most 17 digits including leading zeros, scaled by one power of ten.
 * The last bit may therefore differ from the correctly rounded number, a defect that is kept. Null when the word is
 * not a float.
 */
function readFastDouble(word: string): number | null {
  const match = number.exec(withoutSpaces(word))
  if (match === null) return readInfinity(word)
  const [, sign, whole, fraction = '', exponentSign, exponentDigits] = match
  const digits = whole!.slice(0, maxDigits)
  const decimals = fraction.slice(0, maxDigits - digits.length)
  if (digits.length + decimals.length === 0) return null
  let exponent = whole!.length - digits.length - decimals.length
  if (exponentDigits !== undefined) {
    if (exponentDigits.length > maxDigits) return null
    exponent += exponentSign === '-' ? -Number(exponentDigits) : Number(exponentDigits)
  }
  const value = scale(accumulate(digits + decimals), exponent)
  if (value === null) return null
  return sign === '-' ? -value : value
}

/** A loop, because a regular expression for both ends takes quadratic time on long runs of spaces. */
function withoutSpaces(word: string): string {
  let start = 0
  let end = word.length
  while (start < end && isSpace(word.charCodeAt(start))) start += 1
  while (end > start && isSpace(word.charCodeAt(end - 1))) end -= 1
  return end - start === word.length ? word : word.slice(start, end)
}

const isSpace = (code: number): boolean => code === 32 || (code >= 9 && code <= 13)

function accumulate(digits: string): number {
  if (digits.length < 16) return Number(digits)
  let value = 0
  for (let i = 0; i < digits.length; i += 1) value = value * 10 + (digits.charCodeAt(i) - 48)
  return value
}

const powers = Array.from({ length: 309 }, (_, exponent) => Number(`1e${exponent}`))

/** Null on overflow: pandas then does not read a number. */
function scale(value: number, exponent: number): number | null {
  if (exponent > 308) return value === 0 ? 0 : null
  if (exponent >= 0) {
    const scaled = value * powers[exponent]!
    return Number.isFinite(scaled) ? scaled : null
  }
  if (exponent >= -308) return value / powers[-exponent]!
  return value / (powers[Math.min(308, -308 - exponent)] ?? 1) / powers[308]!
}

function readInfinity(word: string): number | null {
  const match = infinity.exec(word)
  if (match === null) return null
  return match[1] === '-' ? Number.NEGATIVE_INFINITY : Number.POSITIVE_INFINITY
}

/** The exact spellings that pandas reads as missing (its default na_values). */
const missingSpellings: ReadonlySet<string> = new Set([
  '',
  '#N/A',
  '#N/A N/A',
  '#NA',
  '-1.#IND',
  '-1.#QNAN',
  '-NaN',
  '-nan',
  '1.#IND',
  '1.#QNAN',
  '<NA>',
  'N/A',
  'NA',
  'NULL',
  'NaN',
  'None',
  'n/a',
  'nan',
  'null',
])

/** Whether pandas reads a text as missing. Length and first character decide for most texts, without a look-up. */
export function isMissing(text: string): boolean {
  if (text.length === 0) return true
  if (text.length > 8) return false
  const first = text.charCodeAt(0)
  if (first >= 49 && first <= 57 && text.charCodeAt(2) !== 35) return false
  return startsOfMissing[first] === 1 && missingSpellings.has(text)
}

const startsOfMissing = new Uint8Array(128)
for (const spelling of missingSpellings) startsOfMissing[spelling.charCodeAt(0)] = 1

/** A column as pandas types it. A text is null when the value is missing. */
export type PandasColumn =
  | { readonly kind: 'integer' | 'text'; readonly texts: readonly (string | null)[] }
  | { readonly kind: 'float'; readonly numbers: Float64Array; readonly missing: readonly boolean[] }
  | { readonly kind: 'boolean'; readonly flags: readonly (boolean | null)[] }

const integerWord = /^[ \t-\r]*([+-]?)(\d+)[ \t-\r]*$/
const integerStart = /^[ \t-\r]*([+-]?)(\d+)/
/** The only part of a negative value that pandas checks after a value beyond 63 bits. */
const startsWithMinus = /^[ \t-\r]*-/
const plainInteger = /^\d{1,18}$/
const maxInt64 = 2n ** 63n - 1n
const maxUint64 = 2n ** 64n - 1n

/**
 * Types a column like pandas' C reader: integer if all values are and none is missing, else float, else boolean, else
 * text. Integers beyond 64 bits turn a column into text.
 */
export function readPandasColumn(values: readonly string[]): PandasColumn {
  if (startsAsText(values)) return makeTextColumn(values)
  switch (readAsIntegers(values)) {
    case 'integer':
      return { kind: 'integer', texts: values.map(writeInteger) }
    case 'unchanged-text':
      return { kind: 'text', texts: values }
    case 'integer-or-missing':
      return readFloatColumn(values, value => Number(value) + 0)!
    case 'text':
      return makeTextColumn(values)
    case 'not-integers':
      return readFloatColumn(values, readFastDouble) ?? readBooleanColumn(values) ?? makeTextColumn(values)
  }
}

/** Whether one value starts like neither a number nor a boolean. This decides most text columns quickly. */
function startsAsText(values: readonly string[]): boolean {
  for (const value of values) if (isWord(value)) return true
  return false
}

/** Whether a text makes its whole column a text column, judged by its first character. */
export const isWord = (value: string): boolean => startsAsWord.test(value) && !isMissing(value)

const startsAsWord = /^[^\d\s+\-.itfITF]/

function makeTextColumn(values: readonly string[]): PandasColumn {
  const texts: (string | null)[] = []
  for (const value of values) texts.push(isMissing(value) ? null : value)
  return { kind: 'text', texts }
}

type IntegerReading = 'integer' | 'integer-or-missing' | 'not-integers' | 'text' | 'unchanged-text'

/**
 * Decides how a column of integers is read. As in pandas' loop, the first value that is not a 64-bit integer decides.
 */
function readAsIntegers(values: readonly string[]): IntegerReading {
  let someMissing = false
  for (const value of values) {
    if (isMissing(value)) someMissing = true
    else if (!plainInteger.test(value)) {
      const start = integerStart.exec(value)
      if (start === null) return 'not-integers'
      const digits = start[2]!
      if (digits.length > 18 && !fitsInt64(start[1]!, digits)) return readAsUnsigned(values)
      if (start[0].length !== value.length && !integerWord.test(value)) return 'not-integers'
    }
  }
  return someMissing ? 'integer-or-missing' : 'integer'
}

const fitsInt64 = (sign: string, digits: string): boolean =>
  BigInt(digits) <= (sign === '-' ? maxInt64 + 1n : maxInt64)

function readAsUnsigned(values: readonly string[]): IntegerReading {
  let beyondSigned = false
  let negative = false
  let someMissing = false
  for (const value of values) {
    if (isMissing(value)) someMissing = true
    else {
      const start = integerStart.exec(value)
      if (startsWithMinus.test(value)) negative = true
      else if (start === null) return 'not-integers'
      else {
        const number = BigInt(start[2]!)
        if (number > maxUint64) return 'text'
        if (!integerWord.test(value)) return 'not-integers'
        if (number > maxInt64) beyondSigned = true
      }
    }
  }
  if (beyondSigned && (negative || someMissing)) return 'unchanged-text'
  return negative ? 'text' : 'integer'
}

function writeInteger(value: string): string {
  const [, sign, digits] = integerWord.exec(value)!
  const significant = digits!.replace(/^0+(?=\d)/, '')
  return sign === '-' && significant !== '0' ? `-${significant}` : significant
}

/** Reads a column as floats. Integers next to a missing value are read exactly, and zero has no sign. */
function readFloatColumn(
  values: readonly string[],
  readNumber: (value: string) => number | null,
): PandasColumn | null {
  const numbers = new Float64Array(values.length)
  const missing = new Array<boolean>(values.length).fill(false)
  for (const [i, value] of values.entries()) {
    if (isMissing(value)) {
      missing[i] = true
      continue
    }
    const number = readNumber(value)
    if (number === null) return null
    numbers[i] = number
  }
  return { kind: 'float', numbers, missing }
}

function readBooleanColumn(values: readonly string[]): PandasColumn | null {
  const flags: (boolean | null)[] = []
  for (const value of values) {
    if (isMissing(value)) flags.push(null)
    else if (/^true$/i.test(value)) flags.push(true)
    else if (/^false$/i.test(value)) flags.push(false)
    else return null
  }
  return { kind: 'boolean', flags }
}

/** The i-th value as Python's str() writes it; null when it is missing. */
export function readColumnText(column: PandasColumn, i: number): string | null {
  switch (column.kind) {
    case 'integer':
    case 'text':
      return column.texts[i] ?? null
    case 'float':
      return column.missing[i] ? null : writePythonFloat(column.numbers[i]!)
    case 'boolean': {
      const flag = column.flags[i] ?? null
      return flag === null ? null : flag ? 'True' : 'False'
    }
  }
}
