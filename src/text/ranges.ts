/** A range as two texts, each with the signs and units that the range states once. */
interface ValueRange {
  readonly from: string
  readonly to: string
}

const longest = 80
const end = String.raw`[-−]?(?:\p{Lu}{0,3}\p{Sc}\s?|\p{Lu}{3}\s?)?\d[\d.,:'’]*(?:\s?[^\d\s\-−–—~^×±][^\d\-−–—~^×±]{0,24}?)?`
const opening = '(?:from|between|von|zwischen|de|des|entre|desde|da|od|от|从|介于)'
const joining = String.raw`(?:\s?[-−–—~〜]\s?|\s(?:to|and|until|bis|und|à|a|et|y|al|till|do|до)\s|\s?[至到]\s?)`
const rangeForm = new RegExp(`^(?:${opening}\\s?)?(?<from>${end})${joining}(?<to>${end})$`, 'iu')
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
  if (groups === undefined || (onlyAnd.test(text) && !new RegExp(`^${opening}`, 'iu').test(text))) return null
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
