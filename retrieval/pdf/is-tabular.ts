import { isBullet, isValue } from './cells.ts'
import type { PlacedCell, TableLine } from './join-lines.ts'
import type { Rule } from './rules.ts'

/** A table has at least this many lines with several cells. */
const minLines = 3
/** A column of prose has longer lines than this, in characters. */
const proseChars = 28
const minValueShare = 0.6

const equationNumber = /^\(\d+(?:\.\d+)*[a-z]?\)$/
const pageNumber = /^(?:\d{1,4}|[ivxlc]+|[A-Z]-\d+)$/
const leader = /(?:\. ?){4,}|…{2,}|_{5,}/

/**
 * Whether lines with common columns are a table. Prose in columns, lists, tables of contents, addresses and formulas
 * have common edges too.
 */
export function isTabular(lines: readonly TableLine[], columns: number, rules: readonly Rule[]): boolean {
  const full = lines.filter(({ cells }) => cells.length > 1)
  if (columns < 2 || full.length < minLines) return false
  const byColumn = Array.from({ length: columns }, (_, column) =>
    full.flatMap(({ cells }) => cells.filter(({ from, to }) => from === column && to === column)),
  )
  const valueShares = byColumn.map(cells => shareOf(cells, ({ text }) => isValue(text)))
  if (columns === 2) return isPair(byColumn[0]!, byColumn[1]!, valueShares[1]!, ruleCount(lines, rules))
  if (valueShares.slice(1).some(share => share >= minValueShare)) return true
  const long = byColumn.filter(cells => meanChars(cells) > proseChars)
  return long.length < columns - 1 || ruleCount(lines, rules) >= minLines
}

/** Whether two columns are a table: a label and a value, or texts between rules. */
function isPair(
  labels: readonly PlacedCell[],
  others: readonly PlacedCell[],
  valueShare: number,
  rules: number,
): boolean {
  if (shareOf(labels, ({ text }) => isBullet(text)) > 0.5) return false
  if (shareOf(others, ({ text }) => equationNumber.test(text)) > 0.5) return false
  const isContents =
    shareOf(labels, ({ text }) => leader.test(text)) > 0.3 &&
    shareOf(others, ({ text }) => pageNumber.test(text)) > 0.8
  if (isContents) return false
  if (valueShare >= minValueShare) return true
  const isProse = meanChars(labels) > proseChars && meanChars(others) > proseChars
  return !isProse && rules >= minLines
}

/** Counts the rules between the lines of a table. */
function ruleCount(lines: readonly TableLine[], rules: readonly Rule[]): number {
  const [first, last] = [lines[0]!, lines.at(-1)!]
  const cells = lines.flatMap(line => line.cells)
  const [left, right] = [
    Math.min(...cells.map(cell => cell.left)),
    Math.max(...cells.map(cell => cell.right)),
  ]
  const levels = rules.filter(
    ({ at, start, end }) =>
      at < first.baseline + 2 * first.height &&
      at > last.baseline - 2 * last.height &&
      Math.min(end, right) - Math.max(start, left) > 0.6 * (right - left),
  )
  return levels.length
}

function shareOf(cells: readonly PlacedCell[], matches: (cell: PlacedCell) => boolean): number {
  return cells.length === 0 ? 0 : cells.filter(matches).length / cells.length
}

function meanChars(cells: readonly PlacedCell[]): number {
  return cells.reduce((sum, { text }) => sum + text.length, 0) / Math.max(1, cells.length)
}
