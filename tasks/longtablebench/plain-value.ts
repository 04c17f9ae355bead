import { pythonFloat, pythonInteger } from '../../src/score/python/number.ts'
import { readWordNumber } from './word-number.ts'

/** The signs of Roman numerals with their values, the largest first. */
export const romanDigits = [
  ['M', 1000],
  ['CM', 900],
  ['D', 500],
  ['CD', 400],
  ['C', 100],
  ['XC', 90],
  ['L', 50],
  ['XL', 40],
  ['X', 10],
  ['IX', 9],
  ['V', 5],
  ['IV', 4],
  ['I', 1],
] as const
const romanNumeral = /^M{0,4}(?:CM|CD|D?C{0,3})(?:XC|XL|L?X{0,3})(?:IX|IV|V?I{0,3})\n?$/

/** Returns the value of a Roman numeral in any case, up to 4999; N is 0. Returns null for any other text. */
export function readRomanValue(text: string): number | null {
  const upper = text.toUpperCase()
  if (upper === 'N') return 0
  if (upper === '' || !romanNumeral.test(upper)) return null
  let rest = upper
  let value = 0
  for (const [digit, size] of romanDigits)
    while (rest.startsWith(digit)) {
      value += size
      rest = rest.slice(digit.length)
    }
  return value
}

/** A value that the published scorer cannot compute. The whole answer then scores 0. */
export class Uncomputable extends Error {}

/** The largest power of ten that Python converts to a float. */
const mostExponent = 308n

/**
 * Returns the number that a text of the benchmark's irregular tables writes: a Roman numeral in lower case, `1.2×10^3`,
 * or English words. Any other text is returned unchanged. One number word is enough: `seven samurai` is 7.
 *
 * @throws Uncomputable for a power of ten that is too large
 */
export function makePlainValue(text: string): string | bigint | number {
  if (/^[ivxlcdm]+\n?$/.test(text)) {
    const roman = readRomanValue(text)
    return roman === null ? text : BigInt(roman)
  }
  if (text.includes('×10^')) return readScientificValue(text)
  return text.includes('.') ? text : (readWordNumber(text) ?? text)
}

function readScientificValue(text: string): string | number {
  const match = /^([+-]?\p{Nd}*\.\p{Nd}+)×10\^([+-]?\p{Nd}+)/u.exec(text)
  if (match === null) return text
  const exponent = pythonInteger(match[2]!)!
  if (exponent > mostExponent) throw new Uncomputable()
  return pythonFloat(match[1]!)! * Number(`1e${exponent}`)
}
