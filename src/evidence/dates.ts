import { foldText } from './fold.ts'

/** A day, month or year as a calendar knows it; `day` and `month` are null where the value does not name them. */
export interface CalendarDate {
  readonly year: number
  readonly month: number | null
  readonly day: number | null
}

const months = [
  'january',
  'february',
  'march',
  'april',
  'may',
  'june',
  'july',
  'august',
  'september',
  'october',
  'november',
  'december',
] as const
const monthWord =
  '(jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|sept?(?:ember)?|oct(?:ober)?|nov(?:ember)?|dec(?:ember)?)'
const numericDate = /^(\d{4})\s*[-/.]\s*(\d{1,2})(?:\s*[-/.]\s*(\d{1,2}))?(?:[T ]00:00(?::00)?(?:\.0+)?Z?)?$/
const cjkDate = /^(\d{4})\s*年\s*(\d{1,2})\s*月(?:\s*(\d{1,2})\s*日)?$/
const monthFirst = new RegExp(`^${monthWord}\\.?(?:\\s+(\\d{1,2})(?:st|nd|rd|th)?)?,?\\s+(\\d{4})$`, 'i')
const dayFirst = new RegExp(
  `^(\\d{1,2})(?:st|nd|rd|th)?[\\s-]+(?:of\\s+)?${monthWord}\\.?,?[\\s-]+(\\d{4})$`,
  'i',
)
/** 3/4/2024 names either of two days: only what can be read in one way is a date. */
const slashed = /^(\d{1,2})[/.](\d{1,2})[/.](\d{4})$/

function monthNumber(word: string): number {
  return months.findIndex(month => month.startsWith(word.slice(0, 3).toLowerCase())) + 1
}

function dated(year: string, month: number, day: string | undefined): CalendarDate | null {
  const dayNumber = day === undefined ? null : Number(day)
  const fits = month >= 1 && month <= 12 && (dayNumber === null || (dayNumber >= 1 && dayNumber <= 31))
  return fits ? { year: Number(year), month, day: dayNumber } : null
}

function slashedDate(value: string): CalendarDate | null {
  const match = slashed.exec(value)
  if (match === null) return null
  const [, first = '', second = '', year = ''] = match
  if (Number(first) > 12) return dated(year, Number(second), first)
  return Number(second) > 12 || first === second ? dated(year, Number(first), second) : null
}

/** The date that a value is, in any usual form of English or Chinese; null for what is none or could be two. */
export function readDate(source: string): CalendarDate | null {
  const value = source.normalize('NFKC').trim()
  const yearFirst = numericDate.exec(value) ?? cjkDate.exec(value)
  if (yearFirst !== null) return dated(yearFirst[1] ?? '', Number(yearFirst[2]), yearFirst[3])
  const named = monthFirst.exec(value)
  if (named !== null) return dated(named[3] ?? '', monthNumber(named[1] ?? ''), named[2])
  const reversed = dayFirst.exec(value)
  if (reversed !== null) return dated(reversed[3] ?? '', monthNumber(reversed[2] ?? ''), reversed[1])
  return slashedDate(value)
}

const cjkDigits = [...'〇一二三四五六七八九']

function cjkYear(year: number): string {
  return [...String(year)].map(digit => cjkDigits[Number(digit)] ?? digit).join('')
}

/** 1 to 31 in Chinese numerals. */
function cjkCount(count: number): string {
  const tens = Math.floor(count / 10)
  const ones = count % 10 === 0 && tens > 0 ? '' : (cjkDigits[count % 10] ?? '')
  return tens === 0 ? ones : `${tens === 1 ? '' : cjkDigits[tens]}十${ones}`
}

function ordinal(day: number): string {
  const suffixes: Readonly<Record<number, string>> = { 1: 'st', 2: 'nd', 3: 'rd' }
  return `${day}${day >= 11 && day <= 13 ? 'th' : (suffixes[day % 10] ?? 'th')}`
}

const padded = (value: number): string => String(value).padStart(2, '0')

function monthForms(year: number, month: number): string[] {
  const name = months[month - 1] ?? ''
  const names = new Set([name, name.slice(0, 3), ...(month === 9 ? ['sept'] : [])])
  return [
    ...[...names].map(word => `${word} ${year}`),
    `${year}年${month}月`,
    `${year}年${padded(month)}月`,
    `${cjkYear(year)}年${cjkCount(month)}月`,
    `${year}-${padded(month)}`,
    `${padded(month)}/${year}`,
  ]
}

function dayForms(year: number, month: number, day: number): string[] {
  const name = months[month - 1] ?? ''
  const names = new Set([name, name.slice(0, 3), ...(month === 9 ? ['sept'] : [])])
  const worded = [...names].flatMap(word =>
    [String(day), padded(day), ordinal(day)].flatMap(written => [
      `${word} ${written} ${year}`,
      `${written} ${word} ${year}`,
    ]),
  )
  const monthsWritten = [String(month), padded(month)]
  const daysWritten = [String(day), padded(day)]
  const numeric = monthsWritten.flatMap(m =>
    daysWritten.flatMap(d => [
      `${year}-${m}-${d}`,
      `${m}/${d}/${year}`,
      `${d}/${m}/${year}`,
      `${year}年${m}月${d}日`,
    ]),
  )
  return [
    ...worded,
    ...numeric,
    `${ordinal(day)} day of ${name} ${year}`,
    `${ordinal(day)} of ${name} ${year}`,
    `${year}${padded(month)}${padded(day)}`,
    `${cjkYear(year)}年${cjkCount(month)}月${cjkCount(day)}日`,
    `${cjkYear(year).replaceAll('〇', '零')}年${cjkCount(month)}月${cjkCount(day)}日`,
  ]
}

/** Every written form of a date, folded as texts are for the search at word boundaries. */
export function dateForms(date: CalendarDate): string[] {
  const { year, month, day } = date
  const forms =
    month === null ? [String(year)] : day === null ? monthForms(year, month) : dayForms(year, month, day)
  return [...new Set(forms.map(form => foldText(form).text))]
}
