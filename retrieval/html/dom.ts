import { parseHTML } from 'linkedom'
import { oneLine } from '../../src/text/plain-text.ts'
import { isInline } from './inline.ts'

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
  toString(): string
  createElement(name: string): PageElement
  querySelector(selector: string): PageElement | null
  querySelectorAll(selector: string): ArrayLike<PageElement> & Iterable<PageElement>
}

/** The tags of a page's frame, up to their name. */
const skeleton = /<!doctype|<\/?(?:html|head|body|frameset|noframes)(?=[\s>])/gi
/** Elements with an end tag that XHTML may write as `<name/>`, also in pages that are HTML by their type. */
const closable = /<(script|style|title|textarea|iframe|object|noscript|template|canvas|select)\b/gi
/** Elements of a page that declares to be XML. */
const closableInXml =
  /<(?!(?:area|base|br|col|embed|hr|img|input|link|meta|param|source|track|wbr)\b)([a-z][\w:.-]*)/gi

/**
 * Parses a page with missing or repeated html, head and body tags. Unlike a browser, linkedom does not repair these
 * and would return an empty body. Everything in the head is moved to the body. A `<script/>` is closed where it is
 * written; otherwise it would contain the rest of the page.
 */
export function parsePage(html: string): PageDocument {
  return parseHTML(`<html><head></head><body>${withoutSkeleton(closeElements(html))}</body></html>`)
    .document as PageDocument
}

// These read every tag up to its `>` and continue behind it, so that a page of unfinished tags takes no longer.

function closeElements(html: string): string {
  const elements = /^\s*<\?xml\b/.test(html) ? closableInXml : closable
  const scriptEnd = /<\/script>/gi
  let closed = ''
  let at = 0
  elements.lastIndex = 0
  for (let opening = elements.exec(html); opening !== null; opening = elements.exec(html)) {
    const name = opening[1]!
    const end = html.indexOf('>', elements.lastIndex)
    if (end < 0) break
    elements.lastIndex = end + 1
    if (html[end - 1] === '/') {
      closed += `${html.slice(at, end - 1)}></${name}>`
      at = end + 1
    } else if (name.toLowerCase() === 'script') {
      scriptEnd.lastIndex = end
      if (scriptEnd.exec(html) === null) break
      elements.lastIndex = scriptEnd.lastIndex
    }
  }
  return closed + html.slice(at)
}

function withoutSkeleton(html: string): string {
  let kept = ''
  let at = 0
  skeleton.lastIndex = 0
  for (let tag = skeleton.exec(html); tag !== null; tag = skeleton.exec(html)) {
    const end = html.indexOf('>', skeleton.lastIndex)
    if (end < 0) break
    kept += html.slice(at, tag.index)
    at = skeleton.lastIndex = end + 1
  }
  return kept + html.slice(at)
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

/**
 * Returns an element's text on one line. Text from separate lines or blocks is separated by a space. Two figures
 * are separated by a slash, because `12 345` would read as one number.
 */
export function lineOf(element: PageElement): string {
  const pieces: string[] = []
  collect(element, pieces)
  return oneLine(pieces.join('').replace(/(?<=\d) *(?:\n *)+(?=\d)/g, ' / '))
}

function collect(node: PageElement, pieces: string[]): void {
  for (const child of node.childNodes) {
    if (isText(child)) pieces.push((child.textContent ?? '').replace(/\s+/g, ' '))
    if (!isElement(child)) continue
    const name = child.tagName.toLowerCase()
    const apart = name === 'img' || !isInline(child)
    if (apart) pieces.push('\n')
    if (name === 'img') pieces.push(child.getAttribute('alt') ?? '')
    else collect(child, pieces)
    if (apart) pieces.push('\n')
  }
}
