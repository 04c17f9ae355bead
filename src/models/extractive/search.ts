import { documentStem } from '../../core/document-name.ts'
import { regex } from './labels.ts'

/** A document as the prompt or the tools showed it; '' where nothing was shown. */
export type SeenDocument = { readonly name: string; readonly text: string }
export type ToolCall = { readonly name: string; readonly args: Readonly<Record<string, unknown>> }
type Made = readonly (ToolCall & { readonly result: string })[]
type Place = { readonly url: string; readonly words: string }
/** What was opened; `shown` is text by the number of the page (or part), with holes. */
type Page = { url: string; shown: string[]; total: number; isPdf: boolean; links: Place[] }
type Search = { readonly page?: Page; readonly calls: readonly ToolCall[] }

/** The next calls for all documents (none: nothing is left to try), and what was read so far. */
export function searchOn(names: readonly string[], made: Made) {
  const pages = readPages(made)
  const searches: Search[] = []
  for (const name of names) searches.push(searchFor(name, made, pages, searches))
  const calls = new Map(searches.flatMap(search => search.calls).map(call => [JSON.stringify(call), call]))
  const spent = made.map(({ result }) => /no (search|fetch)es left/.exec(result)?.[1])
  const isLeft = ({ name }: ToolCall): boolean => !spent.includes(name === 'web_search' ? 'search' : 'fetch')
  const documents = names.map((name, at): SeenDocument => ({ name, text: textOf(searches[at]!.page) }))
  const notes = names.map((name, at) => `${name}: ${searches[at]!.page?.url ?? 'not found.'}`)
  return { calls: [...calls.values()].filter(isLeft), documents, notes }
}

/** Tries query after query and hit after hit until a page fits the name; else the one that fits best. */
function searchFor(name: string, made: Made, pages: Map<string, Page>, others: Search[]): Search {
  let best: { page: Page; fit: number } | undefined
  // Those that show the name first, those that show a sibling's last, else as they came.
  const byPlace = (a: Place, b: Place): number => placeFit(name, b) - placeFit(name, a)
  for (const query of [documentStem(name).replace(/[_\-.\s]+/g, ' '), `"${documentStem(name)}"`]) {
    const search = made.find(({ args }) => String(args.queries) === query)
    if (search === undefined) return { ...best, calls: [{ name: 'web_search', args: { queries: [query] } }] }
    const hits = [...search.result.matchAll(/^ {3}URL: (\S+)/gm)].map(([, url = '']) => ({ url, words: '' }))
    for (const hit of hits.sort(byPlace).slice(0, 5)) {
      const place = pages.get(hit.url)?.links.sort(byPlace)[0] ?? hit
      if (place !== hit && placeFit(name, place) < 0) continue
      const page = pages.get(place.url)
      const tool = /\.pdf(?:[?#]|$)/i.test(place.url) ? 'read_pdf' : 'fetch_page'
      if (page === undefined) return { ...best, calls: [{ name: tool, args: { url: place.url } }] }
      if (page.shown.length === 0 || others.some(other => other.page === page)) continue
      const fit = placeFit(name, place) + textFit(documentStem(name), textOf(page))
      if (fit > (best?.fit ?? -100)) best = { page, fit }
      if (fit >= 0) return { page, calls: restOf(page) }
    }
  }
  return { ...best, calls: restOf(best?.page) }
}

const wordsOf = (text: string) => text.toLowerCase().match(/\p{sc=Han}+|[a-z]+\d*|\d+[a-z]*/gu) ?? []

/** 10 where an address or a link's words show the name, -10 where they show one much like it, else 0. */
function placeFit(name: string, { url, words }: Place): number {
  const own = wordsOf(encodeURIComponent(documentStem(name)))
  const places = [url, encodeURIComponent(words)].map(place => wordsOf(documentStem(place)))
  if (places.some(shown => shown.join() === own.join())) return 10
  const shared = (shown: readonly string[]): number => own.filter(word => shown.includes(word)).length
  return Math.max(...places.map(shared)) >= Math.max(2, own.length / 2) ? -10 : 0
}

/** Below 0 where a text says little of the name's words, or nothing of its year. */
function textFit(stem: string, text: string): number {
  const head = text.slice(0, 40_000).toLowerCase()
  const telling = wordsOf(stem).filter(word => regex('^(?!(?:{generic})$)[a-z\\p{sc=Han}]{3,}').test(word))
  const seen = telling.filter(word => head.includes(word.replace(/\d+$/, ''))).length
  const year = /(?:19|20)\d\d/.exec(stem)?.[0] ?? ''
  // A fiscal year may be named after the year it ends in.
  const years = /fy/i.test(stem) ? [year, String(Number(year) - 1)] : [year]
  const isTime = years.some(one => head.slice(0, 6_000).includes(one))
  return seen / Math.max(1, telling.length) - (isTime ? 0.3 : 3)
}

const textOf = (page?: Page): string => page?.shown.filter(() => true).join('\n\n') ?? ''

/** Calls for what was not shown yet: parts, or windows of as many pages as one call surely shows. */
function restOf(page?: Page): ToolCall[] {
  const { url = '', shown = [], total = 0, isPdf = false } = page ?? {}
  const size = isPdf ? Math.ceil((Object.keys(shown).length * 20_000) / textOf(page).length) : 1
  const missing = Array.from({ length: total }, (_, index) => index + 1).filter(number => !(number in shown))
  const starts = missing.filter((_, index) => index % size === 0).slice(0, 24)
  if (!isPdf) return starts.map(part => ({ name: 'fetch_page', args: { url, part } }))
  const window = (first: number): string => `${first}-${Math.min(total, first + size - 1)}`
  return starts.map(first => ({ name: 'read_pdf', args: { url, pages: window(first) } }))
}

/** What was opened, by the address it was asked for by. */
function readPages(made: Made): Map<string, Page> {
  const pages = new Map<string, Page>()
  for (const { args, result } of made) {
    const url = String(args.url)
    const page = pages.get(url) ?? { url, shown: [], total: 0, isPdf: false, links: [] }
    const [head = '', ...rest] = result.split('\n\n')
    const [, part, total = 0] = /^(?:Part|Pages) (\d+)\S* of (\d+)/m.exec(head) ?? []
    const [, ...marked] = result.split(/^--- page (\d+)[^\n]*---\n/m)
    for (let at = 0; at < marked.length; at += 2) page.shown[Number(marked[at])] = marked[at + 1]!.trim()
    const [body = '', ...lists] = rest.join('\n\n').split(/\n\n(?:Links|Other links on the page):\n/)
    const isPdf = page.isPdf || marked.length > 0
    if (!isPdf && part !== undefined) page.shown[Number(part)] = body.replace(/ \[\d+\](?=\W|$)/g, '')
    // A short page that links to documents stands in front of one.
    for (const [, mark, link = '', words] of lists.join('\n').matchAll(/^\[(\d+)\] (\S+)(?: (.*))?$/gm))
      if (body.length < 6_000 && /\.(?:pdf|docx|xlsx|md|txt)(?:[?#]|$)/i.test(link))
        page.links.push({ url: link, words: words ?? body.split(` [${mark}]`)[0]!.split(/\n|: /).at(-1)! })
    // What can't be had once is not asked for again: its total is 0.
    pages.set(url, { ...page, isPdf, total: Number(total) })
  }
  return pages
}
