const names = new Set(
  'a abbr acronym b bdi bdo big cite code data del dfn em font i img ins kbd label mark nobr q s samp small span strike strong sub sup time tt u var wbr'.split(
    ' ',
  ),
)

/** Whether an element of HTML stands within a line of text; `ix:nonfraction` and its like mark up figures in filings. */
export function isInline(tagName: string): boolean {
  return names.has(tagName.toLowerCase()) || tagName.includes(':')
}
