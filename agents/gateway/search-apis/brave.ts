import { type GatewayRoute, sendJson } from '../route.ts'
import { readCount, search } from '../tool-client.ts'

/** Brave's `GET /res/v1/web/search?q=…`. */
export const braveRoute: GatewayRoute = {
  variables: base => ({ BRAVE_BASE_URL: `${base}/brave`, BRAVE_API_KEY: 'tablehunt' }),
  matches: (method, path) => method === 'GET' && path === '/brave/res/v1/web/search',
  async answer({ query, response }, session) {
    const asked = query.get('q')
    const refuse = (detail: string): void =>
      sendJson(response, 400, { type: 'ErrorResponse', error: { status: 400, code: 'REFUSED', detail } })
    if (asked === null) return refuse("'q' is missing")
    const found = await search(session, {
      query: asked,
      page: nextPage(query.get('offset')),
      language: query.get('search_lang'),
      region: query.get('country'),
    })
    if ('failure' in found) return refuse(found.failure)
    const results = found.answer.slice(0, readCount(query.get('count')) ?? 20)
    sendJson(response, 200, {
      type: 'search',
      query: { original: asked },
      web: {
        type: 'search',
        results: results.map(({ url, title, snippet }) => ({ url, title, description: snippet })),
      },
    })
  },
}

/** Brave counts pages from 0. Returns null for the first page. */
function nextPage(offset: string | null): number | null {
  const pages = readCount(offset)
  return pages === null ? null : pages + 1
}
