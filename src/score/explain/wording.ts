const longestTextChars = 80

/** Joins a list for a sentence and cuts it: `a, b, c and 4 more`. */
export function shortList(items: readonly string[], most = 3): string {
  const shown = items.slice(0, most).join(', ')
  const more = items.length - most
  return more > 0 ? `${shown} and ${more} more` : shown
}

/** A count with its noun: `1 row`, `2 rows`. */
export function counted(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? '' : 's'}`
}

/** Text from a document or a model on one line, cut when it is long. */
export function brief(text: string): string {
  const line = text.replace(/\s+/g, ' ').trim()
  const characters = [...line]
  return characters.length <= longestTextChars
    ? line
    : `${characters.slice(0, longestTextChars - 1).join('')}…`
}

/** A value in quotes; an empty one in words. */
export function quoted(text: string): string {
  return text.trim() === '' ? 'nothing' : `'${brief(text)}'`
}

/** The most frequent names with their counts: `Revenue (5), Assets (2)`. */
export function mostFrequent(names: readonly string[], most = 3): string {
  const counts = new Map<string, number>()
  for (const name of names) counts.set(name, (counts.get(name) ?? 0) + 1)
  const sorted = [...counts].sort(([, a], [, b]) => b - a)
  return shortList(
    sorted.map(([name, count]) => `${brief(name)} (${count})`),
    most,
  )
}
