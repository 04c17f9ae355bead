import type { Browser, BrowserContext, Page } from 'playwright'
import { harmlessEnvironment } from '../../src/system/harmless-environment.ts'
import { readFirstLine } from '../../src/text/plain-text.ts'
import type { WebResponse } from '../web/transport.ts'
import { fetchPage, loadPage, type RenderTimes, renderFailure } from './browser-page.ts'
import type { BrowserPlace } from './browser-path.ts'
import type { OpenRequest, PageRenderer, RenderedPage, RenderRequest } from './renderer.ts'

const launchTimeoutMs = 20_000
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
    return await this.#withPage(request, page => loadPage(page, request, this.#times))
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
