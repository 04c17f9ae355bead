/** In order of preference when two are equally frequent. */
export const delimiters = [',', '\t', ';', '|', '，', '；'] as const
/** A delimiter of fields. */
export type Delimiter = (typeof delimiters)[number]

/**
 * Detects the delimiter: the most frequent one in the first non-empty line, outside quotes; a comma when there is
 * none.
 */
export function detectDelimiter(text: string): Delimiter {
  const line = withoutQuoted(readFirstTextLine(text))
  let best: Delimiter = ','
  let most = 0
  for (const delimiter of delimiters) {
    const count = line.split(delimiter).length - 1
    if (count > most) {
      best = delimiter
      most = count
    }
  }
  return best
}

/** The first non-empty line, at most 100,000 characters of it. */
export function readFirstTextLine(text: string): string {
  const start = text.search(/\S/)
  if (start < 0) return ''
  return text.slice(start, start + 100_000).split(/[\r\n]/, 1)[0]!
}

const withoutQuoted = (line: string): string => line.replace(/"[^"]*"/g, '')
