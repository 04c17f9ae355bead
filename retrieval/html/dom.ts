import { joinTextLines } from '../../src/text/plain-text.ts'

/** The part of the DOM used here. The project does not include the type declarations for browsers. */
export interface PageNode {
  readonly nodeType: number
  readonly parentNode: PageElement | null
  readonly previousSibling: PageNode | null
  readonly nextSibling: PageNode | null
  textContent: string | null
  replaceWith(...nodes: (PageNode | string)[]): void
  readonly childNodes: ArrayLike<PageNode> & Iterable<PageNode>
}

/** An element of a page. */
export interface PageElement extends PageNode {
  readonly tagName: string
  readonly children: ArrayLike<PageElement> & Iterable<PageElement>
  innerHTML: string
  getAttribute(name: string): string | null
  removeAttribute(name: string): void
  setAttribute(name: string, value: string): void
  querySelector(selector: string): PageElement | null
  querySelectorAll(selector: string): ArrayLike<PageElement> & Iterable<PageElement>
  remove(): void
  cloneNode(deep: true): PageElement
  replaceChildren(...nodes: (PageNode | string)[]): void
  append(...nodes: (PageNode | string)[]): void
  after(...nodes: (PageNode | string)[]): void
  prepend(...nodes: (PageNode | string)[]): void
}

/** A parsed page. */
export interface PageDocument {
  readonly body: PageElement
  cloneNode(deep: true): PageDocument
  createElement(name: string): PageElement
  querySelector(selector: string): PageElement | null
  querySelectorAll(selector: string): ArrayLike<PageElement> & Iterable<PageElement>
}

/** Moves all children of an element to the end of another. A page may have more children than a call has arguments. */
export function moveChildren(from: PageElement, to: PageElement): void {
  for (const child of [...from.childNodes]) to.append(child)
}

const elementNode = 1
const textNode = 3

/** Returns whether a node is an element. */
export function isElement(node: PageNode): node is PageElement {
  return node.nodeType === elementNode
}

/** Returns whether a node is a text. */
export function isText(node: PageNode): boolean {
  return node.nodeType === textNode
}

/** Returns the elements below `root` that are in no other one of them, in the order of the page. Visits each element once. */
export function findOutermost(elements: Iterable<PageElement>, root: PageElement): PageElement[] {
  const sought = new Set(elements)
  if (sought.size === 0) return []
  const outermost: PageElement[] = []
  const waiting = [...root.children].reverse()
  for (let element = waiting.pop(); element !== undefined; element = waiting.pop()) {
    if (sought.has(element)) outermost.push(element)
    else for (const child of [...element.children].reverse()) waiting.push(child)
  }
  return outermost
}

/** Returns an element's text on one line, as `joinTextLines` writes its lines and blocks. */
export function writeOnLine(element: PageElement): string {
  const pieces: string[] = []
  collectTexts(element, pieces, false)
  return joinTextLines(pieces.join(''))
}

function collectTexts(node: PageElement, pieces: string[], isPre: boolean): void {
  for (const child of node.childNodes) {
    if (isText(child))
      pieces.push(isPre ? (child.textContent ?? '') : (child.textContent ?? '').replace(/\s+/g, ' '))
    if (!isElement(child)) continue
    const name = child.tagName.toLowerCase()
    const apart = name === 'img' || !isInline(child)
    if (apart) pieces.push('\n')
    if (name === 'img') pieces.push(child.getAttribute('alt') ?? '')
    else collectTexts(child, pieces, isPre || name === 'pre')
    if (apart) pieces.push('\n')
  }
}

const names = new Set(
  'a abbr acronym b bdi bdo big cite code data del dfn em font i img ins kbd label mark nobr q s rb rt rtc ruby samp small span strike strong sub sup time tt u var wbr'.split(
    ' ',
  ),
)

/** MathML is one line of text. */
const formula =
  /^(?:math|semantics|m(?:i|n|o|s|text|row|style|padded|space|frac|sqrt|root|su[bp]|subsup|under|over|underover|multiscripts|enclose))$/

/** Values of `display` that set an element apart from the text around it, and those that keep it in the line. */
const apart = /^(?:block|flex|grid|table|table-[a-z-]+|list-item|flow-root)\b/
const inLine = /^(?:inline|contents)$/
/** Elements that end a line or a cell whatever their style says. */
const always = /^(?:td|th|tr|li|br|hr|p|pre|h[1-6])$/

const declarations = {
  display: /(?:^|;)\s*display\s*:([^;!]*)/gi,
  visibility: /(?:^|;)\s*visibility\s*:([^;!]*)/gi,
  'content-visibility': /(?:^|;)\s*content-visibility\s*:([^;!]*)/gi,
} as const

/** Returns the value of a property in an element's own style, in lower case; '' when its style says nothing of it. */
export function readStyle(
  element: Pick<PageElement, 'getAttribute'>,
  property: keyof typeof declarations,
): string {
  const style = element.getAttribute('style')
  if (style === null) return ''
  return [...style.matchAll(declarations[property])].at(-1)?.[1]?.trim().toLowerCase() ?? ''
}

/**
 * Returns whether an HTML element is part of a line of text, by its own style or else by its name. Filings mark figures up
 * with elements such as `ix:nonfraction`.
 */
export function isInline(element: Pick<PageElement, 'tagName' | 'getAttribute'>): boolean {
  const name = element.tagName.toLowerCase()
  const display = always.test(name) ? '' : readStyle(element, 'display')
  if (apart.test(display)) return false
  return inLine.test(display) || names.has(name) || formula.test(name) || name.includes(':')
}
