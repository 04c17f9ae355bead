import { checkLimit, readingLimits } from '../../src/system/reading-limits.ts'
import { oneLine } from '../../src/text/plain-text.ts'
import { addFault, describeFault, type Sheet, type SheetFaults, type Workbook } from '../text/sheet.ts'
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

/**
 * Returns the visible sheets of a workbook of OpenDocument.
 *
 * @param notices what is not read of the file
 */
export function readSheets(workbook: XmlNode, content: XmlNode, notices: readonly string[]): Workbook {
  const hidden = new Set(
    [...elementsBelow(content, 'style:style')]
      .filter(style => firstIn(style, 'style:table-properties')?.attributes['table:display'] === 'false')
      .map(style => style.attributes['style:name']),
  )
  const size = { cells: 0 }
  const sheets = elementsIn(workbook, 'table:table')
    .filter(({ attributes }) => !hidden.has(attributes['table:style-name']))
    .map(table => readSheet(table, size))
  const faults = sheets.flatMap(({ name, faults: each }) => each.map(fault => describeFault(name, fault)))
  return { sheets, notices: [...notices, ...faults] }
}

function readSheet(table: XmlNode, size: { cells: number }): Sheet {
  const rows: { number: number; cells: string[] }[] = []
  const faults: SheetFaults = new Map()
  let number = 1
  for (const row of rowsIn(table)) {
    const cells = readRow(row, (what, column) => addFault(faults, what, number - 1, column))
    const times = countIn(row, 'table:number-rows-repeated')
    if (cells.length > 0) {
      size.cells += cells.length * times
      checkLimit(size.cells, readingLimits.cells, 'cells')
      for (let time = 0; time < times; time += 1) rows.push({ number: number + time, cells })
    }
    number += times
  }
  return { name: table.attributes['table:name'] ?? '', rows, faults: [...faults.values()] }
}

function readRow(row: XmlNode, tellFault: (what: string, column: number) => void): string[] {
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
    if (cell.attributes['calcext:value-type'] === 'error') tellFault(`the error value ${text}`, cells.length)
    for (let time = 0; time < count; time += 1) cells.push(text)
  }
  return cells
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
