import { isObject, jsonOrNull } from '../../../src/text/json.ts'
import { type GatewayRoute, sendJson } from '../route.ts'
import { search } from '../tool-client.ts'

/** The most queries of one request, as in Serper's own service. */
const mostQueries = 100

/** Serper's `POST /search`, `/news` and `/scholar`. All three search the attempt's web. */
export const serperRoute: GatewayRoute = {
  variables: base => ({ SERPER_BASE_URL: `${base}/serper`, SERPER_API_KEY: 'tablehunt' }),
  matches: (method, path) => method === 'POST' && /^\/serper\/(?:search|news|scholar)$/.test(path),
  async answer({ path, response, body }, session) {
    const given = jsonOrNull(await body())
    // Serper also takes a list of queries, and answers with a list.
    const asked = Array.isArray(given) ? given : [given]
    if (asked.length > mostQueries)
      return sendJson(response, 400, { message: `more than ${mostQueries} queries`, statusCode: 400 })
    const answers: unknown[] = []
    for (const one of asked) {
      if (!isObject(one) || typeof one.q !== 'string')
        return sendJson(response, 400, { message: "'q' is missing", statusCode: 400 })
      const found = await search(session, {
        query: one.q,
        page: one.page,
        language: one.hl,
        region: one.gl,
      })
      if ('failure' in found) return sendJson(response, 400, { message: found.failure, statusCode: 400 })
      const results = found.answer.map(({ url, title, snippet }, index) => ({
        ...{ title, link: url, snippet, position: index + 1 },
      }))
      const key = path.endsWith('/news') ? 'news' : 'organic'
      answers.push({ searchParameters: one, [key]: results, credits: 1 })
    }
    sendJson(response, 200, Array.isArray(given) ? answers : answers[0])
  },
}
