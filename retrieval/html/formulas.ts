import { joinToOneLine } from '../../src/text/plain-text.ts'
import {
  isAccent,
  lower,
  raise,
  writeAccent,
  writeFraction,
  writeRoot,
  writeScripts,
} from '../text/formula-text.ts'
import { findOutermost, isElement, type PageDocument, type PageElement } from './dom.ts'
import { readTextAfter, readTextBefore } from './raised.ts'

/** Wrappers of a formula that hold its MathML beside a drawing of the same. */
const wrappers = '.katex, .mwe-math-element, mjx-container, .MathJax'

/**
 * Leaves one text of each formula. Pages hide the MathML beside its drawing, so this comes before hidden content is removed.
 */
export function chooseFormulas(document: PageDocument): void {
  for (const preview of document.querySelectorAll('.MathJax_Preview')) preview.remove()
  for (const wrapper of findOutermost(document.querySelectorAll(wrappers), document.body))
    chooseFormula(wrapper)
}

/** Replaces what a wrapper contains by its MathML. Without MathML, its drawn scripts are written, innermost first. */
function chooseFormula(wrapper: PageElement): void {
  const source = wrapper.getAttribute('data-mathml')
  if (wrapper.querySelector('math') === null && source !== null) wrapper.innerHTML = source
  const math = wrapper.querySelector('math')
  if (math !== null) {
    wrapper.replaceChildren(math)
    return
  }
  for (const inner of findOutermost(wrapper.querySelectorAll('[data-mathml]'), wrapper)) chooseFormula(inner)
  for (const scripts of [...wrapper.querySelectorAll('.msupsub')].reverse()) writeDrawnScripts(scripts)
}

/** Writes the index and the power of a formula that KaTeX has drawn. Two of them are written from below. */
function writeDrawnScripts(scripts: PageElement): void {
  const texts = findOutermost(scripts.querySelectorAll('.vlist > span'), scripts)
    .map(readPart)
    .filter(text => /[^\s\u200b]/.test(text))
  const isLowered = scripts.querySelector('.vlist-t2') !== null
  const [below, above] = texts.length === 1 && !isLowered ? ['', texts[0]!] : [texts[0] ?? '', texts[1] ?? '']
  scripts.replaceChildren(writeScripts('', below, above))
}

/**
 * Writes the parts of MathML in order with their signs: fractions with a slash, powers and indices as such. Numbers never
 * join.
 */
export function markFormulas(root: PageElement): void {
  for (const space of root.querySelectorAll('mspace')) space.append(' ')
  // Innermost first, so that the text of a part is complete when its formula is written.
  for (const part of [
    ...root.querySelectorAll(
      'mfrac, msqrt, mroot, msub, msup, msubsup, munderover, munder, mover, mmultiscripts, mfenced, maction, menclose',
    ),
  ].reverse()) {
    const texts = [...part.childNodes].filter(isElement).map(readPart)
    const tag = part.tagName.toLowerCase()
    const written = tag === 'mfenced' ? writeFenced(part, texts) : writeFormula(tag, texts)
    part.replaceChildren(tag === 'mfrac' ? separateFraction(part, written) : closeScripts(part, written))
  }
  for (const formula of root.querySelectorAll('math')) {
    const text = readPart(formula)
    if (/^\d/.test(text) && /\d$/.test(readTextBefore(formula))) formula.prepend(' ')
    if (/\p{N}$/u.test(text) && /^\d/.test(readTextAfter(formula))) formula.append(' ')
  }
}

const readPart = (element: PageElement): string =>
  element.tagName.toLowerCase() === 'mprescripts' ? '\0' : joinToOneLine(element.textContent ?? '')

function writeFormula(tag: string, parts: readonly string[]): string {
  const [base = '', second = '', third = ''] = parts
  switch (tag) {
    case 'mfrac':
      return writeFraction(base, second)
    case 'msqrt':
      return writeRoot(parts.join(''), '')
    case 'mroot':
      return writeRoot(base, second)
    case 'msub':
    case 'munder':
      return writeScripts(base, second, '')
    case 'mover':
      return isAccent(second) ? writeAccent(base, second) : writeScripts(base, '', second)
    case 'msup':
      return writeScripts(base, '', second)
    case 'maction':
      return base
    case 'menclose':
      return `~~${parts.join('')}~~`
    case 'mmultiscripts':
      return writeScriptPairs(parts)
    default:
      return writeScripts(base, second, third)
  }
}

/** Writes terms between brackets. The last of its separators is repeated. */
function writeFenced(fenced: PageElement, terms: readonly string[]): string {
  const separators = [...(fenced.getAttribute('separators') ?? ',').replace(/\s/g, '')]
  const list = terms.map((term, at) =>
    at === 0 ? term : `${separators[at - 1] ?? separators.at(-1) ?? ' '}${term}`,
  )
  return `${fenced.getAttribute('open') ?? '('}${list.join('')}${fenced.getAttribute('close') ?? ')'}`
}

/** Puts spaces between a fraction and the letters or figures beside it: 2 1/2 is not 21/2. */
function separateFraction({ previousSibling, nextSibling }: PageElement, fraction: string): string {
  const before = /[\p{L}\p{N}]\s*$/u.test(previousSibling?.textContent ?? '') ? ' ' : ''
  const after = /^\s*[\p{L}\p{N}]/u.test(nextSibling?.textContent ?? '') ? ' ' : ''
  return `${before}${fraction}${after}`
}

/** Puts a space between a power and a figure behind it: 10⁶ 4 is not 10⁶⁴. */
function closeScripts({ nextSibling }: PageElement, written: string): string {
  return /^\s*\d/.test(nextSibling?.textContent ?? '') ? `${written} ` : written
}

/** A base with pairs of lower and upper signs behind it, and after `\0` before it. */
function writeScriptPairs([base = '', ...scripts]: readonly string[]): string {
  const split = scripts.includes('\0') ? scripts.indexOf('\0') : scripts.length
  const write = (pairs: readonly string[]): string =>
    pairs.map((text, at) => (at % 2 === 0 ? lower(text) : raise(text))).join('')
  return ` ${write(scripts.slice(split + 1))}${base}${write(scripts.slice(0, split))}`
}
