import { labels, stemOf } from './labels.ts'
import type { SeenDocument } from './listing.ts'

export interface ToolCall {
  readonly name: string
  readonly args: Record<string, unknown>
}

/** A call that was made, with what it gave. */
export type MadeCall = ToolCall & { readonly result: string }

const hitsTried = 5
/** Of one document in one turn. */
const windowsAtOnce = 24

/** A search hit, or a link and what it was called. */
interface Place {
  readonly url: string
  readonly title: string
  readonly called: string
}

interface Page extends Place {
  /** By page of a PDF, or part of a page; empty where it could not be opened. */
  readonly shown: ReadonlyMap<number, string>
  readonly total: number
  readonly isPdf: boolean
  readonly links: readonly Place[]
}

interface Search {
  readonly calls: readonly ToolCall[]
  readonly page: Page | null
}

/** The next calls for all documents (none: nothing is left to try) and what was read so far. */
export function searchOn(
  names: readonly string[],
  made: readonly MadeCall[],
): {
  readonly calls: readonly ToolCall[]
  readonly documents: readonly SeenDocument[]
  readonly notes: readonly string[]
} {
  const spent = new Set(made.flatMap(({ result }) => /no (search|fetch)es left/.exec(result)?.[1] ?? []))
  const pages = readPages(made)
  const taken = new Set<string>()
  const searches = names.map(name => {
    const search = searchFor(name, made, pages, taken)
    if (search.page !== null) taken.add(search.page.url)
    return { name, ...search }
  })
  const calls = new Map(searches.flatMap(search => search.calls).map(call => [JSON.stringify(call), call]))
  return {
    calls: [...calls.values()].filter(call => !spent.has(call.name === 'web_search' ? 'search' : 'fetch')),
    documents: searches.map(({ name, page }) => ({ name, text: page === null ? '' : textOf(page) })),
    notes: searches.map(({ name, page }) => `${name}: ${page === null ? 'not found.' : page.url}`),
  }
}

/** Tries query after query and hit after hit until a page fits the name; else keeps the one that fits best. */
function searchFor(
  name: string,
  made: readonly MadeCall[],
  pages: ReadonlyMap<string, Page>,
  taken: ReadonlySet<string>,
): Search {
  const words = stemOf(name)
    .replace(/[_\-.\s]+/g, ' ')
    .trim()
  const plain = labels.fileNames.plain.reduce(
    (text, [from, to]) => text.replace(new RegExp(from, 'gi'), to),
    words,
  )
  let best: { page: Page | null; fit: number } = { page: null, fit: Number.NEGATIVE_INFINITY }
  for (const query of new Set([words, plain, stemOf(name)])) {
    const search = made.find(one => JSON.stringify(one.args.queries) === JSON.stringify([query]))
    if (search === undefined)
      return { calls: [{ name: 'web_search', args: { queries: [query] } }], page: best.page }
    for (const hit of ranked(name, readHits(search.result)).slice(0, hitsTried)) {
      let place = hit
      let page = pages.get(hit.url)
      // A short page that links to documents stands in front of one.
      const links = page?.links.filter(link => /\.(?:pdf|docx|xlsx|md|txt)(?:[?#]|$)/i.test(link.url)) ?? []
      if (page !== undefined && !page.isPdf && links.length > 0 && textOf(page).length < 6_000) {
        place = { ...ranked(name, links)[0]!, title: hit.title }
        if (fitOf(name, place, '') < -5) continue
        page = pages.get(place.url)
      }
      if (page === undefined) return { calls: [openCall(place.url)], page: best.page }
      const fit = fitOf(name, place.title === '' ? { ...place, title: page.title } : place, textOf(page))
      if (page.shown.size > 0 && !taken.has(page.url) && fit > best.fit) best = { page, fit }
      if (best.fit >= 0) return { calls: restOf(best.page!), page: best.page }
    }
  }
  return { calls: best.page === null ? [] : restOf(best.page), page: best.page }
}

/** Places that show the name first, those that show a sibling's name last, else as they came. */
function ranked(name: string, places: readonly Place[]): Place[] {
  const rated = places.map(place => ({ place, fit: fitOf(name, place, '') }))
  const rate = (fit: number): number => (fit > 5 ? 1 : fit < -3 ? -1 : 0)
  return rated.toSorted((a, b) => rate(b.fit) - rate(a.fit)).map(({ place }) => place)
}

/** How well what was seen of a document fits its name: above 5 it shows the name, below 0 it is another document. */
function fitOf(name: string, { url, title, called }: Place, text: string): number {
  const words = wordsOf(stemOf(name))
  for (const place of [url, called]) {
    const shown = wordsOf(stemOf(decoded(place)))
    if (shown.join(' ') === words.join(' ')) return 10
    const shared = words.filter(word => shown.includes(word)).length
    if (shown.length > 1 && shared >= Math.max(2, words.length / 2)) return -10
  }
  const head = `${title}\n${text.slice(0, 40_000)}`.toLowerCase()
  const bare = (value: string): string => value.replace(/[\s\p{P}]/gu, '').toLowerCase()
  if (/\p{Script=Han}/u.test(name) && bare(head.slice(0, 4_000)).includes(bare(stemOf(name)))) return 6
  const telling = words.filter(word => /^[a-z]{3,}|\p{Script=Han}/u.test(word) && !generic.test(word))
  const seen = telling.filter(word => head.includes(word.replace(/\d+$/, ''))).length
  return timeFit(stemOf(name), head) + (telling.length === 0 ? 0 : seen / telling.length - 0.3)
}

const generic = new RegExp(`^(?:${labels.fileNames.generic})$`)

/** Whether a text speaks of the fiscal year, or the year, in a name. */
function timeFit(stem: string, head: string): number {
  const year = /(?:19|20)\d\d/.exec(stem)?.[0]
  if (year === undefined) return 0
  const fiscal = head.match(/(?<=fiscal (?:year )?)(?:19|20)\d\d/g) ?? []
  const count = (one: string): number => fiscal.filter(other => other === one).length
  if (/fy|q[1-4]/i.test(stem) && fiscal.length > 2)
    return fiscal.every(one => count(one) <= count(year)) ? 3 : -4
  const years: readonly string[] = head.slice(0, 6_000).match(/(?<!\d)(?:19|20)\d\d(?!\d)/g) ?? []
  return years.length === 0 ? 0 : years.includes(year) ? 1 : -3
}

function wordsOf(text: string): string[] {
  return (
    text
      .normalize('NFKC')
      .toLowerCase()
      .match(/\p{Script=Han}+|[a-z]+\d*|\d+[a-z]*/gu) ?? []
  )
}

/** A stray percent sign is no reason to fail. */
function decoded(text: string): string {
  return text.replace(/(?:%[0-9a-f]{2})+/gi, part => Buffer.from(part.replaceAll('%', ''), 'hex').toString())
}

function openCall(url: string): ToolCall {
  return { name: /\.pdf(?:[?#]|$)/i.test(url) ? 'read_pdf' : 'fetch_page', args: { url } }
}

/** Calls for what was not shown yet: parts, or windows of as many pages as were shown in one call before. */
function restOf({ url, isPdf, shown, total }: Page): ToolCall[] {
  const missing = Array.from({ length: total }, (_, index) => index + 1).filter(number => !shown.has(number))
  const windows = Math.max(1, Math.round(textOf({ shown }).length / 30_000))
  const size = isPdf ? Math.max(1, Math.floor((shown.size / windows) * 0.8)) : 1
  const starts = missing.filter((_, index) => index % size === 0).slice(0, windowsAtOnce)
  return starts.map(start =>
    isPdf
      ? { name: 'read_pdf', args: { url, pages: `${start}-${Math.min(total, start + size - 1)}` } }
      : { name: 'fetch_page', args: { url, part: start } },
  )
}

function textOf({ shown }: Pick<Page, 'shown'>): string {
  return [...shown]
    .sort((a, b) => a[0] - b[0])
    .map(([, text]) => text)
    .join('\n\n')
}

function readHits(result: string): Place[] {
  const hits = result.matchAll(/^\d+\. (.*)\n {3}URL: (\S+)/gm)
  return [...hits].map(([, title = '', url = '']) => ({ url, title, called: '' }))
}

/** What was opened, by the address it was asked for by. */
function readPages(made: readonly MadeCall[]): Map<string, Page> {
  const pages = new Map<string, Page>()
  for (const { args, result } of made) {
    const url = String(args.url ?? '')
    const none = { url, title: '', called: '', shown: new Map(), total: 0, isPdf: false, links: [] }
    const before = pages.get(url) ?? none
    // What can't be had once is not asked for again.
    if (url !== '')
      pages.set(url, result.startsWith('URL: ') ? readPage(result, before) : { ...before, total: 0 })
  }
  return pages
}

function readPage(result: string, before: Page): Page {
  const head = result.slice(0, 3_000)
  const marks = [...result.matchAll(/^--- page (\d+)[^\n]*---\n/gm)]
  const isPdf = marks.length > 0 || /^This PDF can't be read|^Pages /m.test(head)
  const shown = new Map(before.shown)
  for (const [index, mark] of marks.entries())
    shown.set(Number(mark[1]), result.slice(mark.index + mark[0].length, marks[index + 1]?.index).trim())
  const [body = '', ...lists] = result
    .slice(result.indexOf('\n\n') + 2)
    .split(/\n\n(?:Links|Other links on the page):\n/)
  if (!isPdf) shown.set(Number(/^Part (\d+) of/m.exec(head)?.[1] ?? 1), body.replace(/ \[\d+\](?=\W|$)/g, ''))
  const links = [...lists.join('\n').matchAll(/^\[(\d+)\] (\S+)(?: (.*))?$/gm)].map(
    ([, number, url = '', said]) => {
      const cited = body.split('\n').find(line => line.includes(` [${number}]`))
      return { url, title: '', called: said ?? cited?.split(` [${number}]`)[0]!.replace(/^.*: /, '') ?? '' }
    },
  )
  const total = Number(/^(?:Part|Pages) [\d-]+ of (\d+)/m.exec(head)?.[1] ?? 0)
  const title = /^Title: (.*)$/m.exec(head)?.[1] ?? before.title
  return { ...before, title, shown, total, isPdf, links: [...before.links, ...links] }
}
