import { oneLine, shortList } from '../../text/plain-text.ts'
/** A count with its noun: `1 row`, `2 rows`. */
export function counted(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? '' : 's'}`
}

/** The verb form for a count: `oneOrMany(1, 'has', 'have')` is `has`. */
export function oneOrMany(count: number, singular: string, plural: string): string {
  return count === 1 ? singular : plural
}

/** Puts text from a document or a model on one line and cuts it when it is long. */
export function brief(text: string, mostChars = 80): string {
  const line = oneLine(text)
  const characters = line.length <= mostChars ? [] : [...line]
  if (characters.length <= mostChars) return line
  return `${characters.slice(0, mostChars - 1).join('')}…`
}

/** Lists column names for a sentence. */
export function columnNames(names: readonly string[]): string {
  return shortList(names, name => brief(name), 6)
}

/** A value in quotes; `nothing` for an empty one. */
export function quoted(text: string): string {
  return text.trim() === '' ? 'nothing' : `'${brief(text)}'`
}

/** The most frequent names with their counts: `Revenue (5), Assets (2)`. */
export function mostFrequent(names: readonly string[]): string {
  const counts = new Map<string, number>()
  for (const name of names) counts.set(name, (counts.get(name) ?? 0) + 1)
  const sorted = [...counts].sort(([, a], [, b]) => b - a)
  return shortList(sorted, ([name, count]) => `${brief(name)} (${count})`)
}
