import { checkLimit, readingLimits } from '../../src/system/reading-limits.ts'
import { escapeBars, writePipeTable } from '../../src/text/pipe-table.ts'
import { moveChildren, type PageDocument, type PageElement, writeOnLine } from './dom.ts'
import { cellSelector, findTablePart, readTableGroups, type TableCell, tableSelector } from './table-cells.ts'

/** Marks the place of a table, so that it survives the conversion to Markdown. */
const writeTableMark = (index: number): string => `\ue002${index}\ue003`
/** Matches the mark of a table; the group is its index. */
export const tableMarks = /\ue002(\d+)\ue003/g

/** The spans that HTML allows. */
const [maxColumns, maxRows] = [1_000, 65_534]

/**
 * Removes the tables from a tree, innermost first, and leaves a mark in place of each. Layout tables (with one cell per row,
 * or with nested tables, no header, and little other text) are replaced by the content of their cells. Content of a table outside its cells
 * is placed before the table, as browsers show it.
 *
 * @returns the rows of each table as Markdown, one row per line
 */
export function extractTables(root: PageElement, document: PageDocument): string[] {
  const markdownTables: string[] = []
  const nested: string[] = []
  for (const table of [...root.querySelectorAll(tableSelector)].reverse()) {
    const hasBlocks = containsBlocks(table)
    const hasTables = (table.textContent ?? '').includes('\ue002')
    const groups = readTableGroups(table)
    const captions = [...table.children].filter(child => child.tagName.toLowerCase() === 'caption')
    const cells = groups.flat(2).map(({ cell }) => cell)
    const isData =
      captions.length > 0 ||
      cells.some(cell => cell.tagName.toLowerCase() === 'th') ||
      (table.getAttribute('role') === 'table' && hasOwnTexts(groups.flat()))
    const grid = hasBlocks || (hasTables && !isData) ? null : alignRows(groups)
    for (const part of [...captions, ...cells]) part.remove()
    const block = document.createElement('div')
    moveChildren(table, block)
    if (grid === null || grid.every(row => row.length < 2)) {
      for (const part of [...captions, ...cells]) block.append(makeBlock(part, document))
    } else {
      const paragraph = document.createElement('p')
      paragraph.append(writeTableMark(markdownTables.length))
      // A table in a cell of data is written into its cell.
      const inCells = (text: string): string =>
        text.replace(tableMarks, (_mark, index: string) => nested[Number(index)] ?? '')
      const titles = findTitles(grid)
      const lines = [...captions.map(writeOnLine), ...titles, writePipeTable(grid.slice(titles.length))]
      markdownTables.push(inCells(lines.filter(text => text !== '').join('\n\n')))
      nested.push(inCells(escapeBars(writeInOneCell(grid))))
      block.append(paragraph)
    }
    table.replaceWith(block)
  }
  return markdownTables
}

/** Writes a table into one cell. Empty cells keep their place, and figures of two cells are not one number. */
function writeInOneCell(grid: readonly (readonly string[])[]): string {
  const isPlain = grid.every(row =>
    row.every((text, at) => text !== '' && !(/\d$/.test(row[at - 1] ?? '') && /^\d/.test(text))),
  )
  return grid.map(row => row.join(isPlain ? ' ' : ' / ').trim()).join('; ')
}

/** Returns whether a table with nested tables has rows with at least as many cells of text as of nothing but a table. */
function hasOwnTexts(rows: readonly (readonly TableCell[])[]): boolean {
  const filled = rows.flat().filter(({ text }) => text !== '')
  const nestedOnly = filled.filter(({ text }) => text.replace(tableMarks, '').trim() === '')
  return rows.length > 1 && filled.length >= 2 * nestedOnly.length
}

/** The first rows that have one text in a table of several columns: they are its title. At least one row stays. */
function findTitles(grid: readonly (readonly string[])[]): string[] {
  const titles: string[] = []
  for (const row of grid.slice(0, -1)) {
    const texts = row.filter(text => text !== '')
    if (texts.length !== 1 || row[0] === '') break
    titles.push(texts[0]!)
  }
  return titles
}

function makeBlock(part: PageElement, document: PageDocument): PageElement {
  const block = document.createElement('div')
  moveChildren(part, block)
  return block
}

/** Counts the cells with content that stand in a table. A main text must not lose these. */
export function countFilledCells(root: PageElement): number {
  let filled = 0
  for (const cell of root.querySelectorAll(cellSelector)) {
    if (/\S/.test(cell.textContent ?? '')) filled += 1
  }
  return filled
}

/** Returns whether a table holds data: it has two rows of two cells with content and lays out nothing. */
export function isDataTable(table: PageElement): boolean {
  if (table.querySelector(tableSelector) !== null || containsBlocks(table)) return false
  const rows = [...table.querySelectorAll('tr, [role="row"]')].filter(row => countFilledCells(row) > 1)
  return rows.length > 1
}

/** A table with more headings lays out a page. */
const maxHeadings = 200

/**
 * Returns whether a table contains blocks, which indicates layout: blocks that share a cell with other content.
 */
function containsBlocks(table: PageElement): boolean {
  if (table.querySelector('article, section') !== null) return true
  const headings = [...table.querySelectorAll('h1, h2, h3')]
  return headings.length > maxHeadings || headings.some(heading => !isOnlyContent(heading, table))
}

/** Returns whether a heading is the only content of its cell. */
function isOnlyContent(heading: PageElement, table: PageElement): boolean {
  let cell: PageElement = heading
  while (cell !== table && findTablePart(cell) !== 'cell' && cell.parentNode !== null) cell = cell.parentNode
  return writeOnLine(cell) === writeOnLine(heading)
}

/** A place of a table's grid. */
interface ColumnText {
  readonly text: string
  /** Whether the text belongs to a cell that begins in a column before. */
  readonly isRepeated: boolean
  /** Whether the cell is the only one of its row and spans columns: a heading or a remark. */
  readonly isAlone: boolean
}

const emptyText: ColumnText = { text: '', isRepeated: false, isAlone: false }

/**
 * Returns the texts of one group's rows. A cell that spans rows or columns is repeated in each of them, so that every row
 * and column can be read alone. The only cell of a row, which is a heading or a remark, is not repeated.
 */
function spanCells(rows: readonly (readonly TableCell[])[]): ColumnText[][] {
  const pending = new Map<number, { cell: ColumnText; rows: number }>()
  let cells = 0
  return rows.map((row, index) => {
    const texts: ColumnText[] = []
    const fillPending = (): void => {
      for (let above = pending.get(texts.length); above !== undefined; above = pending.get(texts.length)) {
        if (above.rows === 1) pending.delete(texts.length)
        else pending.set(texts.length, { cell: above.cell, rows: above.rows - 1 })
        texts.push(above.cell)
      }
    }
    for (const { cell, text } of row) {
      fillPending()
      // A grid made by a script may leave empty cells out, and says in which column a cell is.
      const column = Math.min(Number(cell.getAttribute('aria-colindex') ?? 0) - 1, maxColumns)
      while (texts.length < column) texts.push(emptyText)
      const left = rows.length - index
      const height = Math.min(left, readRowSpan(cell, left))
      const width = readSpan(cell, 'colspan', maxColumns)
      const isAlone = row.length === 1 && texts.length === 0 && width > 1
      for (let column = 0; column < width; column += 1) {
        const here = { text: isAlone && column > 0 ? '' : text, isRepeated: column > 0, isAlone }
        if (height > 1) pending.set(texts.length, { cell: here, rows: height - 1 })
        texts.push(here)
        checkLimit(++cells, readingLimits.cells, 'cells in a table')
      }
    }
    fillPending()
    cells += pending.size
    checkLimit(cells, readingLimits.cells, 'cells in a table')
    return texts
  })
}

/** Returns how many of the `left` remaining rows of its group a cell spans. A span of 0 means all of them. */
function readRowSpan(cell: PageElement, left: number): number {
  return cell.getAttribute('rowspan')?.trim() === '0' ? left : readSpan(cell, 'rowspan', maxRows)
}

const currencySign = /^[$€£¥￥]\s?\(?$/

/**
 * Returns the rows of a table with equal lengths. Financial filings put `$`, `(`, `)` and `%` in separate cells.
 * These are joined to their figure, and figures without a sign are moved into the same column. A column that only
 * repeats the cells before it, as below a wide heading, is left out.
 */
function alignRows(groups: readonly (readonly (readonly TableCell[])[])[]): string[][] {
  const rows = groups.flatMap(spanCells)
  const width = rows.reduce((most, row) => Math.max(most, row.length), 0)
  checkLimit(rows.length * width, readingLimits.cells, 'cells in a table')
  const signColumns = new Set(
    rows.flatMap(row => row.flatMap(({ text }, column) => (currencySign.test(text) ? [column] : []))),
  )
  const grid = rows.map(row => joinUnits(row.map(({ text, isRepeated }) => (isRepeated ? '' : text))))
  for (const column of [...signColumns].sort((a, b) => b - a)) {
    if (grid.some(row => (row[column] ?? '') !== '' && (row[column + 1] ?? '') !== '')) continue
    for (const row of grid) {
      if ((row[column] ?? '') !== '') continue
      row[column] = row[column + 1] ?? ''
      row[column + 1] = ''
    }
  }
  const filled = Array.from({ length: width }, (_, column) => column).filter(column =>
    grid.some(row => (row[column] ?? '') !== ''),
  )
  const columns = filled.filter((column, at) => {
    const next = filled[at + 1]
    return (
      next === undefined ||
      grid.some((row, line) => (row[column] ?? '') !== '' && !isContinued(rows[line]!, column, next))
    )
  })
  return grid
    .map((row, at) =>
      columns.map(column => {
        const cell = rows[at]![column]
        if (cell?.isAlone) return column === columns[0] ? (row[0] ?? '') : ''
        return row[column] || (cell?.isRepeated ? cell.text : '')
      }),
    )
    .filter(row => row.some(text => text !== ''))
}

/** Whether the text of a column is repeated in a later one. */
function isContinued(row: readonly ColumnText[], column: number, next: number): boolean {
  const later = row[next]
  const cell = row[column]
  return cell?.isAlone === true || (later?.isRepeated === true && later.text === cell?.text)
}

function joinUnits(cells: readonly string[]): string[] {
  const joined = [...cells]
  for (let index = joined.length - 2; index >= 0; index -= 1) {
    const sign = joined[index] ?? ''
    const figure = joined[index + 1] ?? ''
    if (figure === '' || !(sign === '(' || currencySign.test(sign))) continue
    joined[index] = sign.endsWith('(') ? `${sign}${figure}` : `${sign} ${figure}`
    joined[index + 1] = ''
  }
  let before = -1
  joined.forEach((text, index) => {
    if (text === '') return
    if (/^[)%]+$/.test(text) && /\d/.test(joined[before] ?? '')) {
      joined[before] += text
      joined[index] = ''
    } else {
      before = index
    }
  })
  return joined
}

function readSpan(cell: PageElement, name: string, most: number): number {
  const span = Number.parseInt(cell.getAttribute(name) ?? cell.getAttribute(`aria-${name}`) ?? '1', 10)
  return Number.isNaN(span) || span < 1 ? 1 : Math.min(span, most)
}
