import { readPeriod } from './dates.ts'

const longest = 80
const opening = /^(?:from|between|von|vom|du|de|del|od|с)\s/iu
/** What joins two dates. A hyphen without spaces is also part of dates, so it comes last. */
const joiners = [/\s?[–—~〜至到]\s?|\s(?:-|to|until|till|through|and|bis|zum|au|al|a|do|по)\s/giu, /-/g]

/**
 * Reads a text that is one range of days or months, in which one date may leave out what the other states: `1–5 May 2024`,
 * `Jan-Mar 2024`, `2024-01-01 to 2024-03-31`. Returns null for any other text, also for a range of years.
 */
export function readDatePeriod(text: string): string | null {
  if (text.length > longest || !/\d{4}/.test(text) || readPeriod(text) !== null) return null
  const plain = text.trim().replace(opening, '')
  for (const joiner of joiners)
    for (const { index, 0: sign } of plain.matchAll(joiner)) {
      const [from, to] = completeDates(plain.slice(0, index).trim(), plain.slice(index + sign.length).trim())
      if (from !== null && to !== null && from.length === to.length && from.length > 4 && from < to)
        return `${from}/${to}`
    }
  return null
}

/** Reads two dates. The first may lack the year or month of the second, and the second the month of the first. */
function completeDates(first: string, second: string): readonly [string | null, string | null] {
  const [year = ''] = /\d{4}$/.exec(second) ?? []
  const afterDay = second.replace(/^\d{1,2}(?:st|nd|rd|th|\.)?\s/, '')
  const [month = ''] = /^\p{L}+\.?(?=\s\d)/u.exec(first) ?? []
  const readFirst = (candidates: readonly string[]): string | null =>
    candidates.map(readPeriod).find(date => date !== null) ?? null
  return [
    readFirst([first, `${first} ${year}`, `${first} ${afterDay}`]),
    readFirst([second, `${month} ${second}`]),
  ]
}
