import { type GatewayRoute, sendJson } from '../route.ts'
import { readPage } from '../tool-client.ts'

const prefix = '/r/'

/** Jina's reader: `GET /r/URL` returns a page or a PDF as Markdown, or as JSON to a client that accepts only that. */
export const jinaReaderRoute: GatewayRoute = {
  variables: base => ({ JINA_BASE_URL: `${base}/r`, JINA_API_KEY: 'tablehunt' }),
  matches: (method, path) => method === 'GET' && path.startsWith(prefix),
  async answer({ incoming, path, response }, session) {
    const [, search] = /(\?[^#]*)/.exec(incoming.url ?? '') ?? []
    // Some clients collapse the two slashes of the address.
    const given = `${path.slice(prefix.length)}${search ?? ''}`.replace(/^(https?):\/+/, '$1://')
    const url = decoded(given)
    const read = await readPage(session, url)
    const wantsJson = incoming.headers.accept === 'application/json'
    if ('failure' in read) {
      if (wantsJson) return sendJson(response, 400, { code: 400, message: read.failure })
      response.writeHead(400, { 'content-type': 'text/plain; charset=utf-8' }).end(read.failure)
    } else if (wantsJson)
      sendJson(response, 200, { code: 200, status: 20_000, data: { url, content: read.answer } })
    else response.writeHead(200, { 'content-type': 'text/plain; charset=utf-8' }).end(read.answer)
  },
}

/** Decodes an address that the client has encoded as a whole. */
function decoded(url: string): string {
  if (!/^https?%3A/i.test(url)) return url
  try {
    return decodeURIComponent(url)
  } catch {
    return url
  }
}
