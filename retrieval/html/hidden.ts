import { joinToOneLine } from '../../src/text/plain-text.ts'
import {
  findOutermost,
  isElement,
  isInline,
  type PageDocument,
  type PageElement,
  type PageNode,
  readStyle,
} from './dom.ts'
import { dataCellSelector } from './table-cells.ts'

/** Elements that a browser does not show as text. */
const unseen =
  'script, style, svg, canvas, video, audio, select, datalist, input, textarea, title, meta, link, base, annotation, annotation-xml, rp, ix\\:header'
/** Elements that wait for a script, or for its absence. They are content on a page with little text. */
const waiting = 'template, noscript'
/** A page with fewer characters of text waits for a script, or has its content in the data of its scripts. */
export const fewChars = 200
/** Elements that a reader opens: their text is content, however short it is. */
const panel =
  '[role="tabpanel"], details, dialog, [popover], .tab-pane, .tab-panel, .accordion-content, .collapse, [hidden="until-found"]'
/** Hidden text with more characters than this is content rather than padding, a sort key or an old draft. */
const maxPaddingChars = 40
const minHiddenChars = 200
/** Classes that style sheets of wikis hide. Their sheets are not part of the page. */
const hiddenByConvention = '.sortkey, .sort-key'

/** Content that a page does not show, with the element that contained it. */
export interface HiddenContent {
  readonly element: PageElement
  readonly parent: PageElement | null
  /** Whether a reader opens it, as by a tab. */
  readonly isOpened: boolean
}

/** What was removed from a page. */
interface RemovedContent {
  /** What has enough text to be content, such as a closed tab. */
  readonly content: readonly HiddenContent[]
  /** The number of short texts with figures that the page does not show. They may be old drafts, and are left out. */
  readonly shortTexts: number
}

/**
 * Removes what a page does not show: by element, by the attribute `hidden`, by style, and by classes that wikis hide. The style
 * sheets of the page must have been applied.
 */
export function removeHidden(document: PageDocument): RemovedContent {
  const waitingElements = findOutermost(document.querySelectorAll(waiting), document.body).map(takeOut)
  for (const element of document.querySelectorAll(unseen)) element.remove()
  const openers = findOpeners(document)
  const panels = new Set<PageElement>([...document.querySelectorAll(panel), ...openers.keys()])
  removeCopies(document)
  const hidden = findHidden(document)
  const shortTexts = emptyInvisible(document, hidden)
  const content: HiddenContent[] = []
  const joined = joinHiddenRows(hidden, document)
  // Elements inside another hidden one are removed with it.
  for (const element of findOutermost(hidden, document.body)) {
    joined.delete(element)
    const isOpened = panels.has(element) && countTextChars(element) > 0 && !isMenu(element)
    if (!isContent(element) && !isOpened) {
      if (!isInline(element) && !isMenu(element)) shortTexts.push(element.textContent ?? '')
      continue
    }
    content.push({ element, parent: element.parentNode, isOpened })
    const label = joinToOneLine(openers.get(element)?.textContent ?? '')
    if (label !== '' && isOpened && /^(?:div|section)$/i.test(element.tagName))
      element.prepend(createParagraph(label, document))
  }
  for (const element of hidden) if (!joined.has(element)) element.remove()
  if (countTextChars(document.body) < fewChars)
    content.push(...waitingElements.filter(({ element }) => isContent(element)))
  return { content, shortTexts: shortTexts.filter(saysMoreThan(document.body, content)).length }
}

/** Returns the elements that are not displayed. A style that says how to display an element is stronger than `hidden`. */
function findHidden(document: PageDocument): Set<PageElement> {
  const hidden = new Set<PageElement>(document.querySelectorAll(hiddenByConvention))
  for (const element of document.querySelectorAll('[hidden], dialog:not([open]), [popover]'))
    if (readStyle(element, 'display') === '') hidden.add(element)
  for (const element of document.querySelectorAll('[style]'))
    if (readStyle(element, 'display') === 'none') hidden.add(element)
  return hidden
}

/**
 * Empties elements that take their place but are not visible. They stay, so that the cells of a row keep their order: pages
 * pad columns with hidden digits. Long text is kept too, because a whole page may be hidden until its scripts have run.
 *
 * @returns the removed texts
 */
function emptyInvisible(document: PageDocument, hidden: ReadonlySet<PageElement>): string[] {
  const texts: string[] = []
  for (const element of document.querySelectorAll('[style]')) {
    const isInvisible =
      readStyle(element, 'visibility') === 'hidden' || readStyle(element, 'content-visibility') === 'hidden'
    if (!isInvisible || hidden.has(element) || countTextChars(element) > maxPaddingChars) continue
    texts.push(element.textContent ?? '')
    element.replaceChildren()
    element.setAttribute('style', '')
  }
  return texts
}

/** Removes figures in pieces that are for the eye alone beside the same figures for screen readers, as prices are often written. */
function removeCopies(document: PageDocument): void {
  const digits = (node: PageNode | null): string => (node?.textContent ?? '').replace(/[^\p{L}\p{N}]/gu, '')
  for (const copy of document.querySelectorAll('[aria-hidden="true"]')) {
    const text = digits(copy)
    if (/\d/.test(text) && [copy.previousSibling, copy.nextSibling].some(node => digits(node) === text))
      copy.remove()
  }
}

/** Returns whether a text has words, and a figure that a page and its hidden content lack. */
function saysMoreThan(body: PageElement, content: readonly HiddenContent[]): (text: string) => boolean {
  const roots = [body, ...content.map(({ element }) => element)]
  const figures = new Set(roots.flatMap(root => listFigures(root.textContent ?? '')))
  return text => /\p{L}/u.test(text) && listFigures(text).some(figure => !figures.has(figure))
}

const listFigures = (text: string): string[] => text.match(/\d+(?:[.,]\d+)*/g) ?? []

const isContent = (element: PageElement): boolean =>
  countTextChars(element) >= minHiddenChars || element.querySelector(dataCellSelector) !== null

function isMenu(element: PageElement): boolean {
  let linkChars = 0
  for (const link of element.querySelectorAll('a')) linkChars += countTextChars(link)
  return linkChars > countTextChars(element) / 2
}

/** Removes an element that shows nothing, with what in it is not for readers. */
function takeOut(element: PageElement): HiddenContent {
  const { parentNode } = element
  element.remove()
  for (const part of element.querySelectorAll(unseen)) part.remove()
  return { element, parent: parentNode, isOpened: false }
}

function createParagraph(text: string, document: PageDocument): PageElement {
  const paragraph = document.createElement('p')
  paragraph.append(text)
  return paragraph
}

/** Returns the elements that a button or tab opens, each with the button. */
function findOpeners(document: PageDocument): Map<PageElement, PageElement> {
  const byId = new Map<string, PageElement>()
  const openers = new Map<PageElement, PageElement>()
  for (const opener of document.querySelectorAll('[aria-controls], [aria-expanded], [role="tab"]')) {
    for (const id of (opener.getAttribute('aria-controls') ?? '').split(/\s+/)) byId.set(id, opener)
    byId.set((opener.getAttribute('href') ?? '').replace(/^#/, ''), opener)
    const next = opener.getAttribute('aria-expanded') === null ? null : findElementAfter(opener)
    if (next !== null) openers.set(next, opener)
  }
  byId.delete('')
  for (const element of document.querySelectorAll('[id]')) {
    const opener = byId.get(element.getAttribute('id') ?? '')
    if (opener !== undefined) openers.set(element, opener)
  }
  return openers
}

/** Returns the element behind a button, or behind the heading that contains only the button. */
function findElementAfter(opener: PageElement): PageElement | null {
  const only = opener.parentNode?.children.length === 1 ? opener.parentNode : opener
  let next = only.nextSibling
  while (next !== null && !isElement(next)) next = next.nextSibling
  return next
}

/** Returns the number of characters of an element's text on one line. */
export function countTextChars(element: PageElement): number {
  return joinToOneLine(element.textContent ?? '').length
}

/**
 * Puts the hidden rows of each table into a hidden table behind it, below its first row when that is shown. Where cells span
 * rows, the columns of a hidden row depend on others, and it stays a list of its cells.
 *
 * @returns the new tables
 */
function joinHiddenRows(hidden: Set<PageElement>, document: PageDocument): Set<PageElement> {
  const rowsByTable = new Map<PageElement, PageElement[]>()
  for (const row of document.querySelectorAll('tr, tbody, tfoot')) {
    if (!hidden.has(row) || hidden.has(row.parentNode!) || !/\S/.test(row.textContent ?? '')) continue
    const table = findTableAround(row)
    if (table !== null)
      rowsByTable
        .set(table, rowsByTable.get(table) ?? [])
        .get(table)!
        .push(row)
  }
  const joined = new Set<PageElement>()
  for (const [table, rows] of rowsByTable) {
    if (table.querySelector('[rowspan]:not([rowspan="1"])') !== null) continue
    const copy = document.createElement('table')
    const first = table.querySelector('tr')
    if (first !== null && !hidden.has(first) && !hidden.has(first.parentNode!))
      copy.append(copyShown(first, hidden))
    for (const row of rows) {
      hidden.delete(row)
      for (const attribute of ['style', 'hidden']) row.removeAttribute(attribute)
      copy.append(row)
    }
    table.after(copy)
    hidden.add(copy)
    joined.add(copy)
  }
  return joined
}

/** Copies an element without its hidden parts. */
function copyShown(element: PageElement, hidden: ReadonlySet<PageElement>): PageElement {
  const copy = element.cloneNode(true)
  const parts = [...copy.querySelectorAll('*')]
  for (const [at, part] of [...element.querySelectorAll('*')].entries())
    if (hidden.has(part)) parts[at]?.remove()
  return copy
}

function findTableAround(row: PageElement): PageElement | null {
  let element = row.parentNode
  while (element !== null && element.tagName !== 'TABLE') element = element.parentNode
  return element
}
