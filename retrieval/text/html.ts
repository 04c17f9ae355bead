import { readingLimits } from '../../src/system/reading-limits.ts'
import { withoutLineEnds } from '../../src/text/plain-text.ts'
import { checkMarkup } from './check-markup.ts'
import { isInline } from './inline.ts'
import { flattenBelow, type NestedElement } from './nesting.ts'
import { markRaised } from './raised.ts'

const skipped = new Set(
  'SCRIPT STYLE NOSCRIPT TEMPLATE HEAD IFRAME OBJECT SVG CANVAS SELECT BUTTON INPUT TEXTAREA IX:HEADER'.split(
    ' ',
  ),
)
const [textNode, elementNode] = [3, 1]
/** The conversion is recursive, and about 3,000 levels exceed the call stack. */
const maxLevels = 1_000

/** The used parts of a DOM node. linkedom's own types are less exact. */
interface DomNode {
  readonly nodeType: number
  readonly tagName?: string
  readonly textContent: string | null
  readonly childNodes: Iterable<DomNode>
}

/** Returns the text of a page: one line per block, list item and table row. Cells are separated by ` | `. */
export async function htmlToText(html: string): Promise<string> {
  checkMarkup(html, readingLimits.htmlLevels)
  const { parseHTML } = await import('linkedom')
  const whole = /<(?:html|body)\b/i.test(html) ? html : `<html><body>${html}</body></html>`
  const { document } = parseHTML(whole) as unknown as {
    document: { documentElement: (DomNode & NestedElement) | null }
  }
  const root = document.documentElement
  if (root === null) return ''
  flattenBelow(root, maxLevels)
  markRaised(root)
  return tidy(blockText(root))
}

function blockText(node: DomNode): string {
  let text = ''
  for (const child of node.childNodes) {
    if (child.nodeType === textNode) text += (child.textContent ?? '').replace(/\s+/g, ' ')
    else if (child.nodeType === elementNode) text += elementText(child)
  }
  return text
}

function elementText(element: DomNode): string {
  const tag = (element.tagName ?? '').toUpperCase()
  if (skipped.has(tag)) return ''
  if (tag === 'BR') return '\n'
  if (tag === 'HR') return '\n\n'
  if (tag === 'PRE') return `\n${element.textContent ?? ''}\n`
  if (tag === 'TABLE') return `\n\n${tableText(element)}\n\n`
  if (tag === 'LI') return `\n- ${blockText(element).trim()}\n`
  if (/^H[1-6]$/.test(tag)) return `\n\n${'#'.repeat(Number(tag[1]))} ${blockText(element).trim()}\n\n`
  if (tag === 'P') return `\n\n${blockText(element)}\n\n`
  return isInline(tag) ? blockText(element) : `\n${blockText(element)}\n`
}

function tableText(table: DomNode): string {
  const rows = [...rowsOf(table)].map(row => [...row.childNodes].filter(isCell).map(cellText))
  // Empty cells are kept only in tables with equal rows, because layout tables use them as spacers.
  const regular = rows.every(row => row.length === rows[0]?.length)
  const used = new Set(rows.flatMap(row => row.flatMap((cell, column) => (cell === '' ? [] : [column]))))
  return rows
    .map(row => row.filter((cell, column) => (regular ? used.has(column) : cell !== '')))
    .filter(row => row.some(cell => cell !== ''))
    .map(joinCells)
    .join('\n')
}

function* rowsOf(node: DomNode): Generator<DomNode> {
  for (const child of node.childNodes) {
    const tag = (child.tagName ?? '').toUpperCase()
    if (tag === 'TR') yield child
    else if (['THEAD', 'TBODY', 'TFOOT'].includes(tag)) yield* rowsOf(child)
    else if (tag === 'CAPTION')
      yield { ...bare, childNodes: [{ ...bare, tagName: 'TD', childNodes: [child] }] }
  }
}

const bare = { nodeType: elementNode, tagName: 'TR', textContent: null }

function isCell(node: DomNode): boolean {
  return ['TD', 'TH'].includes((node.tagName ?? '').toUpperCase())
}

function cellText(cell: DomNode): string {
  return blockText(cell)
    .replace(/[\s\u00a0]+/g, ' ')
    .trim()
}

/** Joins the cells of a row. Financial filings put currency signs, brackets and percent signs in separate cells. */
function joinCells(cells: readonly string[]): string {
  let line = ''
  let glue = ''
  for (const cell of cells) {
    line += (/^[)%]+$/.test(cell) && glue === ' | ' ? '' : glue) + cell
    glue = /^[$€£¥￥₩(]+$/.test(cell) ? ' ' : ' | '
  }
  return line
}

function tidy(text: string): string {
  return withoutLineEnds(text.replace(/\u00a0/g, ' '))
    .split('\n')
    .map(line => line.replace(/^ +(?=\S)/, ''))
    .join('\n')
    .replace(/\n{3,}/g, '\n\n')
    .trim()
}
