/** In the order in which they win where two are as frequent. */
export const delimiters = [',', '\t', ';', '|', '，', '；'] as const
export type Delimiter = (typeof delimiters)[number]

/** The delimiter that parts the first line with text best, quoted parts aside; a comma where none does. */
export function sniffDelimiter(text: string): Delimiter {
  const line = withoutQuoted(firstLine(text))
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

/** The first line with text, at most 100,000 characters of it. */
export function firstLine(text: string): string {
  const start = text.search(/\S/)
  if (start < 0) return ''
  return text.slice(start, start + 100_000).split(/[\r\n]/, 1)[0]!
}

const withoutQuoted = (line: string): string => line.replace(/"[^"]*"/g, '')
