import { Readability } from '@mozilla/readability'
import { type PageDocument, type PageElement, parsePage } from '../../retrieval/html/dom.ts'
import { lengthOf } from '../../retrieval/html/hidden.ts'
import { hiddenText, markdownOf, parseHtml, prepareText } from '../../retrieval/html/html-text.ts'
import { filledCells } from '../../retrieval/html/tables.ts'
import { decodeOrGuess } from '../../retrieval/text/decode.ts'
import { oneLine } from '../../src/text/plain-text.ts'
import { LinkList, type PageLink, resolveLinks, withoutLinkNumbers } from './links.ts'
import { emptyPageChars } from './renderer.ts'

/** A web page as text. */
export interface HtmlPage {
  readonly title: string
  /** Markdown with marks where links are numbered; links.ts replaces the marks with what the agent sees. */
  readonly marked: string
  /** The page's own text, without the marks. */
  readonly text: string
  /** Links of the text first, then the other links of the page. */
  readonly links: readonly PageLink[]
  /** True when the HTML contains almost no text and a script would have to write it. */
  readonly needsScript: boolean
}

/**
 * Beyond these limits Readability takes seconds to hours. Such pages are usually documents with little navigation
 * around them.
 */
const readabilityLimits = { chars: 1_000_000, elements: 10_000, tableCells: 500, levels: 200 } as const
/** A main text with a smaller share of the page's words than this has lost content. */
const minShareOfText = 0.5
const minShareOfCells = 0.9
const minShareOfChoice = 0.98
/** A page as the thread that reads it receives it: its bytes, or its text after scripts have run. */
export interface PageSource {
  readonly source: Uint8Array | string
  /** The header `content-type`; empty when there is none. */
  readonly contentType: string
  readonly finalUrl: string
}

/** Reads a page in a reading thread. */
export function readPage({ source, contentType, finalUrl }: PageSource): HtmlPage {
  return readHtml(typeof source === 'string' ? source : decodeOrGuess(source, contentType).text, finalUrl)
}

/**
 * Returns the main text of a page as Markdown. This is the choice of Readability, or the whole body when that
 * choice loses table cells or half of the words. Tables become rows and links become numbers. Everything is written by
 * the same rules as the text of an HTML document.
 */
export function readHtml(html: string, finalUrl: string): HtmlPage {
  const document = parseHtml(html)
  const title = titleOf(document)
  const scripted = document.querySelector('script:not([type="application/ld+json"])') !== null
  resolveLinks(document, finalUrl)
  const page = prepareText(document)
  const chars = lengthOf(document.body)
  const main = page.levels > readabilityLimits.levels ? null : mainContent(document, chars)
  const links = new LinkList()
  links.number(main ?? document.body, document)
  if (main !== null) links.addFrom(document.body)
  for (const element of page.hidden) links.number(element, document)
  const shown = markdownOf(main ?? document.body, document)
  const marked = [shown, hiddenText(page)].filter(text => text !== '').join('\n\n')
  return {
    title,
    marked,
    text: withoutLinkNumbers(marked),
    links: links.all,
    needsScript: scripted && chars < emptyPageChars,
  }
}

function titleOf(document: PageDocument): string {
  const meta = document.querySelector('meta[property="og:title"]')?.getAttribute('content') ?? ''
  const heading = document.querySelector('h1')?.textContent ?? ''
  const own = document.querySelector('title')?.textContent ?? ''
  const first = [own, meta, heading].find(title => /\S/.test(title)) ?? ''
  return oneLine(first).slice(0, 300)
}

/** Numbers the elements of a page, so that those which Readability keeps are known. */
const numberAttribute = 'data-element'

/**
 * Returns the part of the body that Readability keeps; null when it has no choice or lacks content that a reader needs.
 * Readability renames and wraps elements, so only its choice of them is used.
 */
function mainContent(document: PageDocument, chars: number): PageElement | null {
  const cells = filledCells(document.body)
  const elements = [...document.body.querySelectorAll('*')]
  const { chars: maxChars, elements: maxElements, tableCells } = readabilityLimits
  if (chars > maxChars || elements.length > maxElements || cells > tableCells) return null
  elements.forEach((element, number) => {
    element.setAttribute(numberAttribute, String(number))
  })
  const article = new Readability(parsePage(document.toString()), { charThreshold: 200 }).parse()
  if (article?.content === null || article?.content === undefined) return null
  const chosen = parsePage(article.content).body
  const kept = new Set<string>()
  for (const element of chosen.querySelectorAll(`[${numberAttribute}]`))
    kept.add(element.getAttribute(numberAttribute) ?? '')
  const content = document.body.cloneNode(true)
  keepOnly(content, kept)
  // Readability may have wrapped text in new elements, which have no number.
  const keepsText = lengthOf(content) >= Math.max(minShareOfText * chars, minShareOfChoice * lengthOf(chosen))
  const keepsTables = filledCells(content) >= minShareOfCells * cells
  return keepsText && keepsTables ? content : null
}

/**
 * Removes the elements of a tree that were not kept and contain nothing that was.
 *
 * @returns whether the tree contains a kept element
 */
function keepOnly(root: PageElement, kept: ReadonlySet<string>): boolean {
  let keepsAny = false
  for (const child of [...root.children]) {
    const isKept = kept.has(child.getAttribute(numberAttribute) ?? '')
    if (keepOnly(child, kept) || isKept) keepsAny = true
    else child.remove()
  }
  return keepsAny
}
