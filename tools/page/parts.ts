/** How much of a long text one answer shows. */
const partChars = 20_000

/**
 * Splits a text into parts of at most `limit` characters, at line ends, before a heading or an empty line where one is
 * near; a longer line is cut. A short text is one part, an empty one too.
 */
export function splitParts(text: string, limit: number = partChars): string[] {
  const parts: string[] = []
  let rest = text
  while (rest.length > limit) {
    const cut = cutBefore(rest, limit)
    parts.push(rest.slice(0, cut).trimEnd())
    rest = rest.slice(cut).replace(/^\n+/, '')
  }
  parts.push(rest)
  return parts
}

/** The best place to cut within the last fifth: an empty line, else a line's end, else a space, else the limit. */
function cutBefore(text: string, limit: number): number {
  const nearest = limit * 0.8
  for (const mark of ['\n\n', '\n', ' ']) {
    const place = text.lastIndexOf(mark, limit - mark.length)
    if (place >= nearest) return place + mark.length
  }
  const code = text.charCodeAt(limit - 1)
  return code >= 0xd800 && code <= 0xdbff ? limit - 1 : limit
}
