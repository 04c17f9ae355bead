import { formatShortList, joinToOneLine } from '../../text/plain-text.ts'
/** A count with its noun: `1 row`, `2 rows`. */
export function formatCount(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? '' : 's'}`
}

/** The verb form for a count: `oneOrMany(1, 'has', 'have')` is `has`. */
export function pickVerb(count: number, singular: string, plural: string): string {
  return count === 1 ? singular : plural
}

/** Puts text from a document or a model on one line and cuts it when it is long. */
export function shortenText(text: string, mostChars = 80): string {
  const line = joinToOneLine(text)
  const characters = line.length <= mostChars ? [] : [...line]
  if (characters.length <= mostChars) return line
  return `${characters.slice(0, mostChars - 1).join('')}…`
}

/** Lists column names for a sentence. */
export function listColumnNames(names: readonly string[]): string {
  return formatShortList(names, name => shortenText(name), 6)
}

/** A value in quotes; `nothing` for an empty one. */
export function quoteValue(text: string): string {
  return text.trim() === '' ? 'nothing' : `'${shortenText(text)}'`
}

/** The most frequent names with their counts: `Revenue (5), Assets (2)`. */
export function listMostFrequent(names: readonly string[]): string {
  const counts = new Map<string, number>()
  for (const name of names) counts.set(name, (counts.get(name) ?? 0) + 1)
  const sorted = [...counts].sort(([, a], [, b]) => b - a)
  return formatShortList(sorted, ([name, count]) => `${shortenText(name)} (${count})`)
}
