import { Readability } from '@mozilla/readability'
import { NodeHtmlMarkdown } from 'node-html-markdown'
import { checkMarkup } from '../../retrieval/text/check-markup.ts'
import { decodeText } from '../../retrieval/text/decode.ts'
import { flattenBelow } from '../../retrieval/text/nesting.ts'
import { markRaised } from '../../retrieval/text/raised.ts'
import { checkLimit, readingLimits } from '../../src/system/reading-limits.ts'
import { oneLine, withoutLineEnds } from '../../src/text/plain-text.ts'
import { type PageDocument, type PageElement, parsePage } from './dom.ts'
import { LinkList, type PageLink, resolveLinks, withoutLinkNumbers } from './links.ts'
import { numberLists } from './list-numbers.ts'
import { emptyPageChars } from './renderer.ts'
import { extractTables, filledCells, tableMarks } from './tables.ts'

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
/** Hidden text with more characters than this is content rather than padding. */
const maxPaddingChars = 40
/** The conversion to Markdown is recursive, and its time grows with levels times text. */
const maxLevels = 400

const never = [/(?!)/g, ''] as const
const converter = new NodeHtmlMarkdown(
  { globalEscape: never, lineStartEscape: never, bulletMarker: '-' },
  { img: ({ node }) => ({ content: (node.getAttribute('alt') ?? '').trim(), recurse: false }) },
)

/** A page as the thread that reads it receives it: its bytes, or its text after scripts have run. */
export interface PageSource {
  readonly source: Uint8Array | string
  /** The header `content-type`; empty when there is none. */
  readonly contentType: string
  readonly finalUrl: string
}

/** Reads a page in a reading thread. */
export function readPage({ source, contentType, finalUrl }: PageSource): HtmlPage {
  return readHtml(typeof source === 'string' ? source : decodeText(source, contentType), finalUrl)
}

/**
 * Returns the main text of a page as Markdown. This is the choice of Readability, or the whole body when that
 * choice loses table cells or half of the words. Tables become rows and links become numbers.
 */
export function readHtml(html: string, finalUrl: string): HtmlPage {
  const source = html.replace(/[\0\ue000-\ue003]/g, '')
  checkMarkup(source, readingLimits.htmlLevels)
  const document = parsePage(source)
  const title = titleOf(document)
  const scripted = document.querySelector('script:not([type="application/ld+json"])') !== null
  resolveLinks(document, finalUrl)
  removeHidden(document)
  const levels = flattenBelow(document.body, maxLevels)
  markRaised(document.body)
  numberLists(document)
  const chars = lengthOf(document.body)
  const main = levels > readabilityLimits.levels ? null : mainContent(document, chars)
  const links = new LinkList()
  const marked = markdownOf(main ?? document.body, document, links)
  if (main !== null) links.addFrom(document.body)
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

function removeHidden(document: PageDocument): void {
  const unseen =
    'script, style, noscript, template, svg, canvas, select, input, textarea, title, meta, link, base, annotation, [hidden], ix\\:header'
  for (const element of document.querySelectorAll(unseen)) element.remove()
  for (const element of document.querySelectorAll('[style]')) {
    const style = element.getAttribute('style') ?? ''
    if (/display\s*:\s*none/i.test(style)) element.remove()
    // The element stays, so that the cells of a row keep their order: pages pad columns with hidden digits. Long
    // hidden text is kept too, because a whole page may be hidden until its scripts have run.
    else if (/visibility\s*:\s*hidden/i.test(style) && lengthOf(element) <= maxPaddingChars) {
      element.replaceChildren()
      element.setAttribute('style', '')
    }
  }
}

function lengthOf(element: PageElement): number {
  return oneLine(element.textContent ?? '').length
}

/**
 * Returns the choice of Readability; null when it has none or lacks content that a reader needs. Readability
 * modifies its input, so it receives a copy.
 */
function mainContent(document: PageDocument, chars: number): PageElement | null {
  const cells = filledCells(document.body)
  const elements = document.querySelectorAll('*').length
  const { chars: maxChars, elements: maxElements, tableCells } = readabilityLimits
  if (chars > maxChars || elements > maxElements || cells > tableCells) return null
  const article = new Readability(parsePage(document.toString()), { charThreshold: 200 }).parse()
  if (article?.content === null || article?.content === undefined) return null
  const content = parsePage(article.content).body
  const keepsText = lengthOf(content) >= minShareOfText * chars
  const keepsTables = filledCells(content) >= minShareOfCells * cells
  return keepsText && keepsTables ? content : null
}

function markdownOf(root: PageElement, document: PageDocument, links: LinkList): string {
  links.number(root, document)
  const tables = extractTables(root, document)
  const markdown = converter
    .translate(root.innerHTML)
    .replace(tableMarks, (_mark, index: string) => `\n\n${tables[Number(index)] ?? ''}\n\n`)
  const marked = withoutLineEnds(markdown)
    .replace(/\n{3,}/g, '\n\n')
    .trim()
  checkLimit(marked.length, readingLimits.textChars, 'characters of text')
  return marked
}
