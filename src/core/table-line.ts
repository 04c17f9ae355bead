/** A line of a table taken apart; `cells` are its values as printed, without currency signs, none for a line of words. */
export interface TableLine {
  readonly label: string
  readonly cells: readonly string[]
}

/**
 * Reads a line of a table whose cells are parted by tabs, bars or blanks: `Total assets $ 1,234 $ 1,100`. Values are plain
 * numbers, also negative ones, and dashes; percentages are left out, and so is a column of notes before amounts.
 */
export function readTableLine(line: string): TableLine {
  const parted = /\t|\||\s{2}/.test(line) ? line : partedByBlanks(line)
  const parts = parted.split(/[\t|]|\s{2,}/).map(part => part.replace(/[$€£¥￥]/g, '').trim())
  const told = parts.filter(part => part !== '')
  const isValue = told.map((part, at) => at > 0 && /^[-—–]+$|^[(+−–—.-]{0,3}\d[\d,.]*\)?$/.test(part))
  const cells = told.filter((_, at) => isValue[at])
  const first = isValue.indexOf(true)
  // A column of notes: a small whole number before amounts.
  if (cells.length > 2 && /^\d{1,2}$/.test(cells[0]!) && /\d,\d{3}/.test(cells[1]!)) cells.shift()
  return { label: told.slice(0, first < 0 ? undefined : first).join(' '), cells }
}

/** Numbers at the end of a line that has no other marks between cells. */
function partedByBlanks(line: string): string {
  const words = line.split(' ')
  let start = words.length
  while (start > 1 && /^(?:[$€£¥]|[-—–]|[$€£¥]?\(?[\d,.]*\d\)?)$/.test(words[start - 1]!)) start -= 1
  return [words.slice(0, start).join(' '), ...words.slice(start)].join('\t')
}
