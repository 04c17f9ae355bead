const names = new Set(
  'a abbr acronym b bdi bdo big cite code data del dfn em font i img ins kbd label mark nobr q s rb rt rtc ruby samp small span strike strong sub sup time tt u var wbr'.split(
    ' ',
  ),
)

/** MathML is one line of text. */
const formula =
  /^(?:math|semantics|m(?:i|n|o|s|text|row|style|padded|space|frac|sqrt|root|su[bp]|subsup|under|over|underover|multiscripts|enclose))$/

/**
 * Returns whether an HTML element is part of a line of text. Filings mark figures up with elements such as
 * `ix:nonfraction`.
 */
export function isInline(tagName: string): boolean {
  const name = tagName.toLowerCase()
  return names.has(name) || formula.test(name) || name.includes(':')
}
