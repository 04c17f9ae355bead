import { type FoldedText, foldText } from '../text/fold.ts'
import { findLastUpTo, joinFolded } from './text-lines.ts'

/** The text of one column on adjacent lines, joined. */
interface ColumnRun {
  /** The first and the last line, from 0. */
  readonly first: number
  readonly last: number
  /** The length of the folded text on the first line, and of that on the last line. */
  readonly firstLength: number
  readonly lastLength: number
  readonly isProse: boolean
  readonly folded: FoldedText
}

/** Finds texts that are broken over the lines of a column, while other columns are printed on the same lines. */
export interface ColumnTexts {
  /** The first and the last line, from 0, of each place with any of the folded forms. */
  placesOf(forms: readonly string[]): readonly { readonly first: number; readonly last: number }[]
}

/** Shorter texts could be put together from unrelated cells. */
const leastChars = 8
/** A cell of at least this length is a line of running text, which a name can begin and end anywhere. */
const leastProseChars = 40

/** A cell of a line: the number of its column, or where it is printed on a line that spaces arrange. */
interface LineCell {
  readonly text: string
  readonly column: number
  readonly from: number
  readonly to: number
}

interface CellLine {
  readonly number: number
  readonly kind: 'table' | 'tabs' | 'spaces' | 'single'
  readonly cells: readonly LineCell[]
}

/** Indexes the columns of a text: cells between `|`, between tabs, or between two and more spaces. */
export function indexColumns(source: string): ColumnTexts {
  const lines = source
    .split('\n')
    .map(readLine)
    .filter(({ cells }) => cells.length > 0)
  const texts = lines.flatMap((line, at) => listColumnRuns(lines, line, at))
  const { joined, starts } = joinFolded(texts.map(({ folded }) => folded))
  return {
    placesOf(forms) {
      const places: { first: number; last: number }[] = []
      for (const form of forms.filter(text => text.length >= leastChars)) {
        for (let at = joined.indexOf(form); at !== -1; at = joined.indexOf(form, at + 1)) {
          const index = findLastUpTo(starts, at)
          const text = texts[index]!
          if (isBroken(text, form, at - starts[index]!)) places.push({ first: text.first, last: text.last })
        }
      }
      return places
    },
  }
}

/** Whether a form begins on the first line and ends on the last: at the end of the cell, unless it is running text. */
function isBroken(
  { folded, firstLength, lastLength, isProse }: ColumnRun,
  form: string,
  at: number,
): boolean {
  const { text, starts, ends } = folded
  const end = at + form.length
  const spans = at < firstLength && end > text.length - lastLength
  return spans && starts[at] === 1 && ends[end] === 1 && (isProse || end === text.length)
}

function readLine(line: string, number: number): CellLine {
  if (/^\s*\|.*\|\s*$/.test(line)) {
    const cells = line.trim().slice(1, -1).split('|')
    return { number, kind: 'table', cells: cells.map((text, column) => placeCell(text.trim(), column, 0)) }
  }
  if (line.includes('\t')) {
    const cells = line.split('\t').map((text, column) => placeCell(text.trim(), column, 0))
    return { number, kind: 'tabs', cells }
  }
  const cells = [...line.matchAll(/\S+(?: \S+)*/g)].map((match, column) =>
    placeCell(match[0], column, match.index),
  )
  return { number, kind: cells.length > 1 ? 'spaces' : 'single', cells }
}

const placeCell = (text: string, column: number, from: number): LineCell => ({
  text,
  column,
  from,
  to: from + text.length,
})

const hasWord = ({ text }: LineCell): boolean => /\p{L}{2}/u.test(text)

/** Each text that begins on a line and continues on the next one or two lines of its column. */
function listColumnRuns(lines: readonly CellLine[], line: CellLine, at: number): ColumnRun[] {
  return line.cells.filter(hasWord).flatMap(cell => {
    const second = findContinuation(lines, at, cell)
    if (second === null) return []
    const third = findContinuation(lines, second.at, second.cell)
    const isApart = second.isApart || third?.isApart === true
    return [
      ...(second.isApart ? [joinCells(lines, at, [cell, second.cell], second.at)] : []),
      ...(third === null || !isApart
        ? []
        : [joinCells(lines, at, [cell, second.cell, third.cell], third.at)]),
    ]
  })
}

function joinCells(
  lines: readonly CellLine[],
  first: number,
  cells: readonly LineCell[],
  last: number,
): ColumnRun {
  return {
    first: lines[first]!.number,
    last: lines[last]!.number,
    firstLength: foldText(cells[0]!.text).text.length,
    lastLength: foldText(cells.at(-1)!.text).text.length,
    isProse: cells[0]!.text.length >= leastProseChars,
    folded: foldText(cells.map(({ text }) => text).join('\n')),
  }
}

interface Continuation {
  readonly at: number
  readonly cell: LineCell
  /** Other columns are printed between the two cells, so that they are not adjacent in the text. */
  readonly isApart: boolean
}

/** The cell below a cell. A line with only values, such as an amount between the lines of a name, is passed over. */
function findContinuation(lines: readonly CellLine[], at: number, cell: LineCell): Continuation | null {
  const line = lines[at]!
  const isPassed = line.kind !== 'table' && lines[at + 1]?.cells.some(hasWord) === false
  const next = isPassed ? at + 2 : at + 1
  const below = lines[next]
  if (below === undefined || below.number - line.number > mostLinesBetween) return null
  const match = below.cells.find(other => areOneColumn(line, cell, below, other))
  if (match === undefined || !hasWord(match)) return null
  return { at: next, cell: match, isApart: isPassed || line.cells.length > 1 || below.cells.length > 1 }
}

/** Blank lines may be between the lines of a cell. */
const mostLinesBetween = 4

function areOneColumn(line: CellLine, cell: LineCell, below: CellLine, other: LineCell): boolean {
  const isTable = line.kind === 'table'
  if (isTable || below.kind === 'table')
    return isTable && below.kind === 'table' && cell.column === other.column
  if (line.kind === 'tabs' || below.kind === 'tabs') return cell.column === other.column
  return cell.from < other.to && other.from < cell.to
}
