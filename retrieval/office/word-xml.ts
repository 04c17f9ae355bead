import { joinToOneLine } from '../../src/text/plain-text.ts'
import { struckMark } from '../html/raised.ts'
import { writeEquation } from './word-math.ts'
import { findElement, listElements, walkElements, type XmlNode } from './xml-tree.ts'

/** How the characters of a run look. */
interface RunLook {
  readonly isHidden?: boolean
  readonly isStruck?: boolean
  readonly verticalAlign?: string
}

/** Returns the look that a paragraph or character style gives to its text, by the style's id. */
export type StyleLooks = (styleId: string) => RunLook

/** Reads the looks of a document's styles, each with what it takes over from the style that it is based on. */
export function readStyleLooks(styles: XmlNode | null): StyleLooks {
  const byId = new Map(
    listElements(styles, 'w:style').map(style => [style.attributes['w:styleId'] ?? '', style]),
  )
  const looks = new Map<string, RunLook>()
  const lookOf = (id: string, isVisited: ReadonlySet<string>): RunLook => {
    const style = byId.get(id)
    if (style === undefined || isVisited.has(id)) return {}
    const cachedLook = looks.get(id)
    if (cachedLook !== undefined) return cachedLook
    const parent = findElement(style, 'w:basedOn')?.attributes['w:val'] ?? ''
    const look = {
      ...lookOf(parent, new Set([...isVisited, id])),
      ...readDirectLook(findElement(style, 'w:rPr')),
    }
    looks.set(id, look)
    return look
  }
  return id => lookOf(id, new Set())
}

function readDirectLook(properties: XmlNode | null): RunLook {
  const hidden = readToggle(properties, 'w:vanish')
  const struck = readToggle(properties, 'w:strike') ?? readToggle(properties, 'w:dstrike')
  const isDoubleStruck = readToggle(properties, 'w:dstrike') === true
  const align = findElement(properties, 'w:vertAlign')?.attributes['w:val'] ?? readPosition(properties)
  return {
    ...(hidden === null ? {} : { isHidden: hidden }),
    ...(struck === null ? {} : { isStruck: struck || isDoubleStruck }),
    ...(align === undefined ? {} : { verticalAlign: align }),
  }
}

/** Text may be raised by a distance instead. */
function readPosition(properties: XmlNode | null): string | undefined {
  const halfPoints = Number(findElement(properties, 'w:position')?.attributes['w:val'] ?? 0)
  if (halfPoints === 0 || Number.isNaN(halfPoints)) return undefined
  return halfPoints > 0 ? 'superscript' : 'subscript'
}

function readToggle(properties: XmlNode | null, name: string): boolean | null {
  const element = findElement(properties, name)
  return element === null ? null : !/^(?:0|false|off)$/.test(element.attributes['w:val'] ?? '')
}

/** Things in a document that are not text, by what they are, each with the text before it. */
export type SkippedThings = Map<string, string[]>

/** What the rewriting of a part needs. */
export interface RewriteContext {
  readonly looks: StyleLooks
  /** Collects what is left out. */
  readonly skipped: SkippedThings
}

/** Elements that contribute their content only. */
const transparent = new Set(
  'w:ins w:moveTo w:smartTag w:customXml w:hyperlink w:fldSimple w:dir w:bdo w:sdtContent'.split(' '),
)
/** Elements that are removed with their content. */
const removed = new Set(
  'w:del w:moveFrom w:commentRangeStart w:commentRangeEnd w:bookmarkStart w:bookmarkEnd w:proofErr w:permStart w:permEnd w:sdtPr w:sdtEndPr w:customXmlPr w:smartTagPr w:lastRenderedPageBreak'.split(
    ' ',
  ),
)

/**
 * Rewrites the blocks of a document, header, footer or note so that what they contain besides plain text runs becomes text:
 * equations, text boxes, content controls and struck text (between `~~`). Deleted and hidden text is removed.
 */
export function rewriteBlocks(blocks: XmlNode, context: RewriteContext): void {
  let lastText = ''
  const rewriteBlock = (block: XmlNode): (XmlNode | string)[] => {
    if (removed.has(block.name)) return []
    if (block.name === 'w:p') {
      const rewritten = rewriteParagraph(block, context, lastText)
      lastText = joinToOneLine(readText(block)) || lastText
      return rewritten.flatMap(child => (child === block ? [child] : rewriteBlock(child)))
    }
    if (block.name === 'w:tbl') {
      rewriteTable(block)
      block.children = flattenContent(block)
    }
    if (block.name === 'w:altChunk') return recordSkipped(context, 'embedded document', lastText)
    if (/^m:oMath(?:Para)?$/.test(block.name)) return [makeParagraph([makeTextRun(writeEquation(block))])]
    block.children = flattenContent(block).flatMap(child =>
      typeof child === 'string' ? [] : rewriteBlock(child),
    )
    return [block]
  }
  blocks.children = flattenContent(blocks).flatMap(child =>
    typeof child === 'string' ? [] : rewriteBlock(child),
  )
}

/** Returns the children of an element, with the children of those that contribute their content only. */
function flattenContent(node: XmlNode, content: (XmlNode | string)[] = []): (XmlNode | string)[] {
  for (const child of node.children) {
    if (typeof child === 'string') content.push(child)
    else if (removed.has(child.name)) continue
    else if (child.name === 'mc:AlternateContent') flattenContent(pickAlternative(child), content)
    else if (child.name === 'w:sdt' || transparent.has(child.name)) flattenContent(child, content)
    else content.push(child)
  }
  return content
}

/** Returns the elements of a name below an element, of one alternative each. */
function listShown(node: XmlNode, name: string): XmlNode[] {
  return flattenContent(node).flatMap(child => {
    if (typeof child === 'string') return []
    return child.name === name ? [child] : listShown(child, name)
  })
}

/** Word shows a text box in a drawing, and older programs the same text box in VML. */
function pickAlternative(alternatives: XmlNode): XmlNode {
  const choices = listElements(alternatives)
  const hasText = (choice: XmlNode): boolean =>
    !walkElements(choice, 'w:txbxContent', 'w:t', 'm:oMath').next().done
  return choices.find(hasText) ?? choices[0] ?? alternatives
}

/** Removes hidden and deleted rows, and fills the columns that a row begins or ends without. */
function rewriteTable(table: XmlNode): void {
  table.children = flattenContent(table).filter(row => {
    if (typeof row === 'string') return false
    if (row.name !== 'w:tr') return true
    const properties = findElement(row, 'w:trPr')
    if (readToggle(properties, 'w:hidden') === true || findElement(properties, 'w:del') !== null) return false
    row.children = flattenContent(row)
    joinMergedCells(row)
    const emptyCells = (name: string): XmlNode[] => {
      const span = findElement(properties, name)?.attributes['w:val']
      return span === undefined || !(Number(span) > 0) ? [] : [makeEmptyCell(span)]
    }
    const start = row.children.findIndex(child => typeof child !== 'string' && child.name === 'w:tc')
    if (start >= 0) row.children.splice(start, 0, ...emptyCells('w:gridBefore'))
    row.children.push(...emptyCells('w:gridAfter'))
    return true
  })
}

/** Writes cells that older programs merge (`w:hMerge`) as one cell that spans their columns. */
function joinMergedCells(row: XmlNode): void {
  let first: XmlNode | null = null
  row.children = row.children.filter(cell => {
    if (typeof cell === 'string' || cell.name !== 'w:tc') return true
    const properties = findElement(cell, 'w:tcPr')
    const merge = findElement(properties, 'w:hMerge')
    if (merge === null || merge.attributes['w:val'] === 'restart' || first === null) {
      first = merge === null ? null : properties
      return true
    }
    const width = (tcPr: XmlNode | null): number =>
      Number(findElement(tcPr, 'w:gridSpan')?.attributes['w:val'] ?? 1) || 1
    const span = makeElement('w:gridSpan', [], { 'w:val': String(width(first) + width(properties)) })
    const others = listElements(first).filter(({ name }) => name !== 'w:gridSpan')
    first.children = [...others, span]
    return false
  })
}

function makeEmptyCell(span: string): XmlNode {
  const properties = makeElement('w:tcPr', [makeElement('w:gridSpan', [], { 'w:val': span })])
  return makeElement('w:tc', [properties, makeParagraph([])])
}

/** Rewrites the runs of a paragraph. Returns the paragraph and, after it, the blocks of its text boxes. */
function rewriteParagraph(block: XmlNode, context: RewriteContext, before: string): XmlNode[] {
  const boxes: XmlNode[] = []
  const properties = findElement(block, 'w:pPr')
  const styleId = findElement(properties, 'w:pStyle')?.attributes['w:val'] ?? ''
  const paragraphLook = context.looks(styleId)
  const runs: { readonly run: XmlNode; readonly isStruck: boolean }[] = []
  const fields: ('code' | 'result')[] = []
  let text = ''
  let isBehindFormula = false
  for (const child of flattenContent(block)) {
    if (typeof child === 'string') continue
    if (child.name === 'w:pPr') continue
    if (/^m:oMath(?:Para)?$/.test(child.name)) {
      const formula = writeEquation(child)
      runs.push({ run: makeTextRun(separateFigures(text, formula)), isStruck: false })
      text += formula
      isBehindFormula = true
      continue
    }
    if (child.name !== 'w:r') continue
    const isCode = readFieldSigns(child, fields)
    if (isCode) continue
    const runProperties = findElement(child, 'w:rPr')
    const look = {
      ...paragraphLook,
      ...context.looks(findElement(runProperties, 'w:rStyle')?.attributes['w:val'] ?? ''),
      ...readDirectLook(runProperties),
    }
    // The begin and end of a field count also when they are hidden.
    if (look.isHidden === true && findElement(child, 'w:fldChar') === null) continue
    const words = readText(child)
    if (isBehindFormula && separateFigures(text, words) !== words)
      runs.push({ run: makeTextRun(' '), isStruck: false })
    isBehindFormula = isBehindFormula && words === ''
    for (const run of rewriteRun(child, look, context, () => joinToOneLine(text) || before, boxes))
      runs.push({ run, isStruck: look.isStruck === true && readText(run) !== '' })
    text += words
  }
  const marked = runs.flatMap(({ run, isStruck }, at) => [
    ...(isStruck && runs[at - 1]?.isStruck !== true ? [makeTextRun(struckMark)] : []),
    run,
    ...(isStruck && runs[at + 1]?.isStruck !== true ? [makeTextRun(struckMark)] : []),
  ])
  block.children = [...(properties === null ? [] : [properties]), ...marked]
  return [block, ...boxes]
}

/** Puts a space before a text whose first figure would continue a number. */
const separateFigures = (before: string, text: string): string =>
  /\p{N}$/u.test(before) && /^\d/.test(text) ? ` ${text}` : text

/**
 * Follows the fields that a run begins and ends.
 *
 * @param fields the open fields, outermost first, each with the part that is being read; changed by this
 * @returns whether the run is the result of a field inside the code of another one, which Word does not show
 */
function readFieldSigns(run: XmlNode, fields: ('code' | 'result')[]): boolean {
  for (const sign of listElements(run, 'w:fldChar')) {
    const type = sign.attributes['w:fldCharType']
    if (type === 'begin') fields.push('code')
    if (type === 'separate' && fields.length > 0) fields[fields.length - 1] = 'result'
    if (type === 'end') fields.pop()
  }
  return fields.at(-1) === 'result' && fields.includes('code') && listElements(run, 'w:fldChar').length === 0
}

/** Rewrites a run. The blocks of its text boxes are added to `boxes`. */
function rewriteRun(
  run: XmlNode,
  look: RunLook,
  context: RewriteContext,
  before: () => string,
  boxes: XmlNode[],
): XmlNode[] {
  const children: XmlNode[] = []
  for (const child of flattenContent(run)) {
    if (typeof child === 'string' || child.name === 'w:rPr') continue
    if (/^w:(?:drawing|pict|object)$/.test(child.name)) {
      const content = listShown(child, 'w:txbxContent')
      boxes.push(...content.flatMap(box => listElements(box)))
      if (content.length === 0) recordSkipped(context, nameDrawing(child), before())
    } else if (child.name === 'w:ptab') children.push(makeElement('w:tab'))
    else if (child.name === 'w:ruby') {
      const [reading, ruby] = ['w:rt', 'w:rubyBase'].map(name => readText(findElement(child, name)))
      children.push(makeElement('w:t', [`${ruby}${reading === '' ? '' : ` (${reading})`}`], preserved))
    } else if (child.name === 'w:fldChar' && findElement(child, 'w:ffData') !== null)
      children.push(child, makeElement('w:t', [readFormField(findElement(child, 'w:ffData'))], preserved))
    else if (child.name === 'm:oMath') children.push(makeElement('w:t', [writeEquation(child)], preserved))
    else if (child.name !== 'w:commentReference' && child.name !== 'w:annotationRef') children.push(child)
  }
  const align = look.verticalAlign
  const properties = [...(align === undefined ? [] : [makeElement('w:vertAlign', [], { 'w:val': align })])]
  return children.length === 0 ? [] : [makeElement('w:r', [makeElement('w:rPr', properties), ...children])]
}

/** Returns what a list of a form shows. The text of other fields follows them; mammoth writes check boxes. */
function readFormField(field: XmlNode | null): string {
  const list = findElement(field, 'w:ddList')
  const index = Number(findElement(list, 'w:result')?.attributes['w:val'] ?? 0)
  return listElements(list, 'w:listEntry')[index]?.attributes['w:val'] ?? ''
}

const drawnThings = [
  ['chart', 'c:chart'],
  ['diagram', 'dgm:relIds'],
  ['picture', 'pic:pic'],
  ['embedded object', 'o:OLEObject'],
  ['picture', 'v:imagedata'],
  ['text drawn as a picture', 'v:textpath'],
] as const

/** Says what a drawing shows; null for lines and other shapes. */
function nameDrawing(drawing: XmlNode): string | null {
  const match = drawnThings.find(([, name]) => listShown(drawing, name).length > 0)
  return match?.[0] ?? null
}

function recordSkipped({ skipped }: RewriteContext, what: string | null, before: string): [] {
  if (what === null) return []
  const places = skipped.get(what) ?? []
  skipped.set(what, places)
  places.push(before)
  return []
}

/** Returns the text of the runs below an element. */
export function readText(node: XmlNode | null): string {
  if (node === null) return ''
  return Array.from(walkElements(node, 'w:t', 'm:t', 'w:tab', 'w:ptab', 'w:br'), ({ name, children }) =>
    name.endsWith(':t') ? children.filter(child => typeof child === 'string').join('') : ' ',
  ).join('')
}

const preserved = { 'xml:space': 'preserve' }

function makeElement(
  name: string,
  children: (XmlNode | string)[] = [],
  attributes: Readonly<Record<string, string>> = {},
): XmlNode {
  return { name, attributes, children }
}

function makeTextRun(text: string): XmlNode {
  return makeElement('w:r', [makeElement('w:t', [text], preserved)])
}

/** Returns a paragraph of runs. */
export function makeParagraph(runs: XmlNode[]): XmlNode {
  return makeElement('w:p', runs)
}

/** Returns a paragraph with a text. */
export function makeTextParagraph(text: string): XmlNode {
  return makeParagraph([makeTextRun(text)])
}
