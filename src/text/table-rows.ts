import { readUnitLine } from './numbers.ts'

/** A row of a table in a text, with what stands above it. */
export interface TableRow {
  /** In lower case, without brackets, colons, numbering. */
  readonly label: string
  /** Values as printed, without currency signs. */
  readonly cells: readonly string[]
  /** The name of the heading that stands above; '' where none does. */
  readonly heading: string
  /** The factor that a unit line above states (`in millions`); null where none does. */
  readonly unit: number | null
  /** The years that the head of the table names, left to right. */
  readonly years: readonly number[]
}

const longestHeading = 140
const longestLine = 300

/**
 * The rows of a text's tables, in order. `headings` finds what may stand over a table, each kind in a group of its name
 * (`(?<balance>balance sheets?)|(?<income>…)`), in lines of at most 140 characters. Where the line above a row is none itself, the row comes a second time with that
 * line before its label, as a label may be set over two lines.
 */
export function* tableRows(text: string, headings: RegExp): Generator<TableRow> {
  let heading = ''
  let unit: number | null = null
  let years: readonly number[] = []
  // The line before, where it is no row.
  let above: string | null = null
  for (const line of text.split('\n')) {
    if (line.length > longestLine || !/\S/.test(line)) continue
    const found = line.length > longestHeading ? null : headings.exec(line)
    if (found !== null) [heading, years] = [groupOf(found), []]
    unit = readUnitLine(line) ?? unit
    const { label, cells } = readTableLine(line)
    if (cells.every(cell => /^(?:19|20)\d\d$/.test(cell))) {
      const named = line.match(/(?<![\d,.])(?:19|20)\d\d(?![\d,.]\d)/g) ?? []
      // The dates of a head may stand one a line.
      if (named.length > 0) years = [...(above === null ? [] : years), ...named.map(Number)]
      above = line
      continue
    }
    const row = { cells, heading, unit, years }
    yield { label: foldLabel(label), ...row }
    if (above !== null) yield { label: foldLabel(`${above} ${label}`), ...row }
    above = null
  }
}

function groupOf({ groups = {} }: RegExpExecArray): string {
  return Object.keys(groups).find(name => groups[name] !== undefined) ?? ''
}

/**
 * The cells of the newest year and of the one before it. Where columns of a longer time follow under the same years, those
 * of the shorter time unless `longer` is asked for.
 */
export function newestCells(row: TableRow, longer: boolean): readonly [now: string, before: string] {
  const { cells } = row
  const years = row.years.slice(-cells.length)
  const half = years.length / 2
  const isDoubled = half > 0 && years.slice(half).join() === years.slice(0, half).join()
  const start = isDoubled && longer ? cells.length / 2 : 0
  const newest = Math.max(0, years.indexOf(Math.max(...years)))
  const older = years.findIndex(year => year < years[newest]!)
  return [cells[start + newest] ?? '', cells[start + (older < 0 ? newest + 1 : older)] ?? '']
}

/**
 * A line whose cells are parted by tabs, bars or blanks: `Total assets $ 1,234 $ 1,100`. Values are plain numbers, also
 * negative ones, and dashes; percentages are left out, and so is a column of notes before amounts.
 */
function readTableLine(line: string): { label: string; cells: string[] } {
  const parted = /\t|\||\s{2}/.test(line) ? line : partedByBlanks(line)
  const parts = parted.split(/[\t|]|\s{2,}/).map(part => part.replace(/[$€£¥￥]/g, '').trim())
  const told = parts.filter(part => part !== '')
  const isValue = told.map((part, at) => at > 0 && /^[-—–]+$|^[(+−–—.-]{0,3}\d[\d,.]*\)?$/.test(part))
  const cells = told.filter((_, at) => isValue[at])
  // A column of notes: a small whole number before amounts.
  if (cells.length > 2 && /^\d{1,2}$/.test(cells[0]!) && /\d,\d{3}/.test(cells[1]!)) cells.shift()
  const first = isValue.indexOf(true)
  const label = told
    .slice(0, first < 0 ? undefined : first)
    .filter((part, at) => at === 0 || !isNote.test(part))
  return { label: label.join(' '), cells }
}

/** `七、61`, `(十二)`, `Note 3`: a column between label and values that names a note. */
const isNote = /^(?:附注|notes? )?[(（]?[一二三四五六七八九十\d]+[)）]?(?:[、.(（]\d+[)）]?)?$/i

/** Numbers at the end of a line that has no other marks between cells. */
function partedByBlanks(line: string): string {
  const words = line.split(' ')
  let start = words.length
  while (start > 1 && /^(?:[$€£¥]|[-—–]|[$€£¥]?\(?[\d,.]*\d\)?)$/.test(words[start - 1]!)) start -= 1
  return [words.slice(0, start).join(' '), ...words.slice(start)].join('\t')
}

const numbering = /^\s*(?:[一二三四五六七八九十]+、|\d+[、.]|[(（][一二三四五六七八九十\d]+[)）])/

function foldLabel(label: string): string {
  const plain = label.normalize('NFKC').toLowerCase().replace(/[‘’]/g, "'").replace(numbering, ' ')
  const bare = plain.replace(/\([^)]*\)|[*:]|其中(?=[:\s])/g, ' ')
  const spaced = bare.replace(/\s+/g, ' ').trim()
  return spaced.replace(/(?<=\p{Script=Han}) (?=\p{Script=Han})/gu, '')
}
