/** The fewest characters that count as the beginning of a name. */
const minPrefixChars = 3

/**
 * Returns the shortest name that begins with the given text, or else the name that is most like it. Returns null when every
 * name differs in more than half of its characters, or in more than two and more than a third.
 */
export function nearestName(unknownName: string, names: readonly string[]): string | null {
  const start = unknownName.toLowerCase()
  const longer = names.filter(name => name.toLowerCase().startsWith(start))
  if (longer.length > 0 && start.length >= minPrefixChars)
    return longer.reduce((best, name) => (name.length < best.length ? name : best))
  let best: { name: string; distance: number } | null = null
  for (const name of names) {
    const distance = editDistance(unknownName.toLowerCase(), name.toLowerCase())
    if (best === null || distance < best.distance) best = { name, distance }
  }
  const most = Math.min(Math.max(2, unknownName.length / 3), unknownName.length / 2)
  return best !== null && best.distance <= most ? best.name : null
}

/**
 * Describes a name that is unknown, for an error message: `'offlin': did you mean 'offline'? (one of offline, rag, online)`
 *
 * @param preferred the names that are suggested before others
 */
export function describeUnknownName(
  name: string,
  names: readonly string[],
  preferred: readonly string[] = [],
): string {
  const nearest = nearestName(name, preferred) ?? nearestName(name, names)
  return `'${name}'${nearest === null ? '' : `: did you mean '${nearest}'?`} (one of ${names.join(', ')})`
}

/**
 * Returns the field that a name is likely meant for: the one whose name, or one of whose other names, is most like it. Letter
 * case, spaces, hyphens and `camelCase` do not matter.
 *
 * @param fields - fields with their other usual names
 */
export function nearestField<F extends string>(
  name: string,
  fields: Readonly<Partial<Record<F, readonly string[]>>>,
): F | null {
  const names = new Map<string, F>()
  for (const [field, others] of Object.entries(fields) as [F, readonly string[]][])
    for (const other of [field, ...others]) names.set(other, field)
  const plain = plainField(name)
  const nearest = nearestName(plain, [...names.keys()])
  // Two edits turn most short words into another.
  const isNear = nearest !== null && (plain.length > 5 || editDistance(plain, nearest) <= 1)
  return isNear ? names.get(nearest)! : null
}

/** Writes the name of a field or column in lower case with underscores: `Expected Answer` is expected_answer. */
export const plainField = (name: string): string =>
  name
    .trim()
    .replace(/(?<=[\p{Ll}\d])(?=\p{Lu})/gu, '_')
    .toLowerCase()
    .replace(/[\s_-]+/g, '_')

/** The least number of insertions, deletions, replacements and swaps of neighbours, in UTF-16 units. */
function editDistance(a: string, b: string): number {
  const rows: number[][] = [Array.from({ length: b.length + 1 }, (_, column) => column)]
  for (let row = 1; row <= a.length; row++) {
    const current = [row]
    for (let column = 1; column <= b.length; column++) {
      const same = a[row - 1] === b[column - 1]
      const swapped = a[row - 1] === b[column - 2] && a[row - 2] === b[column - 1]
      current[column] = Math.min(
        rows[row - 1]![column]! + 1,
        current[column - 1]! + 1,
        rows[row - 1]![column - 1]! + (same ? 0 : 1),
        swapped ? rows[row - 2]![column - 2]! + 1 : Number.POSITIVE_INFINITY,
      )
    }
    rows.push(current)
  }
  return rows[a.length]![b.length]!
}
