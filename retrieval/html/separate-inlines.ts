import { isElement, isText, type PageElement, type PageNode } from './dom.ts'
import { tablePart } from './table-cells.ts'

const parts = 'a, abbr, b, bdi, cite, data, em, i, label, mark, small, span, strong, time, u'
const partNames = new Set(parts.split(', '))
/** Styles that programs write around any piece of a word, and thin margins between the digits of one number. */
const exported = /font|color|letter-spacing|mso-|margin|padding/i
/** Classes of an old price and of decimals that a page sets apart without a sign. */
const priceParts = /(?:^|[\s_-])(?:old|was|before|new|now|sale|cents?|decimals?|fraction)(?:$|[\s_-])/i
const unspaced = /[\p{scx=Han}\p{scx=Hira}\p{scx=Kana}\p{scx=Thai}\p{scx=Laoo}\p{scx=Khmr}\p{scx=Mymr}]/u

/**
 * Separates the words of adjacent elements that a page sets apart by its style alone, such as a price and its note.
 * Figures are separated by a slash, because `88 777` would read as one number.
 */
export function separateInlines(root: PageElement): void {
  for (const element of root.querySelectorAll(parts)) {
    let before = element.previousSibling
    while (before !== null && !isElement(before) && !isText(before)) before = before.previousSibling
    if (before !== null) separate(before, element)
    const after = element.nextSibling
    if (after !== null && isText(after)) separate(element, after)
  }
}

function separate(left: PageNode, right: PageNode): void {
  const [last, first] = [edgeText(left, -1), edgeText(right, 0)]
  const [before, after] = [last?.textContent ?? '', first?.textContent ?? '']
  if (!/(?:[\p{L}\p{N}]|\p{N}[\p{Sc}%])$/u.test(before) || !/^(?:[\p{L}\p{N}]|\p{Sc}\p{N})/u.test(after))
    return
  const areFigures = /\d[\p{Sc}%]?$/u.test(before) && /^\p{Sc}?\d/u.test(after)
  if (!areFigures && unspaced.test(before.slice(-1) + after.slice(0, 1))) return
  const areParts = [left, right].every(isPart)
  const areApart = areParts
    ? !isOneWord(before, after, left, right)
    : areFigures &&
      [left, right].some(node => isPart(node) && priceParts.test(node.getAttribute('class') ?? ''))
  if (!areApart) return
  const gap = areFigures ? ' / ' : ' '
  if (isElement(right)) right.prepend(gap)
  else right.textContent = gap + after
}

const isPart = (node: PageNode): node is PageElement =>
  isElement(node) &&
  partNames.has(node.tagName.toLowerCase()) &&
  tablePart(node) === null &&
  !exported.test(node.getAttribute('style') ?? '')

/** Emphasis, which a word processor may begin and end within a word. */
const isEmphasis = (node: PageNode): boolean =>
  isElement(node) && /^(?:b|em|i|strong|u)$/i.test(node.tagName) && (node.getAttribute('class') ?? '') === ''

/** Whether two elements are letters of one word, such as a large first letter, or pieces of code. */
function isOneWord(before: string, after: string, left: PageNode, right: PageNode): boolean {
  if (isEmphasis(left) && isEmphasis(right)) return true
  const isFirstLetter = before.length === 1 && /^\p{Lu}\p{Ll}/u.test(before + after)
  const isLink = [left, right].some(node => isElement(node) && node.tagName === 'A')
  if (isFirstLetter || (before.length === 1 && after.length === 1 && !isLink)) return true
  for (let around = right.parentNode; around !== null; around = around.parentNode)
    if (/^(?:pre|code)$/i.test(around.tagName)) return true
  return false
}

/** Returns the first or last text of a node. */
function edgeText(node: PageNode, at: 0 | -1): PageNode | null {
  let edge: PageNode | null = node
  while (edge !== null && !isText(edge)) edge = [...edge.childNodes].at(at) ?? null
  return edge
}
