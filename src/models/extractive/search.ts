import { documentStem } from '../../core/document.ts'
import { splitAtPageMarks } from '../../text/page-marks.ts'
import { regex } from './labels.ts'

/** A document as the prompt or the tools showed it. The text is empty when nothing was shown. */
export type SeenDocument = { readonly name: string; readonly text: string }

/** A call of a tool by its name. */
export type ToolCall = { readonly name: string; readonly args: Readonly<Record<string, unknown>> }
/** The calls so far, with their results. */
export type Made = readonly (ToolCall & { readonly result: string })[]
type LinkedPage = { readonly url: string; readonly words: string }
/** An opened address. `shown` is a sparse list of texts by the number of the page or part. */
type Page = { url: string; shown: string[]; total: number; isPdf: boolean; links: LinkedPage[] }
type DocumentSearch = { readonly page?: Page; readonly calls: readonly ToolCall[] }

/**
 * Decides what to do next for all documents.
 *
 * @param madeCalls the calls so far, with their results
 * @returns the next calls, the text of each document so far, and a note on where it was found. There are no calls when
 *   nothing is left to try.
 */
export function planNextCalls(names: readonly string[], madeCalls: Made) {
  const pages = readPages(madeCalls)
  const searches: DocumentSearch[] = []
  for (const name of names) searches.push(searchFor(name, madeCalls, pages, searches))
  const calls = new Map(searches.flatMap(search => search.calls).map(call => [JSON.stringify(call), call]))
  const spent = madeCalls.map(({ result }) => /no (search|fetch)es left/.exec(result)?.[1])
  const isLeft = ({ name }: ToolCall): boolean => !spent.includes(name === 'web_search' ? 'search' : 'fetch')
  const documents = names.map(
    (name, at): SeenDocument => ({ name, text: joinShownTexts(searches[at]!.page) }),
  )
  const notes = names.map((name, at) => `${name}: ${searches[at]!.page?.url ?? 'not found.'}`)
  return { calls: [...calls.values()].filter(isLeft), documents, notes }
}

/** Tries all queries and hits until a page matches the name. Otherwise, it uses the page that matches best. */
function searchFor(
  name: string,
  madeCalls: Made,
  pages: Map<string, Page>,
  otherSearches: DocumentSearch[],
): DocumentSearch {
  let best: { page: Page; fit: number } | undefined
  // Hits that show the name come first, hits that show a similar name last. All others keep their order.
  const byPlace = (a: LinkedPage, b: LinkedPage): number => placeFit(name, b) - placeFit(name, a)
  for (const query of [documentStem(name).replace(/[_\-.\s]+/g, ' '), `"${documentStem(name)}"`]) {
    const search = madeCalls.find(({ args }) => String(args.queries) === query)
    if (search === undefined) return { ...best, calls: [{ name: 'web_search', args: { queries: [query] } }] }
    const hits = [...search.result.matchAll(/^ {3}URL: (\S+)/gm)].map(([, url = '']) => ({ url, words: '' }))
    for (const hit of hits.sort(byPlace).slice(0, 5)) {
      const place = pages.get(hit.url)?.links.sort(byPlace)[0] ?? hit
      if (place !== hit && placeFit(name, place) < 0) continue
      const page = pages.get(place.url)
      const tool = /\.pdf(?:[?#]|$)/i.test(place.url) ? 'read_pdf' : 'fetch_page'
      if (page === undefined) return { ...best, calls: [{ name: tool, args: { url: place.url } }] }
      if (page.shown.length === 0 || otherSearches.some(search => search.page === page)) continue
      const fit = placeFit(name, place) + textFit(documentStem(name), joinShownTexts(page))
      if (fit > (best?.fit ?? -100)) best = { page, fit }
      if (fit >= 0) return { page, calls: planRest(page) }
    }
  }
  return { ...best, calls: planRest(best?.page) }
}

const splitWords = (text: string) => text.toLowerCase().match(/\p{sc=Han}+|[a-z]+\d*|\d+[a-z]*/gu) ?? []

/** Returns 10 when an address or the words of a link show the name, -10 when they show a similar name, otherwise 0. */
function placeFit(name: string, { url, words }: LinkedPage): number {
  const nameWords = splitWords(encodeURIComponent(documentStem(name)))
  const places = [url, encodeURIComponent(words)].map(place => splitWords(documentStem(place)))
  if (places.some(shown => shown.join() === nameWords.join())) return 10
  const shared = (shown: readonly string[]): number => nameWords.filter(word => shown.includes(word)).length
  return Math.max(...places.map(shared)) >= Math.max(2, nameWords.length / 2) ? -10 : 0
}

/** Rates how well a text matches a name. The result is negative when most words of the name or its year are missing. */
function textFit(stem: string, text: string): number {
  const head = text.slice(0, 40_000).toLowerCase()
  const telling = splitWords(stem).filter(word => regex('^(?!(?:{generic})$)[a-z\\p{sc=Han}]{3,}').test(word))
  const seenWords = telling.filter(word => head.includes(word.replace(/\d+$/, ''))).length
  const year = /(?:19|20)\d\d/.exec(stem)?.[0] ?? ''
  // A fiscal year may be named after the year in which it ends.
  const years = /fy/i.test(stem) ? [year, String(Number(year) - 1)] : [year]
  const isTime = years.some(year => head.slice(0, 6_000).includes(year))
  return seenWords / Math.max(1, telling.length) - (isTime ? 0.3 : 3)
}

/** Returns the text of a page as far as it was shown. */
export const joinShownTexts = (page?: Page): string => page?.shown.filter(() => true).join('\n\n') ?? ''

/** Returns calls for the parts that were not shown yet, or for as many pages as one call certainly shows. */
function planRest(page?: Page): ToolCall[] {
  const { url = '', shown = [], total = 0, isPdf = false } = page ?? {}
  const size = isPdf ? Math.ceil((Object.keys(shown).length * 20_000) / joinShownTexts(page).length) : 1
  const missing = Array.from({ length: total }, (_, index) => index + 1).filter(number => !(number in shown))
  const starts = missing.filter((_, index) => index % size === 0).slice(0, 24)
  if (!isPdf) return starts.map(part => ({ name: 'fetch_page', args: { url, part } }))
  const window = (first: number): string => `${first}-${Math.min(total, first + size - 1)}`
  return starts.map(first => ({ name: 'read_pdf', args: { url, pages: window(first) } }))
}

/** Returns all opened pages by the address that was requested. */
export function readPages(madeCalls: Made): Map<string, Page> {
  const pages = new Map<string, Page>()
  for (const { args, result } of madeCalls) {
    const url = String(args.url)
    const page = pages.get(url) ?? { url, shown: [], total: 0, isPdf: false, links: [] }
    const [head = '', ...rest] = result.split('\n\n')
    const [, part, total = 0] = /^(?:Part|Pages) (\d+)\S* of (\d+)/m.exec(head) ?? []
    const marked = splitAtPageMarks(result)
    for (const { number, text } of marked) page.shown[number] = text.trim()
    const [body = '', ...lists] = rest.join('\n\n').split(/\n\n(?:Links|Other links on the page):\n/)
    const isPdf = page.isPdf || marked.length > 0
    if (!isPdf && part !== undefined) page.shown[Number(part)] = body.replace(/ \[\d+\](?=\W|$)/g, '')
    // A short page with links to documents is a landing page: its links are candidates.
    for (const [, mark, link = '', words] of lists.join('\n').matchAll(/^\[(\d+)\] (\S+)(?: (.*))?$/gm))
      if (body.length < 6_000 && /\.(?:pdf|docx|xlsx|md|txt)(?:[?#]|$)/i.test(link))
        page.links.push({ url: link, words: words ?? body.split(` [${mark}]`)[0]!.split(/\n|: /).at(-1)! })
    // An address that failed once is not requested again: its total is 0.
    pages.set(url, { ...page, isPdf, total: Number(total) })
  }
  return pages
}
