/** The meaning of a number in a sheet by the number format of its cell. */
export type NumberFormat =
  | { readonly kind: 'plain' | 'date' | 'time' | 'elapsed' }
  | { readonly kind: 'percent'; readonly leastDecimals: number; readonly mostDecimals: number }

/** The formats that files refer to only by number (ECMA-376 part 1, 18.8.30), including those for East Asian dates. */
const builtIn = new Map<number, string>([
  [9, '0%'],
  [10, '0.00%'],
  ...numbered([14, 15, 16, 17, 22, 27, 28, 29, 30, 31, 36, 50, 51, 52, 53, 54, 57, 58], 'yyyy-mm-dd'),
  ...numbered([18, 19, 20, 21, 32, 33, 34, 35, 45, 47, 55, 56], 'h:mm:ss'),
  [46, '[h]:mm:ss'],
])

function numbered(ids: readonly number[], code: string): [number, string][] {
  return ids.map(id => [id, code])
}

/** Returns the format with a number. `custom` contains the format codes that the file defines. */
export function numberFormat(id: number, custom: ReadonlyMap<number, string>): NumberFormat {
  const code = custom.get(id) ?? builtIn.get(id)
  return code === undefined ? { kind: 'plain' } : readFormatCode(code)
}

/** Reads the first section of a format code, for positive numbers. Words, colours and conditions are ignored. */
function readFormatCode(code: string): NumberFormat {
  const bare = code.replace(/"[^"]*"|\\.|[_*]./g, '')
  if (/\[(?:h+|m+|s+)\]/i.test(bare)) return { kind: 'elapsed' }
  const [section = ''] = bare.replace(/\[[^\]]*\]|general/gi, '').split(';')
  if (/[yd]/i.test(section)) return { kind: 'date' }
  if (/[hs]/i.test(section)) return { kind: 'time' }
  if (/[m]/i.test(section)) return { kind: 'date' }
  if (!section.includes('%')) return { kind: 'plain' }
  const decimals = /\.([0#?]*)/.exec(section)?.[1] ?? ''
  return {
    kind: 'percent',
    leastDecimals: decimals.replace(/[^0]/g, '').length,
    mostDecimals: decimals.length,
  }
}

/** The first year of a workbook's day count: 1900 in Excel, 1904 in old Macintosh files. */
export type DayZero = 1900 | 1904

/**
 * Returns a number as a person reads it in the sheet. Percentages are rounded to the decimals of their
 * format, dates become `2024-12-31` with the time of day if there is one, times become `13:05:00`, and other
 * numbers have 15 digits.
 */
export function showNumber(value: number, format: NumberFormat, dayZero: DayZero): string {
  switch (format.kind) {
    case 'plain':
      // 0.1 + 0.2 is stored as 0.30000000000000004, but a sheet shows at most 15 digits.
      return String(clean(value))
    case 'percent':
      return percentText(value, format.leastDecimals, format.mostDecimals)
    case 'date':
      return dateText(value, dayZero)
    case 'time':
      return value < 0 ? String(clean(value)) : timeText(value % 1)
    case 'elapsed':
      return value < 0 ? String(clean(value)) : timeText(value)
  }
}

function clean(value: number): number {
  return Number(value.toPrecision(15))
}

function percentText(value: number, least: number, most: number): string {
  const percent = clean(value * 100)
  if (Math.abs(percent) >= 1e15) return `${percent}%`
  // Decimal rounding: 12.345 becomes 12.35 although its nearest binary number may be smaller.
  const [digits, exponent = '0'] = String(Math.abs(percent)).split('e')
  const rounded = Number(`${Math.round(Number(`${digits}e${Number(exponent) + most}`))}e-${most}`)
  const [whole, decimals = ''] = rounded.toFixed(most).split('.')
  const kept = decimals.slice(0, least) + decimals.slice(least).replace(/0+$/, '')
  const sign = percent < 0 && rounded !== 0 ? '-' : ''
  return `${sign}${whole}${kept === '' ? '' : `.${kept}`}%`
}

const msPerDay = 86_400_000
const epochs: Readonly<Record<DayZero, number>> = {
  // Correct from 1 March 1900 on. Excel counts earlier days wrongly by one.
  1900: Date.UTC(1899, 11, 30),
  1904: Date.UTC(1904, 0, 1),
}

function dateText(days: number, dayZero: DayZero): string {
  if (days < 0 || days > 2_958_465) return String(clean(days))
  const seconds = Math.round(days * 86_400)
  const [date, time] = new Date(epochs[dayZero] + seconds * 1000).toISOString().split('T')
  return (seconds * 1000) % msPerDay === 0 ? date! : `${date} ${time!.slice(0, 8)}`
}

function timeText(days: number): string {
  const seconds = Math.round(days * 86_400)
  const two = (count: number): string => String(count).padStart(2, '0')
  return `${two(Math.floor(seconds / 3600))}:${two(Math.floor(seconds / 60) % 60)}:${two(seconds % 60)}`
}
