import { isBullet, isValue } from './cells.ts'
import type { Rule } from './rules.ts'
import { hasOnlyYears, isRecord, type PlacedCell, type TableLine } from './table-lines.ts'

/** A table has at least this many lines with several cells. */
const minLines = 3
/** A column of prose has longer lines than this, in characters. */
const proseChars = 28
/** In a column of values, at least this share of cells are values. */
const minValueShare = 0.6
/** Without rules, at least this share of the lines of a table of values have a label too. Formulas have none. */
const minRecordShare = 0.4
/** A table with rules between its lines has at least this many. */
const minRules = 2
/** The least share of cells that begin, end or are centred at a common place of their column: in tables of values and of texts. */
const [minAlignedShare, minAlignedTexts] = [0.4, 0.75]
/** Places at most this far apart, in line heights, are common. */
const alignmentHeights = 0.15
/** A table has at least this many rows with several cells, its head among them. */
const minRows = 3
/** The least share of the columns that a row with several cells fills. */
const minFilledShare = 0.5
/** The largest share of cells with one or two letters or signs: parts of formulas. */
const maxFragmentShare = 0.3
/** The largest share of lines with a long text, in characters, when no rules are between the lines. */
const [longLineChars, maxLongShare] = [60, 0.35]
/** A table of texts without rules has at least this many lines with several cells. */
const minTextLines = 6
/** A table of contents has at least this many entries. */
const minEntries = 4

const equationNumber = /^\(\d+(?:\.\d+)*[a-z]?\)$/
const pageNumber = /^(?:\d{1,4}|[ivxlc]+|[A-Z]{1,3}-\d+)$/
const sectionNumber = /^\d{1,2}(?:\.\d{1,2})*\.?$/
const leader = /(?:\. ?){4,}|…{2,}|_{5,}/

/**
 * Whether lines with common columns are a table. Prose in columns, lists, tables of contents, addresses, title pages and formulas
 * have common edges too.
 */
export function isTabular(lines: readonly TableLine[], columns: number, rules: readonly Rule[]): boolean {
  const full = lines.filter(({ cells }) => cells.length > 1)
  if (columns < 2 || full.length < minLines) return false
  const byColumn = Array.from({ length: columns }, (_, column) =>
    full.flatMap(line => line.cells.filter(({ from, to }) => from === column && to === column)),
  )
  if (isContents(byColumn)) return false
  const levels = listRulesBetween(lines, rules)
  const hasRules = levels.length >= minRules
  const hasValues = byColumn.slice(1).some(isValueColumn)
  const isLong = ({ cells }: TableLine): boolean => cells.some(({ text }) => text.length > longLineChars)
  if (!hasRules && computeShare(lines, isLong) > maxLongShare) return false
  if (
    computeShare(
      full.flatMap(line => line.cells),
      isFragment,
    ) > maxFragmentShare
  )
    return false
  if (computeAlignedShare(byColumn, full[0]!.height) < (hasValues ? minAlignedShare : minAlignedTexts))
    return hasRules && hasValues
  if (hasValues && !hasRules && !hasLabels(byColumn, full[0]!)) return false
  if (hasValues) return !isList(byColumn) && (hasRules || computeShare(full, isRecord) >= minRecordShare)
  const isInside = ({ at }: Rule): boolean => at < lines[0]!.baseline && at > lines.at(-1)!.baseline
  return isTextTable(byColumn, full, hasRules && levels.some(isInside))
}

/** Whether joined rows fill their columns. Formulas and the labels of charts have parts at places of their own. */
export function isFilled(rows: readonly (readonly string[])[]): boolean {
  const counts = rows.map(row => row.filter(text => text !== '').length).filter(count => count > 1)
  const filled = counts.reduce((sum, count) => sum + count, 0)
  return counts.length >= minRows && filled >= minFilledShare * counts.length * rows[0]!.length
}

function isValueColumn(cells: readonly PlacedCell[]): boolean {
  return (
    computeShare(cells, ({ text }) => isValue(text)) >= minValueShare &&
    cells.some(({ text }) => /\d/.test(text))
  )
}

/** Whether something names the values: a column of texts, years or numbers in order, a head, or units. The figures of a chart stand alone. */
function hasLabels(
  [labels, ...furtherColumns]: readonly (readonly PlacedCell[])[],
  first: TableLine,
): boolean {
  if (!isValueColumn(labels!) || computeShare(labels!, ({ text }) => year.test(text)) > 0.5) return true
  if (computeShare(labels!.slice(1), ({ text }, at) => Number(text) === Number(labels![at]!.text) + 1) > 0.5)
    return true
  if (first.cells.filter(({ text }) => !isValue(text)).length > 1 || hasOnlyYears(first)) return true
  return furtherColumns.some(
    cells => !isValueColumn(cells) || computeShare(cells, ({ text }) => unit.test(text)) > 0.5,
  )
}

const year = /^(?:19|20)\d\d\b/
const unit = /[$€£¥￥₩%]/

/** Whether the last column has the numbers of pages, in ascending order. */
function isContents(byColumn: readonly (readonly PlacedCell[])[]): boolean {
  const [labels, pages] = [byColumn[0]!, byColumn.at(-1)!]
  if (pages.length < minEntries || computeShare(pages, ({ text }) => pageNumber.test(text)) <= 0.8)
    return false
  if (computeShare(labels, ({ text }) => leader.test(text)) > 0.3) return true
  const numbers = pages.flatMap(({ text }) => (/^\d+$/.test(text) ? [Number(text)] : []))
  const isAscending = numbers.every((number, at) => at === 0 || number >= numbers[at - 1]!)
  // Whole numbers directly before the last column are values: a title stands between the number of a section and its page.
  const isNumbering = (column: readonly PlacedCell[], at: number): boolean =>
    !isValueColumn(column) ||
    computeShare(
      column,
      ({ text }) => sectionNumber.test(text) && (at < byColumn.length - 3 || text.includes('.')),
    ) > 0.8
  return isAscending && numbers.at(-1)! > numbers[0]! && byColumn.slice(1, -1).every(isNumbering)
}

/** Whether the first of two columns has the marks of a list, or the second one the numbers of equations. */
function isList([first, second, ...furtherColumns]: readonly (readonly PlacedCell[])[]): boolean {
  if (furtherColumns.length > 0) return false
  const hasBullets = computeShare(first!, ({ text }) => isBullet(text)) > 0.5
  return hasBullets || computeShare(second!, ({ text }) => equationNumber.test(text)) > 0.5
}

/** Whether columns without values are a table: texts that are short, or between rules. */
function isTextTable(
  byColumn: readonly (readonly PlacedCell[])[],
  full: readonly TableLine[],
  hasRules: boolean,
): boolean {
  const hasMarks = byColumn.some(
    cells => computeShare(cells, ({ text }) => isBullet(text) || /^\d[\d.]*[.:]?$/.test(text)) > 0.5,
  )
  if (hasMarks) return hasRules
  if (!hasRules && (full.length < minTextLines || byColumn.length < 3)) return false
  const long = byColumn.filter(cells => computeMeanChars(cells) > proseChars)
  return long.length < byColumn.length - 1
}

/** Returns the share of the cells that are at the most common place of their column. */
function computeAlignedShare(byColumn: readonly (readonly PlacedCell[])[], height: number): number {
  const tolerance = alignmentHeights * height
  const most = (places: readonly number[]): number =>
    Math.max(
      ...places.map(place => places.filter(candidate => Math.abs(candidate - place) <= tolerance).length),
    )
  const columns = byColumn.filter(cells => cells.length > 1)
  const aligned = columns.map(cells =>
    Math.max(
      most(cells.map(({ left }) => left)),
      most(cells.map(({ right }) => right)),
      most(cells.map(({ left, right }) => (left + right) / 2)),
    ),
  )
  const cells = byColumn.reduce((sum, column) => sum + column.length, 0)
  return aligned.reduce((sum, count) => sum + count, 0) / Math.max(1, cells)
}

function isFragment({ text }: PlacedCell): boolean {
  return text.length <= 2 && !isValue(text)
}

/** Returns the rules over most of a table: between its lines, above the first and below the last one. */
function listRulesBetween(lines: readonly TableLine[], rules: readonly Rule[]): Rule[] {
  const [first, last] = [lines[0]!, lines.at(-1)!]
  const cells = lines.flatMap(line => line.cells)
  const left = Math.min(...cells.map(cell => cell.left))
  const right = Math.max(...cells.map(cell => cell.right))
  return rules.filter(
    ({ at, start, end }) =>
      at < first.baseline + 2 * first.height &&
      at > last.baseline - 2 * last.height &&
      Math.min(end, right) - Math.max(start, left) > 0.6 * (right - left),
  )
}

function computeShare<Item>(items: readonly Item[], matches: (item: Item, index: number) => boolean): number {
  return items.length === 0 ? 0 : items.filter(matches).length / items.length
}

function computeMeanChars(cells: readonly PlacedCell[]): number {
  return cells.reduce((sum, { text }) => sum + text.length, 0) / Math.max(1, cells.length)
}
