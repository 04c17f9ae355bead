import { groupBy } from '../../src/core/group-by.ts'
import { type Cell, isBullet, type Line, splitCell } from './cells.ts'
import { findBand, findGrids, findRow, type Grid } from './grids.ts'
import { joinTableLines } from './join-lines.ts'
import type { Rules } from './rules.ts'
import { isRecord, joinRowTexts, type PlacedCell } from './table-lines.ts'

/** A table whose cells are divided by rules, in place of its lines. `cells` has the extent of the table and no text. */
export interface RuledTable extends Line {
  readonly rows: readonly (readonly string[])[]
  /** The lines of text above and below the rows, in the frame of the table. */
  readonly above: readonly Line[]
  readonly below: readonly Line[]
}

/** A larger mean text of the cells, in characters, is not a table but a page with boxes. */
const maxMeanChars = 500
/** In a larger share of cells, columns without rules make the columns of the grid doubtful. */
const maxOpenShare = 0.15
/** A cell over several rows with at least this many lines may be a list of labels. */
const minListLines = 3
/** Lines of text with a cell in each column are rows when there are at least this many columns. */
const minListColumns = 3
/** Texts whose baselines differ by at most this many line heights are on one line. */
const sameLineHeights = 0.5
const levelHeights = 0.25

/** A piece of a line, and the number of the cell in which it is. */
interface Piece {
  readonly line: Line
  readonly cell: Cell
  readonly owner: number
}

/** The number of the cell in which text outside a grid is. */
const outside = -1

/** The columns and rows of the grid that a cell covers, and its text. */
interface RuledCell {
  from: number
  to: number
  readonly top: number
  bottom: number
  readonly pieces: Piece[]
}

/**
 * Finds the tables whose cells are divided by rules.
 *
 * @returns the lines in content order, without the text of tables; each table is at the place of its first line
 */
export function takeRuledTables(
  lines: readonly Line[],
  rulesAt: (angle: number) => Rules,
): (Line | RuledTable)[] {
  let items: (Line | RuledTable)[] = [...lines]
  for (const angle of new Set(lines.map(line => line.angle))) {
    for (const grid of findGrids(rulesAt(angle))) items = takeTable(items, grid, angle)
  }
  return items
}

function takeTable(items: readonly (Line | RuledTable)[], grid: Grid, angle: number): (Line | RuledTable)[] {
  const pieces: Piece[] = []
  const rest: (Line | RuledTable)[] = []
  let place = -1
  for (const item of items) {
    const parts = 'rows' in item || item.angle !== angle ? null : splitByCells(item, grid)
    if (parts === null) {
      rest.push(item)
      continue
    }
    if (place === -1) place = rest.length
    pieces.push(...parts.filter(part => part.owner !== outside))
    const cells = parts.filter(part => part.owner === outside).map(part => part.cell)
    if (cells.length > 0) rest.push({ ...item, cells })
  }
  const table = buildTable(grid, pieces, angle)
  if (table === null) return [...items]
  rest.splice(place, 0, table)
  return rest
}

/** Returns the parts of a line by the cells of the grid in which they are; null when no part is in the grid. */
function splitByCells(line: Line, grid: Grid): Piece[] | null {
  const row = findRow(grid, line)
  if (row === -1) return null
  const width = grid.xs.length - 1
  const first = row * width
  const parts = line.cells.flatMap(cell => {
    const pieces: Piece[] = []
    let [rest, left] = [cell, cell.left]
    let owner: number | null = null
    for (const gap of [...cell.gaps, null]) {
      const column = findBand(grid.xs, (left + (gap?.left ?? cell.right)) / 2)
      const next = column === -1 ? outside : grid.owners[first + column]!
      if (owner !== null && next !== owner) {
        const [before, after] = splitCell(rest, rest.gaps.find(({ right }) => right === left)!)
        pieces.push({ line, cell: before, owner })
        rest = after
      }
      owner = next
      left = gap?.right ?? left
    }
    return [...pieces, { line, cell: rest, owner: owner! }]
  })
  return parts.every(({ owner }) => owner === outside) ? null : parts
}

function buildTable(grid: Grid, pieces: readonly Piece[], angle: number): RuledTable | null {
  const width = grid.xs.length - 1
  const cells = new Map<number, RuledCell>()
  for (const [index, owner] of grid.owners.entries()) {
    const cell = cells.get(owner) ?? {
      from: width,
      to: 0,
      top: Math.floor(owner / width),
      bottom: 0,
      pieces: [],
    }
    cells.set(owner, cell)
    cell.from = Math.min(cell.from, index % width)
    cell.to = Math.max(cell.to, index % width)
    cell.bottom = Math.floor(index / width)
  }
  for (const piece of pieces) cells.get(piece.owner)!.pieces.push(piece)
  for (const cell of [...cells.values()].filter(cell => isList(cell, pieces, grid)))
    splitList(cell, cells, grid)
  const filled = [...cells.values()].filter(cell => cell.pieces.length > 0)
  if (filled.length === 0 || hasOpenColumns(filled)) return null
  const chars = pieces.reduce((sum, { cell }) => sum + cell.text.length, 0)
  if (chars > maxMeanChars * filled.length) return null
  const bands = Array.from({ length: grid.ys.length - 1 }, (_, band) =>
    filled.filter(({ top }) => top === band),
  )
  const shown = bands.filter(band => band.length > 0)
  const isTitle = (band: readonly RuledCell[]): boolean =>
    band.every(({ from, to }) => from === 0 && to === width - 1)
  const first = shown.findIndex(band => !isTitle(band))
  const last = shown.findLastIndex(band => !isTitle(band))
  const rows = shown.slice(first, last + 1).flatMap((band, at) => readBandRows(band, width, at === 0))
  if (first === -1 || rows.filter(row => row.filter(text => text !== '').length > 1).length < 2) return null
  const columns = rows[0]!.flatMap((_, column) => (rows.some(row => row[column] !== '') ? [column] : []))
  return {
    angle,
    baseline: pieces[0]!.line.baseline,
    height: pieces[0]!.line.height,
    cells: [{ text: '', left: grid.xs[0]!, right: grid.xs.at(-1)!, gaps: [] }],
    above: shown.slice(0, first).flatMap(listLinesInBand),
    rows: rows.map(row => columns.map(column => row[column]!)),
    below: shown.slice(last + 1).flatMap(listLinesInBand),
  }
}

/** Whether each line of a cell is level with a row beside it: labels without rules between them. */
function isList({ top, bottom, pieces }: RuledCell, allPieces: readonly Piece[], grid: Grid): boolean {
  if (bottom - top + 1 < minListLines || pieces.length < minListLines) return false
  const isLevel = ({ line, owner }: Piece): boolean =>
    allPieces.some(
      piece =>
        piece.owner !== owner && Math.abs(piece.line.baseline - line.baseline) <= levelHeights * line.height,
    )
  return (
    new Set(pieces.map(({ line }) => findRow(grid, line))).size === pieces.length && pieces.every(isLevel)
  )
}

/** Gives each line of a cell to a cell of its own in the row beside it. */
function splitList(cell: RuledCell, cells: Map<number, RuledCell>, grid: Grid): void {
  const width = grid.xs.length - 1
  for (const piece of cell.pieces.splice(0)) {
    const row = findRow(grid, piece.line)
    const owner = -2 - row * width - cell.from
    cells.set(owner, { from: cell.from, to: cell.to, top: row, bottom: row, pieces: [piece] })
  }
}

/** Whether the cells contain columns of text that no rule divides. */
function hasOpenColumns(cells: readonly RuledCell[]): boolean {
  const open = cells.filter(({ pieces }) => {
    const lines = pieces.filter(({ cell }) => !isBullet(cell.text)).map(({ line }) => line)
    return new Set(lines).size < lines.length
  })
  return open.length > maxOpenShare * cells.length
}

/** Returns the lines of text in the cells of a band. */
function listLinesInBand(band: readonly RuledCell[]): Line[] {
  const pieces = band.flatMap(({ pieces }) => pieces)
  return [...groupBy(pieces, ({ line }) => line)].map(([line, piecesOfLine]) => ({
    ...line,
    cells: piecesOfLine.map(({ cell }) => cell),
  }))
}

/** Returns the rows of a band of the grid: one, or one for each line when the cells list several values or texts. */
function readBandRows(band: readonly RuledCell[], columns: number, isHead: boolean): string[][] {
  const lines: { cells: PlacedCell[]; baseline: number; height: number }[] = []
  const pieces = band.flatMap(({ from, to, pieces }) => pieces.map(piece => ({ ...piece, from, to })))
  for (const { line, cell, from, to } of pieces.sort((a, b) => b.line.baseline - a.line.baseline)) {
    const { baseline, height } = line
    const level = lines.find(candidate => Math.abs(candidate.baseline - baseline) <= sameLineHeights * height)
    const placed = { text: cell.text, left: cell.left, right: cell.right, from, to }
    if (level === undefined) lines.push({ baseline, height, cells: [placed] })
    else level.cells.push(placed)
  }
  for (const { cells } of lines) cells.sort((a, b) => a.left - b.left)
  // Cells that are wrapped rarely have the same number of lines in three columns.
  const isFull = ({ cells }: { cells: readonly PlacedCell[] }): boolean =>
    cells.length >= minListColumns && cells.length === band.length
  if (!isHead && lines.length >= minListLines && lines.every(isFull))
    return lines.map(line => joinRowTexts([line], columns))
  return lines.filter(isRecord).length > 1
    ? joinTableLines(lines, { columns, left: 0, right: 0, rules: [] })
    : [joinRowTexts(lines, columns)]
}
