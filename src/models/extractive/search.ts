import type { SeenDocument } from '../reading/asked.ts'
import { fitness, queriesFor } from '../reading/document-names.ts'
import type { MadeCall, ToolCall } from './history.ts'

const hitsTried = 5
const mostWindows = 24
/** Characters of a page that is no document itself but leads to one. */
const longestLanding = 6_000

interface Hit {
  readonly url: string
  readonly title: string
  /** How it was called where a page linked to it. */
  readonly linkText: string
}

/** What was opened at an address. */
interface Opened {
  readonly failed: boolean
  readonly title: string
  /** By page of a PDF, or part of a page. */
  readonly pages: ReadonlyMap<number, string>
  readonly total: number
  readonly paged: boolean
  readonly links: readonly Hit[]
}

/** Where the search for one document stands: calls still to make, or the document as far as it was found. */
interface Search {
  readonly calls: readonly ToolCall[]
  readonly found: { readonly hit: Hit; readonly opened: Opened; readonly fit: number } | null
}

/** The next calls for all documents (none: nothing is left to try) and what was read so far. */
export function searchOn(
  names: readonly string[],
  made: readonly MadeCall[],
): { calls: ToolCall[]; documents: SeenDocument[]; notes: string[] } {
  const spent = new Set(made.flatMap(({ result }) => /no (search|fetch)es left/.exec(result)?.[1] ?? []))
  const opened = readOpened(made)
  const taken = new Set<string>()
  const searches = names.map(name => {
    const search = searchFor(name, made, opened, taken)
    if (search.found !== null && search.found.fit >= 0) taken.add(search.found.hit.url)
    return { name, ...search }
  })
  const calls = new Map<string, ToolCall>()
  for (const call of searches.flatMap(search => search.calls)) {
    if (!spent.has(call.name === 'web_search' ? 'search' : 'fetch')) calls.set(JSON.stringify(call), call)
  }
  return {
    calls: [...calls.values()],
    documents: searches.map(({ name, found }) => ({
      name,
      text: found === null ? '' : textOf(found.opened),
    })),
    notes: searches.map(({ name, found }) =>
      found === null ? `${name}: not found.` : `${name}: ${found.hit.url}`,
    ),
  }
}

function searchFor(
  name: string,
  made: readonly MadeCall[],
  opened: ReadonlyMap<string, Opened>,
  taken: ReadonlySet<string>,
): Search {
  let best: Search['found'] = null
  for (const query of queriesFor(name)) {
    const search = made.find(
      call => call.name === 'web_search' && JSON.stringify(call.args.queries) === JSON.stringify([query]),
    )
    if (search === undefined)
      return { calls: [{ name: 'web_search', args: { queries: [query] } }], found: best }
    for (const hit of rank(name, readHits(search.result)).slice(0, hitsTried)) {
      const step = follow(name, hit, opened)
      if (step.calls.length > 0) return { calls: step.calls, found: best ?? step.found }
      if (step.found === null || taken.has(step.found.hit.url)) continue
      if (best === null || step.found.fit > best.fit) best = step.found
      if (best.fit >= 0) return { calls: restOf(best.hit.url, best.opened), found: best }
    }
  }
  return { calls: best === null ? [] : restOf(best.hit.url, best.opened), found: best }
}

/** Hits whose title or address shows the name first, those that show a sibling's name last, else as they came. */
function rank(name: string, hits: readonly Hit[]): Hit[] {
  const fits = hits.map((hit, index) => ({ hit, fit: fitness(name, [hit.url], hit.title, ''), index }))
  const rating = (fit: number): number => (fit > 5 ? 1 : fit < -3 ? -1 : 0)
  return fits.sort((a, b) => rating(b.fit) - rating(a.fit) || a.index - b.index).map(({ hit }) => hit)
}

/** Opens a hit, or the document that its landing page links to. */
function follow(name: string, hit: Hit, opened: ReadonlyMap<string, Opened>, depth = 0): Search {
  const page = opened.get(hit.url)
  if (page === undefined) return { calls: [openCall(hit.url)], found: null }
  if (page.failed) return { calls: [], found: null }
  const text = textOf(page)
  const documents = page.links.filter(link => /\.(?:pdf|docx|xlsx|md|txt)(?:[?#]|$)/i.test(link.url))
  if (page.paged || documents.length === 0 || text.length > longestLanding || depth > 1) {
    const title = hit.title === '' ? page.title : hit.title
    return {
      calls: [],
      found: {
        hit,
        opened: page,
        fit: fitness(name, [hit.url, hit.linkText], title, text),
      },
    }
  }
  const link = rank(name, documents)[0]!
  const target = { ...link, title: hit.title }
  if (fitness(name, [link.url, link.linkText], '', '') < -5) return { calls: [], found: null }
  return follow(name, target, opened, depth + 1)
}

function openCall(url: string): ToolCall {
  return /\.pdf(?:[?#]|$)/i.test(url)
    ? { name: 'read_pdf', args: { url } }
    : { name: 'fetch_page', args: { url } }
}

/** Calls for what was not shown yet: windows of as many pages as one answer held before. */
function restOf(url: string, { paged, pages, total }: Opened): ToolCall[] {
  const missing = Array.from({ length: total }, (_, index) => index + 1).filter(number => !pages.has(number))
  if (!paged) return missing.slice(0, mostWindows).map(part => ({ name: 'fetch_page', args: { url, part } }))
  const size = Math.max(1, Math.floor((pages.size / Math.max(1, windowsIn(pages))) * 0.8))
  const calls: ToolCall[] = []
  for (let index = 0; index < missing.length && calls.length < mostWindows; ) {
    let end = index
    while (end + 1 < missing.length && end - index + 1 < size && missing[end + 1] === missing[end]! + 1) end++
    calls.push({ name: 'read_pdf', args: { url, pages: `${missing[index]}-${missing[end]}` } })
    index = end + 1
  }
  return calls
}

/** One answer shows about 30,000 characters. */
function windowsIn(pages: ReadonlyMap<number, string>): number {
  let chars = 0
  for (const text of pages.values()) chars += text.length
  return Math.max(1, chars / 30_000)
}

function textOf({ pages }: Opened): string {
  return [...pages]
    .sort((a, b) => a[0] - b[0])
    .map(([, text]) => text)
    .join('\n\n')
}

function readHits(result: string): Hit[] {
  return [...result.matchAll(/^\d+\. (.*)\n {3}URL: (\S+)/gm)].map(([, title = '', url = '']) => ({
    url,
    title,
    linkText: '',
  }))
}

function readOpened(made: readonly MadeCall[]): Map<string, Opened> {
  const opened = new Map<string, Opened>()
  for (const { name, args, result } of made) {
    const url = args.url
    if (name === 'web_search' || typeof url !== 'string') continue
    const before = opened.get(url)
    if (result.startsWith('URL: ')) opened.set(url, readPage(result, before))
    else if (before === undefined)
      opened.set(url, { failed: true, title: '', pages: new Map(), total: 0, paged: false, links: [] })
    // What can't be had a second time is not asked for a third.
    else opened.set(url, { ...before, total: 0 })
  }
  return opened
}

function readPage(result: string, before: Opened | undefined): Opened {
  const pages = new Map(before?.pages ?? [])
  const total = Number(/^(?:Part|Pages) [\d-]+ of (\d+)/m.exec(result.slice(0, 3_000))?.[1] ?? 0)
  const body = result.slice(result.indexOf('\n\n') + 2)
  const marks = [...result.matchAll(/^--- page (\d+)[^\n]*---\n/gm)]
  const paged = marks.length > 0 || /^This PDF can't be read|^Pages /m.test(result.slice(0, 3_000))
  for (const [index, mark] of marks.entries()) {
    pages.set(Number(mark[1]), result.slice(mark.index + mark[0].length, marks[index + 1]?.index).trim())
  }
  const part = Number(/^Part (\d+) of/m.exec(result.slice(0, 3_000))?.[1] ?? 1)
  if (!paged)
    pages.set(
      part,
      body.split(/\n\n(?:Links:|Other links on the page:)\n/)[0]!.replace(/\s\[\d+\](?=\W|$)/g, ''),
    )
  const title = /^Title: (.*)$/m.exec(result.slice(0, 3_000))?.[1] ?? before?.title ?? ''
  return { failed: false, title, pages, total, paged, links: before?.links ?? readLinks(result) }
}

function readLinks(result: string): Hit[] {
  return [...result.matchAll(/^\[(\d+)\] (\S+)(?: (.*))?$/gm)].map(([, number = '', url = '', said = '']) => {
    const at = result.indexOf(` [${number}]`)
    const cited = at < 0 ? '' : result.slice(result.lastIndexOf('\n', at) + 1, at).replace(/^.*: /, '')
    return { url, title: '', linkText: said === '' ? cited : said }
  })
}
