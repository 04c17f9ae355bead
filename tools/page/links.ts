import { moveChildren, type PageDocument, type PageElement } from '../../retrieval/html/dom.ts'
import { checkLimit, readingLimits } from '../../src/system/reading-limits.ts'
import { joinToOneLine } from '../../src/text/plain-text.ts'

/** A link of a page. */
export interface PageLink {
  /** 1-based; the same for all links with the same URL. */
  readonly number: number
  /** Absolute. */
  readonly url: string
  readonly text: string
}

/** Marks a link behind its words, so that the number survives the conversion to Markdown. */
const writeLinkMark = (number: number): string => `\ue000${number}\ue001`
const linkMarks = /\ue000(\d+)\ue001/g

/** Replaces the marks with link numbers as the agent sees them: `words [3]`. */
export function showLinkNumbers(text: string): string {
  return replaceMarks(text, number => ` [${number}]`)
}

/** Returns the page's own text without link numbers. */
export function withoutLinkNumbers(text: string): string {
  return replaceMarks(text, () => '')
}

/** Replaces each mark and the white space before it. An expression for that white space would read long runs many times. */
function replaceMarks(text: string, replacement: (number: string) => string): string {
  let replaced = ''
  let at = 0
  for (const mark of text.matchAll(linkMarks)) {
    replaced += text.slice(at, mark.index).trimEnd() + replacement(mark[1]!)
    at = mark.index + mark[0].length
  }
  return replaced + text.slice(at)
}

/** Returns the link numbers that occur in a text. */
export function listLinkNumbers(text: string): Set<number> {
  return new Set([...text.matchAll(linkMarks)].map(match => Number(match[1])))
}

/** Returns the list of the links whose numbers occur in a marked text; empty when there are none. */
export function writeCitedLinks(marked: string, links: readonly PageLink[]): string[] {
  const here = listLinkNumbers(marked)
  const cited = links.filter(link => here.has(link.number)).map(link => `[${link.number}] ${link.url}`)
  return cited.length === 0 ? [] : [['Links:', ...cited].join('\n')]
}

/** A longer base address would be repeated in every link. */
const maxBaseChars = 4_096

/**
 * Makes every address in a page absolute and removes the address of links other than http(s). Frames, embedded
 * files and the target of an automatic redirect become links.
 */
export function resolveLinks(document: PageDocument, finalUrl: string): void {
  const declared = document.querySelector('base[href]')?.getAttribute('href') ?? ''
  const base =
    declared.length <= maxBaseChars && URL.canParse(declared, finalUrl)
      ? new URL(declared, finalUrl).href
      : finalUrl
  for (const frame of document.querySelectorAll('iframe[src], frame[src], embed[src], object[data]')) {
    const target = resolveAddress(frame.getAttribute('src') ?? frame.getAttribute('data') ?? '', base)
    if (target !== null) frame.replaceWith(makeLink(document, target, 'embedded page'))
  }
  for (const meta of document.querySelectorAll('meta[http-equiv="refresh" i][content]')) {
    const [, next] = /^[\d.\s]*[;,]\s*url\s*=\s*["']?([^"']+)/i.exec(meta.getAttribute('content') ?? '') ?? []
    const target = resolveAddress(next ?? '', base)
    if (target !== null && target !== finalUrl)
      meta.replaceWith(makeLink(document, target, 'this page redirects to'))
  }
  for (const anchor of document.querySelectorAll('a[href], area[href]')) {
    const href = anchor.getAttribute('href') ?? ''
    const target = href.trim().startsWith('#') ? null : resolveAddress(href, base)
    anchor.setAttribute('href', target ?? '')
  }
}

function makeLink(document: PageDocument, url: string, words: string): PageElement {
  const anchor = document.createElement('a')
  anchor.setAttribute('href', url)
  anchor.append(words)
  return anchor
}

function resolveAddress(href: string, base: string): string | null {
  const trimmed = href.trim()
  if (trimmed === '' || !URL.canParse(trimmed, base)) return null
  const url = new URL(trimmed, base)
  if (url.protocol !== 'http:' && url.protocol !== 'https:') return null
  return url.href
}

/** The links of a page in order of appearance, with one number per URL. */
export class LinkList {
  readonly #links = new Map<string, PageLink>()

  /** Puts a number behind each link of a tree that shows words, and removes the link itself. */
  number(root: PageElement, document: PageDocument): void {
    for (const anchor of root.querySelectorAll('a')) {
      const url = anchor.getAttribute('href') ?? ''
      if (url === '') continue
      const words = readLinkWords(anchor)
      const number = this.#add(url, words)
      const span = document.createElement('span')
      const hasWords = /\S/.test(anchor.textContent ?? '') || anchor.querySelector('img[alt]') !== null
      moveChildren(anchor, span)
      if (hasWords) span.append(writeLinkMark(number))
      anchor.replaceWith(span)
    }
  }

  /** Returns the words with the number of their link behind them; a link without words is only added. */
  mark(words: string, url: string): string {
    const number = this.#add(url, words.trim().slice(0, 150))
    return /\S/.test(words) ? words + writeLinkMark(number) : ''
  }

  /** Adds the links of a tree that this list does not contain yet. */
  addFrom(root: PageElement): void {
    for (const anchor of root.querySelectorAll('a, area')) {
      const url = anchor.getAttribute('href') ?? ''
      if (url !== '') this.#add(url, readLinkWords(anchor))
    }
  }

  get all(): readonly PageLink[] {
    return [...this.#links.values()]
  }

  #add(url: string, text: string): number {
    const link = this.#links.get(url)
    if (link !== undefined) return link.number
    const number = this.#links.size + 1
    checkLimit(number, readingLimits.links, 'links')
    this.#links.set(url, { number, url, text })
    return number
  }
}

function readLinkWords(anchor: PageElement): string {
  const words = joinToOneLine(anchor.textContent ?? '')
  const image = anchor.querySelector('img[alt]')?.getAttribute('alt') ?? ''
  const label = image === '' ? (anchor.getAttribute('title') ?? anchor.getAttribute('alt') ?? '') : image
  return (words === '' ? label.trim() : words).slice(0, 150)
}
