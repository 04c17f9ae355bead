/**
 * A table as positions in the text that it was read from. A cell becomes a string only when it is read, and scoring
 * most tables reads few cells.
 */
export interface CellGrid {
  /** Unique column names. */
  readonly header: readonly string[]
  readonly rowCount: number
  readonly text: string
  /** Start and end of each cell in the text, row by row. A negative start is the position ~start in `others`. */
  readonly bounds: Int32Array
  /** Cells whose text is not in `text`. */
  readonly others: readonly string[]
}

/** The text of one cell. */
export function readCellText(grid: CellGrid, row: number, column: number): string {
  const place = (row * grid.header.length + column) * 2
  const start = grid.bounds[place]!
  return start < 0 ? grid.others[~start]! : grid.text.slice(start, grid.bounds[place + 1]!)
}

/** All cells of one column, from the first row on. */
export function listColumnTexts(grid: CellGrid, column: number): string[] {
  const texts: string[] = []
  for (let row = 0; row < grid.rowCount; row += 1) texts.push(readCellText(grid, row, column))
  return texts
}

/** Creates a grid from cells that are strings already. */
export function createGrid(
  header: readonly string[],
  rowCount: number,
  cellAt: (row: number, column: number) => string,
): CellGrid {
  const texts: string[] = []
  const bounds = new Int32Array(rowCount * header.length * 2)
  for (let row = 0; row < rowCount; row += 1) {
    for (let column = 0; column < header.length; column += 1) {
      bounds[texts.length * 2] = ~texts.length
      texts.push(cellAt(row, column))
    }
  }
  return { header, rowCount, text: '', bounds, others: texts }
}

/** Bounds that are being collected: start and end in turn. */
export interface GrowingBounds {
  bounds: Int32Array
  used: number
  readonly others: string[]
}

/** Creates empty bounds. */
export const createBounds = (): GrowingBounds => ({ bounds: new Int32Array(1_024), used: 0, others: [] })

/** The number of rows that the bounds contain. Kept a small integer, which the engine handles faster. */
export const countRows = (filled: number, width: number): number => (filled / (2 * width)) | 0

/** Makes room for more cells. */
export function makeRoom(open: GrowingBounds, cells: number): Int32Array {
  if (open.used + 2 * cells > open.bounds.length) {
    const larger = new Int32Array(2 * (open.used + 2 * cells))
    larger.set(open.bounds)
    open.bounds = larger
  }
  return open.bounds
}
