import { readPeriod } from './dates.ts'

/** A range as two texts, each with the signs and units that the range states once. */
interface ValueRange {
  readonly from: string
  readonly to: string
}

const longest = 80
const opening =
  '(?:from|between|von|vom|zwischen|de|des|del|du|entre|desde|da|od|от|с(?=\\s)|从|介于)(?:\\s|(?=\\d))'
const joiningWord = '(?:to|until|till|through|and|bis|und|zum|à|a|au|et|y|al|do|до|по)'
const end = String.raw`[-−]?(?:\p{Lu}{0,3}\p{Sc}\s?|\p{Lu}{3}\s?)?\d[\d.,:'’]*(?:\s?[^\d\s\-−–—~^×±][^\d\-−–—~^×±]{0,24}?)?`
const joining = String.raw`(?:\s?[-−–—~〜]\s?|\s${joiningWord}\s|\s?[至到]\s?)`
const rangeForm = new RegExp(`^(?:${opening})?(?<from>${end})${joining}(?<to>${end})$`, 'iu')
const opensRange = new RegExp(`^${opening}`, 'iu')
const onlyAnd = /\s(?:and|und|et|y)\s/iu
const season = /^(?<from>\d{4})\s?(?<sign>[/\-–—])\s?(?<to>\d{2}|\d{4})$/u

/**
 * Reads a text that is one range: `5-10 kg`, `$5 to $10 million`, `between 5 and 10`, and seasons such as `2023/24`. Null for
 * any other text, also for `2011-12` under the name of a date.
 */
export function readRange(text: string, column: string): ValueRange | null {
  if (text.length > longest) return null
  const years = season.exec(text)?.groups
  if (years !== undefined) return readYears(years, column)
  const groups = rangeForm.exec(text)?.groups
  if (groups === undefined || (onlyAnd.test(text) && !opensRange.test(text))) return null
  const [from, to] = [groups.from!.trim(), groups.to!.trim()]
  const [before = ''] = /^[^\d\-−]*/u.exec(from)!
  const [after = ''] = /[^\d.,'’]*$/u.exec(to)!
  return {
    from: /\d$/.test(from) ? `${from}${after}` : from,
    to: /^\d/.test(to) ? `${before}${to}` : to,
  }
}

function readYears(years: Readonly<Record<string, string>>, column: string): ValueRange | null {
  const [first, last] = [Number(years.from), Number(years.to)]
  const to = last < 100 ? first - (first % 100) + last + (last === 0 ? 100 : 0) : last
  const mayBeMonth = last <= 12 && years.sign === '-' && /date|month|datum|日期|月/i.test(column)
  const isRange = years.sign === '/' ? to === first + 1 : to > first
  return isRange && !mayBeMonth ? { from: String(first), to: String(to) } : null
}

/** What joins two dates. A hyphen without spaces is also part of dates, so it comes last. */
const dateJoiners = [new RegExp(String.raw`\s?[–—~〜至到]\s?|\s(?:-|${joiningWord})\s`, 'giu'), /-/g]

/**
 * Reads a text that is one range of days or months, in which one date may leave out what the other states: `1–5 May 2024`,
 * `Jan-Mar 2024`, `2024-01-01 to 2024-03-31`. Returns null for any other text, also for a range of years.
 */
export function readDateRange(text: string): string | null {
  if (text.length > longest || !/\d{4}/.test(text) || readPeriod(text) !== null) return null
  const plain = text.trim().replace(opensRange, '')
  for (const joiner of dateJoiners)
    for (const { index, 0: sign } of plain.matchAll(joiner)) {
      const [from, to] = readDatePair(plain.slice(0, index).trim(), plain.slice(index + sign.length).trim())
      if (from !== null && to !== null && from.length === to.length && from.length > 4 && from < to)
        return `${from}/${to}`
    }
  return null
}

/** Reads two dates. The first may lack the year or month of the second, and the second the month of the first. */
function readDatePair(first: string, second: string): readonly [string | null, string | null] {
  const [year = ''] = /\d{4}$/.exec(second) ?? []
  const afterDay = second.replace(/^\d{1,2}(?:st|nd|rd|th|\.)?\s/, '')
  const [month = ''] = /^\p{L}+\.?(?=\s\d)/u.exec(first) ?? []
  const readAny = (...candidates: string[]): string | null =>
    candidates.map(readPeriod).find(date => date !== null) ?? null
  return [readAny(first, `${first} ${year}`, `${first} ${afterDay}`), readAny(second, `${month} ${second}`)]
}
