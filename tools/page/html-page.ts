import { Readability } from '@mozilla/readability'
import {
  isText,
  type PageDocument,
  type PageElement,
  type PageNode,
  parsePage,
} from '../../retrieval/html/dom.ts'
import { lengthOf } from '../../retrieval/html/hidden.ts'
import { hiddenText, markdownOf, parseHtml, prepareText } from '../../retrieval/html/html-text.ts'
import { filledCells } from '../../retrieval/html/tables.ts'
import { decodeOrGuess, guessNotice } from '../../retrieval/text/decode.ts'
import { currencyCodeForm, currencySignForm } from '../../src/text/currencies.ts'
import { oneLine } from '../../src/text/plain-text.ts'
import { LinkList, type PageLink, resolveLinks, withoutLinkNumbers } from './links.ts'
import { emptyPageChars } from './renderer.ts'

/** A text of a page. */
export interface PageText {
  /** Markdown with marks where links are numbered; links.ts replaces the marks with what the agent sees. */
  readonly marked: string
  /** The page's own text, without the marks. */
  readonly text: string
}

/** A web page as text. */
export interface HtmlPage {
  readonly title: string
  /** The main text. It is all of the text when no smaller part of the page was found to be the main text. */
  readonly main: PageText
  /** All that the page shows, and what it hides; null when the main text is all of it. */
  readonly all: PageText | null
  /** The share of the page's visible text that the main text has, from 0 to 1. */
  readonly share: number
  /** What a reader must know of the text, such as an encoding that was guessed; null when there is nothing. */
  readonly notice: string | null
  /** Links of the text first, then the other links of the page. */
  readonly links: readonly PageLink[]
  /** True when the HTML contains almost no text and a script would have to write it. */
  readonly needsScript: boolean
}

/**
 * Beyond these limits Readability takes seconds to hours. Such pages are usually documents with little navigation
 * around them.
 */
const readabilityLimits = {
  ...{ chars: 1_000_000, elements: 10_000, texts: 20_000 },
  ...{ tableCells: 500, levels: 200 },
} as const
/** A short main text with a smaller share of the page's words than this has lost content. */
const minShareOfText = 0.1
/** A main text with this many characters is one, whatever its share: a page may have a thousand comments. */
const longTextChars = 1_000
/** From this share on, the main text is all of the page. */
const shareOfAll = 0.99
const minShareOfCells = 0.9
const minShareOfChoice = 0.98
/** A page with at least this many prices must keep most of them. */
const fewPrices = 3
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
  return { ...readHtml(decoded.text, finalUrl), notice: guessNotice(decoded) }
}

/**
 * Returns the main text of a page as Markdown, and all of its text. The main text is the choice of Readability, or the whole body
 * when that choice loses table cells, prices or most of the words. Tables become rows and links become numbers. Everything is written by
 * the same rules as the text of an HTML document.
 */
export function readHtml(html: string, finalUrl: string): HtmlPage {
  const document = parseHtml(html)
  const title = titleOf(document)
  const scripted = document.querySelector('script:not([type="application/ld+json"])') !== null
  resolveLinks(document, finalUrl)
  const page = prepareText(document)
  const chars = lengthOf(document.body)
  const content = page.levels > readabilityLimits.levels ? null : mainContent(document, chars)
  const share = content === null ? 1 : lengthOf(content) / chars
  const main = share < shareOfAll ? content : null
  const links = new LinkList()
  if (main !== null) {
    links.number(main, document)
    links.addFrom(document.body)
  }
  links.number(document.body, document)
  for (const element of page.hidden) links.number(element, document)
  const hidden = hiddenText(page)
  const write = (root: PageElement): PageText => {
    const marked = [markdownOf(root, document), hidden].filter(text => text !== '').join('\n\n')
    return { marked, text: withoutLinkNumbers(marked) }
  }
  return {
    title,
    main: write(main ?? document.body),
    all: main === null ? null : write(document.body),
    share,
    notice: null,
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
 * Returns the main text of a page: Readability's choice, or else the body without what surrounds a main text; null when
 * both lack content that a reader needs, and for large pages, which are usually documents.
 */
function mainContent(document: PageDocument, chars: number): PageElement | null {
  const cells = filledCells(document.body)
  const { chars: maxChars, elements, texts: maxTexts, tableCells } = readabilityLimits
  const isLarge = chars > maxChars || document.body.querySelectorAll('*').length > elements
  if (isLarge || cells > tableCells) return null
  const { texts, prices } = countTexts(document.body)
  if (texts > maxTexts) return null
  const isWhole = (content: PageElement): boolean =>
    lengthOf(content) >= Math.min(minShareOfText * chars, longTextChars) &&
    filledCells(content) >= minShareOfCells * cells &&
    (prices < fewPrices || countTexts(content).prices >= minShareOfCells * prices)
  const chosen = readabilityChoice(document)
  if (chosen !== null && isWhole(chosen)) return chosen
  const inner = withoutSurroundings(document)
  return inner !== null && isWhole(inner) ? inner : null
}

/**
 * Returns the part of the body that Readability keeps; null when it has no choice. Readability renames and wraps elements, so
 * only its choice of them is used.
 */
function readabilityChoice(document: PageDocument): PageElement | null {
  wrapTexts(document)
  for (const [number, element] of [...document.body.querySelectorAll('*')].entries())
    element.setAttribute(numberAttribute, String(number))
  const article = new Readability(parsePage(document.toString()), { charThreshold: 200 }).parse()
  if (article?.content === null || article?.content === undefined) return null
  const chosen = parsePage(article.content).body
  const kept = new Set<string>()
  for (const element of chosen.querySelectorAll(`[${numberAttribute}]`))
    kept.add(element.getAttribute(numberAttribute) ?? '')
  const content = document.body.cloneNode(true)
  keepOnly(content, kept)
  // Readability may have wrapped text in new elements, which have no number.
  return lengthOf(content) >= minShareOfChoice * lengthOf(chosen) ? content : null
}

/** Elements around a main text, by their meaning. */
const surroundings =
  'nav, footer, aside, [role="navigation"], [role="contentinfo"], [role="banner"], [role="search"], [role="complementary"]'
/** Classes and ids of elements around a main text, as most pages name them. */
const surroundingName =
  /(?:^|[\s_-])(?:nav(?:bar|igation)?|(?:site|page|main)?-?(?:menu|footer)|sidebar|breadcrumbs?|cookies?(?:-\w+)?|consent|newsletter|subscribe|share|sharing|social|related|recommend(?:ed|ations)?|comments?|disqus|advert(?:isement)?s?|ads?|promo|skip-link)(?:$|[\s_-])/i

/** Returns the body without menus, footers and the like; null when it has none. */
function withoutSurroundings(document: PageDocument): PageElement | null {
  const content = document.body.cloneNode(true)
  const named = [...content.querySelectorAll('[class], [id]')].filter(element =>
    surroundingName.test(`${element.getAttribute('class') ?? ''} ${element.getAttribute('id') ?? ''}`),
  )
  const removed = [...content.querySelectorAll(surroundings), ...named]
  for (const element of removed) if (!holdsMain(element)) element.remove()
  return removed.length === 0 ? null : content
}

/** Some pages name their whole content by a part of it. */
function holdsMain(element: PageElement): boolean {
  return (
    /^(?:body|main|article|h1|table)$/i.test(element.tagName) ||
    element.querySelector('main, article, h1') !== null
  )
}

const currency = `${currencySignForm}|${currencyCodeForm}`
/** A currency beside figures: a list of plans with prices is no article, and is not left out of one. */
const price = new RegExp(`(?:${currency})\\s?\\d|\\d\\s?(?:${currency})`, 'gu')

/**
 * Counts the texts of an element, and the prices in each text for itself: the text of an element joins what its parts show
 * apart. Each character reference begins a text.
 */
function countTexts(element: PageElement): { texts: number; prices: number } {
  let [texts, prices] = [0, 0]
  const waiting: PageNode[] = [element]
  for (let node = waiting.pop(); node !== undefined; node = waiting.pop()) {
    if (isText(node)) {
      texts++
      prices += (node.textContent ?? '').match(price)?.length ?? 0
    } else for (const child of node.childNodes) waiting.push(child)
  }
  return { texts, prices }
}

/** Puts texts that stand directly in a `div` into elements, because Readability may replace such a `div` by a new element. */
function wrapTexts(document: PageDocument): void {
  for (const element of document.body.querySelectorAll('div'))
    for (const child of [...element.childNodes]) {
      if (!isText(child) || !/\S/.test(child.textContent ?? '')) continue
      const wrapper = document.createElement('span')
      child.replaceWith(wrapper)
      wrapper.append(child)
    }
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
