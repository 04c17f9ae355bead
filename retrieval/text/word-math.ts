import { elementsIn, firstIn, type XmlNode } from './xml-tree.ts'

/**
 * Returns an equation of Word (OMML, ECMA-376 part 1, 22.1) as a line of text: `(a)/(b)`, `x^2`, `a_1`, `√(x)`. Figures of
 * different parts never join: `10^6 4` and not 10^64.
 */
export function mathText(node: XmlNode): string {
  return joinParts(elementsIn(node).map(elementText))
}

/** A part of an equation. A part that is raised, lowered or a fraction ends before the next letter or figure. */
interface MathPart {
  readonly text: string
  readonly isClosed: boolean
}

const plain = (text: string): MathPart => ({ text, isClosed: false })
const closed = (text: string): MathPart => ({ text, isClosed: true })

function joinParts(parts: readonly MathPart[]): string {
  let joined = ''
  let isClosed = false
  for (const part of parts) {
    if (part.text === '') continue
    joined += `${isClosed && /^[\p{L}\p{N}.,]/u.test(part.text) ? ' ' : ''}${part.text}`
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
        : closed(`(${part('m:num')})/(${part('m:den')})`)
    case 'm:sSup':
      return closed(`${base(node)}${script('^', part('m:sup'))}`)
    case 'm:sSub':
      return closed(`${base(node)}${script('_', part('m:sub'))}`)
    case 'm:sSubSup':
      return closed(`${base(node)}${script('_', part('m:sub'))}${script('^', part('m:sup'))}`)
    case 'm:sPre':
      return plain(` ${script('_', part('m:sub'))}${script('^', part('m:sup'))} ${base(node)}`)
    case 'm:rad': {
      const degree = part('m:deg')
      return closed(`√${degree === '' ? '' : `[${degree}]`}(${part('m:e')})`)
    }
    case 'm:nary': {
      const sign = setting(node, 'chr') ?? '∫'
      return closed(`${sign}${script('_', part('m:sub'))}${script('^', part('m:sup'))} (${part('m:e')})`)
    }
    case 'm:limLow':
      return closed(`${part('m:e')}${script('_', part('m:lim'))}`)
    case 'm:limUpp':
      return closed(`${part('m:e')}${script('^', part('m:lim'))}`)
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
      return closed(accented(part('m:e'), setting(node, 'chr') ?? '\u0302'))
    case 'm:bar':
      return closed(accented(part('m:e'), '\u0305'))
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

/** Returns the base of a power or index, in parentheses when it has several parts. */
function base(node: XmlNode): string {
  const text = mathText(firstIn(node, 'm:e') ?? emptyNode)
  return /^[\p{L}\p{M}\p{N}.,]*$|^\([^()]*\)$/u.test(text) ? text : `(${text})`
}

function script(sign: string, text: string): string {
  if (text === '') return ''
  return /^[-−+]?[\p{L}\p{N}]+$/u.test(text) ? `${sign}${text}` : `${sign}(${text})`
}

function delimited(node: XmlNode): string {
  const parts = elementsIn(node, 'm:e').map(mathText)
  return `${setting(node, 'begChr') ?? '('}${parts.join(setting(node, 'sepChr') ?? '|')}${setting(node, 'endChr') ?? ')'}`
}

function cellsText(row: XmlNode): string {
  return elementsIn(row, 'm:e').map(mathText).join(', ')
}

function accented(text: string, accent: string): string {
  return [...text].length === 1 && /^\p{M}$/u.test(accent)
    ? `${text}${accent}`
    : `${accent.replace(/^\p{M}$/u, '‾')}(${text})`
}
