import { ProviderError, ToolError } from '../../src/core/errors.ts'
import { httpUrl } from '../../src/text/canonical-url.ts'
import { retryAfter } from '../search/service-answer.ts'
import type { ToolEnvironment } from '../tool.ts'
import { pageRequest } from '../web/page-request.ts'
import type { WebResponse } from '../web/transport.ts'
import { computeOnce, storeOf } from './attempt-store.ts'
import { bodyOf, type PageBody } from './body-type.ts'
import { chargedRequest } from './charged-request.ts'
import { readRefusedPage } from './refused-page.ts'

/**
 * Downloads a URL once per attempt.
 *
 * @throws ToolError when the page cannot be fetched
 */
export async function fetchBody(link: string, environment: ToolEnvironment): Promise<PageBody> {
  const url = addressOf(link)
  const { bodies } = storeOf(environment)
  return await computeOnce(bodies, url, async () => {
    const body = await download(url, environment)
    bodies.set(addressOf(body.finalUrl), Promise.resolve(body))
    return body
  })
}

/**
 * Returns the URL without its fragment.
 *
 * @throws ToolError `bad-input` or `blocked` when it is not an http(s) URL
 */
export function addressOf(link: string): string {
  const url = httpUrl(link)
  if (url === null) {
    const fix = URL.canParse(link.trim())
      ? 'only http and https addresses can be opened'
      : 'write a complete URL, such as https://host/path'
    throw new ToolError(URL.canParse(link.trim()) ? 'blocked' : 'bad-input', `${link.slice(0, 200)}: ${fix}`)
  }
  url.hash = ''
  return url.href
}

/** Statuses that many servers give to programs only. */
const refusals = new Set([401, 403, 406, 429, 503])

async function download(url: string, environment: ToolEnvironment): Promise<PageBody> {
  let isRefused = false
  try {
    return bodyOf(
      url,
      await chargedRequest(`fetch: ${url}`, environment, async () => {
        const response = await environment.transport.send(pageRequest(url), environment.signal)
        isRefused = refusals.has(response.status)
        return throwIfFailed(url, response)
      }),
    )
  } catch (error) {
    const isPageRefused = isRefused && error instanceof ToolError
    const body = isPageRefused ? await readRefusedPage(url, error.message, environment) : null
    if (body === null) throw error
    return body
  }
}

/**
 * Throws when the response is a failure. A failure that may pass is a ProviderError inside the retry loop, because
 * a ProviderError carries the wait that the server requested.
 */
function throwIfFailed(url: string, response: WebResponse): WebResponse {
  const { status } = response
  if (status >= 200 && status < 300) return response
  const message = `HTTP ${status} for ${url}`
  if (status === 429 || status >= 500) {
    throw new ProviderError(status === 429 ? 'rate-limited' : 'unavailable', message, {
      retryable: true,
      retryAfterMs: retryAfter(response.headers),
    })
  }
  throw new ToolError('http-status', message)
}
