import { makeUniqueHeader, readPandasCsv } from '../../score/pandas/csv.ts'
import { type CellGrid, countRows, createBounds, createGrid, makeRoom } from '../../score/table/cell-grid.ts'
import { findNext } from '../../text/csv.ts'

const comma = 44
const quote = 34
const newline = 10
const space = 32

/** Reads CSV like `readPandasCsv`, as a grid; returns the error when it cannot be read. */
export function readPandasGrid(text: string): CellGrid | { readonly error: string } {
  const plain = readPlainCsv(text)
  if (plain !== null) return plain
  const reading = readPandasCsv(text)
  if ('error' in reading) return reading
  const { header, rows } = reading.table
  return createGrid(header, rows.length, (row, column) => rows[row]![column]!)
}

/**
 * Reads the common form of CSV: lines with as many fields as the header, ended by line feeds, without doubled quotes
 * and blank lines. Null for anything else.
 */
function readPlainCsv(text: string): CellGrid | null {
  if (text === '' || text.charCodeAt(0) === 0xfeff || text.includes('\r') || text.includes('\0')) return null
  const cells = createBounds()
  let { bounds } = cells
  let length = 0
  let width = 0
  let inRow = 0
  let nextComma = -1
  let nextLine = -1
  for (let at = 0; at < text.length; ) {
    const code = text.charCodeAt(at)
    let end: number
    if (length === bounds.length) {
      cells.used = length
      bounds = makeRoom(cells, 1)
    }
    if (code === quote) {
      end = text.indexOf('"', at + 1) + 1
      if (end === 0) return null
      bounds[length] = at + 1
      bounds[length + 1] = end - 1
    } else {
      if (inRow === 0 && code <= space) return null
      if (nextComma < at) nextComma = findNext(text, ',', at)
      if (nextLine < at) nextLine = findNext(text, '\n', at)
      end = nextComma < nextLine ? nextComma : nextLine
      bounds[length] = at
      bounds[length + 1] = end
    }
    length += 2
    inRow += 1
    if (end < text.length && text.charCodeAt(end) === comma) {
      if (end + 1 === text.length) return null
    } else {
      if (end < text.length && text.charCodeAt(end) !== newline) return null
      if (width === 0) width = inRow
      else if (inRow !== width) return null
      inRow = 0
    }
    at = end + 1
  }
  return makeGridWithHeader(text, width, bounds, countRows(length, width))
}

/** Makes the first row the header. */
function makeGridWithHeader(text: string, width: number, bounds: Int32Array, lines: number): CellGrid {
  const names: string[] = []
  for (let column = 0; column < width; column += 1)
    names.push(text.slice(bounds[2 * column]!, bounds[2 * column + 1]!))
  return {
    header: makeUniqueHeader(names),
    rowCount: lines - 1,
    text,
    bounds: bounds.subarray(2 * width),
    others: [],
  }
}
