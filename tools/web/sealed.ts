import { randomBytes } from 'node:crypto'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { connect } from 'node:net'
import { Agent, type buildConnector } from 'undici'
import { z } from 'zod/v4'
import { ProviderError } from '../../src/core/errors.ts'
import { groupBy } from '../../src/core/group-by.ts'
import { closeServer, listenOnLocalhost } from '../../src/system/listen.ts'
import { createSecretCheck } from '../../src/system/secret-check.ts'
import { parseJsonOrNull } from '../../src/text/json.ts'
import { checkPageUrl } from './address-guard.ts'
import type { Corpus, CorpusItem } from './corpus.ts'
import { makeSiteKey } from './corpus.ts'
import { type CorpusSearch, createCorpusSearch, openRankers } from './corpus-search.ts'
import { describeNetworkFailure } from './failure-words.ts'
import { type ConnectionRules, sendWithRedirects } from './http-exchange.ts'
import { writeFrontPage, writeHostPage, writeLandingPage, writeNotFoundPage } from './sealed-pages.ts'
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

/** How a corpus is served. */
interface ServingOptions {
  /** Absent: any free port. */
  readonly port?: number
  /** Whether every program of this machine may read it. Absent: only requests of `transport` are answered. */
  readonly isOpen?: boolean
}

/** The header with which `transport` shows that a request is its own. */
const keyHeader = 'x-tablehunt-key'

/**
 * Serves a corpus on 127.0.0.1 until closed: the search API, landing pages and documents of all its hosts.
 *
 * @throws ConfigError when the port is in use
 */
export async function serveCorpus(corpus: Corpus, options: ServingOptions = {}): Promise<SealedWeb> {
  const site = await openSite(corpus)
  const key = randomBytes(16).toString('hex')
  const isKey = createSecretCheck(key)
  const server = createServer((request, response) => {
    const sentKey = request.headers[keyHeader]
    // An agent that finds the port could otherwise read past its budgets.
    if (options.isOpen !== true && (typeof sentKey !== 'string' || !isKey(sentKey)))
      return send(response, 403, 'text/plain; charset=utf-8', 'This server answers its own run only.\n')
    answer(site, request, response).catch((error: unknown) => {
      response.destroy(error instanceof Error ? error : new Error(String(error)))
    })
  })
  // The client must close idle connections first. If the server did, a request being sent would be lost and charged
  // twice.
  server.keepAliveTimeout = idleConnectionMs
  const port = await listenOnLocalhost(server, options.port ?? 0)
  const transport = createSealedTransport({ port, hosts: new Set(site.hosts.keys()), key })
  return {
    baseUrl: `http://127.0.0.1:${port}`,
    searchUrl: sealedSearchUrl,
    transport,
    close: async () => {
      await transport.close()
      await closeServer(server)
    },
  }
}

async function openSite(corpus: Corpus): Promise<Site> {
  return {
    searches: await openSearches(corpus),
    documents: new Map(corpus.items.map(item => [makeSiteKey(item.entry.url, { withQuery: true }), item])),
    landings: new Map(
      corpus.items.flatMap(item =>
        item.entry.landingUrl === null ? [] : [[makePageKey(item.entry.landingUrl), item] as const],
      ),
    ),
    hosts: groupBy(corpus.items, item => item.entry.host),
  }
}

const makePageKey = (url: string): string => makeSiteKey(url, { withQuery: false })

async function openSearches(corpus: Corpus): Promise<Map<string, CorpusSearch>> {
  const { bm25, dense } = await openRankers(corpus)
  const words = createCorpusSearch(corpus, bm25)
  const searches = new Map([
    ['', words],
    ['bm25', words],
  ])
  return dense === undefined ? searches : searches.set('dense', createCorpusSearch(corpus, dense))
}

/** Returns the document at an address. A query that no document has is ignored, as parameters of links often are. */
function findDocument({ documents }: Site, url: URL): CorpusItem | undefined {
  return (
    documents.get(makeSiteKey(url.href, { withQuery: true })) ??
    documents.get(makeSiteKey(url.href, { withQuery: false }))
  )
}

async function answer(site: Site, request: IncomingMessage, response: ServerResponse): Promise<void> {
  const url = makeVirtualUrl(site, request)
  if (url === null) {
    // Every document of a sealed web may be a paper.
    const { pathname } = new URL(request.url ?? '/', 'http://host')
    const route = /^(?:\/(\w+))?\/(?:search|scholar)$/.exec(pathname)
    const search = route === null ? undefined : site.searches.get(route[1] ?? '')
    if (search !== undefined) return await answerSearch(search, request, response)
    return request.url === '/'
      ? send(response, 200, 'text/html; charset=utf-8', writeFrontPage([...site.hosts.keys()]))
      : send(response, 404, 'text/html; charset=utf-8', writeNotFoundPage())
  }
  const document = findDocument(site, url)
  if (document !== undefined) return await sendDocument(document, response)
  const landing = site.landings.get(makePageKey(url.href))
  if (landing !== undefined) {
    return send(response, 200, 'text/html; charset=utf-8', writeLandingPage(landing.entry))
  }
  const items = site.hosts.get(url.hostname)
  if (url.pathname !== '/' || items === undefined) {
    return send(response, 404, 'text/html; charset=utf-8', writeNotFoundPage())
  }
  const pageNumber = Math.trunc(Number(url.searchParams.get('page') ?? '1'))
  const number = Number.isFinite(pageNumber) ? Math.max(1, pageNumber) : 1
  const entries = items.map(item => item.entry)
  send(response, 200, 'text/html; charset=utf-8', writeHostPage(url.hostname, entries, number))
}

/**
 * Returns the requested address in the corpus, by the Host header or the first part of the path; null when there is
 * none.
 */
function makeVirtualUrl(site: Site, request: IncomingMessage): URL | null {
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

/**
 * Connects to a sealed web by its virtual addresses: every connection goes to 127.0.0.1:port, whatever host the URL
 * names. Addresses that the live web refuses are refused here too. Hosts outside the corpus are unknown names. All
 * 'service' requests go to the corpus's own search API.
 */
function createSealedTransport(server: {
  readonly port: number
  readonly hosts: ReadonlySet<string>
  readonly key: string
}): Transport & { close(): Promise<void> } {
  const agent = new Agent({ connect: toPort(server.port), connections: 16 })
  const carrier: ConnectionRules = {
    check(url, purpose) {
      if (purpose === 'service') return new URL(url)
      const parsed = checkPageUrl(url)
      const isInCorpus = parsed.port === '' && server.hosts.has(parsed.hostname.replace(/\.$/, ''))
      if (!isInCorpus) throw describeNetworkFailure(url, 'ENOTFOUND')
      return parsed
    },
    wireUrl: url => {
      const wire = new URL(url)
      wire.protocol = 'http:'
      wire.port = ''
      return wire.href
    },
    dispatcher: () => agent,
  }
  return {
    name: 'sealed',
    send: (request, signal) =>
      sendWithRedirects(
        { ...request, headers: { ...request.headers, [keyHeader]: server.key } },
        carrier,
        signal,
      ),
    close: () => agent.destroy(),
  }
}

function toPort(port: number): buildConnector.connector {
  return (_options, callback) => {
    const socket = connect({ host: '127.0.0.1', port })
    socket.once('connect', () => {
      socket.removeListener('error', reportFailure)
      callback(null, socket)
    })
    socket.once('error', reportFailure)
    function reportFailure(error: Error): void {
      callback(error, null)
    }
  }
}

const requestSchema = z.looseObject({
  q: z.string().trim().min(1),
  num: z.coerce.number().int().min(1).max(100).default(10),
  page: z.coerce.number().int().min(1).max(100).default(1),
})

/** Answers one request of the Serper API: POST /search, X-API-KEY (any), JSON { q, num, page, … }. */
async function answerSearch(
  search: CorpusSearch,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const key = request.headers['x-api-key']
  const body = await readBody(request)
  if (typeof key !== 'string' || key.trim() === '') return refuse(response, 403, 'Unauthorized.')
  if (request.method !== 'POST') return refuse(response, 405, 'Method not allowed')
  const parsed = requestSchema.safeParse(parseJsonOrNull(body))
  if (!parsed.success) return refuse(response, 400, 'Missing or invalid query parameter')
  const { q, num, page } = parsed.data
  try {
    const organic = await search.search(q, page, num)
    sendJson(response, 200, {
      searchParameters: { ...parsed.data, type: 'search', engine: 'google' },
      organic,
      credits: num > 10 ? 2 : 1,
    })
  } catch (error) {
    // The embedder of a dense search failed.
    if (!(error instanceof ProviderError)) throw error
    refuse(response, error.reason === 'auth' ? 401 : 503, error.message)
  }
}

async function readBody(request: IncomingMessage): Promise<string> {
  const parts: Buffer[] = []
  for await (const part of request) parts.push(part as Buffer)
  return Buffer.concat(parts).toString('utf8')
}

function refuse(response: ServerResponse, statusCode: number, message: string): void {
  sendJson(response, statusCode, { message, statusCode })
}

function sendJson(response: ServerResponse, status: number, value: unknown): void {
  const bytes = Buffer.from(JSON.stringify(value))
  response.sendDate = false
  response.writeHead(status, {
    'content-type': 'application/json; charset=utf-8',
    'content-length': bytes.byteLength,
  })
  response.end(bytes)
}
