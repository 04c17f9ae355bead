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

function firstLine(text: string): string {
  const start = text.search(/\S/)
  if (start < 0) return ''
  const end = text.slice(start).search(/[\r\n]/)
  return text.slice(start, end < 0 ? start + 100_000 : start + Math.min(end, 100_000))
}

const withoutQuoted = (line: string): string => line.replace(/"[^"]*"/g, '')
