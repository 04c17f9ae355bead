import { isObject, parseJsonOrNull } from '../../src/text/json.ts'
import type { SeenPage, ToolRequest } from './foreign-log.ts'
import { guessToolKind } from './tool-kinds.ts'

/** Names of the fields with addresses or ids, titles, excerpts and texts of pages in the results of tools. */
const fields = {
  url: ['url', 'link', 'href', 'docid', 'doc_id', 'id'],
  title: ['title', 'name'],
  snippet: ['snippet', 'description', 'content', 'text', 'summary'],
  page: ['text', 'content', 'page', 'page_content', 'markdown', 'extracted_info', 'raw_content', 'body'],
  list: ['organic', 'results', 'hits', 'items', 'documents', 'web', 'data', 'news'],
  inner: ['result', 'output', 'content', 'text', 'structuredContent'],
} as const

type PageFields = Readonly<Record<string, unknown>>

function findText(value: PageFields, names: readonly string[]): string | null {
  for (const name of names) {
    const text = value[name]
    if (typeof text === 'string' && text.trim() !== '') return text
  }
  return null
}

/** Texts of the parts of a result, such as `[{ type: 'text', text }]`; null when the value is no list of parts. */
function textParts(value: unknown): string[] | null {
  if (!Array.isArray(value) || value.length === 0) return null
  const texts = value.flatMap(part =>
    isObject(part) && typeof part.type === 'string' && typeof part.text === 'string' ? [part.text] : [],
  )
  return texts.length === value.length ? texts : null
}

function toHits(value: unknown): SeenPage[] {
  if (!isObject(value)) return []
  const url = findText(value, fields.url)
  if (url === null) return []
  return [
    {
      kind: 'hit',
      url,
      title: findText(value, fields.title) ?? '',
      snippet: findText(value, fields.snippet) ?? '',
    },
  ]
}

/** Search results and pages in a JSON result. */
function seenInJson(value: unknown, call: SeenBy): SeenPage[] {
  const parts = textParts(value)
  if (parts !== null) return parts.flatMap(text => seenInText(text, call))
  if (Array.isArray(value)) return value.flatMap(toHits)
  if (!isObject(value)) return []
  const lists = fields.list.flatMap(name => {
    const list = value[name]
    const items = isObject(list) && Array.isArray(list.results) ? list.results : list
    return Array.isArray(items) ? items.flatMap(toHits) : []
  })
  if (lists.length > 0) return lists
  const url = findText(value, fields.url)
  const text = findText(value, fields.page)
  if (url !== null && text !== null) return [{ kind: 'page', url, text }]
  for (const name of fields.inner) {
    const inner = value[name]
    const pages = typeof inner === 'string' ? seenInText(inner, call) : seenInJson(inner, call)
    if (pages.length > 0) return pages
  }
  return []
}

const usefulInformation = /The useful information in (\S+) for user goal[\s\S]*?as follows:\s*/g
const addressHeading = /Address: (\S+)\s*\n=+\n/g
const markdownLink = /^\s*(?:\d+\.\s*|[-*]\s+)?\[([^\]\n]+)\]\((https?:[^)\s]+)\)/gm
const lineWithLink = /^(.*?)\s*(https?:\/\/\S+)\s+(\S.*)$/gm
const siteEntry = /^\[index\] \d+\s*\n\[siteName\] (.*)\n\[snipp?e?t\] /gm
const titledDocument = /^Doc \d+\s?\(Title: (.*?)\)\s*/gm

/** Splits a text at the matches of a heading. Each section has its heading and the text after it. */
function splitSections(
  text: string,
  heading: RegExp,
): { readonly match: RegExpExecArray; readonly text: string }[] {
  const matches = [...text.matchAll(heading)] as RegExpExecArray[]
  return matches.map((match, at) => ({
    match,
    text: text.slice(match.index + match[0].length, matches[at + 1]?.index ?? text.length).trim(),
  }))
}

function pagesUnder(text: string, heading: RegExp): SeenPage[] {
  return splitSections(text, heading).map(section => ({
    kind: 'page',
    url: section.match[1] ?? '',
    text: section.text.replace(/\n=+$/, '').trim(),
  }))
}

function hitsUnder(text: string, heading: RegExp, hasAddress: boolean): SeenPage[] {
  return splitSections(text, heading).map(({ match, text: snippet }) => ({
    kind: 'hit',
    url: hasAddress ? (match[2] ?? null) : null,
    title: match[1]?.trim() ?? '',
    snippet: hasAddress ? (snippet.split(/\n\s*\n/)[0] ?? '') : snippet,
  }))
}

interface SeenBy {
  readonly kind: 'search' | 'fetch' | null
  readonly urls: readonly string[]
}

function seenInText(text: string, call: SeenBy): SeenPage[] {
  const start = text.trimStart()
  const pagesInJson = /^[[{]/.test(start) ? seenInJson(parseJsonOrNull(start), call) : []
  if (pagesInJson.length > 0) return pagesInJson
  const pages = [...pagesUnder(text, usefulInformation), ...pagesUnder(text, addressHeading)]
  const links = hitsUnder(text.split(addressHeading, 1)[0] ?? '', markdownLink, true)
  if (call.kind !== 'fetch' && pages.length + links.length > 0) return [...links, ...pages]
  if (pages.length > 0) return pages
  if (call.kind === 'search') {
    const titled = [...hitsUnder(text, siteEntry, false), ...hitsUnder(text, titledDocument, false)]
    if (titled.length > 0) return titled
    return [...text.matchAll(lineWithLink)].map(([, title = '', url = '', snippet = '']) => ({
      kind: 'hit',
      url,
      title: title.trim(),
      snippet: snippet.trim(),
    }))
  }
  const [url] = call.urls
  return call.kind === 'fetch' && url !== undefined && text.trim() !== '' ? [{ kind: 'page', url, text }] : []
}

/** The addresses or document ids among a call's arguments. */
export function findUrls(args: unknown): string[] {
  if (!isObject(args)) return []
  const values = [...fields.url, 'urls', 'links', 'uri'].flatMap(name => args[name] ?? [])
  return values.filter(value => typeof value === 'string')
}

/** The queries among a call's arguments, joined by ' | '; '' when there are none. */
export function findSearchQuery(args: unknown): string {
  if (typeof args === 'string') return args
  if (!isObject(args)) return ''
  const values = ['query', 'q', 'queries', 'user_query', 'search_query', 'keyword'].flatMap(
    name => args[name] ?? [],
  )
  return values.filter(value => typeof value === 'string').join(' | ')
}

/** `Wall time: 0.01 seconds\nOutput:`, which Codex puts before a result. */
const timed = /^Wall time: [^\n]*\n(?:[^\n]*\n)?Output:\n/

/**
 * Reads which search results and pages a tool's result shows. It knows the forms that search tools, page readers and
 * agents commonly write: JSON with addresses, lists of links, sections that begin with an address. A result of a page
 * tool in any other form counts as the page that the call asks for. Other results in unknown forms show nothing.
 */
export function seenPages(call: ToolRequest, text: string): SeenPage[] {
  const by = { kind: guessToolKind(call.name), urls: findUrls(call.args) }
  return seenInText(text.replace(timed, ''), by)
}
