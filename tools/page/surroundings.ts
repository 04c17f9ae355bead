import { isElement, isInline, isText, type PageElement } from '../../retrieval/html/dom.ts'
import { writeCurrencyForm } from '../../src/text/currencies.ts'
import { joinToOneLine } from '../../src/text/plain-text.ts'

/** A block of which a larger share is links leads elsewhere. */
const maxShareOfLinks = 0.6
/** An element with a larger share of the page's text is not around the main text, whatever its name. */
const maxShareAround = 0.4

/** Elements around a main text, by their meaning. */
const surroundingTag = /^(?:nav|footer|aside|dialog|menu)$/i
const surroundingRole =
  /^(?:navigation|contentinfo|banner|search|complementary|dialog|alertdialog|menu|menubar|tablist)$/i
/** Classes and ids of elements around a main text, as most pages name them. */
const surroundingName =
  /(?:^|[\s_-])(?:nav(?:bar|igation)?|(?:site|page|main)?-?(?:menu|footer)|side-?bar\w*|bread-?crumbs?|newsletter\w*|subscri\w+|shar(?:e|er|ing|ebar|e-?buttons?)|sharedaddy|social\w*|related\w*|recommend\w*|comment(?:list|-list|-?respond|-?form|-?area|section)|comments|respond|disqus\w*|advert\w*|ads?|adsense|sponsor\w*|promo\w*|pagination|pager|login|sign-?(?:in|up)\w*|popular|trending|most-?read|more-?(?:news|stories|articles|from)|read-?(?:more|next|also)|also-?read|up-?next|outbrain|taboola|toolbar|pop-?up|modal|skip(?:-?link)?|tag-?(?:list|cloud)|tags|byline|author-?(?:box|bio|info|content|text)|post-?(?:meta|tags|nav\w*)|entry-?(?:meta|footer|utility|author-?\w*)|jp-relatedposts|addtoany\w*|copyright|timestamp|dateline)(?:$|[\s_-])/i
/** Names of the remarks of readers, which may be longer than the text that they follow. */
const remarksName = /(?:^|\s)(?:comments|comments?-?(?:list|area|section|container)s?|disqus\w*)(?=\s|$)/i
/** A page with fewer characters beside the remarks of readers consists of them. */
const minCharsBesideRemarks = 400
/** Names of elements that are no main text however long they are. */
const noticeName = /cookie|consent|gdpr/i

/** What the main text of a page is chosen by. Lengths are characters; a sign of Chinese, Japanese or Korean counts as three. */
export interface Measures {
  readonly chars: number
  readonly linkChars: number
  readonly links: number
  /** The text of the element without links and without the blocks inside it. */
  readonly ownChars: number
  readonly prices: number
  /** Whether it contains the page's heading or its `main`. */
  readonly holdsMain: boolean
}

/** Measures an element and all elements inside it. */
export function measure(
  element: PageElement,
  inLink: boolean,
  measures: Map<PageElement, Measures>,
): Measures {
  const isLink = element.tagName === 'A' && element.getAttribute('href') !== null
  const sum = { chars: 0, linkChars: 0, links: isLink ? 1 : 0, ownChars: 0, prices: 0 }
  let holdsMain = /^(?:main|h1)$/i.test(element.tagName)
  for (const child of element.childNodes) {
    if (isText(child)) {
      const text = joinToOneLine(child.textContent ?? '')
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
      if (isInline(child)) sum.ownChars += part.ownChars
    }
  }
  const measured = { ...sum, holdsMain }
  measures.set(element, measured)
  return measured
}

/** A sign that says as much as three letters. */
const wideSigns = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}]/gu

const currency = writeCurrencyForm()
/** A currency beside figures in a short text: a list of plans with prices is no article, and is not left out of one. */
const maxPriceChars = 30
const price = new RegExp(`(?:${currency})\\s?\\d|\\d\\s?(?:${currency})`, 'gu')

/** Returns the elements of a body without menus, footers, comments, lists of links and the like. */
export function listElementsInside(
  body: PageElement,
  measures: ReadonlyMap<PageElement, Measures>,
): Set<PageElement> {
  const inside = new Set<PageElement>()
  const whole = measures.get(body)!
  const words = whole.chars - whole.linkChars
  const visit = (element: PageElement): void => {
    for (const child of element.children) {
      const most = areRemarks(child) ? words - minCharsBesideRemarks : maxShareAround * words
      if (isAround(child, measures.get(child)!, most)) continue
      inside.add(child)
      visit(child)
    }
  }
  visit(body)
  return inside
}

const nameOf = (element: PageElement): string =>
  `${element.getAttribute('class') ?? ''} ${element.getAttribute('id') ?? ''}`

const areRemarks = (element: PageElement): boolean => remarksName.test(nameOf(element))

/** Returns whether an element that is not inside a main text belongs to the remarks of readers. */
export function isInRemarks(element: PageElement, inside: ReadonlySet<PageElement>): boolean {
  let around: PageElement | null = element
  while (around !== null && around.tagName !== 'BODY' && !inside.has(around) && !areRemarks(around))
    around = around.parentNode
  return around !== null && around.tagName !== 'BODY' && !inside.has(around)
}

/** Returns whether an element is a menu, a notice, a list of links or the like. Longer texts than `mostChars` are none. */
export function isAround(element: PageElement, measured: Measures, mostChars: number): boolean {
  const { chars, linkChars, links, prices, holdsMain } = measured
  const name = nameOf(element)
  if (holdsMain || /^(?:table|tbody|tr|td|th)$/i.test(element.tagName)) return false
  if (noticeName.test(name) && chars < 10_000) return true
  if (chars - linkChars > mostChars) return false
  if (element.tagName === 'BUTTON') return !opensText(element)
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

/** Returns whether a button is the heading of a text that it opens. */
const opensText = (button: PageElement): boolean =>
  button.getAttribute('aria-expanded') !== null ||
  button.getAttribute('aria-controls') !== null ||
  /^(?:h[1-6]|summary)$/i.test(button.parentNode?.tagName ?? '')
