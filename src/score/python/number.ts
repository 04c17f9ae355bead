import { withAsciiDigits } from '../../text/numbers.ts'
import { pythonStrip } from './text.ts'

const asciiNumber = /^[+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?$/
const infinity = /^([+-]?)inf(?:inity)?$/i
const notANumber = /^[+-]?nan$/i

/**
 * Python's float() of a text: white space around it, underscores between digits, decimal digits of any script, inf
 * and nan in any case. Null when it raises.
 */
export function pythonFloat(text: string): number | null {
  const ascii = withAsciiDigits(stripAsNumber(text))
  const plain = withoutUnderscores(ascii)
  if (plain === null) return null
  if (asciiNumber.test(plain)) return Number(plain)
  const sign = infinity.exec(plain)
  if (sign !== null) return sign[1] === '-' ? Number.NEGATIVE_INFINITY : Number.POSITIVE_INFINITY
  return notANumber.test(plain) ? Number.NaN : null
}

/** Python's int() of a text, as a BigInt; null when it raises. */
export function pythonInteger(text: string): bigint | null {
  const plain = withoutUnderscores(withAsciiDigits(stripAsNumber(text)))
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
