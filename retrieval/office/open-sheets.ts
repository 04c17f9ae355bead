import { checkLimit, readingLimits } from '../../src/system/reading-limits.ts'
import { joinTextLines } from '../../src/text/plain-text.ts'
import { countIn } from './markup.ts'
import {
  addFault,
  type CellComment,
  completeSheet,
  type MergedRange,
  nameCell,
  readEachSheet,
  type Sheet,
  type SheetFaults,
  type SheetParts,
  type Workbook,
  type WorkbookSize,
} from './sheet.ts'
import { findElement, listElements, walkElements, type XmlNode } from './xml-tree.ts'

/** Returns the rows of a table of OpenDocument, also those in groups. */
export const listRows = (table: XmlNode): Generator<XmlNode> => listParts(table, 'row')

function* listParts(table: XmlNode, kind: 'row' | 'column'): Generator<XmlNode> {
  const groups = [`table:table-header-${kind}s`, `table:table-${kind}-group`, `table:table-${kind}s`]
  for (const child of listElements(table)) {
    if (child.name === `table:table-${kind}`) yield child
    else if (groups.includes(child.name)) yield* listParts(child, kind)
  }
}

/**
 * Reads the sheets of a workbook of OpenDocument.
 *
 * @param notices what is not read of the file
 */
export function readSheets(workbook: XmlNode, content: XmlNode, notices: readonly string[]): Workbook {
  const hidden = listHiddenStyles(content, 'style:table-properties', 'table:display', 'false')
  const size: WorkbookSize = { cells: 0, chars: 0 }
  const sheets = readEachSheet(
    listElements(workbook, 'table:table').map(table => ({
      name: table.attributes['table:name'] ?? '',
      isHidden: hidden.has(table.attributes['table:style-name']),
      read: () => readSheet(table, size),
    })),
  )
  return { ...sheets, notices: [...notices, ...sheets.notices] }
}

/** Returns the names of the styles that hide what has them: those with a value of an attribute of their properties. */
export function listHiddenStyles(
  content: XmlNode,
  properties: string,
  attribute: string,
  value: string,
): Set<string | undefined> {
  return new Set(
    [...walkElements(content, 'style:style')]
      .filter(style => findElement(style, properties)?.attributes[attribute] === value)
      .map(style => style.attributes['style:name']),
  )
}

/** Whether a row or column is hidden, by itself or by a filter. */
const isCollapsed = ({ attributes }: XmlNode): boolean =>
  /^(?:collapse|filter)$/.test(attributes['table:visibility'] ?? '')

function readSheet(table: XmlNode, size: WorkbookSize): Sheet {
  const rows: SheetParts['rows'] = []
  const faults: SheetFaults = new Map()
  const merged: MergedRange[] = []
  const comments: CellComment[] = []
  const hidden = { rows: new Set<number>(), columns: listHiddenColumns(table), cells: new Set<string>() }
  let number = 1
  for (const row of listRows(table)) {
    const top = number - 1
    const cells = readRow(row, {
      fault: (what, column) => addFault(faults, what, top, column),
      comment: (text, column) => comments.push({ cell: nameCell(top, column), text }),
      merged: (height, width, left) =>
        merged.push({ top, left, bottom: top + height - 1, right: left + width - 1 }),
    })
    const times = countIn(row, 'table:number-rows-repeated')
    if (cells.length > 0) {
      size.cells += cells.length * times
      checkLimit(size.cells, readingLimits.cells, 'cells')
      for (let time = 0; time < times; time += 1) {
        rows.push({ number: number + time, cells: [...cells] })
        if (isCollapsed(row)) hidden.rows.add(number + time)
      }
    }
    number += times
  }
  const name = table.attributes['table:name'] ?? ''
  return completeSheet({ name, rows, faults, merged, hidden, comments }, size)
}

function listHiddenColumns(table: XmlNode): Set<number> {
  const hidden = new Set<number>()
  let column = 0
  for (const node of listParts(table, 'column')) {
    const end = Math.min(column + countIn(node, 'table:number-columns-repeated'), readingLimits.columns)
    for (; column < end; column++) if (isCollapsed(node)) hidden.add(column)
  }
  return hidden
}

/** Receives what a row contains besides texts. Columns are 0-based. */
interface RowEvents {
  fault(what: string, column: number): void
  comment(text: string, column: number): void
  merged(height: number, width: number, column: number): void
}

function readRow(row: XmlNode, events: RowEvents): string[] {
  const cells: string[] = []
  let empty = 0
  for (const cell of listElements(row)) {
    if (cell.name !== 'table:table-cell' && cell.name !== 'table:covered-table-cell') continue
    const text = writeCell(cell)
    const count = countIn(cell, 'table:number-columns-repeated')
    const column = cells.length + empty
    for (const note of listElements(cell, 'office:annotation')) {
      const words = joinTextLines(listElements(note, 'text:p').map(readShownText).join('\n'))
      if (words !== '') events.comment(words, column)
    }
    if (text === '') {
      empty += count
      continue
    }
    checkLimit(column + count, readingLimits.columns, 'columns')
    for (; empty > 0; empty -= 1) cells.push('')
    if (cell.attributes['calcext:value-type'] === 'error') events.fault(`the error value ${text}`, column)
    const [height, width] = ['rows', 'columns'].map(what => countIn(cell, `table:number-${what}-spanned`))
    if (height! * width! > 1) events.merged(height!, Math.min(width!, readingLimits.columns - column), column)
    for (let time = 0; time < count; time += 1) cells.push(text)
  }
  return cells
}

/** Dates as in ISO 8601; a number that is only rounded or grouped with all its digits; anything else as it is shown. */
function writeCell(cell: XmlNode): string {
  const { attributes } = cell
  const shown = joinTextLines(listElements(cell, 'text:p').map(readShownText).join('\n'))
  const date = attributes['office:date-value']
  if (date !== undefined) return date.replace(/T00:00:00(?:\.0+)?$/, '').replace('T', ' ')
  const value = attributes['office:value']
  const isPlain =
    attributes['office:value-type'] === 'float' &&
    /^[-\d.,'\s\u00a0\u202f]*$/.test(shown) &&
    !/^-?0\d/.test(shown)
  return value !== undefined && (isPlain || shown === '') ? value : shown
}

function readShownText(node: XmlNode): string {
  return node.children
    .map(child => {
      if (typeof child === 'string') return child
      return child.name === 'text:s' ? ' ' : child.name === 'office:annotation' ? '' : readShownText(child)
    })
    .join('')
}
