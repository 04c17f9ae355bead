import { removeBars } from './pipe-table.ts'
import { joinToOneLine } from './plain-text.ts'
import { readUnitLine } from './scales.ts'

/** A row of a table in a text, with the heading, unit and years above it. */
interface TableRow {
  /** In lower case, without brackets, colons and numbering. */
  readonly label: string
  /** The values as printed, without currency signs. */
  readonly cells: readonly string[]
  /** The name of the heading above; '' without one. */
  readonly heading: string
  /** The factor in a unit line above (`in millions`); null without one. */
  readonly unit: number | null
  /** The years in the head of the table, left to right. */
  readonly years: readonly number[]
}

const longestHeading = 140
const longestLine = 300

/**
 * Returns the rows of the tables in a text, in order. When the line above a row is not a row itself, the row
 * is returned a second time with that line before its label. A label may extend over two lines.
 *
 * @param headings finds the headings of tables in lines of at most 140 characters; each kind of heading is a named group:
 * `(?<balance>balance sheets?)|(?<income>…)`
 */
export function* readTableRows(text: string, headings: RegExp): Generator<TableRow> {
  let heading = ''
  let unit: number | null = null
  let years: readonly number[] = []
  // The line before, when it is not a row.
  let above: string | null = null
  for (const line of removeBars(text).split('\n')) {
    if (line.length > longestLine || !/\S/.test(line)) continue
    const match = line.length > longestHeading ? null : headings.exec(line)
    if (match !== null) [heading, years] = [nameMatchedGroup(match), []]
    unit = readUnitLine(line) ?? unit
    const { label, cells } = readTableLine(line)
    if (cells.every(cell => /^(?:19|20)\d\d$/.test(cell))) {
      const named = line.match(/(?<![\d,.])(?:19|20)\d\d(?![\d,.]\d)/g) ?? []
      // The dates of a head may be on lines of their own.
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

function nameMatchedGroup({ groups = {} }: RegExpExecArray): string {
  return Object.keys(groups).find(name => groups[name] !== undefined) ?? ''
}

/**
 * Returns the cells of the newest year and of the year before it.
 *
 * @param longer when the same years head two groups of columns, such as three months and nine months: true returns the second
 */
export function findNewestCells(row: TableRow, longer: boolean): readonly [now: string, before: string] {
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
 * Reads a line whose cells are separated by tabs, bars or spaces: `Total assets $ 1,234 $ 1,100`. Values are numbers and
 * dashes. Percentages, and a column of notes before the amounts, are left out.
 */
function readTableLine(line: string): { label: string; cells: string[] } {
  const separated = /\t|\||\s{2}/.test(line) ? line : separateNumbers(line)
  const allParts = separated.split(/[\t|]|\s{2,}/).map(part => part.replace(/[$€£¥￥]/g, '').trim())
  const parts = allParts.filter(part => part !== '')
  const isValue = parts.map((part, at) => at > 0 && /^[-—–]+$|^[(+−–—.-]{0,3}\d[\d,.]*\)?$/.test(part))
  const cells = parts.filter((_, at) => isValue[at])
  // A column of notes: a small whole number before amounts.
  if (cells.length > 2 && /^\d{1,2}$/.test(cells[0]!) && /\d,\d{3}/.test(cells[1]!)) cells.shift()
  const first = isValue.indexOf(true)
  const label = parts
    .slice(0, first < 0 ? undefined : first)
    .filter((part, at) => at === 0 || !isNote.test(part))
  return { label: label.join(' '), cells }
}

/** A cell between label and values that refers to a note: `七、61`, `(十二)`, `Note 3`. */
const isNote = /^(?:附注|notes? )?[(（]?[一二三四五六七八九十\d]+[)）]?(?:[、.(（]\d+[)）]?)?$/i

/** Puts tabs between the numbers at the end of a line that has single spaces only. */
function separateNumbers(line: string): string {
  const words = line.split(' ')
  let start = words.length
  while (start > 1 && /^(?:[$€£¥]|[-—–]|[$€£¥]?\(?[\d,.]*\d\)?)$/.test(words[start - 1]!)) start -= 1
  return [words.slice(0, start).join(' '), ...words.slice(start)].join('\t')
}

const numbering = /^\s*(?:[一二三四五六七八九十]+、|\d+[、.]|[(（][一二三四五六七八九十\d]+[)）])/

function foldLabel(label: string): string {
  const plain = label.normalize('NFKC').toLowerCase().replace(/[‘’]/g, "'").replace(numbering, ' ')
  const bare = plain.replace(/\([^)]*\)|[*:]|其中(?=[:\s])/g, ' ')
  const spaced = joinToOneLine(bare)
  return spaced.replace(/(?<=\p{Script=Han}) (?=\p{Script=Han})/gu, '')
}
