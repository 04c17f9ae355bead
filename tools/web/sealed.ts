import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { listenOnLocalhost } from '../../src/system/listen.ts'
import type { Corpus, CorpusItem } from './corpus.ts'
import { type CorpusSearch, createCorpusSearch, rankersOf } from './corpus-search.ts'
import { frontPage, hostPage, landingPage, notFoundPage } from './sealed-pages.ts'
import { answerSearch } from './sealed-search-api.ts'
import { createSealedTransport } from './sealed-transport.ts'
import { siteKey } from './site-key.ts'
import type { Transport } from './transport.ts'

/** A corpus that is being served. */
export interface SealedWeb {
  /** `http://127.0.0.1:PORT`. Hosts are selected by the Host header or the first part of the path. */
  readonly baseUrl: string
  /** The address of the Serper-compatible API through `transport`; independent of the port. */
  readonly searchUrl: string
  readonly transport: Transport
  close(): Promise<void>
}

/** Replaces the address of the search service in records and recordings. */
export const sealedSearchUrl = 'https://search.sealed-web.example'

const idleConnectionMs = 600_000

interface Site {
  /** By the first part of the path of the API: '' and `bm25` search by words, `dense` by vectors. */
  readonly searches: ReadonlyMap<string, CorpusSearch>
  /** By host, path and query. */
  readonly documents: ReadonlyMap<string, CorpusItem>
  readonly landings: ReadonlyMap<string, CorpusItem>
  readonly hosts: ReadonlyMap<string, readonly CorpusItem[]>
}

/**
 * Serves a corpus on 127.0.0.1 until closed: the search API, landing pages and documents of all its hosts.
 *
 * @throws ConfigError when the port is in use
 */
export async function serveCorpus(corpus: Corpus, options: { port?: number } = {}): Promise<SealedWeb> {
  const site = await openSite(corpus)
  const server = createServer((request, response) => {
    answer(site, request, response).catch((error: unknown) => {
      response.destroy(error instanceof Error ? error : new Error(String(error)))
    })
  })
  // The client must close idle connections first. If the server did, a request being sent would be lost and charged
  // twice.
  server.keepAliveTimeout = idleConnectionMs
  const port = await listenOnLocalhost(server, options.port ?? 0)
  const transport = createSealedTransport({ port, hosts: new Set(site.hosts.keys()) })
  return {
    baseUrl: `http://127.0.0.1:${port}`,
    searchUrl: sealedSearchUrl,
    transport,
    close: async () => {
      await transport.close()
      server.closeAllConnections()
      await new Promise<void>(done => server.close(() => done()))
    },
  }
}

async function openSite(corpus: Corpus): Promise<Site> {
  const hosts = new Map<string, CorpusItem[]>()
  for (const item of corpus.items) {
    const { host } = item.entry
    const known = hosts.get(host)
    if (known === undefined) hosts.set(host, [item])
    else known.push(item)
  }
  return {
    searches: await openSearches(corpus),
    documents: new Map(corpus.items.map(item => [siteKey(item.entry.url, { withQuery: true }), item])),
    landings: new Map(
      corpus.items.flatMap(item =>
        item.entry.landingUrl === null ? [] : [[pageKey(item.entry.landingUrl), item] as const],
      ),
    ),
    hosts,
  }
}

const pageKey = (url: string): string => siteKey(url, { withQuery: false })

async function openSearches(corpus: Corpus): Promise<Map<string, CorpusSearch>> {
  const { bm25, dense } = await rankersOf(corpus)
  const words = createCorpusSearch(corpus, bm25)
  const searches = new Map([
    ['', words],
    ['bm25', words],
  ])
  return dense === undefined ? searches : searches.set('dense', createCorpusSearch(corpus, dense))
}

/** Returns the document at an address. A query that no document has is ignored, as parameters of links often are. */
function documentAt({ documents }: Site, url: URL): CorpusItem | undefined {
  return (
    documents.get(siteKey(url.href, { withQuery: true })) ??
    documents.get(siteKey(url.href, { withQuery: false }))
  )
}

async function answer(site: Site, request: IncomingMessage, response: ServerResponse): Promise<void> {
  const url = virtualUrl(site, request)
  if (url === null) {
    // Every document of a sealed web may be a paper.
    const { pathname } = new URL(request.url ?? '/', 'http://host')
    const search = site.searches.get(/^(?:\/(\w+))?\/(?:search|scholar)$/.exec(pathname)?.[1] ?? '')
    if (search !== undefined && /\/(?:search|scholar)$/.test(pathname))
      return await answerSearch(search, request, response)
    return request.url === '/'
      ? send(response, 200, 'text/html; charset=utf-8', frontPage([...site.hosts.keys()]))
      : send(response, 404, 'text/html; charset=utf-8', notFoundPage())
  }
  const document = documentAt(site, url)
  if (document !== undefined) return await sendDocument(document, response)
  const landing = site.landings.get(pageKey(url.href))
  if (landing !== undefined) {
    return send(response, 200, 'text/html; charset=utf-8', landingPage(landing.entry))
  }
  const items = site.hosts.get(url.hostname)
  if (url.pathname !== '/' || items === undefined) {
    return send(response, 404, 'text/html; charset=utf-8', notFoundPage())
  }
  const asked = Math.trunc(Number(url.searchParams.get('page') ?? '1'))
  const number = Number.isFinite(asked) ? Math.max(1, asked) : 1
  const entries = items.map(item => item.entry)
  send(response, 200, 'text/html; charset=utf-8', hostPage(url.hostname, entries, number))
}

/**
 * Returns the requested address in the corpus, by the Host header or the first part of the path; null when there is
 * none.
 */
function virtualUrl(site: Site, request: IncomingMessage): URL | null {
  const path = request.url ?? '/'
  const host = (request.headers.host ?? '').replace(/:\d+$/, '').toLowerCase()
  if (site.hosts.has(host) && URL.canParse(`https://${host}${path}`)) return new URL(`https://${host}${path}`)
  const [, first = '', rest = ''] = /^\/([^/?]+)(.*)$/s.exec(path) ?? []
  if (!site.hosts.has(first.toLowerCase())) return null
  const below = rest.startsWith('/') ? rest : `/${rest}`
  return URL.canParse(`https://${first}${below}`) ? new URL(`https://${first}${below}`) : null
}

async function sendDocument(item: CorpusItem, response: ServerResponse): Promise<void> {
  send(response, 200, item.entry.contentType, await item.body())
}

function send(response: ServerResponse, status: number, type: string, body: string | Uint8Array): void {
  response.sendDate = false
  const bytes = typeof body === 'string' ? Buffer.from(body) : body
  response.writeHead(status, { 'content-type': type, 'content-length': bytes.byteLength })
  response.end(bytes)
}
