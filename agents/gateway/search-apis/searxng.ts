import { type GatewayRoute, sendJson } from '../route.ts'
import { search } from '../tool-client.ts'

/** SearXNG's `GET /search?q=…&format=json`. */
export const searxngRoute: GatewayRoute = {
  variables: base => ({ SEARXNG_BASE_URL: `${base}/searxng`, SEARX_URL: `${base}/searxng` }),
  matches: (_method, path) => /^\/searxng(?:\/|\/search)?$/.test(path),
  async answer({ method, query, response, body }, session) {
    const given = method === 'POST' ? new URLSearchParams(await body()) : query
    const asked = given.get('q')
    if (asked === null) return sendJson(response, 400, { error: "'q' is missing" })
    const found = await search(session, {
      query: asked,
      page: given.get('pageno'),
      language: given.get('language'),
      region: null,
    })
    if ('failure' in found) return sendJson(response, 400, { error: found.failure })
    const results = found.answer.map(({ url, title, snippet }) => ({
      ...{ url, title, content: snippet, engine: 'tablehunt', score: 1, category: 'general' },
    }))
    sendJson(response, 200, { query: asked, number_of_results: results.length, results, suggestions: [] })
  },
}
