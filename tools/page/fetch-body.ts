import { BudgetRefusedError, ProviderError, ToolError } from '../../src/core/errors.ts'
import { withRetry } from '../../src/system/retry.ts'
import { parseHttpUrl } from '../../src/text/canonical-url.ts'
import { retryAfter } from '../search/service-answer.ts'
import type { ToolEnvironment } from '../tool.ts'
import type { WebResponse } from '../web/transport.ts'
import { makePageRequest } from '../web/transport.ts'
import { computeOnce, findAttemptStore } from './attempt-store.ts'
import { createBody, type PageBody } from './body-type.ts'
import type { PageEnvironment } from './page-reader.ts'

/**
 * Downloads a URL once per attempt.
 *
 * @throws ToolError when the page cannot be fetched
 */
export async function fetchBody(link: string, environment: ToolEnvironment): Promise<PageBody> {
  const url = readPageAddress(link)
  const { bodies } = findAttemptStore(environment)
  return await computeOnce(bodies, url, async () => {
    const body = await download(url, environment)
    bodies.set(readPageAddress(body.finalUrl), Promise.resolve(body))
    return body
  })
}

/**
 * Returns the URL without its fragment.
 *
 * @throws ToolError `bad-input` or `blocked` when it is not an http(s) URL
 */
export function readPageAddress(link: string): string {
  const url = parseHttpUrl(link)
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
    return createBody(
      url,
      await chargeRequest(`fetch: ${url}`, environment, async () => {
        const response = await environment.transport.send(makePageRequest(url), environment.signal)
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

/**
 * Sends a request for a page and charges one fetch each time. It is sent up to two more times after 429, 5xx and
 * network failures.
 *
 * @throws ToolError when the failure persists: the agent sees it as a result, also when a reader service fetches the page.
 * ProviderError only for what the operator must fix, such as a refused key or missing credit
 */
export async function chargeRequest<T>(
  what: string,
  environment: Omit<PageEnvironment, 'renderer'>,
  request: () => Promise<T>,
): Promise<T> {
  try {
    return await withRetry(
      async () => {
        environment.charge('fetchCalls', what)
        return await request()
      },
      {
        retries: 2,
        firstWaitMs: 500,
        maxWaitMs: 10_000,
        clock: environment.clock,
        signal: environment.signal,
        onRetry: (error, retry, waitMs) => environment.retried(what, error.message, retry, waitMs),
      },
    )
  } catch (error) {
    if (!(error instanceof ProviderError) || error.fatalService !== null) throw error
    throw new ToolError('http-status', error.message, { infrastructure: true, cause: error })
  }
}

/** Another way to read a page. Returns null when it is not on, or gets no page either. */
type OtherWay = (url: string, environment: ToolEnvironment, begin: BeginTry) => Promise<PageBody | null>

/** Writes a further try to the trace. */
type BeginTry = (by: string) => void

/**
 * Reads a page that refused this program (401, 403, 406, 429, 503) in the other ways that are on: in the browser, then with a page reader that
 * fetches pages by itself. Each try is traced and charged.
 *
 * @param refusal what the page answered, for the trace
 * @returns null when no way is on or all of them fail
 * @throws ToolError `blocked` when the page leads to an address that must not be opened
 */
async function readRefusedPage(
  url: string,
  refusal: string,
  environment: ToolEnvironment,
): Promise<PageBody | null> {
  let tries = 0
  const begin: BeginTry = by => {
    tries += 1
    environment.retried(`fetch: ${url}`, `${refusal}; read with ${by}`, tries, 0)
  }
  for (const way of [openInBrowser, readByService] satisfies OtherWay[]) {
    try {
      const body = await way(url, environment, begin)
      if (body !== null) return body
    } catch (error) {
      const isExpected = error instanceof ToolError || error instanceof BudgetRefusedError
      if (!isExpected || (error instanceof ToolError && error.errorClass === 'blocked')) throw error
    }
  }
  return null
}

/** This is charged as one fetch, whatever the page loads. */
const openInBrowser: OtherWay = async (url, environment, begin) => {
  const { renderer = null, transport, signal } = environment
  if (renderer === null) return null
  environment.charge('fetchCalls', `browser: ${url}`)
  begin('the browser')
  const response = await renderer.open({ url, transport, signal, owner: findAttemptStore(environment) })
  if (response.status < 200 || response.status > 299) return null
  return { ...createBody(url, response), isRendered: true }
}

/** The reader charges each of its requests. */
const readByService: OtherWay = async (url, environment, begin) => {
  const { pageReader } = environment
  if (pageReader?.fetches !== true) return null
  const empty = {
    status: 200,
    headers: { 'content-type': 'text/html' },
    body: new Uint8Array(),
    finalUrl: url,
  }
  begin(`the page reader ${pageReader.name}`)
  const { text } = await pageReader.read(createBody(url, empty), environment)
  const body = new TextEncoder().encode(text)
  return createBody(url, { ...empty, headers: { 'content-type': 'text/markdown; charset=utf-8' }, body })
}
