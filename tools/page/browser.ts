import type { Browser, BrowserContext, Page } from 'playwright'
import { ToolError } from '../../src/core/errors.ts'
import { harmlessEnvironment } from '../../src/system/harmless-environment.ts'
import { readFirstLine } from '../../src/text/plain-text.ts'
import type { WebResponse } from '../web/transport.ts'
import type { BrowserPlace } from './browser-path.ts'
import { BrowserTraffic } from './browser-traffic.ts'
import {
  emptyPageChars,
  type OpenRequest,
  type PageRenderer,
  type RenderedPage,
  type RenderRequest,
} from './renderer.ts'

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

const launchTimeoutMs = 20_000
const loadTimeoutMs = 20_000
const quietMs = 400
/** An empty page may still be waiting for its script to write it. */
const quietWhileEmptyMs = 2_000
const pollMs = 100
const idleContextMs = 120_000

/** No server listens at this address. A request that bypasses the transport would go here. */
const unreachableAddress = 'http://127.0.0.1:1'

const flags = [
  '--disable-gpu',
  '--disable-dev-shm-usage',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  '--dns-prefetch-disable',
  '--disable-features=SpeculationRulesPrefetchProxy,Prerender2,Translate,MediaRouter,OptimizationHints',
  '--force-webrtc-ip-handling-policy=disable_non_proxied_udp',
  '--host-resolver-rules=MAP * ~NOTFOUND',
]

/** The longest waits for a page. */
interface RenderTimes {
  /** Until the page stops loading and writing. */
  readonly settlingMs: number
  /** Until the page answers a query. A page whose script never pauses does not answer. */
  readonly answerMs: number
}

const renderTimes: RenderTimes = { settlingMs: 8_000, answerMs: 5_000 }

interface OwnedContext {
  readonly context: Promise<BrowserContext>
  pages: number
  timer: NodeJS.Timeout | null
}

/**
 * Renders pages in Chromium through Playwright. One browser is started per run when the first page needs it, with
 * one context per owner. The transport answers every request of a page. Name resolution and the proxy point
 * nowhere, so that a request that bypasses the transport (a preconnect, a WebSocket, WebRTC) reaches nothing.
 */
export class ChromiumRenderer implements PageRenderer {
  readonly name: string
  readonly #path: string
  readonly #times: RenderTimes
  readonly #tell: (notice: string) => void
  #hasTold = false
  #browser: Promise<Browser> | null = null
  #contexts = new Map<object, OwnedContext>()

  /** @param options.tell receives a notice when Chromium runs without its sandbox, once */
  constructor(
    place: BrowserPlace,
    { times = renderTimes, tell }: { times?: RenderTimes; tell: (notice: string) => void },
  ) {
    this.#path = place.path
    this.#times = times
    this.#tell = notice => {
      if (!this.#hasTold) tell(notice)
      this.#hasTold = true
    }
    this.name = `chromium (${place.foundBy})`
  }

  async render(request: RenderRequest): Promise<RenderedPage> {
    return await this.#withPage(request, page => load(page, request, this.#times))
  }

  async open(request: OpenRequest): Promise<WebResponse> {
    return await this.#withPage(request, page => fetchPage(page, request, this.#times))
  }

  /** Runs `work` on a new page of the owner's context. */
  async #withPage<T>(request: OpenRequest, work: (page: Page) => Promise<T>): Promise<T> {
    request.signal.throwIfAborted()
    const owned = await this.#contextOf(request.owner).catch((error: unknown) => {
      request.signal.throwIfAborted()
      throw renderFailure(request, error)
    })
    owned.pages += 1
    try {
      const page = await (await owned.context).newPage()
      const close = (): void => void page.close().catch(() => undefined)
      request.signal.addEventListener('abort', close, { once: true })
      try {
        return await work(page)
      } finally {
        request.signal.removeEventListener('abort', close)
        await page.close()
      }
    } catch (error) {
      request.signal.throwIfAborted()
      throw renderFailure(request, error)
    } finally {
      owned.pages -= 1
      this.#closeWhenIdle(request.owner, owned)
    }
  }

  async release(owner: object): Promise<void> {
    const owned = this.#contexts.get(owner)
    if (owned === undefined) return
    this.#contexts.delete(owner)
    if (owned.timer !== null) clearTimeout(owned.timer)
    const context = await owned.context.catch(() => null)
    await context?.close()
  }

  async close(): Promise<void> {
    this.#forgetContexts()
    const launched = this.#browser
    this.#browser = null
    // The page that needed a browser that failed to start has reported the failure.
    const browser = await launched?.catch(() => null)
    await browser?.close()
  }

  async #contextOf(owner: object): Promise<OwnedContext> {
    const browser = await this.#runningBrowser()
    const existing = this.#contexts.get(owner)
    if (existing !== undefined) {
      if (existing.timer !== null) clearTimeout(existing.timer)
      return existing
    }
    const owned: OwnedContext = { context: newContext(browser), pages: 0, timer: null }
    this.#contexts.set(owner, owned)
    owned.context.catch(() => {
      if (this.#contexts.get(owner) === owned) this.#contexts.delete(owner)
    })
    return owned
  }

  /**
   * Returns the running browser. After a crash, the next page starts it again; pages that wait at the same time
   * share the new browser.
   */
  async #runningBrowser(): Promise<Browser> {
    const current = this.#browser
    const browser = await current
    if (browser?.isConnected()) return browser
    if (this.#browser === current) {
      this.#forgetContexts()
      this.#browser = this.#startLaunch()
    }
    return await (this.#browser ?? this.#startLaunch())
  }

  #startLaunch(): Promise<Browser> {
    const launching = launch(this.#path, this.#tell)
    launching.catch(() => {
      if (this.#browser === launching) this.#browser = null
    })
    return launching
  }

  #forgetContexts(): void {
    for (const { timer } of this.#contexts.values()) if (timer !== null) clearTimeout(timer)
    this.#contexts.clear()
  }

  /**
   * Closes the context of an attempt that ended without calling `release`. Otherwise it would stay open for the
   * rest of the run.
   */
  #closeWhenIdle(owner: object, owned: OwnedContext): void {
    if (owned.pages > 0 || this.#contexts.get(owner) !== owned) return
    if (owned.timer !== null) clearTimeout(owned.timer)
    owned.timer = setTimeout(() => void this.release(owner).catch(() => undefined), idleContextMs)
    owned.timer.unref()
  }
}

/** Names the page in a failure. The failure of a request keeps its class, such as `blocked`. */
function renderFailure({ url }: OpenRequest, error: unknown): ToolError {
  const problem = `the browser could not show ${url}: ${readFirstLine(error)}`
  const { errorClass, infrastructure } =
    error instanceof ToolError ? error : { errorClass: 'unreadable' as const, infrastructure: true }
  return new ToolError(errorClass, problem, { infrastructure, cause: error })
}

const withoutSandbox =
  'a page that breaks out of Chromium can do what this process can. Run as another user, or use --browser off'

async function launch(executablePath: string, tell: (notice: string) => void): Promise<Browser> {
  const { chromium } = await import('playwright')
  const asRoot = process.getuid?.() === 0
  const start = (chromiumSandbox: boolean): Promise<Browser> =>
    chromium.launch({
      executablePath,
      env: harmlessEnvironment(),
      headless: true,
      chromiumSandbox,
      args: flags,
      proxy: { server: unreachableAddress, bypass: '<-loopback>' },
      timeout: launchTimeoutMs,
      handleSIGINT: false,
      handleSIGTERM: false,
      handleSIGHUP: false,
    })
  if (asRoot) {
    tell(`browser: Chromium has no sandbox because this process runs as root: ${withoutSandbox}`)
    return await start(false)
  }
  try {
    return await start(true)
  } catch (error) {
    // Containers often forbid the namespaces that the sandbox needs.
    if (!(error instanceof Error && /sandbox|namespace/i.test(error.message))) throw error
    tell(`browser: Chromium's sandbox could not start (${readFirstLine(error)}): ${withoutSandbox}`)
    return await start(false)
  }
}

async function newContext(browser: Browser): Promise<BrowserContext> {
  const context = await browser.newContext({
    serviceWorkers: 'block',
    acceptDownloads: false,
    viewport: { width: 1280, height: 2000 },
    locale: 'en-US',
    timezoneId: 'UTC',
  })
  // A page opened by another page has no BrowserTraffic to answer its requests.
  await context.route('**/*', route => route.abort('blockedbyclient'))
  await context.routeWebSocket(/.*/, socket => void socket.close())
  return context
}

async function load(page: Page, request: RenderRequest, times: RenderTimes): Promise<RenderedPage> {
  const traffic = new BrowserTraffic(request.transport, request.signal, {
    status: 200,
    headers: { 'content-type': request.contentType },
    body: request.bytes,
    finalUrl: request.url,
  })
  await show(page, traffic, request, times)
  return { html: await readContent(page, times), finalUrl: page.url() }
}

/** Lets the browser fetch the page. */
async function fetchPage(page: Page, request: OpenRequest, times: RenderTimes): Promise<WebResponse> {
  const traffic = new BrowserTraffic(request.transport, request.signal, null)
  await show(page, traffic, request, times)
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
async function show(
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
