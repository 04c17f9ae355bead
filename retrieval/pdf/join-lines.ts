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

/** A printed line of a table. */
export interface TableLine {
  readonly cells: readonly PlacedCell[]
  readonly baseline: number
  readonly height: number
}

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

/** Lines whose baselines are closer than this, in line heights, are parts of one row. */
const overlapHeights = 0.7
/** Lines with a larger distance, in line heights, are never parts of one cell. */
const maxLeadingHeights = 1.9
/** The lines of rows are this much closer together than the rows. */
const minSpacingRatio = 1.2
/** A rule that covers this share of a table separates rows. */
const wideRuleShare = 0.6
const maxHeadLines = 10
/** Labels that begin at least this far apart, in points, have different indents. */
const minIndent = 2

/** Returns the rows of a table. Cells that continue on the next line are joined, and rows that are broken over lines. */
export function joinTableLines(lines: readonly TableLine[], area: TableArea): string[][] {
  const head = headLength(lines, area)
  return [...headRows(lines.slice(0, head), area), ...bodyRows(lines.slice(head), area)]
}

/** Joins two parts of a cell. A hyphen at the end of a line is kept, and Chinese and Japanese words have no spaces. */
export function joinWords(before: string, after: string): string {
  if (before === '' || after === '') return before + after
  const isWithoutSpace =
    (/\p{L}-$/u.test(before) && /^\p{Ll}/u.test(after)) || (cjk.test(before.at(-1)!) && cjk.test(after[0]!))
  return isWithoutSpace ? before + after : `${before} ${after}`
}

const cjk = /[\u2e80-\u9fff\uff00-\uffef]/

/** Counts the lines above the data: above the last wide rule over the first line of data, or above this line. */
function headLength(lines: readonly TableLine[], area: TableArea): number {
  const data = lines.findIndex(isRecord)
  const last = Math.min(data === -1 ? 0 : data, maxHeadLines)
  const below = lines[last + 1]
  if (below !== undefined && hasOnlyYears(lines[last]!) && isRuledOff(lines[last]!, below, area))
    return last + 1
  for (let at = last; at > 0; at--) {
    if (!isRuledOff(lines[at - 1]!, lines[at]!, area)) continue
    // A shaded row has edges like rules. The title of a group above it is below the rules under the head.
    let head = at
    while (head > 1 && isLabelAlone(lines[head - 1]!)) {
      head--
      if (coverOfValues(lines[head - 1]!, lines[head]!, area) >= wideRuleShare) return head
    }
    return at
  }
  let head = last
  while (head > 0 && isLabelAlone(lines[head - 1]!)) head--
  return head
}

/** Returns the share of the columns of values that rules between two lines cover. */
function coverOfValues(above: TableLine, below: TableLine, area: TableArea): number {
  const left = area.edges?.[1]?.left ?? area.left
  return coverBetween(above, below, area, left, area.right)
}

/** Whether the cells after the first of a line are years. */
export function hasOnlyYears({ cells }: Pick<TableLine, 'cells'>): boolean {
  return cells.slice(1).every(({ text }) => /^(?:19|20)\d\d(?:\D|$)/.test(text))
}

const isLabelAlone = ({ cells }: TableLine): boolean => cells.length === 1 && cells[0]!.from === 0

function isRuledOff(above: TableLine, below: TableLine, area: TableArea): boolean {
  const { left, right, edges } = area
  // Rules over some columns are below titles of several columns, or above a sum.
  const first = edges?.[0] ?? { left, right: left + 0.1 * (right - left) }
  return (
    coverBetween(above, below, area, left, right) >= wideRuleShare &&
    coverBetween(above, below, area, first.left, first.right) >= 0.5
  )
}

/** Returns the share of the range from `left` to `right` that rules between two lines cover. */
function coverBetween(
  above: TableLine,
  below: TableLine,
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

/** A text of the head, which may have several lines. */
interface HeadCell {
  text: string
  readonly from: number
  readonly to: number
  readonly left: number
  readonly right: number
  readonly top: number
  bottom: number
  line: TableLine
  readonly isUnderlined: boolean
}

/** Returns the rows of a head: each text below the texts that it belongs to. Words above each other form one text. */
function headRows(lines: readonly TableLine[], area: TableArea): string[][] {
  const texts: HeadCell[] = []
  for (const line of lines) {
    for (const placed of line.cells) {
      const cell = withRuleBelow(placed, line, area)
      const above = texts.filter(
        text => text.bottom > line.baseline && text.from <= cell.to && text.to >= cell.from,
      )
      const last = above.filter(text => text.bottom === Math.min(...above.map(({ bottom }) => bottom)))
      const only = last.length === 1 ? last[0]! : null
      if (only !== null && continuesHead(only, cell, line, area)) {
        only.text = joinWords(only.text, cell.text)
        only.bottom = line.baseline
        only.line = line
      } else texts.push({ ...cell, top: line.baseline, bottom: line.baseline, line })
    }
  }
  const rows: string[][] = []
  const levels = levelsOf(texts)
  for (const [text, level] of levels) {
    rows[level] ??= Array.from({ length: area.columns }, () => '')
    rows[level][text.from] = joinWords(rows[level][text.from]!, text.text)
  }
  return rows
}

/**
 * Returns the row of each text of a head. Without a rule under a text, the columns to which it belongs are not known. Then
 * texts that begin on one line are on one row.
 */
function levelsOf(texts: readonly HeadCell[]): Map<HeadCell, number> {
  const levels = new Map<HeadCell, number>()
  const hasRules = texts.some(text => text.isUnderlined)
  for (const text of texts) {
    const above = texts.filter(
      other => levels.has(other) && other.bottom > text.top && other.from <= text.to && other.to >= text.from,
    )
    levels.set(text, Math.max(-1, ...above.map(other => levels.get(other)!)) + 1)
  }
  if (hasRules) return levels
  for (const text of texts) {
    const beside = texts.filter(other => other.top === text.top && text.from > 0)
    levels.set(text, Math.max(levels.get(text)!, ...beside.map(other => levels.get(other)!)))
  }
  return levels
}

/** Returns a text of a head over all columns that the rule under it covers. */
function withRuleBelow(
  cell: PlacedCell,
  line: TableLine,
  { rules, edges, left, right }: TableArea,
): PlacedCell & { isUnderlined: boolean } {
  const rule = rules.find(
    ({ at, start, end }) =>
      at < line.baseline + 0.1 * line.height &&
      at > line.baseline - 0.9 * line.height &&
      start <= cell.left + 2 &&
      end >= cell.right - 2 &&
      end - start < 0.9 * (right - left),
  )
  if (rule === undefined || edges === undefined) return { ...cell, isUnderlined: false }
  const covered = edges.flatMap((column, at) =>
    column.left < rule.end && column.right > rule.start ? [at] : [],
  )
  const [from, to] = [covered[0] ?? cell.from, covered.at(-1) ?? cell.to]
  return { ...cell, from, to, isUnderlined: from < to }
}

function continuesHead(text: HeadCell, cell: PlacedCell, line: TableLine, area: TableArea): boolean {
  if (text.from !== cell.from || text.to !== cell.to) return false
  if (text.bottom - line.baseline > 1.5 * Math.max(line.height, text.line.height)) return false
  const [left, right] = [Math.max(text.left, cell.left), Math.min(text.right, cell.right)]
  return right > left && coverBetween(text.line, line, area, left, right) < 0.5
}

function bodyRows(lines: readonly TableLine[], area: TableArea): string[][] {
  const rows: string[][] = []
  const starts = rowStarts(lines, area)
  let start = 0
  for (let at = 1; at <= lines.length; at++) {
    if (at < lines.length && !starts[at]) continue
    rows.push(rowTexts(lines.slice(start, at), area.columns))
    start = at
  }
  return rows
}

/** Returns the text of each column of the lines of a row. */
export function rowTexts(lines: readonly TableLine[], columns: number): string[] {
  const texts = Array.from({ length: columns }, () => '')
  for (const { cells } of lines)
    for (const { from, text } of cells) texts[from] = joinWords(texts[from]!, text)
  return texts
}

/** Tells for each line whether it starts a row. */
function rowStarts(lines: readonly TableLine[], area: TableArea): boolean[] {
  const gaps = lines.map((line, at) => (at === 0 ? 0 : lines[at - 1]!.baseline - line.baseline))
  const heights = lines.map((line, at) => Math.max(line.height, lines[at - 1]?.height ?? 0))
  const isRuled = lines.map((line, at) => at > 0 && isRuledOff(lines[at - 1]!, line, area))
  const bands = bandsOf(isRuled)
  const isRuledTable = bands.length > 2 && bands.length < lines.length
  const maxGap = spacingWithin(lines, gaps, heights)
  const starts: boolean[] = []
  let row = 0
  for (const [at, line] of lines.entries()) {
    const overlaps = gaps[at]! < overlapHeights * Math.min(line.height, lines[at - 1]?.height ?? 0)
    if (at === 0 || isRuled[at] || isOverColumns(line)) starts.push(true)
    else if (overlaps) starts.push(false)
    else if (isOutdented(lines[row]!, line)) starts.push(true)
    else if (isRuledTable && isSingleRow(bandAt(lines, bands, at))) starts.push(false)
    else if (maxGap !== null) starts.push(gaps[at]! > maxGap)
    else {
      const isNear = gaps[at]! <= maxLeadingHeights * heights[at]!
      starts.push(!isNear || !continuesRow(lines.slice(row, at), line, area.columns))
    }
    if (starts[at]) row = at
  }
  return starts
}

/** Whether a line is a text over several columns. */
function isOverColumns({ cells: [cell, ...others] }: TableLine): boolean {
  return others.length === 0 && cell !== undefined && cell.from < cell.to
}

/** Whether the label of a line begins left of the label above it. The lines of a label never do, unless they are centred. */
function isOutdented(row: TableLine, { cells }: TableLine): boolean {
  const [label, other] = [row.cells[0], cells[0]]
  if (label?.from !== 0 || other?.from !== 0) return false
  return other.left < label.left - minIndent && other.right < label.right + minIndent
}

/** The first lines of the parts between rules. */
function bandsOf(isRuled: readonly boolean[]): number[] {
  return isRuled.flatMap((ruled, at) => (ruled || at === 0 ? [at] : []))
}

function bandAt(lines: readonly TableLine[], bands: readonly number[], at: number): readonly TableLine[] {
  const start = bands.findLast(band => band <= at)!
  return lines.slice(
    start,
    bands.find(band => band > at),
  )
}

/** Whether lines between two rules are one row: at most one of them has a label and values. */
function isSingleRow(band: readonly TableLine[]): boolean {
  return band.filter(isRecord).length <= 1
}

/** Whether a line has a label and a value. */
export function isRecord({ cells }: Pick<TableLine, 'cells'>): boolean {
  return cells[0]?.from === 0 && cells.some(cell => cell.from > 0 && isValue(cell.text))
}

/**
 * Returns the largest distance of lines in one row when the rows of a table are further apart than the lines in them;
 * null when they are not.
 */
function spacingWithin(
  lines: readonly TableLine[],
  gaps: readonly number[],
  heights: readonly number[],
): number | null {
  const sorted = gaps
    .filter((gap, at) => at > 0 && gap >= overlapHeights * heights[at]!)
    .sort((a, b) => a - b)
  let best: number | null = null
  let bestRatio = minSpacingRatio
  for (let at = 1; at < sorted.length; at++) {
    const ratio = sorted[at]! / sorted[at - 1]!
    if (ratio <= bestRatio || sorted[at - 1]! > maxLeadingHeights * heights[0]!) continue
    best = (sorted[at]! + sorted[at - 1]!) / 2
    bestRatio = ratio
  }
  if (best === null) return null
  const limit = best
  const rows = lines.filter((_, at) => at === 0 || gaps[at]! > limit)
  const others = lines.filter((_, at) => at > 0 && gaps[at]! <= limit)
  const isFirst = ({ cells }: TableLine): boolean => cells[0]?.from === 0 && cells.length > 1
  const mostCells = (group: readonly TableLine[]): number =>
    group.reduce((sum, { cells }) => sum + cells.length, 0) / Math.max(1, group.length)
  if (others.some(isRecord) || rows.filter(isFirst).length < 0.6 * rows.length) return null
  return mostCells(others) < mostCells(rows) ? limit : null
}

const continues = /^[\p{Ll}(&]/u
const isOpen =
  /(?:[,&(–-]|\b(?:and|or|of|the|for|to|in|by|with|from|on|at|a|an|as|than|und|et|de|der|des|la|le))$/iu

/** Whether a line continues a row, by its words: rows and lines have the same distance. */
function continuesRow(row: readonly TableLine[], line: TableLine, columns: number): boolean {
  const texts = rowTexts(row, columns)
  const { cells } = line
  if (texts.every((text, at) => text === '' || at === 0)) {
    const label = cells[0]?.from === 0 ? cells[0].text : null
    return label !== null && cells.length > 1 && texts[0] !== '' && continuesText(texts[0]!, label)
  }
  if (cells.some(({ text }) => isValue(text))) return false
  const [label, above] = [cells[0], row[0]!.cells[0]]
  if (cells.length === 1 && label?.from === 0 && above?.from === 0 && label.left > above.left + minIndent)
    return true
  const filled = texts.filter(text => text !== '').length
  if (cells[0]?.from !== 0 && 2 * cells.length <= filled)
    return cells.every(({ from }) => texts[from] !== '' && !isValue(texts[from]!))
  return cells.every(({ from, text }) => texts[from] !== '' && continuesText(texts[from]!, text))
}

function continuesText(before: string, after: string): boolean {
  const isUnclosed = before.lastIndexOf('(') > before.lastIndexOf(')')
  return isUnclosed || (!before.endsWith(':') && (continues.test(after) || isOpen.test(before)))
}
