const names = new Set(
  'a abbr acronym b bdi bdo big cite code data del dfn em font i img ins kbd label mark nobr q s rb rt rtc ruby samp small span strike strong sub sup time tt u var wbr'.split(
    ' ',
  ),
)

/** MathML is one line of text. */
const formula =
  /^(?:math|semantics|m(?:i|n|o|s|text|row|style|padded|space|frac|sqrt|root|su[bp]|subsup|under|over|underover|multiscripts|enclose))$/

/** Values of `display` that set an element apart from the text around it, and those that keep it in the line. */
const apart = /(?:^|;)\s*display\s*:\s*(?:block|flex|grid|table|table-[a-z-]+|list-item|flow-root)\b/i
const inLine = /(?:^|;)\s*display\s*:\s*(?:inline|contents)\s*(?:;|!|$)/i
/** Elements that end a line or a cell whatever their style says. */
const always = /^(?:td|th|tr|li|br|hr|p|pre|h[1-6])$/

/** What decides whether an element is part of a line. */
interface StyledElement {
  readonly tagName: string
  getAttribute(name: string): string | null
}

/**
 * Returns whether an HTML element is part of a line of text, by its own style or else by its name. Filings mark figures up
 * with elements such as `ix:nonfraction`.
 */
export function isInline(element: StyledElement): boolean {
  const name = element.tagName.toLowerCase()
  const style = always.test(name) ? null : element.getAttribute('style')
  if (style !== null && apart.test(style)) return false
  if (style !== null && inLine.test(style)) return true
  return names.has(name) || formula.test(name) || name.includes(':')
}
