import { pythonInteger } from '../../src/score/python/number.ts'
import { readRomanValue } from './plain-value.ts'
import { readWordNumber } from './word-number.ts'

const dashes = /^([^\n]*)-([^\n]*)-([^\n]*)\n?$/
const dots = /^([^\n]*)\.([^\n]*)\.([^\n]*)\n?$/
const months = '(1[0-2]|0[1-9]|[1-9])'
const days = '(3[0-1]|[1-2]\\p{Nd}|0[1-9]|[1-9]| [1-9])'
const yearFirst = new RegExp(`^(\\p{Nd}{4})-${months}-${days}$`, 'u')
const dayFirst = new RegExp(`^${days}/${months}/(\\p{Nd}{4})$`, 'u')

/** Whether two texts are equal without regard to case, or write the same day in the published forms. */
export function isSameTextOrDay(left: string, right: string): boolean {
  if (left.toLowerCase() === right.toLowerCase()) return true
  const day = readDay(left)
  return day !== null && day === readDay(right)
}

/**
 * Reads a day: Roman numerals with dashes, digits or English words with dots as year, month and day, Y-m-d or d/m/Y.
 * A text with two dots is never read in another order.
 */
function readDay(text: string): string | null {
  const roman = dashes.exec(text)?.slice(1).map(readRomanValue)
  if (roman?.every(part => part !== null) === true) return checkDay(roman)
  const worded = dots.exec(text)?.slice(1)
  if (worded !== undefined) {
    const parts = worded.map(part => (part.includes('.') ? null : readWordNumber(part)))
    return parts.every(part => typeof part === 'bigint') ? checkDay(parts.map(Number)) : null
  }
  const numbers = yearFirst.exec(text)?.slice(1) ?? dayFirst.exec(text)?.slice(1).reverse()
  return numbers === undefined ? null : checkDay(numbers.map(part => Number(pythonInteger(part))))
}

function checkDay(parts: readonly number[]): string | null {
  const [year, month, day] = parts as [number, number, number]
  if (!(year >= 1 && year <= 9999 && month >= 1 && month <= 12 && day >= 1)) return null
  const lengths = [31, isLeap(year) ? 29 : 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31]
  return day <= lengths[month - 1]! ? parts.join('-') : null
}

const isLeap = (year: number): boolean => (year % 4 === 0 && year % 100 !== 0) || year % 400 === 0
