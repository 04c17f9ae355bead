import { type GatewayRoute, sendJson } from '../route.ts'
import { search } from '../tool-client.ts'

/** Brave's `GET /res/v1/web/search?q=…`. */
export const braveRoute: GatewayRoute = {
  variables: base => ({ BRAVE_BASE_URL: `${base}/brave`, BRAVE_API_KEY: 'tablehunt' }),
  matches: (method, path) => method === 'GET' && path === '/brave/res/v1/web/search',
  async answer({ query, response }, session) {
    const asked = query.get('q')
    const refuse = (detail: string): void =>
      sendJson(response, 400, { type: 'ErrorResponse', error: { status: 400, code: 'REFUSED', detail } })
    if (asked === null) return refuse("'q' is missing")
    const offset = Number(query.get('offset') ?? 0)
    const found = await search(session, {
      query: asked,
      page: Number.isInteger(offset) && offset > 0 ? offset + 1 : null,
      language: query.get('search_lang'),
      region: query.get('country'),
    })
    if ('failure' in found) return refuse(found.failure)
    const most = Number(query.get('count') ?? 20)
    const results = found.answer.slice(0, Number.isInteger(most) && most > 0 ? most : 20)
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
