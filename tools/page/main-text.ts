import { Readability } from '@mozilla/readability'
import { isElement, isText, type PageDocument, type PageElement, parsePage } from '../../retrieval/html/dom.ts'
import { type HiddenContent, lengthOf } from '../../retrieval/html/hidden.ts'
import type { PreparedPage } from '../../retrieval/html/html-text.ts'
import { isInline } from '../../retrieval/html/inline.ts'
import { filledCells, isDataTable } from '../../retrieval/html/tables.ts'
import { currencyCodeForm, currencySignForm } from '../../src/text/currencies.ts'
import { oneLine } from '../../src/text/plain-text.ts'

/**
 * Beyond these limits Readability takes seconds to hours. Such pages are usually documents with little navigation
 * around them.
 */
const readabilityLimits = { chars: 1_000_000, elements: 10_000, tableCells: 500, levels: 200 } as const
/** A choice of Readability with fewer characters and a smaller share of the page's sentences has missed the main text. */
const minChoice = { chars: 1_000, share: 0.3 } as const
/** A block with more characters of its own is a sentence. */
const sentenceChars = 40
/** The characters of a block between or before the chosen ones that belongs to the main text, such as a lead. */
const minBlockChars = 60
/** A block of Readability's choice with more characters of its own is no notice, whatever its name. */
const maxNoticeChars = 120
/** A block of which a larger share is links leads elsewhere. */
const maxShareOfLinks = 0.6
/** An element with a larger share of the page's text is not around the main text, whatever its name. */
const maxShareAround = 0.4
/** A page with at least this many prices must keep most of them. */
const fewPrices = 3
const minShareOfPrices = 0.9

/** Elements around a main text, by their meaning. */
const surroundingTag = /^(?:nav|footer|aside|dialog|menu|button)$/i
const surroundingRole =
  /^(?:navigation|contentinfo|banner|search|complementary|dialog|alertdialog|menu|menubar|tablist)$/i
/** Classes and ids of elements around a main text, as most pages name them. */
const surroundingName =
  /(?:^|[\s_-])(?:nav(?:bar|igation)?|(?:site|page|main)?-?(?:menu|footer)|side-?bar\w*|bread-?crumbs?|newsletter\w*|subscri\w+|shar(?:e|er|ing|ebar|e-?buttons?)|sharedaddy|social\w*|related\w*|recommend\w*|comment(?:list|-list|-?respond|-?form|-?area|section)|comments|respond|disqus\w*|advert\w*|ads?|adsense|sponsor\w*|promo\w*|pagination|pager|login|sign-?(?:in|up)\w*|popular|trending|most-?read|more-?(?:news|stories|articles|from)|read-?(?:more|next|also)|also-?read|up-?next|outbrain|taboola|toolbar|pop-?up|modal|skip(?:-?link)?|tag-?(?:list|cloud)|tags|byline|author-?(?:box|bio|info|content|text)|post-?(?:meta|tags|nav\w*)|entry-?(?:meta|footer|utility|author-?\w*)|jp-relatedposts|addtoany\w*|copyright|timestamp|dateline)(?:$|[\s_-])/i
/** Names of elements that are no main text however long they are. */
const noticeName = /cookie|consent|gdpr/i

/** What the main text is chosen by. The lengths are characters. */
interface Measures {
  readonly chars: number
  readonly linkChars: number
  readonly links: number
  /** The text that stands in the element itself, links aside, and not in a block in it. */
  readonly ownChars: number
  readonly prices: number
  /** Whether it contains the page's heading or its `main`. */
  readonly holdsMain: boolean
}

/** A page as a list of its elements in page order; an element's number is its place. */
interface Outline {
  readonly elements: readonly PageElement[]
  readonly measures: ReadonlyMap<PageElement, Measures>
}

/** Numbers the elements of a page, so that those which Readability keeps are known. */
const numberAttribute = 'data-element'

/** The main text of a page. */
export interface MainText {
  /** A part of a copy of the page's body. */
  readonly content: PageElement
  /** For each part of what the page hides, whether it belongs to the main text. */
  readonly hidden: readonly boolean[]
}

/**
 * Returns the main text of a page: Readability's choice with the leads, blocks and data beside it, without menus,
 * comments and the like; the body without these where the choice missed the main text. Null for large pages, which are
 * usually documents.
 *
 * @param title the page's title, which a heading of the main text need not repeat
 * @param chars the characters of the page's visible text
 */
export function selectMainText(
  { document, levels, hidden }: PreparedPage,
  title: string,
  chars: number,
): MainText | null {
  const isLarge =
    levels > readabilityLimits.levels ||
    chars > readabilityLimits.chars ||
    document.body.querySelectorAll('*').length > readabilityLimits.elements ||
    filledCells(document.body) > readabilityLimits.tableCells
  if (isLarge) return null
  const outline = numberElements(document)
  const { measures } = outline
  const inner = elementsInside(document.body, measures)
  const isKept = (element: PageElement): boolean =>
    inner.has(element) || (measures.get(element)?.ownChars ?? 0) > maxNoticeChars
  const choice = readabilityChoice(document, outline).filter(isKept)
  const hasMainText =
    ownCharsIn(choice, measures, sentenceChars) >
      minChoice.share * ownCharsIn(inner, measures, sentenceChars) ||
    ownCharsIn(choice, measures, 0) >= minChoice.chars
  const extended = hasMainText ? extendChoice(new Set(choice), inner, outline, title) : inner
  const prices = pricesIn(inner, measures)
  const losesPrices = prices >= fewPrices && pricesIn(extended, measures) < minShareOfPrices * prices
  const kept = [...(losesPrices ? inner : extended), ...dataIn(document.body, measures, inner)]
  const content = document.body.cloneNode(true)
  keepOnly(content, new Set(kept.map(element => element.getAttribute(numberAttribute) ?? '')))
  removeRepeated(content)
  if (lengthOf(content) === 0) return null
  const isInside = ({ element, parent }: HiddenContent): boolean =>
    (parent === document.body || parent === null || !measures.has(parent) || inner.has(parent)) &&
    !isAround(element, measure(element, false, new Map()), Number.POSITIVE_INFINITY)
  return { content, hidden: hidden.map(isInside) }
}

function numberElements(document: PageDocument): Outline {
  wrapTexts(document)
  const elements = [...document.body.querySelectorAll('*')]
  for (const [number, element] of elements.entries()) element.setAttribute(numberAttribute, String(number))
  const measures = new Map<PageElement, Measures>()
  measure(document.body, false, measures)
  return { elements, measures }
}

function measure(element: PageElement, inLink: boolean, measures: Map<PageElement, Measures>): Measures {
  const isLink = element.tagName === 'A' && element.getAttribute('href') !== null
  const sum = { chars: 0, linkChars: 0, links: isLink ? 1 : 0, ownChars: 0, prices: 0 }
  let holdsMain = /^(?:main|h1)$/i.test(element.tagName)
  for (const child of element.childNodes) {
    if (isText(child)) {
      const text = oneLine(child.textContent ?? '')
      const length = text.length + 2 * (text.match(wideSigns)?.length ?? 0)
      sum.chars += length
      if (inLink || isLink) sum.linkChars += length
      else sum.ownChars += length
      if (text.length <= maxPriceChars) sum.prices += text.match(price)?.length ?? 0
    } else if (isElement(child)) {
      const part = measure(child, inLink || isLink, measures)
      sum.chars += part.chars
      sum.linkChars += part.linkChars
      sum.links += part.links
      sum.prices += part.prices
      holdsMain ||= part.holdsMain
      if (isInline(child.tagName)) sum.ownChars += part.ownChars
    }
  }
  const measured = { ...sum, holdsMain }
  measures.set(element, measured)
  return measured
}

/** A sign that says as much as three letters. */
const wideSigns = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}]/gu

const currency = `${currencySignForm}|${currencyCodeForm}`
/** A currency beside figures in a short text: a list of plans with prices is no article, and is not left out of one. */
const maxPriceChars = 30
const price = new RegExp(`(?:${currency})\\s?\\d|\\d\\s?(?:${currency})`, 'gu')

/** Returns the elements of a body without menus, footers, comments, lists of links and the like. */
function elementsInside(body: PageElement, measures: ReadonlyMap<PageElement, Measures>): Set<PageElement> {
  const inside = new Set<PageElement>()
  const whole = measures.get(body)!
  const most = maxShareAround * (whole.chars - whole.linkChars)
  const visit = (element: PageElement): void => {
    for (const child of element.children) {
      if (isAround(child, measures.get(child)!, most)) continue
      inside.add(child)
      visit(child)
    }
  }
  visit(body)
  return inside
}

function isAround(element: PageElement, measured: Measures, mostChars: number): boolean {
  const { chars, linkChars, links, prices, holdsMain } = measured
  const name = `${element.getAttribute('class') ?? ''} ${element.getAttribute('id') ?? ''}`
  if (holdsMain || /^(?:table|tbody|tr|td|th)$/i.test(element.tagName)) return false
  if (noticeName.test(name) && chars < 10_000) return true
  if (chars - linkChars > mostChars) return false
  if (surroundingTag.test(element.tagName) || surroundingRole.test(element.getAttribute('role') ?? ''))
    return true
  if (surroundingName.test(name) && prices === 0) return true
  return (
    /^(?:ul|ol|div|section|dl|form|header)$/i.test(element.tagName) &&
    links > 1 &&
    prices === 0 &&
    linkChars > maxShareOfLinks * chars
  )
}

/** Counts the prices that stand in elements themselves, not in one inside them. */
function pricesIn(elements: ReadonlySet<PageElement>, measures: ReadonlyMap<PageElement, Measures>): number {
  let sum = 0
  for (const element of elements) {
    let { prices } = measures.get(element)!
    for (const child of element.children) prices -= measures.get(child)!.prices
    sum += prices
  }
  return sum
}

/** Returns the characters of all blocks that have more than `least` of their own. */
function ownCharsIn(
  elements: Iterable<PageElement>,
  measures: ReadonlyMap<PageElement, Measures>,
  least: number,
): number {
  let sum = 0
  for (const element of elements) {
    const { ownChars } = measures.get(element)!
    if (!isInline(element.tagName) && ownChars > least) sum += ownChars
  }
  return sum
}

/** Returns the tables and definition lists inside a page with all they contain. These are kept wherever they stand. */
function dataIn(
  body: PageElement,
  measures: ReadonlyMap<PageElement, Measures>,
  inner: ReadonlySet<PageElement>,
): Set<PageElement> {
  const data = new Set<PageElement>()
  for (const element of body.querySelectorAll('table, [role="table"], [role="grid"], dl')) {
    const { chars, linkChars } = measures.get(element)!
    if (linkChars > chars / 2 || !inner.has(element) || !isData(element)) continue
    data.add(element)
    for (const part of element.querySelectorAll('*')) data.add(part)
  }
  return data
}

const isData = (element: PageElement): boolean =>
  element.tagName === 'DL' ? element.querySelectorAll('dd').length > 1 : isDataTable(element)

/**
 * Adds to a choice what stands before its first text below the page's heading, and between its texts, as far as it is
 * sentences; and takes away what is around a main text.
 */
function extendChoice(
  choice: ReadonlySet<PageElement>,
  inner: ReadonlySet<PageElement>,
  { elements, measures }: Outline,
  title: string,
): Set<PageElement> {
  const places = elements.flatMap((element, place) =>
    choice.has(element) && measures.get(element)!.ownChars > 0 ? [place] : [],
  )
  const [first, last] = [places[0] ?? 0, places.at(-1) ?? 0]
  const heading = elements.findLastIndex((element, place) => place < first && element.tagName === 'H1')
  const content = new Set(choice)
  const add = (element: PageElement): void => {
    content.add(element)
    for (const part of element.querySelectorAll('*')) if (inner.has(part)) content.add(part)
  }
  const headingText = oneLine(elements[heading]?.textContent ?? '')
  if (headingText !== '' && !title.includes(headingText)) add(elements[heading]!)
  elements.forEach((element, place) => {
    if (place > last || place <= heading || heading < 0 || !inner.has(element)) return
    if (isInline(element.tagName) || measures.get(element)!.ownChars < minBlockChars) return
    add(element)
  })
  return content
}

/** Returns the elements that Readability keeps; none when it has no choice. It renames and wraps elements, which have numbers for that. */
function readabilityChoice(document: PageDocument, { elements }: Outline): PageElement[] {
  const article = new Readability(parsePage(document.toString()), { charThreshold: 200 }).parse()
  if (article?.content === null || article?.content === undefined) return []
  const kept = parsePage(article.content).body.querySelectorAll(`[${numberAttribute}]`)
  return [...kept].flatMap(element => elements[Number(element.getAttribute(numberAttribute))] ?? [])
}

/** A text that is written again within this many blocks is shown twice for screens of different width. */
const blocksBetween = 6

/** Removes a sentence that a block shortly before it has said. */
function removeRepeated(content: PageElement): void {
  const recent: string[] = []
  for (const element of [...content.querySelectorAll('div, p, li, figcaption')]) {
    if ([...element.children].some(child => !isInline(child.tagName))) continue
    const text = oneLine(element.textContent ?? '')
    if (text.length < sentenceChars) continue
    if (recent.includes(text)) element.remove()
    else if (recent.push(text) > blocksBetween) recent.shift()
  }
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
