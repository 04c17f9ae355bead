import { pythonFloatText } from '../../src/text/python-json.ts'
import type { Frame, FrameColumn } from './frame.ts'

/** Formats a number as C's `%g`: at most six digits, with an exponent below 1e-4 and from 1e6. */
export function sixDigits(value: number): string {
  if (!Number.isFinite(value) || value === 0) return value === 0 ? '0' : pythonFloatText(value)
  const [mantissa, exponentText] = value.toExponential(5).split('e') as [string, string]
  const exponent = Number(exponentText)
  if (exponent >= -4 && exponent < 6) return withoutZeros(value.toFixed(5 - exponent))
  const sign = exponent < 0 ? '-' : '+'
  return `${withoutZeros(mantissa)}e${sign}${String(Math.abs(exponent)).padStart(2, '0')}`
}

function withoutZeros(text: string): string {
  return text.includes('.') ? text.replace(/\.?0+$/, '') : text
}

/** The largest number of decimals that pandas prints in HTML. */
const maxDecimals = 6
const maxWidth = 12

/** Formats a column of floats as pandas prints it in HTML: all cells have the same number of decimals, at most six. */
export function evenDecimals({ cells }: FrameColumn): (string | null)[] {
  const values = cells.map(cell => (cell === null ? null : Number(cell)))
  const sizes = values.flatMap(value => (value === null ? [] : [Math.abs(value)]))
  const fixed = values.map(value => value?.toFixed(maxDecimals) ?? null)
  const decimals = Math.max(1, ...fixed.map(text => text?.replace(/0+$/, '').split('.')[1]?.length ?? 0))
  const width = Math.max(0, ...fixed.map(text => (text === null ? 0 : ` ${text}`.length)))
  const isSmall = sizes.some(size => size > 0 && size < 10 ** -maxDecimals)
  const isLong = width > maxWidth + 6 && sizes.some(size => size > 1e6)
  if (isSmall || isLong) return values.map(value => (value === null ? null : exponential(value)))
  return values.map(value => value?.toFixed(decimals) ?? null)
}

function exponential(value: number): string {
  const [mantissa, exponent] = value.toExponential(maxDecimals).split('e') as [string, string]
  return `${mantissa}e${exponent.startsWith('-') ? '-' : '+'}${exponent.slice(1).padStart(2, '0')}`
}

/** Converts a frame as reading it row by row in Python does: when all columns are numbers, integers become floats. */
export function byRows(frame: Frame): Frame {
  const types = frame.columns.map(({ type }) => type)
  const isNumeric = types.every(type => type === 'integer' || type === 'number')
  if (!isNumeric || !types.includes('number')) return frame
  const columns = frame.columns.map(column => ({
    ...column,
    cells: column.cells.map(cell => (cell === null ? null : pythonFloatText(Number(cell)))),
  }))
  return { ...frame, columns }
}

/** Reproduces the defects of the published XML: `nan` inside a word becomes `null`, and many letters are dropped. */
export function damagedXml(text: string): string {
  const kept = [...text].filter(letter => {
    const code = letter.codePointAt(0)!
    return code < 0x1100 || (code > 0xdfff && code <= 0xfffd)
  })
  return kept.join('').replaceAll('nan', 'null')
}
