import { isValue } from './cells.ts'
import {
  continuesText,
  coverBetween,
  hasOnlyYears,
  isRecord,
  isRuledOff,
  joinRowTexts,
  joinWords,
  type PlacedCell,
  type TableArea,
  type TableLine,
  wideRuleShare,
} from './table-lines.ts'

/** Lines whose baselines are closer than this, in line heights, are parts of one row. */
const overlapHeights = 0.7
/** Lines with a larger distance, in line heights, are never parts of one cell. */
const maxLeadingHeights = 1.9
/** The lines of rows are this much closer together than the rows. */
const minSpacingRatio = 1.2
/** Labels that begin at least this far apart, in points, have different indents. */
const minIndent = 2

/** Returns the rows of a table. Cells that continue on the next line are joined, and rows that are broken over lines. */
export function joinTableLines(lines: readonly TableLine[], area: TableArea): string[][] {
  const head = countHeadLines(lines, area)
  return [...joinHead(lines.slice(0, head), area), ...joinBody(lines.slice(head), area)]
}

function joinBody(lines: readonly TableLine[], area: TableArea): string[][] {
  const rows: string[][] = []
  const starts = markRowStarts(lines, area)
  let start = 0
  for (let at = 1; at <= lines.length; at++) {
    if (at < lines.length && !starts[at]) continue
    rows.push(joinRowTexts(lines.slice(start, at), area.columns))
    start = at
  }
  return rows
}

/** Tells for each line whether it starts a row. */
function markRowStarts(lines: readonly TableLine[], area: TableArea): boolean[] {
  const gaps = lines.map((line, at) => (at === 0 ? 0 : lines[at - 1]!.baseline - line.baseline))
  const heights = lines.map((line, at) => Math.max(line.height, lines[at - 1]?.height ?? 0))
  const isRuled = lines.map((line, at) => at > 0 && isRuledOff(lines[at - 1]!, line, area))
  const bands = listBandStarts(isRuled)
  const isRuledTable = bands.length > 2 && bands.length < lines.length
  const maxGap = computeSpacingWithin(lines, gaps, heights)
  const starts: boolean[] = []
  let row = 0
  for (const [at, line] of lines.entries()) {
    const isClose = gaps[at]! < overlapHeights * Math.min(line.height, lines[at - 1]?.height ?? 0)
    const overlaps = isClose && !sharesColumn(lines[at - 1], line)
    if (at === 0 || isRuled[at] || isOverColumns(line)) starts.push(true)
    else if (overlaps) starts.push(false)
    else if (isOutdented(lines[row]!, line)) starts.push(true)
    else if (isRuledTable && isSingleRow(findBand(lines, bands, at))) starts.push(false)
    else if (maxGap !== null) starts.push(gaps[at]! > maxGap)
    else {
      const isNear = gaps[at]! <= maxLeadingHeights * heights[at]!
      starts.push(!isNear || !continuesRow(lines.slice(row, at), line, area.columns))
    }
    if (starts[at]) row = at
  }
  return starts
}

/** Whether two lines have texts in one column. Then they are not parts of one printed line. */
function sharesColumn(above: TableLine | undefined, line: TableLine): boolean {
  return above?.cells.some(({ from }) => line.cells.some(cell => cell.from === from)) === true
}

/** Whether a line is a text over several columns. */
function isOverColumns({ cells: [cell, ...furtherCells] }: TableLine): boolean {
  return furtherCells.length === 0 && cell !== undefined && cell.from < cell.to
}

/** Whether the label of a line begins left of the label above it. The lines of a label never do, unless they are centred. */
function isOutdented(row: TableLine, { cells }: TableLine): boolean {
  const [label, nextLabel] = [row.cells[0], cells[0]]
  if (label?.from !== 0 || nextLabel?.from !== 0) return false
  return nextLabel.left < label.left - minIndent && nextLabel.right < label.right + minIndent
}

/** The first lines of the parts between rules. */
function listBandStarts(isRuled: readonly boolean[]): number[] {
  return isRuled.flatMap((ruled, at) => (ruled || at === 0 ? [at] : []))
}

function findBand(lines: readonly TableLine[], bands: readonly number[], at: number): readonly TableLine[] {
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

/**
 * Returns the largest distance of lines in one row when the rows of a table are further apart than the lines in them;
 * null when they are not.
 */
function computeSpacingWithin(
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
  const continuations = lines.filter((_, at) => at > 0 && gaps[at]! <= limit)
  const isFirst = ({ cells }: TableLine): boolean => cells[0]?.from === 0 && cells.length > 1
  const mostCells = (group: readonly TableLine[]): number =>
    group.reduce((sum, { cells }) => sum + cells.length, 0) / Math.max(1, group.length)
  if (continuations.some(isRecord) || rows.filter(isFirst).length < 0.6 * rows.length) return null
  return mostCells(continuations) < mostCells(rows) ? limit : null
}

/** Whether a line continues a row, by its words: rows and lines have the same distance. */
function continuesRow(row: readonly TableLine[], line: TableLine, columns: number): boolean {
  const texts = joinRowTexts(row, columns)
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

const maxHeadLines = 10

/** Counts the lines above the data: above the last wide rule over the first line of data, or above this line. */
function countHeadLines(lines: readonly TableLine[], area: TableArea): number {
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

const isLabelAlone = ({ cells }: TableLine): boolean => cells.length === 1 && cells[0]!.from === 0

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
function joinHead(lines: readonly TableLine[], area: TableArea): string[][] {
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
  const levels = assignLevels(texts)
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
function assignLevels(texts: readonly HeadCell[]): Map<HeadCell, number> {
  const levels = new Map<HeadCell, number>()
  const hasRules = texts.some(text => text.isUnderlined)
  for (const text of texts) {
    const above = texts.filter(
      upper => levels.has(upper) && upper.bottom > text.top && upper.from <= text.to && upper.to >= text.from,
    )
    levels.set(text, Math.max(-1, ...above.map(upper => levels.get(upper)!)) + 1)
  }
  if (hasRules) return levels
  for (const text of texts) {
    const beside = texts.filter(neighbour => neighbour.top === text.top && text.from > 0)
    levels.set(text, Math.max(levels.get(text)!, ...beside.map(neighbour => levels.get(neighbour)!)))
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
  // A rule that begins over the labels is the edge of a row.
  if (from === 0 && cell.from > 0) return { ...cell, isUnderlined: false }
  return { ...cell, from, to, isUnderlined: from < to }
}

function continuesHead(text: HeadCell, cell: PlacedCell, line: TableLine, area: TableArea): boolean {
  if (text.from !== cell.from || text.to !== cell.to) return false
  if (text.bottom - line.baseline > 1.5 * Math.max(line.height, text.line.height)) return false
  const [left, right] = [Math.max(text.left, cell.left), Math.min(text.right, cell.right)]
  return right > left && coverBetween(text.line, line, area, left, right) < 0.5
}
