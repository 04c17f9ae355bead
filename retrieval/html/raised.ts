import { lower, raise } from './formulas.ts'

/** The used parts of a DOM node. linkedom's own types are less exact. */
interface TextualNode {
  readonly nodeType: number
  readonly tagName?: string
  readonly previousSibling: TextualNode | null
  readonly parentNode: TextualNode | null
  readonly childNodes: Iterable<TextualNode>
  textContent: string | null
}

/** The root of a DOM tree. */
export interface RaisedRoot {
  querySelectorAll(selector: string): Iterable<unknown>
}

const raised = 'sup, [style*="vertical-align:super"], [style*="vertical-align: super"]'
const numeral = /^[\d\s,;+\-−–()*†‡§]*\d[\d\s,;+\-−–()*†‡§]*$/
const decimal = /^[+\-−–±]?\d*\.?\d+$/
const letters = /^\p{L}(?:\s*,\s*\p{L})*$/u
/** A longer text is not a mark at a number or word. */
const maxRaisedChars = 100
const [elementNode, textNode] = [1, 3]
/** Elements that always end a word. */
const block =
  /^(?:td|th|tr|table|caption|p|div|li|dt|dd|h[1-6]|section|article|blockquote|pre|body|br|img|hr)$/i

/**
 * Replaces superscript digits, and subscript digits after a digit, by Unicode characters, so that they do not become part of
 * the number before them: `1,234<sup>2</sup>` becomes `1,234²` and not 12,342. Superscript letters after a digit are
 * separated by `^`, and numbers with a decimal point are written as `^(+0.4)` and `_(-0.2)`.
 */
export function markRaised(root: RaisedRoot): void {
  for (const element of root.querySelectorAll(raised) as Iterable<TextualNode>) {
    const text = (element.textContent ?? '').trim()
    if (text.length > maxRaisedChars) continue
    const before = textBefore(element)
    if (numeral.test(text) && /\S$/.test(before)) {
      mapText(element, words => words.replace(/[\d+\-−–()]/g, raise))
    } else if (letters.test(text) && /\d$/.test(before)) {
      mapText(element, words => words.replace(/^(?=\p{L})/u, '^'))
    } else if (decimal.test(text) && /\d$/.test(before)) element.textContent = raise(text)
  }
  for (const element of root.querySelectorAll('sub') as Iterable<TextualNode>) {
    const text = (element.textContent ?? '').trim()
    if (!/[\d)\u2070-\u207e¹²³]$/.test(textBefore(element))) continue
    if (decimal.test(text)) element.textContent = lower(text)
    else mapText(element, words => words.replace(/\d/g, lower))
  }
}

/** Returns the text directly before an element in its block; an empty string after another block. */
function textBefore(element: TextualNode): string {
  let node = element
  while (node.previousSibling === null) {
    if (node.parentNode === null || block.test(node.parentNode.tagName ?? '')) return ''
    node = node.parentNode
  }
  const previous = node.previousSibling
  return block.test(previous.tagName ?? '') ? '' : (previous.textContent ?? '')
}

function mapText(node: TextualNode, change: (words: string) => string): void {
  for (const child of node.childNodes) {
    if (child.nodeType === textNode) child.textContent = change(child.textContent ?? '')
    else if (child.nodeType === elementNode) mapText(child, change)
  }
}
