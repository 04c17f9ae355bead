import { pythonStrip } from './text.ts'

const asciiNumber = /^[+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?$/
const infinity = /^([+-]?)inf(?:inity)?$/i
const notANumber = /^[+-]?nan$/i
const decimalDigit = /\p{Nd}/u

/**
 * Python's float() of a text: white space around it, underscores between digits, decimal digits of any script, inf
 * and nan in any case. Null when it raises.
 */
export function pythonFloat(text: string): number | null {
  const ascii = asciiDigits(stripAsNumber(text))
  const plain = withoutUnderscores(ascii)
  if (plain === null) return null
  if (asciiNumber.test(plain)) return Number(plain)
  const sign = infinity.exec(plain)
  if (sign !== null) return sign[1] === '-' ? Number.NEGATIVE_INFINITY : Number.POSITIVE_INFINITY
  return notANumber.test(plain) ? Number.NaN : null
}

/** Python's int() of a text, as a BigInt; null when it raises. */
export function pythonInteger(text: string): bigint | null {
  const plain = withoutUnderscores(asciiDigits(stripAsNumber(text)))
  if (plain === null || !/^[+-]?\d+$/.test(plain)) return null
  return BigInt(plain.replace('+', ''))
}

/**
 * float() and int() strip like str.strip(), except for the separators U+001C to U+001F. With these, the text is not a
 * number.
 */
function stripAsNumber(text: string): string {
  return /^[\x1c-\x1f]|[\x1c-\x1f]$/.test(text.trim()) ? text : pythonStrip(text)
}

function withoutUnderscores(text: string): string | null {
  if (!text.includes('_')) return text
  return /(?<![0-9])_|_(?![0-9])/.test(text) ? null : text.replaceAll('_', '')
}

/** Replaces decimal digits of other scripts by 0-9. */
function asciiDigits(text: string): string {
  if (/^[\x00-\x7f]*$/.test(text)) return text
  let out = ''
  for (const character of text) {
    out += character > '\x7f' && decimalDigit.test(character) ? digitValue(character) : character
  }
  return out
}

/** In Unicode the digits of a script are a run from 0 to 9. Some runs directly follow one another. */
function digitValue(character: string): string {
  const code = character.codePointAt(0) ?? 0
  let start = code
  while (decimalDigit.test(String.fromCodePoint(start - 1))) start -= 1
  return String((code - start) % 10)
}
