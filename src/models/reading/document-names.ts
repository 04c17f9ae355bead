const monthNames =
  'January February March April May June July August September October November December'.split(' ')
const generic =
  /^(?:pdf|paper|report|annual|quarterly|agreement|credit|table\d*|final|document|file|doc|the|and|of|for|with)$/
const quarters = ['first', 'second', 'third', 'fourth']

/** A document name without folder and extension. */
export function stemOf(name: string): string {
  return name.replace(/^.*\//, '').replace(/\.[A-Za-z0-9]{1,5}$/, '')
}

function wordsOf(text: string): string[] {
  return (
    text
      .normalize('NFKC')
      .toLowerCase()
      .match(/\p{Script=Han}+|[a-z]+\d*|\d+[a-z]*/gu) ?? []
  )
}

/** Queries for a document, best first: its name's words, the same in plain language, and the name as it stands. */
export function queriesFor(name: string): string[] {
  const stem = stemOf(name)
  const words = stem.replace(/[_\-.\s]+/g, ' ').trim()
  const plain = words
    .replace(/\b10 ?([qk])\b/gi, (_all, kind: string) =>
      kind.toLowerCase() === 'q' ? '10-Q quarterly report' : '10-K annual report',
    )
    .replace(
      /\bfy ?(\d{4}) ?q([1-4])\b/gi,
      (_all, year: string, quarter: string) => `fiscal ${year} ${quarters[Number(quarter) - 1]} quarter`,
    )
    .replace(
      /\b((?:19|20)\d\d) (\d\d) (\d\d)\b/g,
      (_all, year: string, month: string, day: string) =>
        `${monthNames[Number(month) - 1] ?? ''} ${Number(day)}, ${year}`,
    )
    .replace(/(\d{4})年/g, ' $1 ')
  return [...new Set([words, plain, stem])]
}

/** How well what was seen of a document fits its name: above 5 it shows the name, below 0 it is another document. */
export function fitness(name: string, places: readonly string[], title: string, text: string): number {
  const stem = stemOf(name)
  const words = wordsOf(stem)
  for (const place of places) {
    const shown = wordsOf(stemOf(decodeSafely(place)))
    if (shown.join(' ') === words.join(' ')) return 10
    const shared = words.filter(word => shown.includes(word)).length
    if (shown.length > 1 && shared >= Math.max(2, words.length * 0.5)) return -10
  }
  const head = `${title}\n${text.slice(0, 40_000)}`
  const bare = (value: string): string => value.replace(/[\s\p{P}]/gu, '').toLowerCase()
  if (/\p{Script=Han}/u.test(stem) && bare(head.slice(0, 4_000)).includes(bare(stem))) return 6
  const telling = words.filter(
    word => /^[a-z]{3,}|\p{Script=Han}/u.test(word) && !generic.test(word) && !/^fy\d/.test(word),
  )
  const lower = head.toLowerCase()
  const found = telling.filter(word => lower.includes(word.replace(/\d+$/, ''))).length
  return timeFit(stem, head) + (telling.length === 0 ? 0 : found / telling.length - 0.3)
}

/** Whether the text speaks of the day, fiscal period or year in the name. */
function timeFit(stem: string, text: string): number {
  const day = /(?<!\d)((?:19|20)\d\d)[-_.]?(\d\d)[-_.]?(\d\d)(?!\d)/.exec(stem)
  if (day !== null) {
    const [, year = '', month = '', date = ''] = day
    const named = monthNames[Number(month) - 1] ?? '?'
    const written = new RegExp(
      `${named}\\s+${Number(date)},\\s+${year}|${Number(date)}\\s+${named}\\s+${year}|${year}年${Number(month)}月${Number(date)}日`,
      'i',
    )
    if (written.test(text)) return 3
    return new RegExp(`${named}\\s+\\d+,\\s+${year}`, 'i').test(text) ? 1 : -4
  }
  const year = /(?:19|20)\d\d/.exec(stem)?.[0]
  if (year === undefined) return 0
  if (/fy|q[1-4]/i.test(stem)) {
    const counts = new Map<string, number>()
    for (const [, said = ''] of text.matchAll(/fiscal (?:year )?((?:19|20)\d\d)/gi))
      counts.set(said, (counts.get(said) ?? 0) + 1)
    const most = [...counts].sort((a, b) => b[1] - a[1])[0]
    if (most !== undefined && most[1] > 2) return most[0] === year ? 3 : -4
    const ended = /(?:period|quarter|months|year) ended\s+\D{0,12}\d{1,2},\s+((?:19|20)\d\d)/i.exec(text)?.[1]
    if (ended !== undefined)
      return Number(year) - Number(ended) === 0 || Number(year) - Number(ended) === 1 ? 1 : -4
  }
  const years: readonly string[] = text.slice(0, 6_000).match(/(?<!\d)(?:19|20)\d\d(?!\d)/g) ?? []
  return years.length === 0 ? 0 : years.includes(year) ? 1 : -3
}

function decodeSafely(place: string): string {
  try {
    return decodeURIComponent(place)
  } catch {
    // A stray percent sign: the address as it stands.
    return place
  }
}
