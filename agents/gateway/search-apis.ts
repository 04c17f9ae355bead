import type { Observation } from '../../logs/event-parts.ts'
import { decodePercents } from '../../src/text/canonical-url.ts'
import { isObject, parseJsonOrNull, withoutNull } from '../../src/text/json.ts'
import { type GatewayRequest, type GatewayRoute, sendJson } from './route.ts'
import type { GatewaySession } from './session.ts'

/** One search result. */
type ServedHit = Extract<Observation, { kind: 'hits' }>['hits'][number]

/** A request that is not answered. The message is for the client's model. */
class RefusedRequest extends Error {}

/** @throws the error when it is not a refusal */
function refusalMessage(error: unknown): string {
  if (error instanceof RefusedRequest) return error.message
  throw error
}

/** The JSON API of a search service. */
interface JsonApi extends Pick<GatewayRoute, 'variables' | 'matches'> {
  /**
   * Returns the body of the answer.
   *
   * @throws RefusedRequest
   */
  answer(request: GatewayRequest, session: GatewaySession): Promise<unknown>
  /** Returns the body of a refusal. */
  refuse(message: string): unknown
}

function jsonRoute({ variables, matches, answer, refuse }: JsonApi): GatewayRoute {
  return {
    variables,
    matches,
    async answer(request, session) {
      try {
        sendJson(request.response, 200, await answer(request, session))
      } catch (error) {
        sendJson(request.response, 400, refuse(refusalMessage(error)))
      }
    },
  }
}

/** @throws RefusedRequest when the parameter is no text */
function requireText(value: unknown, parameter: string): string {
  if (typeof value === 'string') return value
  throw new RefusedRequest(`'${parameter}' is missing`)
}

/** A search request with its parameters as the client sent them. Null, absent or blank: the client did not set the value. */
interface SearchParameters {
  readonly query: string
  /** From 1, as a number or a text. */
  readonly page?: unknown
  readonly language?: unknown
  readonly region?: unknown
}

/**
 * Searches as the tool web_search does.
 *
 * @throws RefusedRequest when the search failed
 */
async function search(
  session: GatewaySession,
  { query, page, language, region }: SearchParameters,
): Promise<ServedHit[]> {
  const values = { page: readCount(page), language: readChoice(language), region: readChoice(region) }
  const request = { queries: [query], ...withoutNull(values) }
  const { outcome, text, artifact } = await session.callTool('web_search', request)
  if (outcome !== 'answered') throw new RefusedRequest(text)
  return (artifact?.observations ?? []).flatMap(observation =>
    observation.kind === 'hits' ? observation.hits : [],
  )
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

/**
 * Reads a page or a PDF as the tool fetch_page does, all of its parts.
 *
 * @throws RefusedRequest when the page could not be read
 */
async function readPage(session: GatewaySession, url: string): Promise<string> {
  const texts: string[] = []
  for (let part = 1; part <= mostParts; part++) {
    const request = part === 1 ? { url } : { url, part }
    const { outcome, text, artifact } = await session.callTool('fetch_page', request)
    if (outcome !== 'answered' && part === 1) throw new RefusedRequest(text)
    if (outcome !== 'answered') break
    texts.push(text)
    const body = artifact?.observations.find(observation => observation.kind === 'body')
    if (body === undefined || Math.max(0, ...body.shown) >= body.total) break
  }
  return texts.join('\n\n')
}

/** Brave's `GET /res/v1/web/search?q=…`. */
export const braveRoute = jsonRoute({
  variables: base => ({ BRAVE_BASE_URL: `${base}/brave`, BRAVE_API_KEY: 'tablehunt' }),
  matches: (method, path) => method === 'GET' && path === '/brave/res/v1/web/search',
  refuse: detail => ({ type: 'ErrorResponse', error: { status: 400, code: 'REFUSED', detail } }),
  async answer({ query: parameters }, session) {
    const query = requireText(parameters.get('q'), 'q')
    // Brave counts pages from 0.
    const offset = readCount(parameters.get('offset'))
    const hits = await search(session, {
      query,
      page: offset === null ? null : offset + 1,
      language: parameters.get('search_lang'),
      region: parameters.get('country'),
    })
    const results = hits
      .slice(0, readCount(parameters.get('count')) ?? 20)
      .map(({ url, title, snippet }) => ({ url, title, description: snippet }))
    return { type: 'search', query: { original: query }, web: { type: 'search', results } }
  },
})

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
    const wantsJson = incoming.headers.accept === 'application/json'
    const sendText = (status: number, text: string): void => {
      response.writeHead(status, { 'content-type': 'text/plain; charset=utf-8' }).end(text)
    }
    try {
      const content = await readPage(session, url)
      if (wantsJson) sendJson(response, 200, { code: 200, status: 20_000, data: { url, content } })
      else sendText(200, content)
    } catch (error) {
      const message = refusalMessage(error)
      if (wantsJson) sendJson(response, 400, { code: 400, message })
      else sendText(400, message)
    }
  },
}

/** Decodes an address that the client has encoded as a whole. */
function decodeAddress(url: string): string {
  return /^https?%3A/i.test(url) ? decodePercents(url) : url
}

/** SearXNG's `GET /search?q=…&format=json`. */
export const searxngRoute = jsonRoute({
  variables: base => ({ SEARXNG_BASE_URL: `${base}/searxng`, SEARX_URL: `${base}/searxng` }),
  matches: (_method, path) => /^\/searxng(?:\/|\/search)?$/.test(path),
  refuse: error => ({ error }),
  async answer({ method, query: urlParameters, body }, session) {
    const parameters = method === 'POST' ? new URLSearchParams(await body()) : urlParameters
    const query = requireText(parameters.get('q'), 'q')
    const hits = await search(session, {
      query,
      page: parameters.get('pageno'),
      language: parameters.get('language'),
    })
    const results = hits.map(({ url, title, snippet: content }) => {
      return { url, title, content, engine: 'tablehunt', score: 1, category: 'general' }
    })
    return { query, number_of_results: results.length, results, suggestions: [] }
  },
})

/** The most queries of one request, as in Serper's own service. */
const mostQueries = 100

/** Serper's `POST /search`, `/news` and `/scholar`. All three search the attempt's web. */
export const serperRoute = jsonRoute({
  variables: base => ({ SERPER_BASE_URL: `${base}/serper`, SERPER_API_KEY: 'tablehunt' }),
  matches: (method, path) => method === 'POST' && /^\/serper\/(?:search|news|scholar)$/.test(path),
  refuse: message => ({ message, statusCode: 400 }),
  async answer({ path, body }, session) {
    const requestBody = parseJsonOrNull(await body())
    // Serper also takes a list of queries, and answers with a list.
    const requests = Array.isArray(requestBody) ? requestBody : [requestBody]
    if (requests.length > mostQueries) throw new RefusedRequest(`more than ${mostQueries} queries`)
    const answers: unknown[] = []
    for (const entry of requests) {
      const { q, page, hl: language, gl: region } = isObject(entry) ? entry : {}
      const hits = await search(session, { query: requireText(q, 'q'), page, language, region })
      const results = hits.map(({ url: link, title, snippet }, index) => {
        return { title, link, snippet, position: index + 1 }
      })
      const key = path.endsWith('/news') ? 'news' : 'organic'
      answers.push({ searchParameters: entry, [key]: results, credits: 1 })
    }
    return Array.isArray(requestBody) ? answers : answers[0]
  },
})

/** Tavily's `POST /search` and `POST /extract`. */
export const tavilyRoute = jsonRoute({
  variables: base => ({ TAVILY_BASE_URL: `${base}/tavily`, TAVILY_API_KEY: 'tvly-tablehunt' }),
  matches: (method, path) => method === 'POST' && /^\/tavily\/(?:search|extract)$/.test(path),
  refuse: error => ({ detail: { error } }),
  async answer({ path, body }, session) {
    const parameters = parseJsonOrNull(await body())
    if (!isObject(parameters)) throw new RefusedRequest('the body is not a JSON object')
    return path.endsWith('/extract') ? await extract(parameters, session) : await find(parameters, session)
  },
})

async function find(parameters: Readonly<Record<string, unknown>>, session: GatewaySession): Promise<object> {
  const query = requireText(parameters.query, 'query')
  const hits = (await search(session, { query })).slice(0, readCount(parameters.max_results) ?? 5)
  const results = hits.map(({ url, title, snippet: content }, index) => {
    return { url, title, content, score: 1 / (index + 1), raw_content: null }
  })
  return { query, answer: null, images: [], results, response_time: 0 }
}

/** The most addresses of one request, as in Tavily's own service. */
const mostUrls = 20

async function extract(
  parameters: Readonly<Record<string, unknown>>,
  session: GatewaySession,
): Promise<object> {
  const urls = [parameters.urls].flat().filter(url => typeof url === 'string')
  if (urls.length === 0) throw new RefusedRequest("'urls' is missing")
  if (urls.length > mostUrls) throw new RefusedRequest(`'urls' has more than ${mostUrls} addresses`)
  const results: unknown[] = []
  const failed: unknown[] = []
  for (const url of urls) {
    try {
      results.push({ url, raw_content: await readPage(session, url), images: [] })
    } catch (error) {
      failed.push({ url, error: refusalMessage(error) })
    }
  }
  return { results, failed_results: failed, response_time: 0 }
}
