import { struckMark } from '../html/raised.ts'
import { lower, raise, writeAccent, writeFraction, writeRoot, writeScripts } from '../text/formula-text.ts'
import { findElement, listElements, type XmlNode } from './xml-tree.ts'

/**
 * Returns an equation of Word (OMML, ECMA-376 part 1, 22.1) as a line of text, as formulas of pages are written. Figures of
 * different parts never join: `2 1/2` and not 21/2.
 */
export function writeEquation(node: XmlNode): string {
  return joinParts(listElements(node).map(readPart))
}

/** A part of an equation. A part that is raised or lowered ends before the next letter or figure; a fraction stands apart. */
interface MathPart {
  readonly text: string
  readonly isClosed: boolean
  readonly isApart: boolean
}

const plain = (text: string): MathPart => ({ text, isClosed: false, isApart: false })
const closed = (text: string): MathPart => ({ text, isClosed: true, isApart: false })
const apart = (text: string): MathPart => ({ text, isClosed: true, isApart: true })

function joinParts(parts: readonly MathPart[]): string {
  let joined = ''
  let isClosed = false
  for (const part of parts) {
    if (part.text === '') continue
    const isJoined =
      (isClosed && /^[\p{N}.,]/u.test(part.text)) ||
      (isClosed && /^\p{L}/u.test(part.text) && /[\p{L}\p{Nd}]$/u.test(joined)) ||
      (part.isApart && /[\p{L}\p{N}]$/u.test(joined))
    joined += `${isJoined ? ' ' : ''}${part.text}`
    isClosed = part.isClosed
  }
  return joined
}

/** Reads the text of the first element of a name in a part. */
type ReadElement = (name: string) => string

/** Readers of the parts of equations by their names. Parts with other names are read as what they contain. */
const partReaders = new Map<string, (read: ReadElement, node: XmlNode) => MathPart>([
  ['m:r', (_read, node) => plain(readRun(node))],
  ['w:r', (_read, node) => plain(readRun(node))],
  ['m:f', readFraction],
  ['m:sSup', read => closed(writeScripts(read('m:e'), '', read('m:sup')))],
  ['m:sSub', read => closed(writeScripts(read('m:e'), read('m:sub'), ''))],
  ['m:sSubSup', read => closed(writeScripts(read('m:e'), read('m:sub'), read('m:sup')))],
  ['m:sPre', read => plain(` ${lower(read('m:sub'))}${raise(read('m:sup'))}${read('m:e')}`)],
  ['m:rad', read => closed(writeRoot(read('m:e'), read('m:deg')))],
  ['m:nary', readSum],
  ['m:limLow', read => closed(writeScripts(read('m:e'), read('m:lim'), ''))],
  ['m:limUpp', read => closed(writeScripts(read('m:e'), '', read('m:lim')))],
  ['m:func', readFunction],
  ['m:d', (_read, node) => closed(readDelimited(node))],
  ['m:m', (_read, node) => closed(`[${listElements(node, 'm:mr').map(readMatrixRow).join('; ')}]`)],
  ['m:eqArr', (_read, node) => closed(listElements(node, 'm:e').map(writeEquation).join('; '))],
  ['m:acc', (read, node) => closed(writeAccent(read('m:e'), readSetting(node, 'chr') ?? '\u0302'))],
  ['m:bar', read => closed(writeAccent(read('m:e'), '\u0305'))],
  ['m:borderBox', readBox],
  ['m:oMath', (_read, node) => closed(writeEquation(node))],
  ['m:phant', (read, node) => plain(readSetting(node, 'show') === '0' ? '' : read('m:e'))],
])

/** Properties, and what has been deleted or moved. */
const withoutText = /Pr$|^w:(?:del|moveFrom)$/

function readPart(node: XmlNode): MathPart {
  const reader = partReaders.get(node.name)
  if (reader !== undefined) return reader(name => writeEquation(findElement(node, name) ?? emptyNode), node)
  return plain(withoutText.test(node.name) ? '' : writeEquation(node))
}

function readFraction(read: ReadElement, node: XmlNode): MathPart {
  return readSetting(node, 'type') === 'noBar'
    ? closed(`(${read('m:num')}; ${read('m:den')})`)
    : apart(writeFraction(read('m:num'), read('m:den')))
}

/** Reads a sum, a product or an integral. */
function readSum(read: ReadElement, node: XmlNode): MathPart {
  const sign = readSetting(node, 'chr') ?? '∫'
  return closed(`${writeScripts(sign, read('m:sub'), read('m:sup'))} (${read('m:e')})`)
}

function readFunction(read: ReadElement): MathPart {
  const argument = read('m:e')
  return closed(`${read('m:fName')}${/^[([{|]/.test(argument) ? '' : ' '}${argument}`)
}

function readBox(read: ReadElement, node: XmlNode): MathPart {
  const properties = findElement(node, 'm:borderBoxPr')
  const isStruck = listElements(properties).some(({ name }) => /^m:strike/.test(name))
  return isStruck ? apart(`${struckMark}${read('m:e')}${struckMark}`) : closed(read('m:e'))
}

const emptyNode: XmlNode = { name: '', attributes: {}, children: [] }

function readRun(run: XmlNode): string {
  const texts = listElements(run).map(({ name, children }) => {
    if (name === 'm:t' || name === 'w:t') return children.filter(child => typeof child === 'string').join('')
    return name === 'w:tab' || name === 'w:br' ? ' ' : ''
  })
  return texts.join('')
}

/** Returns a setting of an element's properties, such as the sign of a sum; null when it is not set. */
function readSetting(node: XmlNode, name: string): string | null {
  const properties = listElements(node).find(child => child.name === `${node.name}Pr`)
  const value = findElement(properties, `m:${name}`)
  return value === null ? null : (value.attributes['m:val'] ?? null)
}

function readDelimited(node: XmlNode): string {
  const parts = listElements(node, 'm:e').map(writeEquation)
  return `${readSetting(node, 'begChr') ?? '('}${parts.join(readSetting(node, 'sepChr') ?? '|')}${readSetting(node, 'endChr') ?? ')'}`
}

function readMatrixRow(row: XmlNode): string {
  return listElements(row, 'm:e').map(writeEquation).join(', ')
}
