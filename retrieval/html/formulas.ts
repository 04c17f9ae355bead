import { isElement, type PageElement } from './dom.ts'

/** Wrappers of a formula that hold its MathML beside a drawing of the same. */
const wrappers = '.katex, .mwe-math-element, mjx-container, .MathJax'

/**
 * Leaves one text of each formula, and writes the parts of MathML in order with their signs: fractions with a slash,
 * powers and indices as such. Numbers never join.
 */
export function markFormulas(root: PageElement): void {
  for (const wrapper of root.querySelectorAll(wrappers)) {
    const math = wrapper.querySelector('math')
    if (math === null) continue
    wrapper.replaceChildren(math)
  }
  // Innermost first, so that the text of a part is complete when its formula is written.
  for (const part of [
    ...root.querySelectorAll(
      'mfrac, msqrt, mroot, msub, msup, msubsup, munderover, munder, mover, mmultiscripts',
    ),
  ].reverse()) {
    const texts = [...part.childNodes].filter(isElement).map(textOf)
    const tag = part.tagName.toLowerCase()
    const written = writeFormula(tag, texts)
    part.replaceChildren(tag === 'mfrac' ? separateFraction(part, written) : written)
  }
}

const textOf = (element: PageElement): string =>
  element.tagName.toLowerCase() === 'mprescripts'
    ? '\0'
    : (element.textContent ?? '').replace(/\s+/g, ' ').trim()

function writeFormula(tag: string, parts: readonly string[]): string {
  const [base = '', second = '', third = ''] = parts
  switch (tag) {
    case 'mfrac':
      return `${grouped(base)}/${grouped(second)}`
    case 'msqrt':
      return `√(${parts.join('')})`
    case 'mroot':
      return `√[${second}](${base})`
    case 'msub':
    case 'munder':
      return base + lower(second)
    case 'msup':
    case 'mover':
      return base + raise(second)
    case 'mmultiscripts':
      return writeScripts(parts)
    default:
      return base + lower(second) + raise(third)
  }
}

/** Puts spaces between a fraction and the letters or figures beside it: 2 1/2 is not 21/2. */
function separateFraction({ previousSibling, nextSibling }: PageElement, fraction: string): string {
  const before = /[\p{L}\p{N}]\s*$/u.test(previousSibling?.textContent ?? '') ? ' ' : ''
  const after = /^\s*[\p{L}\p{N}]/u.test(nextSibling?.textContent ?? '') ? ' ' : ''
  return `${before}${fraction}${after}`
}

/** A base with pairs of lower and upper signs behind it, and after `\0` before it. */
function writeScripts([base = '', ...scripts]: readonly string[]): string {
  const split = scripts.includes('\0') ? scripts.indexOf('\0') : scripts.length
  const write = (pairs: readonly string[]): string =>
    pairs.map((text, at) => (at % 2 === 0 ? lower(text) : raise(text))).join('')
  return ` ${write(scripts.slice(split + 1))}${base}${write(scripts.slice(0, split))}`
}

const grouped = (text: string): string => (/[\s+\-−–·×]/.test(text.slice(1)) ? `(${text})` : text)

const raisedSigns = new Map([...'0123456789+-−–()'].map((sign, at) => [sign, '⁰¹²³⁴⁵⁶⁷⁸⁹⁺⁻⁻⁻⁽⁾'.charAt(at)]))
const loweredSigns = new Map([...'0123456789+-−–()'].map((sign, at) => [sign, '₀₁₂₃₄₅₆₇₈₉₊₋₋₋₍₎'.charAt(at)]))

/** Writes a raised text in raised signs where all of it has them, and otherwise as `^(text)`. */
export const raise = (text: string): string => shift(text, raisedSigns, '^')

/** Writes a lowered text in lowered signs where all of it has them, and otherwise as `_(text)`. */
export const lower = (text: string): string => shift(text, loweredSigns, '_')

function shift(text: string, signs: ReadonlyMap<string, string>, mark: string): string {
  if (text === '') return ''
  const shifted = [...text].map(sign => signs.get(sign))
  if (shifted.every(sign => sign !== undefined)) return shifted.join('')
  return text.length === 1 ? mark + text : `${mark}(${text})`
}
