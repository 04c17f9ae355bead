import { pythonStrip } from '../../src/score/python/text.ts'
import { type LatexNode, listParts, readLatex } from './latex-nodes.ts'

/** The parts of a LaTeX table that Struc-Bench compares. */
interface PublishedLatexTable {
  /** The column specification. It is empty, because its group is skipped, unless a position `[t]` comes first. */
  readonly specification: string
  /** The rows that contain text, each without its empty cells. */
  readonly rows: readonly (readonly string[])[]
  /** `None` when there is no caption. */
  readonly caption: string
}

/** The published code raises this exception for the answer. */
export class PublishedError extends Error {
  /** The name of the exception in Python. */
  readonly exception: string
  constructor(exception: string) {
    super(`the published code raises ${exception}`)
    this.exception = exception
  }
}

/**
 * Reads the first tabular environment as Struc-Bench's code does.
 *
 * @throws PublishedError `AttributeError` for a tabular at the very end of the source
 * @throws RangeError when the source is nested too deeply
 */
export function readPublishedLatexTable(source: string): PublishedLatexTable {
  const nodes = readLatex(source)
  const tabular = findFirstTabular(nodes)
  if (tabular === null) return { specification: '', rows: [], caption: 'None' }
  if (tabular.args === null) throw new PublishedError('AttributeError')
  const [first] = tabular.args
  return {
    specification: first?.kind === 'chars' ? first.text : '',
    rows: readRows(tabular.nodes),
    caption: readCaption(nodes),
  }
}

type Environment = Extract<LatexNode, { kind: 'environment' }>

function findFirstTabular(nodes: readonly LatexNode[]): Environment | null {
  for (const node of nodes) {
    if (node.kind === 'environment' && node.name === 'tabular') return node
    const tabular = findFirstTabular(listParts(node))
    if (tabular !== null) return tabular
  }
  return null
}

/** Groups are skipped. `&` ends a cell and `\\` ends a row, also inside nested environments. */
function readRows(nodes: readonly LatexNode[]): string[][] {
  const rows: string[][] = []
  let row: string[] = []
  let cell = ''
  const endCell = (): void => {
    row.push(cell)
    cell = ''
  }
  const endRow = (): void => {
    endCell()
    rows.push(row)
    row = []
  }
  const walk = (node: LatexNode): void => {
    if (node.kind === 'group') return
    if (node.kind === 'specials' && node.text === '&') endCell()
    else if (node.kind === 'chars' || node.kind === 'specials') cell += node.text
    else if (node.kind === 'macro' && node.name === '\\') endRow()
    listParts(node).forEach(walk)
  }
  nodes.forEach(walk)
  endRow()
  return rows
    .map(cells => cells.map(pythonStrip).filter(text => text !== ''))
    .filter(cells => cells.length > 0)
}

/** The text of the first group after \caption. Its inner braces are kept, and its macros are dropped. */
function readCaption(nodes: readonly LatexNode[]): string {
  let isAfterCaption = false
  let captionGroup: LatexNode | null = null
  const walk = (node: LatexNode): void => {
    if (isAfterCaption && node.kind === 'group') captionGroup ??= node
    listParts(node).forEach(walk)
    if (node.kind === 'macro' && node.name === 'caption') isAfterCaption = true
  }
  nodes.forEach(walk)
  return captionGroup === null ? 'None' : listParts(captionGroup).map(writeNode).join('')
}

function writeNode(node: LatexNode): string {
  if (node.kind === 'chars' || node.kind === 'specials') return node.text
  const inner = listParts(node).map(writeNode).join('')
  return node.kind === 'group' ? node.delimiters[0] + inner + node.delimiters[1] : inner
}
