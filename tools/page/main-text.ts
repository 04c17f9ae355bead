import { Readability } from '@mozilla/readability'
import {
  isInline,
  isText,
  type PageDocument,
  type PageElement,
  type PageNode,
} from '../../retrieval/html/dom.ts'
import { countTextChars, type HiddenContent } from '../../retrieval/html/hidden.ts'
import type { PreparedPage } from '../../retrieval/html/html-text.ts'
import { dataCellSelector, tableSelector } from '../../retrieval/html/table-cells.ts'
import { countFilledCells, isDataTable } from '../../retrieval/html/tables.ts'
import { joinToOneLine } from '../../src/text/plain-text.ts'
import { isAround, isInRemarks, listElementsInside, type Measures, measure } from './surroundings.ts'

/**
 * Beyond these limits Readability takes seconds to hours. Such pages are usually documents with little navigation
 * around them.
 */
const readabilityLimits = {
  chars: 1_000_000,
  elements: 10_000,
  texts: 20_000,
  tableCells: 500,
  levels: 200,
} as const
/** A choice of Readability with fewer characters and a smaller share of the page's sentences has missed the main text. */
const minChoice = { chars: 1_000, share: 0.3 } as const
/** A block with more characters of its own is a sentence. */
const sentenceChars = 40
/** A block of Readability's choice with more characters of its own is no notice, whatever its name. */
const maxNoticeChars = 120
/** A page with at least this many prices must keep most of them. */
const fewPrices = 3
const minShareOfPrices = 0.9

/** What a page hides is its main text when it is this many times as long as what it shows. */
const hiddenTimes = 3

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
    countFilledCells(document.body) > readabilityLimits.tableCells ||
    countTexts(document.body) > readabilityLimits.texts
  if (isLarge) return null
  const outline = numberElements(document)
  const { measures } = outline
  const inner = listElementsInside(document.body, measures)
  const isKept = (element: PageElement): boolean =>
    inner.has(element) ||
    ((measures.get(element)?.ownChars ?? 0) > maxNoticeChars && !isInRemarks(element, inner))
  const choice = listReadabilityChoice(document, outline).filter(isKept)
  const hasMainText =
    countOwnChars(choice, measures, sentenceChars) >
      minChoice.share * countOwnChars(inner, measures, sentenceChars) ||
    countOwnChars(choice, measures, 0) >= minChoice.chars
  const extended = hasMainText ? extendChoice(new Set(choice), inner, outline, title) : inner
  const prices = countPrices(inner, measures)
  const losesPrices = prices >= fewPrices && countPrices(extended, measures) < minShareOfPrices * prices
  const text = losesPrices ? inner : extended
  const mainElements = [...text, ...listData(document.body, inner, measures)]
  const content = document.body.cloneNode(true)
  keepOnly(content, new Set(mainElements.map(element => element.getAttribute(numberAttribute) ?? '')))
  removeRepeated(content)
  removeDescriptions(content)
  if (countTextChars(content) === 0) return null
  const hiddenChars = hidden.reduce((sum, { element }) => sum + countTextChars(element), 0)
  const hidesMost = hiddenChars > hiddenTimes * countTextChars(content)
  const belongs = ({ isOpened, element, parent }: HiddenContent): boolean => {
    const isBeside = parent === document.body || parent === null || !measures.has(parent)
    if (isBeside)
      return text === inner || isOpened || hidesMost || element.querySelector(dataCellSelector) !== null
    return (isOpened || hidesMost ? inner : text).has(parent)
  }
  const isInside = (content: HiddenContent): boolean =>
    belongs(content) &&
    !isAround(content.element, measure(content.element, false, new Map()), Number.POSITIVE_INFINITY)
  return { content, hidden: hidden.map(isInside) }
}

/** Counts the texts of an element. Each character reference begins a text. */
function countTexts(element: PageElement): number {
  let texts = 0
  const waiting: PageNode[] = [element]
  for (let node = waiting.pop(); node !== undefined; node = waiting.pop())
    if (isText(node)) texts++
    else for (const child of node.childNodes) waiting.push(child)
  return texts
}

function numberElements(document: PageDocument): Outline {
  wrapTexts(document)
  const elements = [...document.body.querySelectorAll('*')]
  for (const [number, element] of elements.entries()) element.setAttribute(numberAttribute, String(number))
  const measures = new Map<PageElement, Measures>()
  measure(document.body, false, measures)
  return { elements, measures }
}

/** Counts the prices in the own text of elements. The prices of their children are not counted. */
function countPrices(
  elements: ReadonlySet<PageElement>,
  measures: ReadonlyMap<PageElement, Measures>,
): number {
  let sum = 0
  for (const element of elements) {
    let { prices } = measures.get(element)!
    for (const child of element.children) prices -= measures.get(child)!.prices
    sum += prices
  }
  return sum
}

/** Returns the characters of all blocks that have at least `least` of their own. */
function countOwnChars(
  elements: Iterable<PageElement>,
  measures: ReadonlyMap<PageElement, Measures>,
  least: number,
): number {
  let sum = 0
  for (const element of elements) {
    const { ownChars } = measures.get(element)!
    if (!isInline(element) && ownChars >= least) sum += ownChars
  }
  return sum
}

/** Returns the tables of a page wherever they are, lists of links aside, and the definition lists inside it, with all they contain. */
function listData(
  body: PageElement,
  inner: ReadonlySet<PageElement>,
  measures: ReadonlyMap<PageElement, Measures>,
): Set<PageElement> {
  const data = new Set<PageElement>()
  for (const element of body.querySelectorAll(`${tableSelector}, dl`)) {
    const { chars, linkChars } = measures.get(element)!
    const isInside = inner.has(element) || (element.tagName !== 'DL' && linkChars <= chars / 2)
    if (!isInside || !isData(element)) continue
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
  const headingLetters = keepLetters(elements[heading]?.textContent ?? '')
  if (heading >= 0 && !keepLetters(title).includes(headingLetters)) add(elements[heading]!)
  elements.forEach((element, place) => {
    if (place > last || place <= heading || heading < 0 || !inner.has(element)) return
    if (isInline(element) || measures.get(element)!.ownChars < sentenceChars) return
    add(element)
  })
  return content
}

const keepLetters = (text: string): string => text.toLowerCase().replace(/[^\p{L}\p{N}]/gu, '')

/**
 * Returns the elements that Readability keeps; none when it has no choice. It changes its copy of the page: elements are
 * renamed and wrapped, and therefore known by their numbers.
 */
function listReadabilityChoice(document: PageDocument, { elements }: Outline): PageElement[] {
  const serializer = (article: unknown): PageElement => article as PageElement
  const article = new Readability(document.cloneNode(true), { charThreshold: 200, serializer }).parse()
  return [...(article?.content?.querySelectorAll(`[${numberAttribute}]`) ?? [])].flatMap(
    element => elements[Number(element.getAttribute(numberAttribute))] ?? [],
  )
}

/** A text that is written again within this many blocks is shown twice for screens of different width. */
const blocksBetween = 6

/** Removes a sentence that a block shortly before it has said. */
function removeRepeated(content: PageElement): void {
  const recent: string[] = []
  for (const element of [...content.querySelectorAll('div, p, li, figcaption')]) {
    if ([...element.children].some(child => !isInline(child))) continue
    const text = joinToOneLine(element.textContent ?? '')
    if (text.length < sentenceChars) continue
    if (recent.includes(text)) element.remove()
    else if (recent.push(text) > blocksBetween) recent.shift()
  }
}

/** A text for a picture with this many figures tells what the picture shows, such as a chart. */
const manyFigures = 4

/** Removes long texts for pictures outside tables, and names of files. A browser does not show them beside the picture. */
function removeDescriptions(content: PageElement): void {
  const inTables = new Set(content.querySelectorAll('table img'))
  for (const picture of content.querySelectorAll('img[alt]')) {
    const alt = joinToOneLine(picture.getAttribute('alt') ?? '')
    const isLong = alt.length > sentenceChars || /^\S{16,}$/.test(alt)
    const isData = inTables.has(picture) || (alt.match(/\d+/g)?.length ?? 0) >= manyFigures
    if (isLong && !isData) picture.setAttribute('alt', '')
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
function keepOnly(root: PageElement, numbers: ReadonlySet<string>): boolean {
  let keepsAny = false
  for (const child of [...root.children]) {
    const isKept = numbers.has(child.getAttribute(numberAttribute) ?? '')
    if (keepOnly(child, numbers) || isKept) keepsAny = true
    else child.remove()
  }
  return keepsAny
}
