import type { IncomingMessage, ServerResponse } from 'node:http'
import { z } from 'zod/v4'
import { ProviderError } from '../../src/core/errors.ts'
import { jsonOrNull } from '../../src/text/json.ts'
import type { CorpusSearch } from './corpus-search.ts'

const requestSchema = z.looseObject({
  q: z.string().trim().min(1),
  num: z.coerce.number().int().min(1).max(100).default(10),
  page: z.coerce.number().int().min(1).max(100).default(1),
})

/** Answers one request of the Serper API: POST /search, X-API-KEY (any), JSON { q, num, page, … }. */
export async function answerSearch(
  search: CorpusSearch,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const key = request.headers['x-api-key']
  const body = await readBody(request)
  if (typeof key !== 'string' || key.trim() === '') return refuse(response, 403, 'Unauthorized.')
  if (request.method !== 'POST') return refuse(response, 405, 'Method not allowed')
  const parsed = requestSchema.safeParse(jsonOrNull(body))
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
