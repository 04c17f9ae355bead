import { Parser } from 'htmlparser2'
import { parseHTML } from 'linkedom'
import { checkLimit, readingLimits } from '../../src/system/reading-limits.ts'
import { oneLine } from '../../src/text/plain-text.ts'

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
  let content = ''
  let at = 0
  skeleton.lastIndex = 0
  for (let tag = skeleton.exec(html); tag !== null; tag = skeleton.exec(html)) {
    const end = html.indexOf('>', skeleton.lastIndex)
    if (end < 0) break
    content += html.slice(at, tag.index)
    at = skeleton.lastIndex = end + 1
  }
  return content + html.slice(at)
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
export function textOnLine(element: PageElement): string {
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

const names = new Set(
  'a abbr acronym b bdi bdo big cite code data del dfn em font i img ins kbd label mark nobr q s rb rt rtc ruby samp small span strike strong sub sup time tt u var wbr'.split(
    ' ',
  ),
)

/** MathML is one line of text. */
const formula =
  /^(?:math|semantics|m(?:i|n|o|s|text|row|style|padded|space|frac|sqrt|root|su[bp]|subsup|under|over|underover|multiscripts|enclose))$/

/** Values of `display` that set an element apart from the text around it, and those that keep it in the line. */
const apart = /(?:^|;)\s*display\s*:\s*(?:block|flex|grid|table|table-[a-z-]+|list-item|flow-root)\b/i
const inLine = /(?:^|;)\s*display\s*:\s*(?:inline|contents)\s*(?:;|!|$)/i
/** Elements that end a line or a cell whatever their style says. */
const always = /^(?:td|th|tr|li|br|hr|p|pre|h[1-6])$/

/** What decides whether an element is part of a line. */
interface StyledElement {
  readonly tagName: string
  getAttribute(name: string): string | null
}

/**
 * Returns whether an HTML element is part of a line of text, by its own style or else by its name. Filings mark figures up
 * with elements such as `ix:nonfraction`.
 */
export function isInline(element: StyledElement): boolean {
  const name = element.tagName.toLowerCase()
  const style = always.test(name) ? null : element.getAttribute('style')
  if (style !== null && apart.test(style)) return false
  if (style !== null && inLine.test(style)) return true
  return names.has(name) || formula.test(name) || name.includes(':')
}

/**
 * Checks the size of a page before it is parsed, in time proportional to its length: its elements, their
 * attributes, and the levels of nested elements.
 *
 * @param maxLevels the most levels that the reader can handle
 * @throws TooLargeError
 */
export function checkMarkup(markup: string, maxLevels: number): void {
  let elements = 0
  let attributes = 0
  let levels = 0
  const parser = new Parser(
    {
      onopentagname() {
        checkLimit(++elements, readingLimits.elements, 'elements')
        checkLimit(++levels, maxLevels, 'levels of nested elements', `element ${elements}`)
        attributes = 0
      },
      onattribute() {
        checkLimit(++attributes, readingLimits.attributes, 'attributes of one element', `element ${elements}`)
      },
      onclosetag() {
        levels--
      },
    },
    { decodeEntities: false },
  )
  parser.end(markup)
}

const unseen = new Set(['script', 'style', 'noscript', 'template'])

/**
 * Replaces elements nested more than `maxLevels` levels below `root` by lines of text. Unclosed tags can nest a page
 * thousands of levels deep, which exceeds the call stack of recursive readers.
 *
 * @returns the number of levels that remain
 */
export function flattenBelow(root: PageElement, maxLevels: number): number {
  const levels = new Map<PageNode | null, number>([[root, 0]])
  let deepest = 0
  for (const element of [...root.querySelectorAll('*')]) {
    const above = levels.get(element.parentNode)
    // The element was inside one that has just been flattened.
    if (above === undefined) continue
    deepest = Math.max(deepest, above + 1)
    if (above + 1 < maxLevels) levels.set(element, above + 1)
    else element.innerHTML = writeTagsAsLines(element.innerHTML)
  }
  return deepest
}

/** The most nodes that are inserted at once. */
const nodesTogether = 5_000

/** Replaces the tags of a page by line breaks. */
function writeTagsAsLines(html: string): string {
  const groups: string[] = []
  const group: string[] = []
  let hidden = 0
  const add = (piece: string): void => {
    if (hidden > 0) return
    group.push(piece)
    if (group.length === nodesTogether) groups.push(`<span>${group.splice(0).join('')}</span>`)
  }
  const parser = new Parser({
    onopentagname(name) {
      if (unseen.has(name)) hidden++
      else add('<br>')
    },
    ontext: text => add(text.replace(/[&<>]/g, sign => `&#${sign.charCodeAt(0)};`)),
    onclosetag(name, isImplied) {
      if (unseen.has(name)) hidden--
      else if (!isImplied) add('<br>')
    },
  })
  parser.end(html)
  return groups.join('') + group.join('')
}
