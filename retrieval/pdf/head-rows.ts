import {
  coverBetween,
  hasOnlyYears,
  isRecord,
  isRuledOff,
  joinWords,
  type PlacedCell,
  type TableArea,
  type TableLine,
  wideRuleShare,
} from './table-lines.ts'

const maxHeadLines = 10

/** Counts the lines above the data: above the last wide rule over the first line of data, or above this line. */
export function headLength(lines: readonly TableLine[], area: TableArea): number {
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
export function headRows(lines: readonly TableLine[], area: TableArea): string[][] {
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
