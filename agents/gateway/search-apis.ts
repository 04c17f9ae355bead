import type { Observation } from '../../logs/event-parts.ts'
import { isObject, jsonOrNull, withoutNull } from '../../src/text/json.ts'
import { type GatewayRequest, type GatewayRoute, sendJson } from './route.ts'
import type { GatewaySession } from './session.ts'

/** One search result. */
type ServedHit = Extract<Observation, { kind: 'hits' }>['hits'][number]

/** The result of a tool call through a foreign API: an answer, or a failure with a message for the model. */
type ToolReply<T> = { readonly answer: T } | { readonly failure: string }

/** A search request with its parameters as the client sent them. Null, absent or blank: the client did not set the value. */
interface SearchParameters {
  readonly query: string
  /** From 1, as a number or a text. */
  readonly page: unknown
  readonly language: unknown
  readonly region: unknown
}

/** Searches as the tool web_search does. */
async function search(
  session: GatewaySession,
  { query, page, language, region }: SearchParameters,
): Promise<ToolReply<readonly ServedHit[]>> {
  const values = { page: readCount(page), language: readChoice(language), region: readChoice(region) }
  const request = { queries: [query], ...withoutNull(values) }
  const { outcome, text, artifact } = await session.callTool('web_search', request)
  if (outcome !== 'answered') return { failure: text }
  return {
    answer: (artifact?.observations ?? []).flatMap(observation =>
      observation.kind === 'hits' ? observation.hits : [],
    ),
  }
}

/** Reads a whole number from 1, written as a number or a text. Returns null for anything else. */
function readCount(value: unknown): number | null {
  const count = typeof value === 'string' || typeof value === 'number' ? Number(value) : Number.NaN
  return Number.isInteger(count) && count > 0 ? count : null
}

/** The words of services for no choice of a language or a country: Brave's `ALL`, SearXNG's `all` and `auto`. */
const noChoice = new Set(['', 'all', 'auto', 'any'])

function readChoice(value: unknown): string | null {
  const choice = typeof value === 'string' ? value.trim() : ''
  return noChoice.has(choice.toLowerCase()) ? null : choice
}

/** The most parts of a page that one request returns. Clients of reader APIs cannot ask for the next part. */
const mostParts = 20

/** Reads a page or a PDF as the tool fetch_page does, all of its parts. */
async function readPage(session: GatewaySession, url: string): Promise<ToolReply<string>> {
  const texts: string[] = []
  for (let part = 1; part <= mostParts; part++) {
    const { outcome, text, artifact } = await session.callTool('fetch_page', {
      url,
      ...(part === 1 ? {} : { part }),
    })
    if (outcome !== 'answered') return part === 1 ? { failure: text } : { answer: texts.join('\n\n') }
    texts.push(text)
    const body = artifact?.observations.find(observation => observation.kind === 'body')
    if (body === undefined || Math.max(0, ...body.shown) >= body.total) break
  }
  return { answer: texts.join('\n\n') }
}

/** Brave's `GET /res/v1/web/search?q=…`. */
export const braveRoute: GatewayRoute = {
  variables: base => ({ BRAVE_BASE_URL: `${base}/brave`, BRAVE_API_KEY: 'tablehunt' }),
  matches: (method, path) => method === 'GET' && path === '/brave/res/v1/web/search',
  async answer({ query, response }, session) {
    const queryText = query.get('q')
    const refuse = (detail: string): void =>
      sendJson(response, 400, { type: 'ErrorResponse', error: { status: 400, code: 'REFUSED', detail } })
    if (queryText === null) return refuse("'q' is missing")
    const outcome = await search(session, {
      query: queryText,
      page: readPageNumber(query.get('offset')),
      language: query.get('search_lang'),
      region: query.get('country'),
    })
    if ('failure' in outcome) return refuse(outcome.failure)
    const results = outcome.answer.slice(0, readCount(query.get('count')) ?? 20)
    sendJson(response, 200, {
      type: 'search',
      query: { original: queryText },
      web: {
        type: 'search',
        results: results.map(({ url, title, snippet }) => ({ url, title, description: snippet })),
      },
    })
  },
}

/** Brave counts pages from 0. Returns null for the first page. */
function readPageNumber(offset: string | null): number | null {
  const pages = readCount(offset)
  return pages === null ? null : pages + 1
}

const jinaPrefix = '/r/'

/** Jina's reader: `GET /r/URL` returns a page or a PDF as Markdown, or as JSON to a client that accepts only that. */
export const jinaReaderRoute: GatewayRoute = {
  variables: base => ({ JINA_BASE_URL: `${base}/r`, JINA_API_KEY: 'tablehunt' }),
  matches: (method, path) => method === 'GET' && path.startsWith(jinaPrefix),
  async answer({ incoming, path, response }, session) {
    const [, search] = /(\?[^#]*)/.exec(incoming.url ?? '') ?? []
    // Some clients collapse the two slashes of the address.
    const address = `${path.slice(jinaPrefix.length)}${search ?? ''}`.replace(/^(https?):\/+/, '$1://')
    const url = decodeAddress(address)
    const page = await readPage(session, url)
    const wantsJson = incoming.headers.accept === 'application/json'
    if ('failure' in page) {
      if (wantsJson) return sendJson(response, 400, { code: 400, message: page.failure })
      response.writeHead(400, { 'content-type': 'text/plain; charset=utf-8' }).end(page.failure)
    } else if (wantsJson)
      sendJson(response, 200, { code: 200, status: 20_000, data: { url, content: page.answer } })
    else response.writeHead(200, { 'content-type': 'text/plain; charset=utf-8' }).end(page.answer)
  },
}

/** Decodes an address that the client has encoded as a whole. */
function decodeAddress(url: string): string {
  if (!/^https?%3A/i.test(url)) return url
  try {
    return decodeURIComponent(url)
  } catch {
    return url
  }
}

/** SearXNG's `GET /search?q=…&format=json`. */
export const searxngRoute: GatewayRoute = {
  variables: base => ({ SEARXNG_BASE_URL: `${base}/searxng`, SEARX_URL: `${base}/searxng` }),
  matches: (_method, path) => /^\/searxng(?:\/|\/search)?$/.test(path),
  async answer({ method, query, response, body }, session) {
    const parameters = method === 'POST' ? new URLSearchParams(await body()) : query
    const queryText = parameters.get('q')
    if (queryText === null) return sendJson(response, 400, { error: "'q' is missing" })
    const outcome = await search(session, {
      query: queryText,
      page: parameters.get('pageno'),
      language: parameters.get('language'),
      region: null,
    })
    if ('failure' in outcome) return sendJson(response, 400, { error: outcome.failure })
    const results = outcome.answer.map(({ url, title, snippet }) => ({
      ...{ url, title, content: snippet, engine: 'tablehunt', score: 1, category: 'general' },
    }))
    sendJson(response, 200, { query: queryText, number_of_results: results.length, results, suggestions: [] })
  },
}

/** The most queries of one request, as in Serper's own service. */
const mostQueries = 100

/** Serper's `POST /search`, `/news` and `/scholar`. All three search the attempt's web. */
export const serperRoute: GatewayRoute = {
  variables: base => ({ SERPER_BASE_URL: `${base}/serper`, SERPER_API_KEY: 'tablehunt' }),
  matches: (method, path) => method === 'POST' && /^\/serper\/(?:search|news|scholar)$/.test(path),
  async answer({ path, response, body }, session) {
    const requestBody = jsonOrNull(await body())
    // Serper also takes a list of queries, and answers with a list.
    const requests = Array.isArray(requestBody) ? requestBody : [requestBody]
    if (requests.length > mostQueries)
      return sendJson(response, 400, { message: `more than ${mostQueries} queries`, statusCode: 400 })
    const answers: unknown[] = []
    for (const entry of requests) {
      if (!isObject(entry) || typeof entry.q !== 'string')
        return sendJson(response, 400, { message: "'q' is missing", statusCode: 400 })
      const outcome = await search(session, {
        query: entry.q,
        page: entry.page,
        language: entry.hl,
        region: entry.gl,
      })
      if ('failure' in outcome) return sendJson(response, 400, { message: outcome.failure, statusCode: 400 })
      const results = outcome.answer.map(({ url, title, snippet }, index) => ({
        ...{ title, link: url, snippet, position: index + 1 },
      }))
      const key = path.endsWith('/news') ? 'news' : 'organic'
      answers.push({ searchParameters: entry, [key]: results, credits: 1 })
    }
    sendJson(response, 200, Array.isArray(requestBody) ? answers : answers[0])
  },
}

/** Tavily's `POST /search` and `POST /extract`. */
export const tavilyRoute: GatewayRoute = {
  variables: base => ({ TAVILY_BASE_URL: `${base}/tavily`, TAVILY_API_KEY: 'tvly-tablehunt' }),
  matches: (method, path) => method === 'POST' && /^\/tavily\/(?:search|extract)$/.test(path),
  async answer(request, session) {
    const requestBody = jsonOrNull(await request.body())
    if (!isObject(requestBody)) return refuse(request, 'the body is not a JSON object')
    if (request.path.endsWith('/extract')) await answerExtract(requestBody, request, session)
    else await answerSearch(requestBody, request, session)
  },
}

async function answerSearch(
  parameters: Readonly<Record<string, unknown>>,
  request: GatewayRequest,
  session: GatewaySession,
): Promise<void> {
  if (typeof parameters.query !== 'string') return refuse(request, "'query' is missing")
  const outcome = await search(session, { query: parameters.query, page: null, language: null, region: null })
  if ('failure' in outcome) return refuse(request, outcome.failure)
  const results = outcome.answer
    .slice(0, readCount(parameters.max_results) ?? 5)
    .map(({ url, title, snippet }, index) => ({
      ...{ url, title, content: snippet, score: 1 / (index + 1), raw_content: null },
    }))
  const { query } = parameters
  sendJson(request.response, 200, { query, answer: null, images: [], results, response_time: 0 })
}

/** The most addresses of one request, as in Tavily's own service. */
const mostUrls = 20

async function answerExtract(
  parameters: Readonly<Record<string, unknown>>,
  request: GatewayRequest,
  session: GatewaySession,
): Promise<void> {
  const urls = [parameters.urls].flat().filter(url => typeof url === 'string')
  if (urls.length === 0) return refuse(request, "'urls' is missing")
  if (urls.length > mostUrls) return refuse(request, `'urls' has more than ${mostUrls} addresses`)
  const results: unknown[] = []
  const failed: unknown[] = []
  for (const url of urls) {
    const page = await readPage(session, url)
    if ('failure' in page) failed.push({ url, error: page.failure })
    else results.push({ url, raw_content: page.answer, images: [] })
  }
  sendJson(request.response, 200, { results, failed_results: failed, response_time: 0 })
}

function refuse({ response }: GatewayRequest, error: string): void {
  sendJson(response, 400, { detail: { error } })
}
