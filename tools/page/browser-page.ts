import type { Page } from 'playwright'
import { ToolError } from '../../src/core/errors.ts'
import { readFirstLine } from '../../src/text/plain-text.ts'
import type { WebResponse } from '../web/transport.ts'
import { BrowserTraffic } from './browser-traffic.ts'
import { emptyPageChars, type OpenRequest, type RenderedPage, type RenderRequest } from './renderer.ts'

/**
 * A script that returns the HTML of the page as it is shown: with the values of its fields and with its open shadow trees, which its
 * source lacks; null when it has none, or the browser cannot write them.
 */
const shownHtml = `(() => {
  const trees = []
  const visit = root => {
    for (const field of root.querySelectorAll('input, textarea, option')) {
      if (field.localName === 'option') field.toggleAttribute('selected', field.selected)
      else if (/^(checkbox|radio)$/.test(field.type)) field.toggleAttribute('checked', field.checked)
      else if (field.localName === 'textarea') { if (field.textContent !== field.value) field.textContent = field.value }
      else if (field.type !== 'password' && field.type !== 'file' && field.value !== '') field.setAttribute('value', field.value)
    }
    for (const element of root.querySelectorAll('*'))
      if (element.shadowRoot) { trees.push(element.shadowRoot); visit(element.shadowRoot) }
  }
  visit(document)
  if (trees.length === 0 || !document.documentElement.getHTML) return null
  return document.documentElement.getHTML({ shadowRoots: trees })
})()`
const loadTimeoutMs = 20_000
const quietMs = 400
/** An empty page may still be waiting for its script to write it. */
const quietWhileEmptyMs = 2_000
const pollMs = 100

/** The longest waits for a page. */
export interface RenderTimes {
  /** Until the page stops loading and writing. */
  readonly settlingMs: number
  /** Until the page answers a query. A page whose script never pauses does not answer. */
  readonly answerMs: number
}

/** Names the page in a failure. The failure of a request keeps its class, such as `blocked`. */
export function renderFailure({ url }: OpenRequest, error: unknown): ToolError {
  const problem = `the browser could not show ${url}: ${readFirstLine(error)}`
  const { errorClass, infrastructure } =
    error instanceof ToolError ? error : { errorClass: 'unreadable' as const, infrastructure: true }
  return new ToolError(errorClass, problem, { infrastructure, cause: error })
}

export async function loadPage(
  page: Page,
  request: RenderRequest,
  times: RenderTimes,
): Promise<RenderedPage> {
  const traffic = new BrowserTraffic(request.transport, request.signal, {
    status: 200,
    headers: { 'content-type': request.contentType },
    body: request.bytes,
    finalUrl: request.url,
  })
  await showPage(page, traffic, request, times)
  return { html: await readContent(page, times), finalUrl: page.url() }
}

/** Lets the browser fetch the page. */
export async function fetchPage(page: Page, request: OpenRequest, times: RenderTimes): Promise<WebResponse> {
  const traffic = new BrowserTraffic(request.transport, request.signal, null)
  await showPage(page, traffic, request, times)
  if (traffic.opened === null) throw new Error('it received no answer')
  const { response, isFile } = traffic.opened
  if (isFile) return response
  return {
    ...response,
    headers: { 'content-type': 'text/html; charset=utf-8' },
    body: new TextEncoder().encode(await readContent(page, times)),
  }
}

/** Navigates to the page, and waits until it is complete. */
async function showPage(
  page: Page,
  traffic: BrowserTraffic,
  { url, signal }: OpenRequest,
  times: RenderTimes,
): Promise<void> {
  await page.route('**/*', route => traffic.handle(route))
  page.on('popup', popup => void popup.close().catch(() => undefined))
  try {
    await page.goto(url, { waitUntil: 'domcontentloaded', timeout: loadTimeoutMs })
  } catch (error) {
    throw traffic.refusal ?? error
  }
  await waitUntilQuiet(page, traffic, signal, times)
  if (traffic.failure !== null) throw traffic.failure
  // The browser shows its own error page, which is not content of the web.
  if (isErrorPage(page) && traffic.refusal !== null) throw traffic.refusal
}

/**
 * Waits until the page has been quiet for a while and contains text, or until the time limit. The page is then read
 * as it is.
 */
async function waitUntilQuiet(
  page: Page,
  traffic: BrowserTraffic,
  signal: AbortSignal,
  times: RenderTimes,
): Promise<void> {
  const endMs = performance.now() + times.settlingMs
  let chars = 0
  let writtenMs = performance.now()
  while (performance.now() < endMs) {
    signal.throwIfAborted()
    const charsNow = await textLength(page, times)
    if (charsNow !== chars) writtenMs = performance.now()
    chars = charsNow
    const restMs = Math.min(traffic.quietMs, performance.now() - writtenMs)
    if (traffic.opened?.isFile || (isErrorPage(page) && traffic.refusal !== null)) return
    if (chars > 0 && restMs >= (chars < emptyPageChars ? quietWhileEmptyMs : quietMs)) return
    await new Promise(resolve => setTimeout(resolve, pollMs))
  }
}

const isErrorPage = (page: Page): boolean => page.url().startsWith('chrome-error:')

/** Returns the number of characters shown; 0 while the page is between two documents. */
async function textLength(page: Page, times: RenderTimes): Promise<number> {
  const length: unknown = await answerWithin(
    page.evaluate('document.body ? document.body.innerText.trim().length : 0').catch(() => 0),
    times,
  )
  return typeof length === 'number' ? length : 0
}

/** Returns the page's HTML. When a script navigates during the read, the next document is read. */
async function readContent(page: Page, times: RenderTimes): Promise<string> {
  try {
    const shown: unknown = await answerWithin(page.evaluate(shownHtml), times)
    return typeof shown === 'string' ? shown : await answerWithin(page.content(), times)
  } catch (error) {
    if (page.isClosed() || error instanceof BusyPageError) throw error
    await page.waitForLoadState('domcontentloaded', { timeout: loadTimeoutMs })
    return await answerWithin(page.content(), times)
  }
}

class BusyPageError extends Error {
  constructor(answerMs: number) {
    super(`its scripts gave no answer for ${answerMs} ms`)
  }
}

/**
 * Returns what the page answers.
 *
 * @throws BusyPageError when the page does not answer in time
 */
async function answerWithin<T>(answer: Promise<T>, { answerMs }: RenderTimes): Promise<T> {
  let timer: NodeJS.Timeout | undefined
  const busy = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new BusyPageError(answerMs)), answerMs)
  })
  try {
    return await Promise.race([answer, busy])
  } finally {
    clearTimeout(timer)
  }
}
