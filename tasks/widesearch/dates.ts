import { writeTwoDigits } from '../../src/text/dates.ts'
import { englishMonths } from '../../src/text/month-names.ts'
import { type Distance, readDistanceFromNow } from './relative-dates.ts'

/** A date as WideSearch's code reads it (dateparser 1.2.2, PREFER_DAY_OF_MONTH first). */
interface PublishedDate {
  /** As Python's strftime('%Y-%m-%d') writes it: the year has no leading zeros. */
  readonly text: string
  /** The time in milliseconds; without a zone, as if it were UTC. */
  readonly ms: number
  /** The text names a time zone. */
  readonly zoned: boolean
}

const dayMs = 86_400_000

/** Returns whole days from one date to another, rounded down as Python's timedelta.days. */
export function countDaysBetween(from: PublishedDate, to: PublishedDate): number {
  return Math.floor((to.ms - from.ms) / dayMs)
}

/**
 * Reads a date like dateparser: years, months, days, month names and weekdays in English, Chinese dates in digits, and a
 * few relative words. Missing parts come from the day on which the text is read.
 *
 * @returns null when the text is not a date
 */
export function readDate(text: string, nowMs: number): PublishedDate | null {
  const plain = text
    .normalize('NFKC')
    .toLowerCase()
    .replaceAll('*', '')
    .trim()
    .replace(/(?<=[年月日])[.%]+$/, '')
  return (
    readRelativeDate(plain, nowMs) ??
    readIsoTimeWithZone(plain) ??
    readChineseDate(plain, nowMs) ??
    readDateTokens(plain, nowMs)
  )
}

/** Reads texts that dateparser takes for a time near now. */
function readRelativeDate(text: string, nowMs: number): PublishedDate | null {
  if (text === 'nan') return makePublishedDate({ year: readYear(nowMs), month: 8, day: 1 })
  if (/^n\/a\.?$/.test(text)) return findLastWeekday(4, nowMs)
  const day = /^(?:周|星期|礼拜)([日天一二三四五六])$/.exec(text)?.[1]
  if (day !== undefined) return findLastWeekday(Math.max(0, '日一二三四五六'.indexOf(day)), nowMs)
  if (isTimeOfDay(text)) return makeDateAtTime(nowMs)
  const distance = readDistanceFromNow(text)
  return distance === null ? null : makeDateAtDistance(distance, nowMs)
}

/** A time alone is today. dateparser also reads a decimal number such as 10.25 as a time. */
function isTimeOfDay(text: string): boolean {
  const parts = /^(\d{1,2})[:.](\d\d)(?::\d\d)?(?:\s*[ap]m)?$/.exec(text)
  if (parts !== null) return Number(parts[1]) < 24 && Number(parts[2]) < 60
  return /^(?:(?:1[0-2]|[1-9])\s*[ap]m|noon|midnight)$/.test(text)
}

function makeDateAtDistance({ months: by, ms }: Distance, nowMs: number): PublishedDate | null {
  const now = new Date(nowMs)
  const months = readYear(nowMs) * 12 + now.getUTCMonth() + by
  const year = Math.floor(months / 12)
  const month = (((months % 12) + 12) % 12) + 1
  if (year < 1) return null
  const day = Math.min(now.getUTCDate(), findLastDay(year, month))
  const time = computeUtc(year, month, day) + (nowMs % dayMs) + ms
  return readYear(time) < 1 ? null : makeDateAtTime(time)
}

function readIsoTimeWithZone(text: string): PublishedDate | null {
  const parts = /^(\d{4}-\d\d-\d\d)[t ](\d\d:\d\d(?::\d\d(?:\.\d+)?)?) ?(z|utc|gmt|[+-]\d\d:?\d\d)$/.exec(
    text,
  )
  if (parts === null) return null
  const [, day, time, zone] = parts
  const ms = Date.parse(`${day}T${time}${zone!.length === 3 ? 'Z' : zone!.toUpperCase()}`)
  return Number.isNaN(ms) ? null : { text: day!, ms, zoned: true }
}

type DatePart = 'year' | 'month' | 'day'
/** The parts of a date. */
export type DateParts = { readonly [Name in DatePart]?: number | undefined }

/** Reads Chinese dates such as 2019年3月4日, 2019年3月, 3月4日 and 三月, with a time or a weekday after them. */
function readChineseDate(text: string, nowMs: number): PublishedDate | null {
  const { rest, timeMs } = takeTime(
    text.replace(/日(?=\d)/, '日 ').replace(/(\d{1,2})[时点](\d\d)分$/, '$1:$2'),
  )
  const plain = rest.replace(/\s*[（(]?(?:周|星期|礼拜)[日天一二三四五六][）)]?$/, '')
  const parts = /^(?:(\d{4}|\d\d)年\s*)?(\d{1,2}|[一二三四五六七八九]|十[一二]?)月\s*(?:(\d{1,2})日?)?$/.exec(
    plain,
  )
  if (parts === null) return null
  const [, year, month = '', day] = parts
  if (day === undefined && month.startsWith('0')) return null
  // Without a year, dateparser takes the first number of two digits as one.
  if (year === undefined && day !== undefined)
    return readInOrder([month, day], ['year', 'month', 'day'], { nowMs, timeMs })
  const date = {
    year: year === undefined ? undefined : readNumberFor('year', year)!,
    month: numeralMonths.indexOf(month) + 1 || Number(month),
    day: day === undefined ? undefined : Number(day),
  }
  const isDate = date.month >= 1 && date.month <= 12 && date.day !== 0
  return isDate ? completeDate(date, nowMs, timeMs) : null
}

const numeralMonths = '一 二 三 四 五 六 七 八 九 十 十一 十二'.split(' ')

/** The orders in which dateparser tries to read the numbers: English first, then other languages. */
const orders: readonly (readonly DatePart[])[] = [
  ['month', 'day', 'year'],
  ['day', 'month', 'year'],
  ['year', 'month', 'day'],
]

function readDateTokens(text: string, nowMs: number): PublishedDate | null {
  const about = /^ca?\.?\s*(\d{4})$/.exec(text)?.[1]
  if (about !== undefined)
    return completeDate({ year: Number(about), day: new Date(nowMs).getUTCDate() }, nowMs, 0)
  const { rest, timeMs } = takeTime(text)
  const tokens = rest.match(/\d+|\p{L}+|[^\d\p{L}\s]+/gu) ?? []
  for (const order of orders) {
    const date = readInOrder(tokens, order, { nowMs, timeMs })
    if (date !== null) return date
  }
  return null
}

function takeTime(text: string): { rest: string; timeMs: number } {
  const time = /(?:^|[\st])(\d{1,2}):(\d\d)(?::(\d\d)(?:\.\d+)?)?\s*(am|pm)?$/.exec(text)
  if (time === null) return { rest: text, timeMs: 0 }
  const [whole, hours, minutes, seconds = '0', half] = time
  const hour = half === undefined ? Number(hours) : (Number(hours) % 12) + (half === 'pm' ? 12 : 0)
  const timeMs = ((hour * 60 + Number(minutes)) * 60 + Number(seconds)) * 1000
  return { rest: text.slice(0, text.length - whole!.length), timeMs }
}

function readInOrder(
  tokens: readonly string[],
  order: readonly DatePart[],
  { nowMs, timeMs }: { readonly nowMs: number; readonly timeMs: number },
): PublishedDate | null {
  const parts: Partial<Record<DatePart, number>> = {}
  let weekday: number | null = null
  for (const token of tokens) {
    if (/^\d/.test(token)) {
      const part = order.find(name => parts[name] === undefined && readNumberFor(name, token) !== null)
      if (part === undefined) return null
      parts[part] = readNumberFor(part, token)!
    } else if (/^\p{L}/u.test(token)) {
      const month = readMonth(token)
      if (month !== null && parts.month === undefined) parts.month = month
      else if (readWeekday(token) !== null) weekday = readWeekday(token)
      else if (!skippedWords.has(token)) return null
    } else if (!skippedMarks.test(token)) return null
  }
  if (Object.keys(parts).length > 0) return completeDate(parts, nowMs, timeMs)
  return weekday === null ? null : findLastWeekday(weekday, nowMs)
}

/** Marks between the parts of a date. An en dash is none. */
const skippedMarks = /^[-+/.,'"`_~?%()[\]|;:]+$/
const skippedWords: ReadonlySet<string> = new Set(
  'about ad after and at by circa in just nd of on rd st th the'.split(' '),
)

function readNumberFor(part: DatePart, digits: string): number | null {
  const value = Number(digits)
  if (part === 'year') {
    if (digits.length === 4) return value >= 1 ? value : null
    return digits.length === 2 ? value + (value < 69 ? 2000 : 1900) : null
  }
  const most = part === 'month' ? 12 : 31
  return digits.length <= 2 && value >= 1 && value <= most ? value : null
}

const weekdays = 'sunday monday tuesday wednesday thursday friday saturday'.split(' ')

function readMonth(word: string): number | null {
  if (word === 'sept') return 9
  const at = englishMonths.findIndex(month => month === word || month.slice(0, 3) === word)
  return at < 0 ? null : at + 1
}

function readWeekday(word: string): number | null {
  if (word === 'tues') return 2
  const at = weekdays.findIndex(day => day === word || day.slice(0, 3) === word)
  return at < 0 ? null : at
}

/** Takes a missing year or month from now, and the first as a missing day. */
function completeDate(parts: DateParts, nowMs: number, timeMs: number): PublishedDate | null {
  const now = new Date(nowMs)
  const { month = now.getUTCMonth() + 1, day = 1 } = parts
  let { year = readYear(nowMs) } = parts
  // 29 February without a year is that of the last leap year.
  if (parts.year === undefined && parts.month === 2 && day === 29) while (findLastDay(year, 2) < 29) year -= 1
  return day > findLastDay(year, month) ? null : makePublishedDate({ year, month, day }, timeMs)
}

function findLastWeekday(weekday: number, nowMs: number): PublishedDate {
  const today = Math.floor(nowMs / dayMs) * dayMs
  const since = (new Date(nowMs).getUTCDay() - weekday + 7) % 7
  return makeDateAtTime(today - since * dayMs)
}

const readYear = (ms: number): number => new Date(ms).getUTCFullYear()

function findLastDay(year: number, month: number): number {
  return new Date(computeUtc(year, month + 1, 1) - dayMs).getUTCDate()
}

/** Returns the milliseconds of a day. Date.UTC takes years below 100 for those of the twentieth century. */
export function computeUtc(year: number, month: number, day: number): number {
  return new Date(0).setUTCFullYear(year, month - 1, day)
}

function makeDateAtTime(ms: number): PublishedDate {
  const date = new Date(ms)
  const day = { year: date.getUTCFullYear(), month: date.getUTCMonth() + 1, day: date.getUTCDate() }
  return makePublishedDate(day, ms - computeUtc(day.year, day.month, day.day))
}

function makePublishedDate({ year, month, day }: Record<DatePart, number>, timeMs = 0): PublishedDate {
  return {
    text: `${year}-${writeTwoDigits(month)}-${writeTwoDigits(day)}`,
    ms: computeUtc(year, month, day) + timeMs,
    zoned: false,
  }
}

/** The parts that a text states, without any that come from the day of reading; null when it is not such a date. */
export function readStatedParts(text: string): DateParts | null {
  const plain = text.toLowerCase().replaceAll('*', '').trim()
  if (/^\d{1,2}月/.test(plain)) return null
  const year = /^(\d{4})\s*年?$/.exec(plain)
  if (year !== null) return { year: Number(year[1]) }
  const month =
    /^(\d{4}|\d\d(?=年))\s*(?:[-/.]|年)\s*(\d{1,2}|[一二三四五六七八九十]{1,2})\s*月?$/.exec(plain) ??
    /^()(\p{L}{3,9})\.?,? (\d{4})$/u.exec(plain)
  const [early, late] = [readDate(text, 0), readDate(text, 400 * dayMs)]
  if (early === null || late === null || early.ms !== late.ms) return null
  const date = new Date(early.ms)
  const parts = { year: date.getUTCFullYear(), month: date.getUTCMonth() + 1 }
  return month === null ? { ...parts, day: date.getUTCDate() } : parts
}
