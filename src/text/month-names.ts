import { foldCase } from './plain-text.ts'

/** The English names of the months, in lower case. */
export const englishMonths =
  'january february march april may june july august september october november december'.split(' ')

/** Source of an expression for the English names of months and their short forms, without a point, for the flag `i`. */
export const englishMonthForm = englishMonths
  .map(name => (name.startsWith('sept') ? 'sept?(?:ember)?' : `${name.slice(0, 3)}(?:${name.slice(3)})?`))
  .join('|')

/** Returns the number of a month, 1 to 12, from the beginning of its English name; 0 for any other word. */
export function readEnglishMonth(name: string): number {
  const start = name.slice(0, 3).toLowerCase()
  return englishMonths.findIndex(month => month.startsWith(start)) + 1
}

/** Languages whose names of months are read. Their names, as the platform's Unicode data have them, never contradict. */
const languages = 'en de fr es it pt nl sv da nb fi pl cs ru uk tr ro hu el id hr sk ar'.split(' ')

let namesByMonth: readonly ReadonlySet<string>[] | null = null
let monthsByName: ReadonlyMap<string, number> | null = null

const days = Array.from({ length: 12 }, (_, at) => new Date(Date.UTC(2024, at, 15)))

/**
 * Returns the full names of a month in these languages, folded, as they stand alone and in a date.
 *
 * @param month 1 to 12
 */
export function listFoldedMonthNames(month: number): ReadonlySet<string> {
  namesByMonth ??= collectNames()
  return namesByMonth[month - 1] ?? new Set()
}

function collectNames(): ReadonlySet<string>[] {
  const formats = languages.flatMap(language =>
    ([{ month: 'long' }, { month: 'long', day: 'numeric' }] as const).map(
      form => new Intl.DateTimeFormat(language, { ...form, timeZone: 'UTC' }),
    ),
  )
  return days.map(day => {
    const names = formats.map(
      format => format.formatToParts(day).find(({ type }) => type === 'month')?.value ?? '',
    )
    return new Set(names.filter(name => name !== '').map(foldCase))
  })
}

function findMonth(word: string): number | null {
  monthsByName ??= new Map(
    days.flatMap((_, at) => [...listFoldedMonthNames(at + 1)].map(name => [name, at + 1] as const)),
  )
  return monthsByName.get(foldCase(word)) ?? null
}

/** Writes the month of a date in English: `31. März 2021`, `31 de marzo de 2021` and `31 марта 2021 г.` become 31 march 2021. */
export function withEnglishMonth(text: string): string {
  if (!/\d/.test(text)) return text
  return text.replace(
    /(?<before>\d\.?\s+(?:de\s+|do\s+)?)?(?<!\p{L})(?<word>\p{L}{3,12})(?!\p{L})(?<after>\s+(?:de\s+|del\s+|do\s+)?\d{4}(?:\s?(?:года|року|[гр]\.?))?)?/u,
    (written: string, ...rest: unknown[]) => {
      const { before = '', word, after = '' } = rest.at(-1) as Record<string, string>
      const month = word === undefined ? null : findMonth(word)
      if (month === null) return written
      const [day = ''] = /\d/.exec(before) ?? []
      const [year = ''] = /\d{4}/.exec(after) ?? []
      return `${day}${day === '' ? '' : ' '}${englishMonths[month - 1]}${year === '' ? '' : ` ${year}`}`
    },
  )
}

/** Languages whose short names of weekdays are read. In others, `mar` is also a month. */
const shortWeekdays = ['en-GB', 'de-DE']
let weekdays: ReadonlySet<string> | null = null

/** Removes the day of the week before or after a date: `Monday, 4 March 2024`, `Mo., 4.3.2024`, 2024年3月4日（星期一）. */
export function withoutWeekday(text: string): string {
  const plain = text.replace(
    /\s?(?:[（(]?(?:星期|周|週)[一二三四五六日天][）)]?|[（(][月火水木金土日][）)])$/u,
    '',
  )
  const [before = '', word = ''] =
    /^(\p{L}{2,13}(?:-feira)?)\.?,?\s+(?=.*\d)/u.exec(plain) ??
    /(?<=\d)[,\s]\s?\(?(\p{L}{2,13})\.?\)?$/u.exec(plain) ??
    []
  if (word === '') return plain
  weekdays ??= new Set(
    [...languages, ...shortWeekdays].flatMap(language => {
      const weekday = languages.includes(language) ? 'long' : 'short'
      const format = new Intl.DateTimeFormat(language, { weekday, timeZone: 'UTC' })
      return [4, 5, 6, 7, 8, 9, 10].map(day => foldCase(format.format(new Date(Date.UTC(2024, 2, day)))))
    }),
  )
  return weekdays.has(foldCase(word)) ? plain.replace(before, '').trim() : plain
}
