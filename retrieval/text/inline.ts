const names = new Set(
  'a abbr acronym b bdi bdo big cite code data del dfn em font i img ins kbd label mark nobr q s samp small span strike strong sub sup time tt u var wbr'.split(
    ' ',
  ),
)

/**
 * Returns whether an HTML element is part of a line of text. Filings mark figures up with elements such as
 * `ix:nonfraction`.
 */
export function isInline(tagName: string): boolean {
  return names.has(tagName.toLowerCase()) || tagName.includes(':')
}
