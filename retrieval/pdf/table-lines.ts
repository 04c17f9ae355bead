import { isValue } from './cells.ts'
import type { Rule } from './rules.ts'

/** A text of a table with the columns that it covers, from 0. Positions are in points. */
export interface PlacedCell {
  readonly text: string
  readonly from: number
  readonly to: number
  readonly left: number
  readonly right: number
}

/** Where a printed line is, in points. */
interface LinePlace {
  readonly baseline: number
  readonly height: number
}

/** The cells of a printed line of a table. */
interface LineCells {
  readonly cells: readonly PlacedCell[]
}

/** A printed line of a table. */
export interface TableLine extends LinePlace, LineCells {}

/** The place of a table on its page. */
export interface TableArea {
  readonly columns: number
  readonly left: number
  readonly right: number
  /** The extents of the columns, when known. */
  readonly edges?: readonly { readonly left: number; readonly right: number }[]
  /** The horizontal rules of the page. */
  readonly rules: readonly Rule[]
}

/** A rule that covers this share of a table separates rows. */
export const wideRuleShare = 0.6

/** Whether a line has a label and a value. */
export function isRecord({ cells }: LineCells): boolean {
  return cells[0]?.from === 0 && cells.some(cell => cell.from > 0 && isValue(cell.text))
}

/** Whether the cells after the first of a line are years. */
export function hasOnlyYears({ cells }: LineCells): boolean {
  return cells.slice(1).every(({ text }) => /^(?:19|20)\d\d(?:\D|$)/.test(text))
}

/** Returns the text of each column of the lines of a row. */
export function joinRowTexts(lines: readonly TableLine[], columns: number): string[] {
  const texts = Array.from({ length: columns }, () => '')
  for (const { cells } of lines)
    for (const { from, text } of cells) texts[from] = joinWords(texts[from]!, text)
  return texts
}

/** Joins two parts of a cell. A hyphen at the end of a line is kept, and Chinese and Japanese words have no spaces. */
export function joinWords(before: string, after: string): string {
  if (before === '' || after === '') return before + after
  const isWithoutSpace =
    (/\p{L}-$/u.test(before) && /^\p{Ll}/u.test(after)) || (cjk.test(before.at(-1)!) && cjk.test(after[0]!))
  return isWithoutSpace ? before + after : `${before} ${after}`
}

const cjk = /[\u2e80-\u9fff\uff00-\uffef]/

/** Whether rules divide two lines over most of a table and over its first column. */
export function isRuledOff(above: LinePlace, below: LinePlace, area: TableArea): boolean {
  const { left, right, edges } = area
  // Rules over some columns are below titles of several columns, or above a sum.
  const first = edges?.[0] ?? { left, right: left + 0.1 * (right - left) }
  return (
    coverBetween(above, below, area, left, right) >= wideRuleShare &&
    coverBetween(above, below, area, first.left, first.right) >= 0.5
  )
}

/** Returns the share of the range from `left` to `right` that rules between two lines cover. */
export function coverBetween(
  above: LinePlace,
  below: LinePlace,
  { rules }: TableArea,
  left: number,
  right: number,
): number {
  const [top, bottom] = [above.baseline + 0.2 * above.height, below.baseline + 0.3 * below.height]
  let covered = 0
  let reached = left
  for (const { at, start, end } of rules) {
    if (at > top || at < bottom) continue
    const from = Math.max(reached, start)
    covered += Math.max(0, Math.min(right, end) - from)
    reached = Math.max(reached, Math.min(right, end))
  }
  return covered / Math.max(1, right - left)
}

const continues = /^[\p{Ll}(&]/u
const isOpen =
  /(?:[,&(–-]|\b(?:and|or|of|the|for|to|in|by|with|from|on|at|a|an|as|than|und|et|de|der|des|la|le))$/iu

/** Whether a text continues another one, by its first letter or the end of the other. */
export function continuesText(before: string, after: string): boolean {
  const isUnclosed = before.lastIndexOf('(') > before.lastIndexOf(')')
  return isUnclosed || (!before.endsWith(':') && (continues.test(after) || isOpen.test(before)))
}
