/** The most text that one answer shows, in characters. */
const partChars = 20_000

/**
 * Splits a text into parts of at most 20,000 characters, at an empty line or a line end when one is near. A longer
 * line is cut. A short or empty text is one part.
 */
export function splitParts(text: string): string[] {
  const parts: string[] = []
  let rest = text
  while (rest.length > partChars) {
    const cut = cutBefore(rest)
    parts.push(rest.slice(0, cut).trimEnd())
    rest = rest.slice(cut).replace(/^\n+/, '')
  }
  parts.push(rest)
  return parts
}

/**
 * Returns the best place to cut within the last fifth: an empty line, otherwise a line end, otherwise a space,
 * otherwise the limit.
 */
function cutBefore(text: string): number {
  const nearest = partChars * 0.8
  for (const mark of ['\n\n', '\n', ' ']) {
    const place = text.lastIndexOf(mark, partChars - mark.length)
    if (place >= nearest) return place + mark.length
  }
  const code = text.charCodeAt(partChars - 1)
  return code >= 0xd800 && code <= 0xdbff ? partChars - 1 : partChars
}
