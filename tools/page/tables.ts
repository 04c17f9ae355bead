import { checkLimit, readingLimits } from '../../src/system/reading-limits.ts'
import { lineOf, moveChildren, type PageDocument, type PageElement } from './dom.ts'
import { groupsOf, partOf, type TableCell, tableSelector } from './table-cells.ts'

/** Marks the place of a table, so that it survives the conversion to Markdown. */
const tableMark = (index: number): string => `\ue002${index}\ue003`
/** Matches the mark of a table; the group is its index. */
export const tableMarks = /\ue002(\d+)\ue003/g

const maxSpan = 100

/**
 * Removes the tables from a tree, innermost first, and leaves a mark in place of each. Layout tables (with a nested
 * table, or with one cell per row) are replaced by the content of their cells. Content of a table outside its cells
 * is placed before the table, as browsers show it.
 *
 * @returns the rows of each table as Markdown, one row per line
 */
export function extractTables(root: PageElement, document: PageDocument): string[] {
  const taken: string[] = []
  for (const table of [...root.querySelectorAll(tableSelector)].reverse()) {
    const isLayout = containsBlocks(table)
    const groups = groupsOf(table)
    const grid = isLayout ? null : gridOf(groups)
    const captions = [...table.children].filter(child => child.tagName.toLowerCase() === 'caption')
    const cells = groups.flat(2).map(({ cell }) => cell)
    for (const part of [...captions, ...cells]) part.remove()
    const block = document.createElement('div')
    moveChildren(table, block)
    if (grid === null || grid.every(row => row.length < 2)) {
      for (const part of [...captions, ...cells]) block.append(asBlock(part, document))
    } else {
      const paragraph = document.createElement('p')
      paragraph.append(tableMark(taken.length))
      taken.push([...captions.map(lineOf), markdownOf(grid)].filter(text => text !== '').join('\n\n'))
      block.append(paragraph)
    }
    table.replaceWith(block)
  }
  return taken
}

function asBlock(part: PageElement, document: PageDocument): PageElement {
  const block = document.createElement('div')
  moveChildren(part, block)
  return block
}

/** Counts the cells with content. A main text must not lose these. */
export function filledCells(root: PageElement): number {
  let filled = 0
  for (const cell of root.querySelectorAll('td, th')) {
    if (/\S/.test(cell.textContent ?? '')) filled += 1
  }
  return filled
}

/**
 * Returns whether a table contains blocks, which indicates layout: the mark of a nested table, or blocks that share
 * a cell with other content.
 */
function containsBlocks(table: PageElement): boolean {
  if ((table.textContent ?? '').includes('\ue002')) return true
  if (table.querySelector('article, section') !== null) return true
  return [...table.querySelectorAll('h1, h2, h3')].some(heading => !isOnlyContent(heading, table))
}

/** Returns whether a heading is the only content of its cell. */
function isOnlyContent(heading: PageElement, table: PageElement): boolean {
  let cell: PageElement = heading
  while (cell !== table && partOf(cell) !== 'cell' && cell.parentNode !== null) cell = cell.parentNode
  return lineOf(cell) === lineOf(heading)
}

/**
 * Returns the texts of one group's rows. A cell that spans rows is repeated in each of them, so that every row can
 * be read alone. A cell that spans columns appears in the first.
 */
function rowTexts(rows: readonly (readonly TableCell[])[]): string[][] {
  const pending = new Map<number, { text: string; rows: number }>()
  let cells = 0
  return rows.map((row, index) => {
    const texts: string[] = []
    const fillPending = (): void => {
      for (let above = pending.get(texts.length); above !== undefined; above = pending.get(texts.length)) {
        if (above.rows === 1) pending.delete(texts.length)
        else pending.set(texts.length, { text: above.text, rows: above.rows - 1 })
        texts.push(above.text)
      }
    }
    for (const { cell, text } of row) {
      fillPending()
      const height = heightOf(cell, rows.length - index)
      for (let column = 0; column < spanOf(cell, 'colspan'); column += 1) {
        const here = column === 0 ? text : ''
        if (height > 1) pending.set(texts.length, { text: here, rows: height - 1 })
        texts.push(here)
      }
    }
    fillPending()
    cells += texts.length
    checkLimit(cells, readingLimits.cells, 'cells in a table')
    return texts
  })
}

/** Returns how many of the `left` remaining rows of its group a cell spans. A span of 0 means all of them. */
function heightOf(cell: PageElement, left: number): number {
  return cell.getAttribute('rowspan')?.trim() === '0' ? left : spanOf(cell, 'rowspan')
}

const currencySign = /^[$€£¥￥]\s?\(?$/

/**
 * Returns the rows of a table with equal lengths. Financial filings put `$`, `(`, `)` and `%` in separate cells.
 * These are joined to their figure, and figures without a sign are moved into the same column.
 */
function gridOf(groups: readonly (readonly (readonly TableCell[])[])[]): string[][] {
  const rows = groups.flatMap(rowTexts)
  const width = rows.reduce((most, row) => Math.max(most, row.length), 0)
  checkLimit(rows.length * width, readingLimits.cells, 'cells in a table')
  const signColumns = new Set(
    rows.flatMap(row => row.flatMap((text, column) => (currencySign.test(text) ? [column] : []))),
  )
  const grid = rows.map(withUnits)
  for (const column of [...signColumns].sort((a, b) => b - a)) {
    if (grid.some(row => (row[column] ?? '') !== '' && (row[column + 1] ?? '') !== '')) continue
    for (const row of grid) {
      if ((row[column] ?? '') !== '') continue
      row[column] = row[column + 1] ?? ''
      row[column + 1] = ''
    }
  }
  return withoutEmpty(grid)
}

function withUnits(cells: readonly string[]): string[] {
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

function spanOf(cell: PageElement, name: string): number {
  const span = Number.parseInt(cell.getAttribute(name) ?? '1', 10)
  return Number.isNaN(span) || span < 1 ? 1 : Math.min(span, maxSpan)
}

/** Returns rows of equal length without empty rows and columns. */
function withoutEmpty(grid: readonly string[][]): string[][] {
  const width = grid.reduce((most, row) => Math.max(most, row.length), 0)
  const columns = Array.from({ length: width }, (_, column) => column).filter(column =>
    grid.some(row => (row[column] ?? '') !== ''),
  )
  return grid
    .map(row => columns.map(column => row[column] ?? ''))
    .filter(row => row.some(text => text !== ''))
}

function markdownOf(grid: readonly string[][]): string {
  const lines = grid.map(row => `| ${row.map(text => text.replaceAll('|', '\\|')).join(' | ')} |`)
  const rule = `|${' --- |'.repeat(grid[0]?.length ?? 0)}`
  return [lines[0], rule, ...lines.slice(1)].join('\n')
}
