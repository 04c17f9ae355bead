import { mkdtemp } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { ChromiumRenderer } from '../../../tools/page/browser.ts'
import { closeTools, createTools } from '../../../tools/registry.ts'
import { classifyAddress } from '../../../tools/web/address-guard.ts'
import { buildCorpus } from '../../../tools/web/corpus-build.ts'
import { createLiveTransport } from '../../../tools/web/live.ts'
import { createRecordingTransport } from '../../../tools/web/record.ts'
import { createReplayTransport } from '../../../tools/web/replay.ts'
import { serveCorpus } from '../../../tools/web/sealed.ts'
import type { Transport } from '../../../tools/web/transport.ts'
import { browserHere, withoutBrowser } from '../support/browser.ts'
import { testEnvironment } from '../support/environment.ts'
import { hostileUrls } from './hostile-urls.ts'
import { type LocalServer, startServer } from './local-server.ts'

const renderer = browserHere === null ? null : new ChromiumRenderer(browserHere, { tell: () => undefined })

// 127.0.0.2 represents the public internet; all other addresses are classified as usual.
const publicAddress = '127.0.0.2'

let canary: LocalServer
let site: LocalServer
beforeAll(async () => {
  canary = await startServer((_request, response) => response.end('canary'))
  site = await startServer((request, response) => {
    const isBrowser = /Chrome/.test(request.headers['user-agent'] ?? '')
    if (request.url === '/browsers-only' && !isBrowser) response.statusCode = 403
    response.setHeader('content-type', request.url === '/data' ? 'application/json' : 'text/html')
    response.end(request.url === '/data' ? '{"revenue":"4,512,137"}' : scriptPage('/data'))
  }, publicAddress)
})
afterAll(async () => {
  await renderer?.close()
  await canary.close()
  await site.close()
})

/**
 * A page that is empty without JavaScript. Its script reads `data` and tries to reach this machine by every hostile
 * address.
 */
function scriptPage(data: string): string {
  const hostile = JSON.stringify(hostileUrls.map(url => url.replaceAll('PORT', String(canary.port))))
  return `<!doctype html><html><head><title>Figures</title></head><body><div id="root"></div><script>
    for (const [at, url] of ${hostile}.entries()) {
      try { fetch(url, { mode: 'no-cors' }).catch(() => {}) } catch {}
      if (at % 8 > 0) continue
      const frame = document.createElement('iframe'); frame.src = url; document.body.append(frame)
    }
    fetch(${JSON.stringify(data)}).then(answer => answer.text()).then(text => {
      document.getElementById('root').textContent = 'Revenue by the script of this page: ' + text.replace(/[{}"]/g, ' ')
    })
  </script></body></html>`
}

async function read(url: string, transport: Transport): Promise<string> {
  const environment = { ...testEnvironment(), renderer, transport }
  const [tool] = await createTools(['fetch_page'], environment)
  const message = await tool?.invoke({ type: 'tool_call', id: 'c', name: 'fetch_page', args: { url } })
  await closeTools(environment)
  return String(message.content)
}

describe.skipIf(renderer === null)(`a page of JavaScript, read in the real browser${withoutBrowser}`, () => {
  it.each([
    ['at once', '/app'],
    ['after 403', '/browsers-only'],
  ])(
    'works %s with the live web, its recording and the replay alike, and reaches nothing private',
    async (_when, path) => {
      const url = `http://site.example:${site.port}${path}`
      const live = createLiveTransport({
        classify: address => (address === publicAddress ? null : classifyAddress(address)),
        resolve: host =>
          host === 'site.example'
            ? Promise.resolve([{ address: publicAddress, family: 4 }])
            : Promise.reject(Object.assign(new Error(`no ${host}`), { code: 'ENOTFOUND' })),
      })
      const folder = await mkdtemp(join(tmpdir(), 'tablehunt-browser-'))
      const fromLive = await read(url, live)
      expect(fromLive).toContain('4,512,137')
      const recorder = await createRecordingTransport(live, { folder, entries: null })
      expect(await read(url, recorder)).toBe(fromLive)
      await live.close()
      const requests = site.seen.length
      const replay = await createReplayTransport({ folder })
      expect(await read(url, replay)).toBe(fromLive)
      expect(site.seen).toHaveLength(requests)
      expect(canary.seen).toEqual([])
    },
  )

  it('works with the sealed web, and reaches nothing outside it', async () => {
    const app = { name: 'app.html', source: { bytes: Buffer.from(scriptPage('data:text/plain,4,512,137')) } }
    const corpus = await buildCorpus({
      documents: [{ ...app, text: 'Figures of the app' }],
      embedded: [],
      twins: 0,
      seed: 0,
    })
    const served = await serveCorpus(corpus)
    const text = await read(corpus.items[0]!.entry.url, served.transport)
    await served.close()
    expect(text).toContain('Revenue by the script of this page')
    expect(canary.seen).toEqual([])
  })
})
