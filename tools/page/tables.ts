import { isElement, lineOf, type PageDocument, type PageElement } from './dom.ts'

/** Stands where a table was, through the conversion to Markdown. */
const tableMark = (index: number): string => `\ue002${index}\ue003`
export const tableMarks = /\ue002(\d+)\ue003/g

const maxSpan = 100

/**
 * Takes the tables out of a tree, innermost first, and gives their rows as Markdown, one row a line; in each place
 * stays a mark. A table that only lays out the page (it holds another table or has a single cell a row) is dissolved
 * into its cells.
 */
export function takeTables(root: PageElement, document: PageDocument): string[] {
  const taken: string[] = []
  for (const table of [...root.querySelectorAll('table')].reverse()) {
    const grid = holdsBlocks(table) ? null : gridOf(table)
    if (grid === null || grid.every(row => row.length < 2)) {
      dissolve(table, document)
      continue
    }
    const paragraph = document.createElement('p')
    paragraph.append(tableMark(taken.length))
    taken.push(captionOf(table) + markdownOf(grid))
    table.replaceWith(paragraph)
  }
  return taken
}

/** Cells with something in them: what a reader of the main text must not lose. */
export function filledCells(root: PageElement): number {
  let filled = 0
  for (const cell of root.querySelectorAll('td, th')) {
    if (/\S/.test(cell.textContent ?? '')) filled += 1
  }
  return filled
}

/** A table taken from inside leaves its mark, so an outer table is seen to be layout by that. */
function holdsBlocks(table: PageElement): boolean {
  if ((table.textContent ?? '').includes('\ue002')) return true
  return table.querySelector('h1, h2, h3, article, section') !== null
}

function rowsOf(table: PageElement): PageElement[] {
  const rows: PageElement[] = []
  for (const child of table.children) {
    const name = child.tagName.toLowerCase()
    if (name === 'tr') rows.push(child)
    else if (name === 'thead' || name === 'tbody' || name === 'tfoot') rows.push(...rowsOf(child))
  }
  return rows
}

/**
 * Rows of cell texts, all equally long. A cell over several rows stands in each of them, so that every row can be
 * read alone; a cell over several columns stands in the first. Columns and rows with nothing in them are left out.
 */
function gridOf(table: PageElement): string[][] {
  const grid: string[][] = []
  const pending = new Map<number, { text: string; rows: number }>()
  for (const row of rowsOf(table)) {
    const texts: string[] = []
    const fillPending = (): void => {
      for (let above = pending.get(texts.length); above !== undefined; above = pending.get(texts.length)) {
        if (above.rows === 1) pending.delete(texts.length)
        else pending.set(texts.length, { text: above.text, rows: above.rows - 1 })
        texts.push(above.text)
      }
    }
    for (const cell of row.children) {
      if (!/^t[dh]$/i.test(cell.tagName)) continue
      fillPending()
      const text = lineOf(cell)
      const rows = spanOf(cell, 'rowspan')
      for (let column = 0; column < spanOf(cell, 'colspan'); column += 1) {
        const here = column === 0 ? text : ''
        if (rows > 1) pending.set(texts.length, { text: here, rows: rows - 1 })
        texts.push(here)
      }
    }
    fillPending()
    grid.push(withUnits(texts))
  }
  return withoutEmpty(grid)
}

/** Filings put `$`, `)` and `%` in cells of their own: they go to the figure they belong to. */
function withUnits(cells: readonly string[]): string[] {
  const joined = [...cells]
  joined.forEach((text, index) => {
    if (/^[$€£¥￥]$/.test(text) && (joined[index + 1] ?? '') !== '') {
      joined[index] = `${text} ${joined[index + 1]}`
      joined[index + 1] = ''
    }
    const before = joined.findLastIndex((cell, place) => place < index && cell !== '')
    if (/^[)%]+$/.test(text) && /\d/.test(joined[before] ?? '')) {
      joined[before] += text
      joined[index] = ''
    }
  })
  return joined
}

function spanOf(cell: PageElement, name: string): number {
  const span = Number.parseInt(cell.getAttribute(name) ?? '1', 10)
  return Number.isNaN(span) || span < 1 ? 1 : Math.min(span, maxSpan)
}

function withoutEmpty(grid: readonly string[][]): string[][] {
  const width = Math.max(0, ...grid.map(row => row.length))
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

function captionOf(table: PageElement): string {
  const caption = [...table.children].find(child => child.tagName.toLowerCase() === 'caption')
  const text = caption === undefined ? '' : lineOf(caption)
  return text === '' ? '' : `${text}\n\n`
}

/** Puts each cell's content where the table was, a block each. */
function dissolve(table: PageElement, document: PageDocument): void {
  const block = document.createElement('div')
  const parts: PageElement[] = [...table.children].filter(child => child.tagName.toLowerCase() === 'caption')
  for (const row of rowsOf(table)) parts.push(...[...row.children].filter(isElement))
  for (const part of parts) {
    const cell = document.createElement('div')
    cell.append(...part.childNodes)
    block.append(cell)
  }
  table.replaceWith(block)
}
