import { checkLimit, readingLimits } from '../../src/system/reading-limits.ts'
import { oneLine } from '../../src/text/plain-text.ts'
import { elementsBelow, elementsIn, firstIn, type XmlNode } from '../text/xml-tree.ts'
import { countIn } from './markup.ts'

const rowGroups = ['table:table-header-rows', 'table:table-row-group', 'table:table-rows']

/** Returns the rows of a table of OpenDocument, also those in groups. */
export function* rowsIn(table: XmlNode): Generator<XmlNode> {
  for (const child of elementsIn(table)) {
    if (child.name === 'table:table-row') yield child
    else if (rowGroups.includes(child.name)) yield* rowsIn(child)
  }
}

/** Returns the visible sheets of a workbook of OpenDocument as text, with cells in their columns between tabs. */
export function readSheets(workbook: XmlNode, content: XmlNode): string[] {
  const hidden = new Set(
    [...elementsBelow(content, 'style:style')]
      .filter(style => firstIn(style, 'style:table-properties')?.attributes['table:display'] === 'false')
      .map(style => style.attributes['style:name']),
  )
  const size = { cells: 0 }
  return elementsIn(workbook, 'table:table').flatMap(({ attributes, children }) => {
    if (hidden.has(attributes['table:style-name'])) return []
    const rows = [...rowsIn({ name: '', attributes, children })].flatMap(row => readRow(row, size))
    return rows.length === 0 ? [] : [`# ${attributes['table:name'] ?? ''}\n${rows.join('\n')}`]
  })
}

function readRow(row: XmlNode, size: { cells: number }): string[] {
  const cells: string[] = []
  let empty = 0
  for (const cell of elementsIn(row)) {
    if (cell.name !== 'table:table-cell' && cell.name !== 'table:covered-table-cell') continue
    const text = cellText(cell)
    const count = countIn(cell, 'table:number-columns-repeated')
    if (text === '') {
      empty += count
      continue
    }
    checkLimit(cells.length + empty + count, readingLimits.columns, 'columns')
    for (; empty > 0; empty -= 1) cells.push('')
    for (let time = 0; time < count; time += 1) cells.push(text)
  }
  if (cells.length === 0) return []
  const times = countIn(row, 'table:number-rows-repeated')
  size.cells += cells.length * times
  checkLimit(size.cells, readingLimits.cells, 'cells')
  return Array.from({ length: times }, () => cells.join('\t'))
}

/** Dates as in ISO 8601; a number that is only rounded or grouped with all its digits; anything else as it is shown. */
function cellText(cell: XmlNode): string {
  const { attributes } = cell
  const shown = oneLine(elementsIn(cell, 'text:p').map(shownText).join(' ')).trim()
  const date = attributes['office:date-value']
  if (date !== undefined) return date.replace(/T00:00:00(?:\.0+)?$/, '').replace('T', ' ')
  const value = attributes['office:value']
  const isPlain =
    attributes['office:value-type'] === 'float' &&
    /^[-\d.,'\s\u00a0\u202f]*$/.test(shown) &&
    !/^-?0\d/.test(shown)
  return value !== undefined && (isPlain || shown === '') ? value : shown
}

function shownText(node: XmlNode): string {
  return node.children
    .map(child => {
      if (typeof child === 'string') return child
      return child.name === 'text:s' ? ' ' : child.name === 'office:annotation' ? '' : shownText(child)
    })
    .join('')
}
