import { oneLine } from '../../src/core/one-line.ts'
import type { PageDocument, PageElement } from './dom.ts'

export interface PageLink {
  /** 1-based, the same for every place that links there. */
  readonly number: number
  /** Absolute. */
  readonly url: string
  readonly text: string
}

/** Stands behind a link's words, through the conversion to Markdown. */
const linkMark = (number: number): string => `\ue000${number}\ue001`
const linkMarks = /\s*\ue000(\d+)\ue001/g

/** The text with its link numbers as the agent sees them: `words [3]`. */
export function showLinkNumbers(text: string): string {
  return text.replace(linkMarks, ' [$1]')
}

/** The page's own text, without our numbers. */
export function withoutLinkNumbers(text: string): string {
  return text.replace(linkMarks, '')
}

/** Which link numbers stand in a text. */
export function linkNumbersIn(text: string): Set<number> {
  return new Set([...text.matchAll(linkMarks)].map(match => Number(match[1])))
}

/**
 * Makes every address in a page absolute; what is no http(s) link loses it. Frames, embedded files and where the page
 * itself leads on to become links.
 */
export function resolveLinks(document: PageDocument, finalUrl: string): void {
  const declared = document.querySelector('base[href]')?.getAttribute('href') ?? ''
  const base = URL.canParse(declared, finalUrl) ? new URL(declared, finalUrl).href : finalUrl
  for (const frame of document.querySelectorAll('iframe[src], frame[src], embed[src], object[data]')) {
    const target = absolute(frame.getAttribute('src') ?? frame.getAttribute('data') ?? '', base)
    if (target !== null) frame.replaceWith(newLink(document, target, 'embedded page'))
  }
  for (const meta of document.querySelectorAll('meta[http-equiv="refresh" i][content]')) {
    const [, next] = /^[\d.\s]*[;,]\s*url\s*=\s*["']?([^"']+)/i.exec(meta.getAttribute('content') ?? '') ?? []
    const target = absolute(next ?? '', base)
    if (target !== null && target !== finalUrl)
      meta.replaceWith(newLink(document, target, 'this page leads on to'))
  }
  for (const anchor of document.querySelectorAll('a[href], area[href]')) {
    const href = anchor.getAttribute('href') ?? ''
    const target = href.trim().startsWith('#') ? null : absolute(href, base)
    anchor.setAttribute('href', target ?? '')
  }
}

function newLink(document: PageDocument, url: string, words: string): PageElement {
  const anchor = document.createElement('a')
  anchor.setAttribute('href', url)
  anchor.append(words)
  return anchor
}

function absolute(href: string, base: string): string | null {
  const trimmed = href.trim()
  if (trimmed === '' || !URL.canParse(trimmed, base)) return null
  const url = new URL(trimmed, base)
  if (url.protocol !== 'http:' && url.protocol !== 'https:') return null
  return url.href
}

/** A page's links in the order they were met; one number an address. */
export class LinkList {
  readonly #links = new Map<string, PageLink>()

  /** Puts a number behind each link of a tree and takes the link itself away. */
  number(root: PageElement, document: PageDocument): void {
    for (const anchor of root.querySelectorAll('a')) {
      const url = anchor.getAttribute('href') ?? ''
      if (url === '') continue
      const words = wordsOf(anchor)
      if (!/\S/.test(anchor.textContent ?? '')) anchor.append(words === '' ? 'link' : words)
      const span = document.createElement('span')
      span.append(...anchor.childNodes, linkMark(this.#add(url, words)))
      anchor.replaceWith(span)
    }
  }

  /** Words with the number of their link behind them. */
  mark(words: string, url: string): string {
    return `${words}${linkMark(this.#add(url, words.trim().slice(0, 150)))}`
  }

  /** Adds what a tree links to and this list does not have yet. */
  addFrom(root: PageElement): void {
    for (const anchor of root.querySelectorAll('a, area')) {
      const url = anchor.getAttribute('href') ?? ''
      if (url !== '') this.#add(url, wordsOf(anchor))
    }
  }

  get all(): readonly PageLink[] {
    return [...this.#links.values()]
  }

  #add(url: string, text: string): number {
    const known = this.#links.get(url)
    if (known !== undefined) return known.number
    const number = this.#links.size + 1
    this.#links.set(url, { number, url, text })
    return number
  }
}

function wordsOf(anchor: PageElement): string {
  const own = oneLine(anchor.textContent ?? '')
  const image = anchor.querySelector('img[alt]')?.getAttribute('alt') ?? ''
  const other = image === '' ? (anchor.getAttribute('title') ?? anchor.getAttribute('alt') ?? '') : image
  return (own === '' ? other.trim() : own).slice(0, 150)
}
