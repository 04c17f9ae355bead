import { parseHTML } from 'linkedom'
import { isInline } from '../../retrieval/text/inline.ts'
import { oneLine } from '../../src/core/one-line.ts'

/** The part of the DOM that is used here; the project has no browser's types. */
export interface PageNode {
  readonly nodeType: number
  readonly parentNode: PageElement | null
  readonly textContent: string | null
  readonly childNodes: ArrayLike<PageNode> & Iterable<PageNode>
}

export interface PageElement extends PageNode {
  readonly tagName: string
  readonly children: ArrayLike<PageElement> & Iterable<PageElement>
  innerHTML: string
  getAttribute(name: string): string | null
  setAttribute(name: string, value: string): void
  querySelector(selector: string): PageElement | null
  querySelectorAll(selector: string): ArrayLike<PageElement> & Iterable<PageElement>
  remove(): void
  replaceWith(...nodes: (PageNode | string)[]): void
  replaceChildren(...nodes: (PageNode | string)[]): void
  append(...nodes: (PageNode | string)[]): void
}

export interface PageDocument {
  readonly body: PageElement
  toString(): string
  createElement(name: string): PageElement
  querySelector(selector: string): PageElement | null
  querySelectorAll(selector: string): ArrayLike<PageElement> & Iterable<PageElement>
}

const skeleton = /<!doctype[^>]*>|<\/?(html|head|body|frameset|noframes)(\s[^>]*)?>/gi

/** A whole script, to be passed over, or an element that is never empty by itself, written as if it were (XHTML). */
const selfClosed =
  /<script\b(?![^>]*\/>)[\s\S]*?(?:<\/script>|$)|<(script|style|title|textarea|iframe|object|noscript|template|canvas|select)\b([^>]*)\/>/gi

/**
 * Parses a page, whatever is missing or doubled of html, head and body: linkedom, unlike a browser, mends nothing there
 * and would find an empty body. All that stood in the head is in the body. A `<script/>` ends where it stands: it would
 * hold the rest of the page.
 */
export function parsePage(html: string): PageDocument {
  const closed = html.replace(selfClosed, (whole, name?: string, attributes?: string) =>
    name === undefined ? whole : `<${name}${attributes}></${name}>`,
  )
  return parseHTML(`<html><head></head><body>${closed.replace(skeleton, '')}</body></html>`)
    .document as PageDocument
}

const elementNode = 1
const textNode = 3

export function isElement(node: PageNode): node is PageElement {
  return node.nodeType === elementNode
}

function isText(node: PageNode): boolean {
  return node.nodeType === textNode
}

/**
 * An element's text on one line: what stands on lines or in blocks of their own is kept apart by a space, two figures by
 * a stroke, since `12 345` would be one.
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
    const apart = name === 'img' || !isInline(name)
    if (apart) pieces.push('\n')
    if (name === 'img') pieces.push(child.getAttribute('alt') ?? '')
    else collect(child, pieces)
    if (apart) pieces.push('\n')
  }
}
