import { format as formatNumber } from 'numfmt'

/** The meaning of a number in a sheet by the number format of its cell. */
export type NumberFormat =
  | { readonly kind: 'plain' | 'date' | 'time' | 'elapsed' }
  /** The format adds something to the digits, such as a unit. */
  | { readonly kind: 'shown'; readonly code: string }

/**
 * The formats that files refer to only by number (ECMA-376 part 1, 18.8.30), including those for East Asian dates. Those
 * with the currency of the reader's machine are left out.
 */
const builtIn = new Map<number, string>([
  [9, '0%'],
  [10, '0.00%'],
  [12, '# ?/?'],
  [13, '# ??/??'],
  ...pairWithCode([14, 15, 16, 17, 22, 27, 28, 29, 30, 31, 36, 50, 51, 52, 53, 54, 57, 58], 'yyyy-mm-dd'),
  ...pairWithCode([18, 19, 20, 21, 32, 33, 34, 35, 45, 47, 55, 56], 'h:mm:ss'),
  [46, '[h]:mm:ss'],
])

function pairWithCode(ids: readonly number[], code: string): [number, string][] {
  return ids.map(id => [id, code])
}

/** Returns the format with a number. `custom` contains the format codes that the file defines. */
export function findNumberFormat(id: number, custom: ReadonlyMap<number, string>): NumberFormat {
  const code = custom.get(id) ?? builtIn.get(id)
  return code === undefined ? { kind: 'plain' } : readFormatCode(code)
}

/** A section that shows digits, signs and separators, without leading zeros, and does not scale the number. */
const plainSection = /^[\s()+\-–—]*(?:[#?,]*[0#?](?:\.[0#?]*)?(?:E[+-]?[0#?]+)?)?[\s()+\-–—]*$/i

/** Reads the code of a format, such as `0.00%`. The first section, for positive numbers, decides whether it is a date. */
export function readFormatCode(code: string): NumberFormat {
  const bare = code.replace(/"[^"]*"|\\.|[_*]./g, '')
  if (/\[(?:h+|m+|s+)\]/i.test(bare)) return { kind: 'elapsed' }
  const [section = ''] = bare.replace(/\[[^\]]*\]|general/gi, '').split(';')
  if (/[yd]/i.test(section)) return { kind: 'date' }
  if (/[hs]/i.test(section)) return { kind: 'time' }
  if (/[m]/i.test(section)) return { kind: 'date' }
  const signs = code
    .replace(/"[\s\-–—]*"|[_*].|\[\$-[^\]]*\]|\[(?!\$)[^\]]*\]|general|@/gi, '')
    .replace(/\\(.)/g, (escaped, sign: string) => (/[\s()+\-–—]/.test(sign) ? sign : escaped))
  return signs.split(';').every(part => plainSection.test(part))
    ? { kind: 'plain' }
    : { kind: 'shown', code: code.replace(/\[\$([^\]-]*)(?:-[^\]]*)?\]/g, removeLocale) }
}

/**
 * Returns whether a format shows nothing of a number or text. A zero that a format hides or shows as a dash counts as
 * shown, because it reads 0.
 */
export function readHiding(code: string): (value: number | string) => boolean {
  const bare = code.replace(/"([^"]*)"/g, (_, text: string) => (/\S/.test(text) ? 'x' : ''))
  const sections = bare
    .replace(/\\\S/g, 'x')
    .replace(/\\\s|[_*]./g, '')
    .split(';')
  const isConditional = /\[[<>=]/.test(code)
  if (isConditional || sections.length === 1) return () => false
  // A section with a colour alone is unfinished, and hides nothing.
  const isBlank = sections.map(section => /^\s*$/.test(section))
  return value => {
    if (typeof value === 'string') return isBlank[3] === true
    return value === 0 ? false : isBlank[value > 0 ? 0 : 1] === true
  }
}

/** The locale of a currency would write the decimal separator of its country. */
function removeLocale(_: string, sign: string): string {
  return sign === '' ? '' : `"${sign}"`
}

/** The first year of a workbook's day count: 1900 in Excel, 1904 in old Macintosh files. */
export type DayZero = 1900 | 1904

/**
 * Returns a number as a person reads it in the sheet. Dates become `2024-12-31` with the time of day if there is one, and
 * times become `13:05:00`. A number whose format adds something to its digits (a unit, a currency, a percent sign, leading
 * zeros, a fraction, thousands as a unit) is shown in its format, with a minus sign when it is negative. Other numbers have
 * 15 digits.
 */
export function showNumber(value: number, format: NumberFormat, dayZero: DayZero): string {
  switch (format.kind) {
    case 'plain':
      return writePlain(value)
    case 'shown':
      return writeShown(value, format.code)
    case 'date':
      return writeDate(value, dayZero)
    case 'time':
      return value < 0 ? writePlain(value) : writeTime(value % 1)
    case 'elapsed':
      return value < 0 ? writePlain(value) : writeTime(value)
  }
}

/** 0.1 + 0.2 is stored as 0.30000000000000004, but a sheet shows at most 15 digits. */
function writePlain(value: number): string {
  return String(Number.isSafeInteger(value) ? value : Number(value.toPrecision(15)))
}

function writeShown(value: number, code: string): string {
  let text: string
  try {
    // Decimal rounding: 12.345 becomes 12.35 although its nearest binary number may be smaller.
    text = formatNumber(code, Number(value.toPrecision(15)))
      .replace(/\s+/g, ' ')
      .trim()
  } catch {
    // The library refuses a code that Excel could not show either.
    return writePlain(value)
  }
  // An accounting format shows zero as a dash, and others hide it.
  if (!/[\p{L}\p{N}]/u.test(text)) return writePlain(value)
  text = text.replace(/(\d)\.(?!\d)/, '$1')
  const isZero = !/[1-9]/.test(text)
  if (value >= 0 || isZero) return isZero && value < 0 ? text.replace(/^[-−]/, '') : text
  // Parentheses and colours alone may show that a number is negative.
  const positive = text.replace(/^([^()]*)\(([^()]*\d[^()]*)\)([^()]*)$/, '$1$2$3')
  return /[-−]/.test(positive) ? positive : `-${positive}`
}

const shownDigits = /\d(?:[\d,]*\d)?(?:\.\d+)?|\.\d+/g

/**
 * Returns a number in its format with all of its digits: 12345678 in the format `0.0,,"M"` is `12.345678M` although the
 * sheet shows 12.3M. Formats whose digits cannot be completed, such as fractions, give the plain number.
 */
export function writeExactNumber(value: number, format: NumberFormat, dayZero: DayZero): string {
  const text = showNumber(value, format, dayZero)
  if (format.kind !== 'shown') return text
  const size = Math.abs(value)
  if (isWhole(text, size)) return text
  const runs = text.match(shownDigits) ?? []
  const shown = (runs[0] ?? '').replaceAll(',', '')
  const tolerance = 0.5000001 * 10 ** -(shown.split('.')[1]?.length ?? 0)
  const exact = countFactors(format.code)
    .map(factor => Number((size * factor).toPrecision(15)))
    .find(number => Math.abs(number - Number(shown)) <= tolerance)
  if (runs.length !== 1 || exact === undefined) return writePlain(value)
  return exact === Number(shown) ? text : text.replace(runs[0]!, String(exact))
}

/** Returns whether a format that adds something to the digits of a number leaves out some of them. */
export function isRounded(value: number, format: NumberFormat): boolean {
  if (format.kind !== 'shown') return false
  const text = writeShown(value, format.code)
  const fraction = /(?:(\d+) )?(\d+)\/(\d+)/.exec(text)
  if (fraction === null) return text !== writeExactNumber(value, format, 1900)
  const [, whole = 0, above, below] = fraction
  return Math.abs(Number(whole) + Number(above) / Number(below) - Math.abs(value)) > 1e-12
}

/** Whether the digits of a text, such as those of a telephone number, are those of a number. */
const isWhole = (text: string, size: number): boolean => Number(text.replace(/\D/g, '')) === size

/** The factors by which a code changes numbers: 100 for a percent sign, 1/1000 for each comma after the digits. */
function countFactors(code: string): number[] {
  const sections = code.replace(/"[^"]*"|\\.|[_*]./g, ' ').split(';')
  return sections.map(section => {
    const commas = /[0#?](,+)(?![0#?,])/.exec(section)?.[1]?.length ?? 0
    return (section.includes('%') ? 100 : 1) / 1000 ** commas
  })
}

const msPerDay = 86_400_000
const epochs: Readonly<Record<DayZero, number>> = {
  // Correct from 1 March 1900 on.
  1900: Date.UTC(1899, 11, 30),
  1904: Date.UTC(1904, 0, 1),
}

function writeDate(days: number, dayZero: DayZero): string {
  if (days < 0 || days > 2_958_465) return writePlain(days)
  const seconds = Math.round(days * 86_400)
  const whole = Math.floor(seconds / 86_400)
  const time = seconds % 86_400 === 0 ? '' : ` ${writeTime((seconds % 86_400) / 86_400)}`
  return `${(dayZero === 1900 && oddDays.get(whole)) || writeUsualDate(whole, dayZero)}${time}`
}

/** Days that Excel shows and that never were: it takes 1900 for a leap year. */
const oddDays = new Map([
  [0, '1900-01-00'],
  [60, '1900-02-29'],
])

function writeUsualDate(day: number, dayZero: DayZero): string {
  const shift = dayZero === 1900 && day < 60 ? 1 : 0
  return new Date(epochs[dayZero] + (day + shift) * msPerDay).toISOString().slice(0, 10)
}

function writeTime(days: number): string {
  const seconds = Math.round(days * 86_400)
  const two = (count: number): string => String(count).padStart(2, '0')
  return `${two(Math.floor(seconds / 3600))}:${two(Math.floor(seconds / 60) % 60)}:${two(seconds % 60)}`
}
