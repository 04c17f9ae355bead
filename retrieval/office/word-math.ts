import { struckMark } from '../html/raised.ts'
import { lower, raise, writeAccent, writeFraction, writeRoot, writeScripts } from '../text/formula-text.ts'
import { elementsIn, firstIn, type XmlNode } from './xml-tree.ts'

/**
 * Returns an equation of Word (OMML, ECMA-376 part 1, 22.1) as a line of text, as formulas of pages are written. Figures of
 * different parts never join: `2 1/2` and not 21/2.
 */
export function mathText(node: XmlNode): string {
  return joinParts(elementsIn(node).map(elementText))
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

function elementText(node: XmlNode): MathPart {
  const part = (name: string): string => mathText(firstIn(node, name) ?? emptyNode)
  switch (node.name) {
    case 'm:r':
    case 'w:r':
      return plain(runText(node))
    case 'm:f':
      return setting(node, 'type') === 'noBar'
        ? closed(`(${part('m:num')}; ${part('m:den')})`)
        : apart(writeFraction(part('m:num'), part('m:den')))
    case 'm:sSup':
      return closed(writeScripts(part('m:e'), '', part('m:sup')))
    case 'm:sSub':
      return closed(writeScripts(part('m:e'), part('m:sub'), ''))
    case 'm:sSubSup':
      return closed(writeScripts(part('m:e'), part('m:sub'), part('m:sup')))
    case 'm:sPre':
      return plain(` ${lower(part('m:sub'))}${raise(part('m:sup'))}${part('m:e')}`)
    case 'm:rad':
      return closed(writeRoot(part('m:e'), part('m:deg')))
    case 'm:nary': {
      const sign = setting(node, 'chr') ?? '∫'
      return closed(`${writeScripts(sign, part('m:sub'), part('m:sup'))} (${part('m:e')})`)
    }
    case 'm:limLow':
      return closed(writeScripts(part('m:e'), part('m:lim'), ''))
    case 'm:limUpp':
      return closed(writeScripts(part('m:e'), '', part('m:lim')))
    case 'm:func': {
      const argument = part('m:e')
      return closed(`${part('m:fName')}${/^[([{|]/.test(argument) ? '' : ' '}${argument}`)
    }
    case 'm:d':
      return closed(delimited(node))
    case 'm:m':
      return closed(`[${elementsIn(node, 'm:mr').map(cellsText).join('; ')}]`)
    case 'm:eqArr':
      return closed(elementsIn(node, 'm:e').map(mathText).join('; '))
    case 'm:acc':
      return closed(writeAccent(part('m:e'), setting(node, 'chr') ?? '\u0302'))
    case 'm:bar':
      return closed(writeAccent(part('m:e'), '\u0305'))
    case 'm:borderBox': {
      const properties = firstIn(node, 'm:borderBoxPr')
      const isStruck = elementsIn(properties).some(({ name }) => /^m:strike/.test(name))
      return isStruck ? apart(`${struckMark}${part('m:e')}${struckMark}`) : closed(part('m:e'))
    }
    case 'm:oMath':
      return closed(mathText(node))
    case 'm:phant':
      return setting(node, 'show') === '0' ? plain('') : plain(part('m:e'))
    case 'm:ctrlPr':
    case 'w:rPr':
    case 'w:del':
    case 'w:moveFrom':
      return plain('')
    default:
      return plain(node.name.endsWith('Pr') ? '' : mathText(node))
  }
}

const emptyNode: XmlNode = { name: '', attributes: {}, children: [] }

function runText(run: XmlNode): string {
  const texts = elementsIn(run).map(({ name, children }) => {
    if (name === 'm:t' || name === 'w:t') return children.filter(child => typeof child === 'string').join('')
    return name === 'w:tab' || name === 'w:br' ? ' ' : ''
  })
  return texts.join('')
}

/** Returns a setting of an element's properties, such as the sign of a sum; null when it is not set. */
function setting(node: XmlNode, name: string): string | null {
  const properties = elementsIn(node).find(child => child.name === `${node.name}Pr`)
  const value = firstIn(properties, `m:${name}`)
  return value === null ? null : (value.attributes['m:val'] ?? null)
}

function delimited(node: XmlNode): string {
  const parts = elementsIn(node, 'm:e').map(mathText)
  return `${setting(node, 'begChr') ?? '('}${parts.join(setting(node, 'sepChr') ?? '|')}${setting(node, 'endChr') ?? ')'}`
}

function cellsText(row: XmlNode): string {
  return elementsIn(row, 'm:e').map(mathText).join(', ')
}
