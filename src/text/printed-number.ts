import type { GoldValue } from '../core/gold.ts'
import { multiply, readAmount } from './amounts.ts'
import { composeUnicode } from './numbers.ts'

/** A number and the precision in which it is written. */
export interface PrintedNumber {
  /** As written. A percent sign does not change it: `12.36%` is 12.36. */
  readonly value: number
  /** Half a unit of the last digit. */
  readonly tolerance: number
}

const chineseNumeral = /[零〇一二三四五六七八九十百千万萬亿億]/

/**
 * Reads a value that is one number, with thousands separators, a currency, a percent sign, an exponent or parentheses
 * for minus. Unlike `readNumber` it returns the precision, and reads no words, scales and units. Returns null for any
 * other value.
 */
export function readPrintedNumber(cell: GoldValue): PrintedNumber | null {
  if (cell === null || typeof cell === 'boolean') return null
  const text = composeUnicode(String(cell)).trim()
  const [, digits = text, exponent = '0'] = /^(\(?[-+]?[\d.]+)e([-+]?\d{1,3})$/i.exec(text) ?? []
  const amount = chineseNumeral.test(digits) ? null : readAmount(digits, true)
  if (amount === null || amount.hasScale || amount.unit !== null || (amount.shareOf ?? 100) > 100) return null
  const power = Number(exponent)
  const tolerance = 0.5 * 10 ** (power - amount.decimals)
  return { value: multiply(amount.number, 10 ** power), tolerance }
}

/** Counts the digits of a number from its first to its last digit that is not 0: 3 for 1,230 and for 0.0123. */
export function countSignificantDigits(value: number): number {
  return Math.abs(value).toExponential().replace(/e.*/, '').replace('.', '').length
}
