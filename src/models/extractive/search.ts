import { regex } from './labels.ts'
import { type SeenDocument, stemOf } from './table.ts'

export type ToolCall = { readonly name: string; readonly args: Readonly<Record<string, unknown>> }
type Made = readonly (ToolCall & { readonly result: string })[]
/** A hit or a link, with its title or words. */
type Place = { readonly url: string; readonly title: string; readonly linkText: string }
/** What was opened; `shown` is text by the number of the page (or part), with holes. */
type Page = { url: string; shown: string[]; total: number; isPdf: boolean; links: Place[] }
type Search = { readonly page?: Page; readonly calls: ToolCall[] }

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
  const rank = (place: Place): number => -Math.trunc(fitOf(name, place) / 6)
  for (const query of [stemOf(name).replace(/[_\-.\s]+/g, ' '), `"${stemOf(name)}"`]) {
    const search = made.find(({ args }) => JSON.stringify(args.queries) === JSON.stringify([query]))
    if (search === undefined) return { ...best, calls: [{ name: 'web_search', args: { queries: [query] } }] }
    const hits = [...search.result.matchAll(/^\d+\. (.*)\n {3}URL: (\S+)/gm)]
    const places = hits.map(([, title = '', url = '']) => ({ url, title, linkText: '' }))
    for (const hit of places.sort((a, b) => rank(a) - rank(b)).slice(0, 5)) {
      const links = documentLinks(pages.get(hit.url)).sort((a, b) => rank(a) - rank(b))
      const place = links[0] === undefined ? hit : { ...links[0], title: hit.title }
      if (rank(place) > 0 && links.length > 0) continue
      const page = pages.get(place.url)
      const tool = /\.pdf(?:[?#]|$)/i.test(place.url) ? 'read_pdf' : 'fetch_page'
      if (page === undefined) return { ...best, calls: [{ name: tool, args: { url: place.url } }] }
      const fit = fitOf(name, place, textOf(page))
      if (page.shown.length === 0 || others.some(other => other.page === page)) continue
      if (fit > (best?.fit ?? -100)) best = { page, fit }
      if (fit >= 0) return { page, calls: restOf(page) }
    }
  }
  return { ...best, calls: restOf(best?.page) }
}

/** A short page that links to documents stands in front of one. */
function documentLinks(page: Page | undefined): Place[] {
  if (textOf(page).length > 6_000) return []
  return page?.links.filter(({ url }) => /\.(?:pdf|docx|xlsx|md|txt)(?:[?#]|$)/i.test(url)) ?? []
}

/** How well a document fits its name: 10 where its place shows it, below 0 for another one. `text` is what was seen of it. */
function fitOf(name: string, { url, title, linkText }: Place, text = ''): number {
  const stem = stemOf(name)
  for (const [place, sought] of [
    [url, encodeURIComponent(stem)],
    [linkText, stem],
  ] as const) {
    const [shown, own] = [wordsOf(stemOf(place)), wordsOf(sought)]
    if (shown.join() === own.join()) return 10
    if (own.filter(word => shown.includes(word)).length >= Math.max(2, own.length / 2)) return -10
  }
  const head = `${title}\n${text.slice(0, 40_000)}`.toLowerCase()
  const telling = wordsOf(stem).filter(word =>
    regex('^(?!(?:{generic})$)(?:[a-z]{3,}|\\p{sc=Han})').test(word),
  )
  const seen = telling.filter(word => head.includes(word.replace(/\d+$/, ''))).length
  const year = /(?:19|20)\d\d/.exec(text === '' ? '' : stem)?.[0] ?? ''
  // A fiscal year may be named after the year it ends in.
  const isTime = [year, String(Number(year) - (/fy/i.test(stem) ? 1 : 0))].some(one =>
    head.slice(0, 6_000).includes(one),
  )
  return seen / Math.max(1, telling.length) - (isTime ? 0.3 : 3)
}

const wordsOf = (text: string): string[] =>
  text.toLowerCase().match(/\p{sc=Han}+|[a-z]+\d*|\d+[a-z]*/gu) ?? []
const textOf = (page?: Page): string => page?.shown.filter(() => true).join('\n\n') ?? ''

/** Calls for what was not shown yet: parts, or windows of as many pages as one call surely shows. */
function restOf(page?: Page): ToolCall[] {
  const { url = '', shown = [], total = 0, isPdf = false } = page ?? {}
  const size = isPdf ? Math.ceil((Object.keys(shown).length * 20_000) / textOf(page).length) : 1
  const missing = Array.from({ length: total }, (_, index) => index + 1).filter(number => !(number in shown))
  const starts = missing.filter((_, index) => index % size === 0).slice(0, 24)
  if (!isPdf) return starts.map(part => ({ name: 'fetch_page', args: { url, part } }))
  const windows = starts.map(first => `${first}-${Math.min(total, first + size - 1)}`)
  return windows.map(window => ({ name: 'read_pdf', args: { url, pages: window } }))
}

/** What was opened, by the address it was asked for by. */
function readPages(made: Made): Map<string, Page> {
  const pages = new Map<string, Page>()
  for (const { args, result } of made) {
    const url = String(args.url)
    const page: Page = pages.get(url) ?? { url, shown: [], total: 0, isPdf: false, links: [] }
    pages.set(url, page)
    const [head = '', ...rest] = result.split('\n\n')
    const [, part, total = 0] = /^(?:Part|Pages) (\d+)\S* of (\d+)/m.exec(head) ?? []
    // What can't be had once is not asked for again.
    page.total = Number(total)
    const [, ...marked] = result.split(/^--- page (\d+)[^\n]*---\n/m)
    for (let at = 0; at < marked.length; at += 2) page.shown[Number(marked[at])] = marked[at + 1]!.trim()
    page.isPdf ||= marked.length > 0
    const [body = '', ...lists] = rest.join('\n\n').split(/\n\n(?:Links|Other links on the page):\n/)
    if (!page.isPdf && part !== undefined) page.shown[Number(part)] = body.replace(/ \[\d+\](?=\W|$)/g, '')
    for (const [, mark, link = '', words] of lists.join('\n').matchAll(/^\[(\d+)\] (\S+)(?: (.*))?$/gm))
      page.links.push({
        url: link,
        title: '',
        linkText: words ?? body.split(` [${mark}]`)[0]!.replace(/^[\s\S]*(?:\n|: )/, ''),
      })
  }
  return pages
}
