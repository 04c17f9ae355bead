import { pythonFloat } from '../python/number.ts'
import type { PandasColumn } from './column.ts'

/**
 * Returns the i-th value of a numeric target column as AOE's published scorer reads it. Commas are removed, a
 * text with % is divided by 100, and true and false of a boolean column become 1 and 0. NaN when it is
 * missing or not a number.
 */
export function readColumnNumber(column: PandasColumn, i: number): number {
  switch (column.kind) {
    case 'float':
      return column.missing[i] ? Number.NaN : column.numbers[i]!
    case 'boolean': {
      const flag = column.flags[i] ?? null
      return flag === null ? Number.NaN : Number(flag)
    }
    case 'integer':
      return Number(column.texts[i])
    case 'text':
      return readTextNumber(column.texts[i] ?? null)
  }
}

/** Reads a text as a number like the published scorer; NaN when it is not a number. */
export function readTextNumber(text: string | null): number {
  if (text === null) return Number.NaN
  return readShortNumber(text) ?? readAnyNumber(text)
}

const powers = [1, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15] as const
const comma = 44
const minus = 45
const dot = 46
const percent = 37

/**
 * Reads the common forms quickly: digits with commas, one point, a minus before and a percent sign after them, up to
 * 15 digits. Null for anything else.
 */
export function readShortNumber(text: string): number | null {
  if (text.length === 0 || text.length > 24) return null
  const negative = text.charCodeAt(0) === minus
  let value = 0
  let digits = 0
  let decimals = -1
  let share = false
  for (let i = negative ? 1 : 0; i < text.length; i += 1) {
    const code = text.charCodeAt(i)
    if (code >= 48 && code <= 57) {
      value = value * 10 + (code - 48)
      digits += 1
      if (decimals >= 0) decimals += 1
    } else if (code === dot && decimals < 0) decimals = 0
    else if (code === percent && i === text.length - 1) share = true
    else if (code !== comma) return null
  }
  if (digits === 0 || digits > 15) return null
  const number = decimals > 0 ? value / powers[decimals]! : value
  const signed = negative ? -number : number
  return share ? signed / 100 : signed
}

function readAnyNumber(text: string): number {
  const value = text.replaceAll(',', '')
  if (value.includes('%')) {
    const share = pythonFloat(value.replaceAll('%', ''))
    return share === null ? Number.NaN : share / 100
  }
  return pythonFloat(value) ?? Number.NaN
}

/**
 * numpy.isclose(gold, predicted, rtol=1e-5, atol=1e-6) as the published scorer calls it. Two missing values are
 * equal.
 */
export function closeAsPublished(gold: number, predicted: number): boolean {
  if (Number.isNaN(gold) || Number.isNaN(predicted)) return Number.isNaN(gold) && Number.isNaN(predicted)
  if (gold === predicted) return true
  if (!Number.isFinite(predicted) || !Number.isFinite(gold)) return false
  return Math.abs(gold - predicted) <= 1e-6 + 1e-5 * Math.abs(predicted)
}
