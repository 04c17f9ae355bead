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

const raised = 'sup, msup, [style*="vertical-align:super"], [style*="vertical-align: super"]'
const lowered = 'sub, msub'
const raisedSigns = new Map([...'0123456789+-−–()'].map((sign, at) => [sign, '⁰¹²³⁴⁵⁶⁷⁸⁹⁺⁻⁻⁻⁽⁾'.charAt(at)]))
const numeral = /^[\d\s,;+\-−–()*∗†‡§]*\d[\d\s,;+\-−–()*∗†‡§]*$/
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
 * separated by `^`. A MathML fraction gets a slash.
 */
export function markRaised(root: RaisedRoot): void {
  for (const element of all(root, raised)) {
    const text = (element.textContent ?? '').trim()
    const before = textBefore(element)
    const mark = raisedText(before, text)
    if (mark === text || !/\S$/.test(before)) continue
    if (numeral.test(text)) mapText(element, raiseSigns)
    else mapText(element, words => words.replace(/^(?=\p{L})/u, '^'))
  }
  for (const element of all(root, lowered)) {
    if (!/\d$/.test(textBefore(element))) continue
    mapText(element, lowerDigits)
  }
  for (const fraction of root.querySelectorAll('mfrac') as Iterable<TextualNode>) {
    const [numerator] = elementsIn(fraction)
    if (numerator !== undefined) mapText(numerator, words => `${words}/`)
  }
}

/**
 * Returns raised text as it is written in the text of every format: digits and signs as Unicode superscripts, footnote
 * letters after a digit behind `^`, and all other text, such as the `st` of `1st`, unchanged.
 *
 * @param before the text directly before it
 */
export function raisedText(before: string, text: string): string {
  if (text.length > maxRaisedChars) return text
  if (numeral.test(text)) return raiseSigns(text)
  return letters.test(text) && /\d$/.test(before) ? `^${text}` : text
}

/** Returns lowered text as it is written in the text of every format: digits after a digit as Unicode subscripts. */
export function loweredText(before: string, text: string): string {
  return /\d$/.test(before) ? lowerDigits(text) : text
}

function raiseSigns(text: string): string {
  return text.replace(/[\d+\-−–()]/g, sign => raisedSigns.get(sign) ?? sign)
}

function lowerDigits(text: string): string {
  return text.replace(/\d/g, digit => String.fromCharCode(0x2080 + Number(digit)))
}

/** Returns the elements of a selector. For a MathML power or index, it returns the raised or lowered part. */
function all(root: RaisedRoot, selector: string): TextualNode[] {
  return [...(root.querySelectorAll(selector) as Iterable<TextualNode>)].flatMap(element =>
    /^msu[bp]$/i.test(element.tagName ?? '') ? elementsIn(element).slice(-1) : [element],
  )
}

function elementsIn(node: TextualNode): TextualNode[] {
  return [...node.childNodes].filter(child => child.nodeType === elementNode)
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
