import type { CalendarDate, CalendarDay } from '../text/dates.ts'
import { ordinalWords, smallNumberWords } from '../text/number-words.ts'

/** A period that ends on a day: how documents write the period, and the day on which it starts. */
interface PeriodBefore {
  readonly phrases: readonly string[]
  /** How documents write a second period that follows the first. Absent: there is only one. */
  readonly furtherPhrases?: readonly string[]
  readonly start: CalendarDay
}

const mostYears = 10
/** Terms of credit agreements and leases that are not whole years. */
const monthTerms = [
  [6, 'six'],
  [18, 'eighteen'],
  [30, 'thirty'],
  [42, 'forty-two'],
  [54, 'fifty-four'],
  [66, 'sixty-six'],
  [78, 'seventy-eight'],
] as const
/** The usual term of a one-year credit agreement. */
const shortYearDays = 364

/** A term-out option extends a one-year agreement by at most this many years. */
const mostFurtherYears = 5

/**
 * Lists the periods by which documents usually state a day: one to ten years, terms in half years, 364 days, and 364 days
 * plus some years. Empty for a date without a day.
 */
export function listPeriodsBefore(date: CalendarDate): PeriodBefore[] {
  const { year, month, day } = date
  if (month === null || day === null) return []
  const years = Array.from({ length: mostYears }, (_, at) => at + 1).map(count => ({
    phrases: [
      `${ordinalWords[count - 1]} anniversary`,
      `${ordinalWords[count - 1]} (${count}${['', 'st', 'nd', 'rd'][count] ?? 'th'}) anniversary`,
      `${count}${['', 'st', 'nd', 'rd'][count] ?? 'th'} anniversary`,
      ...listTermPhrases(count, smallNumberWords[count] ?? '', count === 1 ? 'year' : 'years'),
      ...listTermPhrases(12 * count, '', 'months'),
    ],
    start: { year: year - count, month, day },
  }))
  const months = monthTerms.map(([count, word]) => ({
    phrases: [`${count}-month anniversary`, ...listTermPhrases(count, word, 'months')],
    start: subtractTerm(date, { months: count }),
  }))
  const days = {
    phrases: listTermPhrases(shortYearDays, '', 'days'),
    start: subtractTerm(date, { days: shortYearDays }),
  }
  const sums = Array.from({ length: mostFurtherYears }, (_, at) => at + 1).map(count => {
    const counts = [String(count), smallNumberWords[count] ?? '']
    const unit = count === 1 ? 'year' : 'years'
    return {
      phrases: [`${shortYearDays} day`, `${shortYearDays} days`],
      furtherPhrases: counts.flatMap(written => [`plus ${written} ${unit}`, `${written} ${unit} after`]),
      start: subtractTerm(date, { months: 12 * count, days: shortYearDays }),
    }
  })
  return [...years, ...months, days, ...sums]
}

/** `five years after`, `5 years from`, `five (5) years following`. */
function listTermPhrases(count: number, word: string, unit: string): string[] {
  const counts = word === '' ? [String(count)] : [String(count), word, `${word} (${count})`]
  return counts.flatMap(written =>
    ['after', 'from', 'following'].map(preposition => `${written} ${unit} ${preposition}`),
  )
}

function subtractTerm(
  { year, month, day }: CalendarDate,
  { months = 0, days = 0 }: { readonly months?: number; readonly days?: number },
): PeriodBefore['start'] {
  const start = new Date(Date.UTC(year, (month ?? 1) - 1 - months, (day ?? 1) - days))
  return { year: start.getUTCFullYear(), month: start.getUTCMonth() + 1, day: start.getUTCDate() }
}
