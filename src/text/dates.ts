import { englishMonthForm, readEnglishMonth, withEnglishMonth, withoutWeekday } from './month-names.ts'
import { ordinalWords } from './number-words.ts'
import { readChineseNumeral, withAsciiDigits } from './numbers.ts'
import { mapWords } from './plain-text.ts'

/** A day, month or year. What the text does not name is null. */
export interface CalendarDay {
  readonly year: number
  /** 1 to 12. */
  readonly month: number | null
  readonly day: number | null
}

/** A day, month, quarter, half-year or year. What the text does not name is null. */
export interface CalendarDate extends CalendarDay {
  /** 1 to 4. */
  readonly quarter: number | null
  /** 1 or 2. */
  readonly half: number | null
}

/** What a reader of dates accepts. */
interface DateRules {
  /** Written forms of a date, with named groups; the first one that matches the whole text decides. */
  readonly forms: readonly RegExp[]
  /** Longer texts are not dates. */
  readonly maxChars: number
  /** Reads 二〇二四年三月 as 2024年3月, and runs of white space as one space. */
  readonly readsLooseText: boolean
  /** Rejects 30 February. Otherwise every month may have 31 days. */
  readonly checksMonthLength: boolean
}

const monthForm = `(?<m>${englishMonthForm})\\.?`
const yearForm = '(?<y>\\d{4})'
/** Two digits of a year, only beside the name of a month, a quarter or FY. */
const shortYear = "['’]?(?<yy>\\d{2})"
const dayForm = '(?<d>\\d{1,2})(?:st|nd|rd|th|er|º)?'
const midnight = '00:00(?::00)?(?:\\.0+)?(?:\\s?(?:z|utc|gmt|[+-]00:?00))?'
/** Words for a year before its number, in several languages. */
const fiscalForm =
  '(?:(?:fiscal|financial)\\s+(?:year\\s+)?|(?:fye?|gj)\\s*|(?:year|geschäftsjahr|jahr|exercice|ejercicio|esercizio|année|año|anno)\\s+)?'
const quarterWord = '(?:quartal|trimestre|trim\\.?|kvartal|kwartał|квартал|кв\\.?|분기)'
const quarterForm = `(?:[qt](?<q>[1-4])|(?<qw>first|second|third|fourth)[\\s-]+quarter|(?<q2>[1-4])(?:st|nd|rd|th)\\s+quarter|(?<q3>[1-4]|i{1,3}|iv)(?:\\.|er|e|º)?\\s?${quarterWord})`
const halfForm = '(?:hy?(?<h>[12])|(?<h2>[12])h|(?<hw>first|second)[\\s-]+half(?:[\\s-]+year)?)'

/** With points, the day is always before the month. */
const dottedForm = `(?<d>[0-2]?\\d|3[01])\\.\\s?(?<m>0?[1-9]|1[0-2])\\.\\s?${yearForm}`
const wholeText = (source: string, flags = 'i'): RegExp => new RegExp(`^${source}$`, flags)

/**
 * Days and months, for a gold value that documents may write in another form. `3/4/2024` may be two days, so it is no
 * date; `13/4/2024` and `3.4.2024` are dates.
 */
export const dayOrMonthRules: DateRules = {
  forms: [
    wholeText(
      `${yearForm}\\s*[-/.]\\s*(?<m>\\d{1,2})(?:\\s*[-/.]\\s*(?<d>\\d{1,2}))?(?:[T ]${midnight}Z?)?`,
      '',
    ),
    wholeText(`${yearForm}\\s*年\\s*(?<m>\\d{1,2})\\s*月(?:\\s*(?<d>\\d{1,2})\\s*日)?`),
    wholeText(`${monthForm}(?:\\s+${dayForm})?,?\\s+${yearForm}`),
    wholeText(`${dayForm}[\\s-]+(?:of\\s+)?${monthForm},?[\\s-]+${yearForm}`),
    wholeText(dottedForm),
    wholeText(`(?<first>\\d{1,2})[/.](?<second>\\d{1,2})[/.]${yearForm}`),
  ],
  maxChars: Number.POSITIVE_INFINITY,
  readsLooseText: false,
  checksMonthLength: false,
}

/**
 * Days, months, quarters, half-years and years, for two cells that are compared. Fiscal and calendar periods of one name
 * are the same date.
 */
export const periodRules: DateRules = {
  forms: [
    `${yearForm}[-/.](?<m>\\d{1,2})[-/.](?<d>\\d{1,2})(?:[t ]${midnight}z?)?`,
    '(?<y>(?:19|20)\\d{2})(?<m>0[1-9]|1[0-2])(?<d>0[1-9]|[12]\\d|3[01])',
    dottedForm,
    `(?<first>\\d{1,2})[/-](?<second>\\d{1,2})[/-]${yearForm}`,
    `${yearForm}年(?<m>\\d{1,2})月(?<d>\\d{1,2})[日号]`,
    `${yearForm}年(?<m>\\d{1,2})月份?`,
    `${yearForm}年?第?(?<q>[1-4])季度?(?:报告?)?`,
    `${yearForm}年\\s?${quarterForm}`,
    `${yearForm}年?(?<hz>上半|下半|半)年度?(?:报告?)?`,
    `${yearForm}年?(?:年度|度)?(?:报告?)?`,
    `${monthForm}[\\s-]+${dayForm},?[\\s-]+(?:${yearForm}|['’](?<yy>\\d{2}))`,
    `${yearForm},?[\\s-]+${monthForm}(?:[\\s-]+${dayForm})?`,
    `${dayForm}[\\s-]${monthForm}[\\s-]${shortYear}`,
    `${monthForm}(?:-|\\s?(?=['’]))${shortYear}`,
    `(?<m>0?[1-9]|1[0-2])[/-]${yearForm}`,
    `(?<m>0[1-9])\\.${yearForm}`,
    `${yearForm}m(?<m>0[1-9]|1[0-2])`,
    `(?<q>[1-4])[qt][\\s-]?(?:${yearForm}|${shortYear})`,
    `q(?<q>[1-4])(?:[\\s-]|(?=['’]))(?:fy\\s?)?${shortYear}`,
    `(?<h>[12])h[\\s-]?${shortYear}`,
    `hy?(?<h>[12])(?:[\\s-]|(?=['’]))(?:fy\\s?)?${shortYear}`,
    `fy\\s?${shortYear}`,
    `(?:the\\s+)?${dayForm}[\\s-]+(?:day\\s+)?(?:of\\s+)?${monthForm},?[\\s-]+${yearForm}`,
    `${monthForm},?\\s+${yearForm}`,
    `${yearForm}[-/](?<m>0?[1-9]|1[0-2])`,
    `${fiscalForm}${yearForm}\\s*[-,/]?\\s*${quarterForm}`,
    `${quarterForm}\\s*(?:of\\s+|[-,/]\\s*)?${fiscalForm}${yearForm}`,
    `${fiscalForm}${yearForm}\\s*[-,/]?\\s*${halfForm}`,
    `${halfForm}\\s*(?:of\\s+|[-,/]\\s*)?${fiscalForm}${yearForm}`,
    `${fiscalForm}${yearForm}`,
  ].map(source => wholeText(source)),
  maxChars: 60,
  readsLooseText: true,
  checksMonthLength: true,
}

/** Reads a text that is one date, with the months of English, Chinese and most European languages. Returns null for any other text. */
export function readDate(text: string, rules: DateRules): CalendarDate | null {
  if (text.length > rules.maxChars) return null
  const trimmed = withAsciiDigits(text.normalize('NFKC').trim())
  const plain = rules.readsLooseText
    ? withEnglishMonth(withoutWeekday(withWesternYear(withArabicNumerals(trimmed.replace(/\s+/g, ' ')))))
    : withEnglishMonth(trimmed)
  for (const form of rules.forms) {
    const groups = form.exec(plain)?.groups
    if (groups !== undefined) return readGroups(groups, rules)
  }
  return null
}

/**
 * Reads a date or period as a text by which equal ones are recognised: `2024-03-31`, `2024-03`, `2024Q2`, `2024H1`, `2024`.
 * Returns null for any other text.
 */
export function readPeriod(text: string): string | null {
  const date = readDate(text, periodRules)
  if (date === null) return null
  const { month, day, quarter, half } = date
  const year = String(date.year).padStart(4, '0')
  if (quarter !== null) return `${year}Q${quarter}`
  if (half !== null) return `${year}H${half}`
  return [year, ...[month, day].filter(part => part !== null).map(writeTwoDigits)].join('-')
}

/** Reads a period as `readPeriod` does, and a date of figures with two digits of a year: `31.03.24`. With points, the day is always first. */
export function readLoosePeriod(text: string): string | null {
  const inFull = text.replace(
    /^(\d{1,2}([./-])\d{1,2}\2)(\d{2})$/,
    (_, start: string, __, year: string) => start + writeFullYear(Number(year)),
  )
  return readPeriod(text) ?? readPeriod(inFull)
}

/** Reads a day or a month without a year, such as `31 March` and `31.3.`, as `03-31` or `03`. Returns null for any other text. */
export function readDayOfYear(text: string): string | null {
  if (/\d{4}/.test(text) || readPeriod(text) !== null) return null
  const inFigures = text.replace(/(?<=\d([./])\d{1,2})[./]?$/, '$1')
  // A leap year, so that 29 February is a day.
  const date = readPeriod(inFigures === text ? `${text} 2000` : `${inFigures}2000`)
  return date?.startsWith('2000-') ? date.slice('2000-'.length) : null
}

/** The signs of Korean dates in Chinese. */
const koreanSigns: Readonly<Record<string, string>> = { 년: '年', 월: '月', 일: '日' }

/** Replaces Chinese numerals before 年, 月, 日 and in 第…季度 by digits, and Korean signs by Chinese ones. */
function withArabicNumerals(text: string): string {
  return text
    .replace(/(?<=\d\s?)[년월일]/g, sign => koreanSigns[sign]!)
    .replace(/(?<=\d) ?([年月日号]) ?(?=\d|$)/g, '$1')
    .replace(/[零〇一二三四五六七八九十]+(?=[年月日号季])/g, numeral =>
      String(readChineseNumeral(numeral) ?? numeral),
    )
}

/** The year before the first of each era. */
const eras = mapWords([
  ['明治', 1867],
  ['大正|民國|民国', 1911],
  ['昭和', 1925],
  ['平成', 1988],
  ['令和', 2018],
])
const eraYear = new RegExp(`^(${[...eras.keys()].join('|')})\\s?(\\d{1,3}|元)年`)

/** Writes the year of a Japanese or Taiwanese era as a western one: 令和6年 becomes 2024年. */
const withWesternYear = (text: string): string =>
  text.replace(
    eraYear,
    (_, era: string, year: string) => `${eras.get(era)! + (year === '元' ? 1 : Number(year))}年`,
  )

type DateGroups = Readonly<Record<string, string | undefined>>

function readGroups(groups: DateGroups, rules: DateRules): CalendarDate | null {
  const year = groups.y === undefined ? writeFullYear(Number(groups.yy)) : Number(groups.y)
  const date = { year, month: null, day: null, quarter: null, half: null }
  const quarter = readQuarter(groups)
  if (quarter !== null) return { ...date, quarter }
  const half = readHalf(groups)
  if (half !== null) return { ...date, half }
  const { first, second } = groups
  if (first !== undefined && second !== undefined) return readUnambiguousDate(date, first, second)
  if (groups.m === undefined) return date
  const month = /^\d/.test(groups.m) ? Number(groups.m) : readEnglishMonth(groups.m)
  const day = groups.d === undefined ? null : Number(groups.d)
  const days = rules.checksMonthLength ? countDays(year, month) : 31
  return isPossible(month, day, days) ? { ...date, month, day } : null
}

/** The year of two digits: 1950 to 2049. */
const writeFullYear = (short: number): number => (short < 50 ? 2000 : 1900) + short

/** Day and month in either order, when only one order is possible or both are written alike. */
function readUnambiguousDate(date: CalendarDate, first: string, second: string): CalendarDate | null {
  const isDayFirst = Number(first) > 12
  const month = Number(isDayFirst ? second : first)
  const day = Number(isDayFirst ? first : second)
  const isAmbiguous = Number(first) <= 12 && Number(second) <= 12 && first !== second
  return !isAmbiguous && isPossible(month, day, 31) ? { ...date, month, day } : null
}

function isPossible(month: number, day: number | null, days: number): boolean {
  return month >= 1 && month <= 12 && (day === null || (day >= 1 && day <= days))
}

function countDays(year: number, month: number): number {
  return new Date(Date.UTC(year, month, 0)).getUTCDate()
}

function readOrdinal(word: string | undefined): number | null {
  return word === undefined ? null : ordinalWords.indexOf(word.toLowerCase()) + 1
}

const romanQuarters = ['i', 'ii', 'iii', 'iv']

function readQuarter({ q, q2, q3, qw }: DateGroups): number | null {
  if (q3 !== undefined && /i/i.test(q3)) return romanQuarters.indexOf(q3.toLowerCase()) + 1
  const digit = q ?? q2 ?? q3
  return digit === undefined ? readOrdinal(qw) : Number(digit)
}

/** 半年 alone is the first half. */
function readHalf({ h, h2, hw, hz }: DateGroups): number | null {
  if (h !== undefined || h2 !== undefined) return Number(h ?? h2)
  if (hw !== undefined) return readOrdinal(hw)
  if (hz === undefined) return null
  return hz === '下半' ? 2 : 1
}

/** Writes a day or a month with two digits. */
export function writeTwoDigits(value: number): string {
  return String(value).padStart(2, '0')
}
