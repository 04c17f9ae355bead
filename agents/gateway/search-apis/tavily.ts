import { isObject, jsonOrNull } from '../../../src/text/json.ts'
import { type GatewayRequest, type GatewayRoute, sendJson } from '../route.ts'
import type { GatewaySession } from '../session.ts'
import { readCount, readPage, search } from '../tool-client.ts'

/** Tavily's `POST /search` and `POST /extract`. */
export const tavilyRoute: GatewayRoute = {
  variables: base => ({ TAVILY_BASE_URL: `${base}/tavily`, TAVILY_API_KEY: 'tvly-tablehunt' }),
  matches: (method, path) => method === 'POST' && /^\/tavily\/(?:search|extract)$/.test(path),
  async answer(request, session) {
    const given = jsonOrNull(await request.body())
    if (!isObject(given)) return refuse(request, 'the body is not a JSON object')
    if (request.path.endsWith('/extract')) await extract(given, request, session)
    else await find(given, request, session)
  },
}

async function find(
  given: Readonly<Record<string, unknown>>,
  request: GatewayRequest,
  session: GatewaySession,
): Promise<void> {
  if (typeof given.query !== 'string') return refuse(request, "'query' is missing")
  const found = await search(session, { query: given.query, page: null, language: null, region: null })
  if ('failure' in found) return refuse(request, found.failure)
  const results = found.answer
    .slice(0, readCount(given.max_results) ?? 5)
    .map(({ url, title, snippet }, index) => ({
      ...{ url, title, content: snippet, score: 1 / (index + 1), raw_content: null },
    }))
  const { query } = given
  sendJson(request.response, 200, { query, answer: null, images: [], results, response_time: 0 })
}

/** The most addresses of one request, as in Tavily's own service. */
const mostUrls = 20

async function extract(
  given: Readonly<Record<string, unknown>>,
  request: GatewayRequest,
  session: GatewaySession,
): Promise<void> {
  const urls = [given.urls].flat().filter(url => typeof url === 'string')
  if (urls.length === 0) return refuse(request, "'urls' is missing")
  if (urls.length > mostUrls) return refuse(request, `'urls' has more than ${mostUrls} addresses`)
  const results: unknown[] = []
  const failed: unknown[] = []
  for (const url of urls) {
    const read = await readPage(session, url)
    if ('failure' in read) failed.push({ url, error: read.failure })
    else results.push({ url, raw_content: read.answer, images: [] })
  }
  sendJson(request.response, 200, { results, failed_results: failed, response_time: 0 })
}

function refuse({ response }: GatewayRequest, error: string): void {
  sendJson(response, 400, { detail: { error } })
}
