const number = /^([+-]?)(\d*)(?:\.(\d*))?(?:[eE]([+-]?)(\d+))?$/
const infinity = /^([+-]?)inf(?:inity)?$/i
const maxDigits = 17

/**
 * Reads a float like pandas' default reader: at most 17 digits including leading zeros, scaled by one power of ten.
 * The last bit may therefore differ from the correctly rounded number, a defect that is kept. Null when the word is
 * not a float.
 */
export function fastDouble(word: string): number | null {
  const match = number.exec(withoutSpaces(word))
  if (match === null) return infinite(word)
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

function infinite(word: string): number | null {
  const match = infinity.exec(word)
  if (match === null) return null
  return match[1] === '-' ? Number.NEGATIVE_INFINITY : Number.POSITIVE_INFINITY
}
