import type { GoldValue } from '../core/task.ts'
import { readAmount } from './amounts.ts'

/** A number and the precision in which it is written. */
export interface PrintedNumber {
  /** As written. A percent sign does not change it: `12.36%` is 12.36. */
  readonly value: number
  /** Half a unit of the last digit. */
  readonly tolerance: number
}

/**
 * Reads a value that is one number, with thousands separators, a currency, a percent sign, an exponent or parentheses
 * for minus. Unlike `readNumber` it returns the precision, and reads no words. Returns null for any other value.
 */
export function readPrintedNumber(cell: GoldValue): PrintedNumber | null {
  if (cell === null || typeof cell === 'boolean') return null
  const text = withoutCurrency(String(cell).normalize('NFKC'))
    .replace(/[\s,'’]|\p{Sc}/gu, '')
    .replaceAll('\u2212', '-')
  const match = /^(\()?([-+]?)(\d+(?:\.\d+)?|\.\d+)(?:e([-+]?\d+))?%?(\))?$/i.exec(text)
  if (match === null) return null
  const [, open, sign, digits = '', exponent] = match
  if ((open === undefined) !== (match[5] === undefined)) return null
  const power = exponent === undefined ? 0 : Number(exponent)
  const magnitude = Number(digits) * 10 ** power
  const decimals = digits.split('.')[1]?.length ?? 0
  return {
    value: open !== undefined || sign === '-' ? -magnitude : magnitude,
    tolerance: 0.5 * 10 ** (power - decimals),
  }
}

/** Removes a code or name of a currency beside a number: CHF 5,000. */
function withoutCurrency(text: string): string {
  if (!/\p{L}/u.test(text)) return text
  const amount = readAmount(text.trim())
  const isPlain = amount !== null && amount.currency !== null && !amount.hasScale && amount.unit === null
  return isPlain ? text.replace(/[\p{L}\p{Sc}]+\.?/gu, '') : text
}
