import { Parser } from 'htmlparser2'
import { parseHTML } from 'linkedom'
import { checkLimit, readingLimits } from '../../src/system/reading-limits.ts'
import type { PageDocument, PageElement, PageNode } from './dom.ts'

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
  return parseHTML(`<html><head></head><body>${removeSkeleton(closeElements(html))}</body></html>`)
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

function removeSkeleton(html: string): string {
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
