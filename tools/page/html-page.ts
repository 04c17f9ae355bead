import type { PageDocument, PageElement } from '../../retrieval/html/dom.ts'
import { countTextChars } from '../../retrieval/html/hidden.ts'
import {
  joinTexts,
  parseHtml,
  prepareText,
  writeHiddenTexts,
  writeMarkdown,
} from '../../retrieval/html/html-text.ts'
import { decodeOrGuess, guessNotice } from '../../retrieval/text/decode.ts'
import { joinToOneLine } from '../../src/text/plain-text.ts'
import { LinkList, type PageLink, resolveLinks, withoutLinkNumbers } from './links.ts'
import { selectMainText } from './main-text.ts'
import { emptyPageChars } from './renderer.ts'

/** A text of a page. */
export interface LinkedText {
  /** Markdown with marks where links are numbered; links.ts replaces the marks with what the agent sees. */
  readonly marked: string
  /** The page's own text, without the marks. */
  readonly text: string
}

/** A web page as text. */
export interface HtmlPage {
  readonly title: string
  /** The main text. It is all of the text when no smaller part of the page was found to be the main text. */
  readonly main: LinkedText
  /** All that the page shows, and what it hides; null when the main text is all of it. */
  readonly all: LinkedText | null
  /** The share of the page's visible text that the main text has, from 0 to 1. */
  readonly share: number
  /** What a reader must know of the text, such as an encoding that was guessed. */
  readonly notices: readonly string[]
  /** Links of the text first, then the other links of the page. */
  readonly links: readonly PageLink[]
  /** True when the HTML contains almost no text and a script would have to write it. */
  readonly needsScript: boolean
}

/** From this share on, the main text is all of the page. */
const shareOfAll = 0.99
/** A page as the thread that reads it receives it: its bytes, or its text after scripts have run. */
export interface PageSource {
  readonly source: Uint8Array | string
  /** The header `content-type`; empty when there is none. */
  readonly contentType: string
  readonly finalUrl: string
}

/** Reads a page in a reading thread. */
export function readPage({ source, contentType, finalUrl }: PageSource): HtmlPage {
  if (typeof source === 'string') return readHtml(source, finalUrl)
  const decoded = decodeOrGuess(source, contentType)
  const page = readHtml(decoded.text, finalUrl)
  return { ...page, notices: [guessNotice(decoded) ?? [], page.notices].flat() }
}

/**
 * Returns the main text of a page as Markdown (`selectMainText`), and all of its text. Tables become rows and links become
 * numbers. Everything is written by the same rules as the text of an HTML document.
 */
export function readHtml(html: string, finalUrl: string): HtmlPage {
  const document = parseHtml(html)
  const title = readTitle(document)
  const scripted = document.querySelector('script:not([type="application/ld+json"])') !== null
  resolveLinks(document, finalUrl)
  const page = prepareText(document)
  const chars = countTextChars(document.body)
  const selected = selectMainText(page, title, chars)
  const share = selected === null ? 1 : countTextChars(selected.content) / chars
  const main = share < shareOfAll || selected?.hidden.includes(false) ? (selected?.content ?? null) : null
  const links = new LinkList()
  if (main !== null) {
    links.number(main, document)
    links.addFrom(document.body)
  }
  links.number(document.body, document)
  for (const { element } of page.hidden) links.number(element, document)
  const hidden = writeHiddenTexts(page)
  const write = (root: PageElement, texts: readonly string[]): LinkedText => {
    const marked = joinTexts(writeMarkdown(root, document), texts, page.scriptData)
    return { marked, text: withoutLinkNumbers(marked) }
  }
  const mainHidden = main === null ? hidden : hidden.filter((_text, at) => selected?.hidden[at])
  return {
    title,
    main: write(main ?? document.body, mainHidden),
    all: main === null ? null : write(document.body, hidden),
    share,
    notices: page.notices,
    links: links.all,
    needsScript: scripted && chars < emptyPageChars,
  }
}

function readTitle(document: PageDocument): string {
  const meta = document.querySelector('meta[property="og:title"]')?.getAttribute('content') ?? ''
  const heading = document.querySelector('h1')?.textContent ?? ''
  const tag = document.querySelector('title')?.textContent ?? ''
  const first = [tag, meta, heading].find(title => /\S/.test(title)) ?? ''
  return joinToOneLine(first).slice(0, 300)
}
