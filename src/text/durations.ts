import { escapePattern, hasCjk } from './plain-text.ts'
import { listUnitNames } from './units.ts'

/** A length of time. Years count as months. Days stay apart, because months have different lengths. */
export interface Duration {
  readonly months: number
  readonly days: number
}

/** Words of more than two letters: `an` and `år` are other words in running text. */
const unitWords = new Map(
  (
    [
      ['months', 'months', 1],
      ['days', 'time', 86_400],
    ] as const
  ).flatMap(([kind, dimension, size]) =>
    [...listUnitNames(dimension)]
      .filter(([name, factor]) => factor >= size && (name.length > 2 || hasCjk(name)))
      .map(([name, factor]) => [name, { kind, factor: factor / size }] as const),
  ),
)
const wordForm = [...unitWords.keys()]
  .filter(name => name !== '月')
  .sort((a, b) => b.length - a.length)
  .map(name => (hasCjk(name) ? name : `${escapePattern(name)}s?(?![\\p{L}])`))
  .join('|')
const unitForm = `yrs?(?!\\p{L})|${wordForm}|(?<=年\\s*(?:零|又)?\\s*\\d+)月|(?<=月\\s*(?:零|又)?\\s*\\d+)日`
const partForm = `(?<![\\d.])\\d{1,3}(?:\\.\\d+)?\\s*-?\\s*(?:${unitForm})(?:半|['’](?:s\\b)?)?`

/**
 * A duration in Arabic digits, such as `1 year and 6 months`, `18个月`, `一年半` after `withDigits`. 11月 is a month of the
 * calendar and 2024年 a year, so neither is a duration.
 */
export const durationForm = `(?:${partForm}(?:\\s*(?:,|，|and|und|et|y|e|en|og|och|и|零|又)?\\s*${partForm})*|半年)`

const wholeDuration = new RegExp(`^${durationForm}$`, 'iu')
const part = new RegExp(`(?<count>\\d+(?:\\.\\d+)?)\\s*-?\\s*(?<unit>${unitForm})(?<half>半)?`, 'giu')

/**
 * Reads a text that is one duration, in English or Chinese. The text must be in lower case with Arabic digits (see
 * `withDigits`).
 *
 * @returns null for any other text
 */
export function readDuration(text: string): Duration | null {
  if (!wholeDuration.test(text)) return null
  if (text === '半年') return { months: 6, days: 0 }
  let months = 0
  let days = 0
  for (const { groups } of text.matchAll(part)) {
    const { count, unit = '', half } = groups!
    const number = Number(count) + (half === undefined ? 0 : 0.5)
    const { kind, factor } = readUnitWord(unit)
    if (kind === 'months') months += factor * number
    else days += factor * number
  }
  return { months, days }
}

function readUnitWord(unit: string): { readonly kind: 'months' | 'days'; readonly factor: number } {
  if (unit === '月' || unit === '日') return { kind: unit === '月' ? 'months' : 'days', factor: 1 }
  const word = unitWords.get(unit) ?? unitWords.get(unit.replace(/s$/, ''))
  return word ?? { kind: 'months', factor: 12 }
}

/** Whether two durations are equally long. */
export function isSameDuration(left: Duration, right: Duration): boolean {
  return Math.abs(left.months - right.months) < 1e-9 && Math.abs(left.days - right.days) < 1e-9
}
