import type { GoldValue } from '../core/task.ts'

/** A number of the gold with its printed precision. */
export interface GoldNumber {
  /** As printed, without the percent sign: `12.36%` is 12.36. */
  readonly value: number
  /** Half a unit of the last printed digit. */
  readonly tolerance: number
}

/**
 * Reads the number in a gold cell: thousands separators, currency signs, and parentheses for minus are understood.
 * Null for any other text.
 */
export function goldNumber(cell: GoldValue): GoldNumber | null {
  if (cell === null || typeof cell === 'boolean') return null
  const text = String(cell)
    .normalize('NFKC')
    .replace(/[\s,$¥€£]/g, '')
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
