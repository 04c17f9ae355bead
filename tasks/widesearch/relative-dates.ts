import { mapWords } from '../../src/text/plain-text.ts'

const dayMs = 86_400_000

/** A distance from now: calendar months, and milliseconds. Both are negative in the past. */
export interface Distance {
  readonly months: number
  readonly ms: number
}

const unitMs = mapWords<number>([
  ['week|weeks|wk|周', 7 * dayMs],
  ['d|day|days|天|日', dayMs],
  ['h|hr|hrs|hour|hours|小时', 3_600_000],
  ['m|min|mins|minute|minutes|分钟', 60_000],
  ['s|sec|secs|second|seconds|秒', 1000],
])
const unitMonths = mapWords<number>([
  ['decade|decades', 120],
  ['y|yr|year|years|年', 12],
  ['mo|month|months|个月|月', 1],
])

/** Days from now. */
const dayWords = mapWords<number>([
  ['now|today|na|na.|n.a.|今天|今日|现在|刚刚|本周|本月|今年', 0],
  ['yesterday|昨天|昨日', -1],
  ['tomorrow|明天|明日', 1],
  ['前天', -2],
  ['last_week|上周', -7],
  ['next_week|下周', 7],
])
/** Months from now. */
const monthWords = mapWords<number>([
  ['this_week|this_month|this_year', 0],
  ['last_month|上个月', -1],
  ['next_month|下个月', 1],
  ['last_year|去年', -12],
  ['next_year|明年', 12],
])

/**
 * Reads words such as `yesterday`, and amounts such as `2 years ago`, `in 3 days` and `3个月前`. dateparser takes an
 * amount without a direction as past, also where a date was meant: `2019年` is 2,019 years ago, and so is `2019 年`.
 *
 * @returns null when the text is neither
 */
export function readDistanceFromNow(text: string): Distance | null {
  const word = text.replace(' ', '_')
  const [days, months] = [dayWords.get(word), monthWords.get(word)]
  if (days !== undefined) return { months: 0, ms: days * dayMs }
  return months === undefined ? readDistance(text) : { months, ms: 0 }
}

function readDistance(text: string): Distance | null {
  // A digit directly before 月 is the month of a date.
  if (/\d月/.test(text)) return null
  const sign = text.startsWith('in ') ? 1 : -1
  const body = text
    .replace(/^in /, '')
    .replace(/\s*(?:\bago|前)$/, '')
    .replace(/^(?:an?|one) /, '1 ')
  const parts = [...body.matchAll(/(\d{1,9})\s*(个月|小时|分钟|[a-z]+|[年月周天日秒])\s*/g)]
  if (parts.length === 0 || parts.map(([whole]) => whole).join('') !== body) return null
  let [months, ms] = [0, 0]
  for (const [, count, unit = ''] of parts) {
    const [ofMonths, ofMs] = [unitMonths.get(unit), unitMs.get(unit)]
    if (ofMonths !== undefined) months += sign * Number(count) * ofMonths
    else if (ofMs !== undefined) ms += sign * Number(count) * ofMs
    else return null
  }
  return { months, ms }
}
