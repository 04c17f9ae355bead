/**
 * A table as places in the text that it was read from: no string is made for a cell before someone looks at it, and most
 * tables are scored without looking at most.
 */
export interface CellGrid {
  /** Column names, each once. */
  readonly header: readonly string[]
  readonly rowCount: number
  readonly text: string
  /** Start and end of each cell in the text, row by row; a negative start is the place ~start in `others`. */
  readonly bounds: Int32Array
  /** Cells that do not stand in the text as they are. */
  readonly others: readonly string[]
}

export function cellText(grid: CellGrid, row: number, column: number): string {
  const place = (row * grid.header.length + column) * 2
  const start = grid.bounds[place]!
  return start < 0 ? grid.others[~start]! : grid.text.slice(start, grid.bounds[place + 1]!)
}

/** All cells of one column, from the first row on. */
export function columnTexts(grid: CellGrid, column: number): string[] {
  const texts: string[] = []
  for (let row = 0; row < grid.rowCount; row += 1) texts.push(cellText(grid, row, column))
  return texts
}

/** A grid of cells that are there as strings already. */
export function gridOf(
  header: readonly string[],
  rowCount: number,
  cellAt: (row: number, column: number) => string,
): CellGrid {
  const others: string[] = []
  const bounds = new Int32Array(rowCount * header.length * 2)
  for (let row = 0; row < rowCount; row += 1) {
    for (let column = 0; column < header.length; column += 1) {
      bounds[others.length * 2] = ~others.length
      others.push(cellAt(row, column))
    }
  }
  return { header, rowCount, text: '', bounds, others }
}

/** Bounds that are still being collected: a start and an end behind one another. */
export interface OpenBounds {
  bounds: Int32Array
  used: number
  readonly others: string[]
}

export const openBounds = (): OpenBounds => ({ bounds: new Int32Array(1_024), used: 0, others: [] })

/** How many rows of so many cells the bounds hold; kept a small integer, which the engine is quicker with. */
export const rowsOf = (used: number, width: number): number => (used / (2 * width)) | 0

/** Makes room for so many cells more. */
export function makeRoom(open: OpenBounds, cells: number): Int32Array {
  if (open.used + 2 * cells > open.bounds.length) {
    const larger = new Int32Array(2 * (open.used + 2 * cells))
    larger.set(open.bounds)
    open.bounds = larger
  }
  return open.bounds
}
