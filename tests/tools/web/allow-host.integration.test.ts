import type { ToolMessage } from '@langchain/core/messages'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { ChromiumRenderer } from '../../../tools/page/browser.ts'
import { createTools } from '../../../tools/registry.ts'
import { parseAllowedHost } from '../../../tools/web/address-guard.ts'
import { createLiveTransport } from '../../../tools/web/live.ts'
import { browserHere, withoutBrowser } from '../support/browser.ts'
import { testEnvironment } from '../support/environment.ts'
import { type LocalServer, noSignal, pageRequest, startServer, textOf } from './local-server.ts'

let intranet: LocalServer
let other: LocalServer
let live: ReturnType<typeof createLiveTransport>
let otherRequests = 0

const addresses: Record<string, string> = {
  'wiki.corp': '127.0.0.1',
  'other.corp': '127.0.0.1',
  'rebound.corp': '169.254.169.254',
}

/** A page whose script requests the same host, which is allowed, and another port, which is not. */
const app = () => `<div id="a"></div><script>
  const ask = url => fetch(url).then(answer => answer.text()).catch(() => 'refused')
  Promise.all([ask('/data'), ask('http://127.0.0.1:${other.port}/')]).then(texts => {
    document.getElementById('a').textContent = texts.join(' and ')
  })</script>`

beforeAll(async () => {
  other = await startServer((_request, response) => {
    otherRequests += 1
    response.end('secret')
  })
  intranet = await startServer((request, response) => {
    const to = new URL(request.url ?? '/', 'http://wiki.corp').searchParams.get('to')
    if (to !== null) response.writeHead(302, { location: to }).end()
    else if (request.url === '/data') response.end('412 beds')
    else if (request.url === '/app') response.writeHead(200, { 'content-type': 'text/html' }).end(app())
    else response.end('intranet')
  })
  live = createLiveTransport({
    resolve: async host => [{ address: addresses[host] ?? '127.0.0.1', family: 4 }],
    allowedHosts: [`wiki.corp:${intranet.port}`, `127.0.0.1:${intranet.port}`, 'rebound.corp'].map(
      parseAllowedHost,
    ),
  })
})
afterAll(async () => {
  await live.close()
  await intranet.close()
  await other.close()
})

const get = async (url: string) => textOf((await live.send(pageRequest(url), noSignal())).body)
const refusal = expect.objectContaining({ errorClass: 'blocked' })

it('fetches pages of an allowed host, by its name and by its address', async () => {
  expect(await get(`http://wiki.corp:${intranet.port}/`)).toBe('intranet')
  expect(await get(`http://127.0.0.1:${intranet.port}/`)).toBe('intranet')
})

it('refuses every other host and port, even after a redirect from an allowed host', async () => {
  const urls = [
    `http://other.corp:${intranet.port}/`,
    `http://wiki.corp:${other.port}/`,
    `http://127.0.0.1:${other.port}/`,
    `http://wiki.corp:${intranet.port}/?to=http://127.0.0.1:${other.port}/`,
    `http://wiki.corp:${intranet.port}/?to=http://169.254.169.254/`,
  ]
  for (const url of urls) await expect(get(url)).rejects.toThrow(refusal)
  expect(otherRequests).toBe(0)
})

it('refuses an allowed name that resolves to cloud metadata', async () => {
  await expect(get('http://rebound.corp/')).rejects.toThrow(refusal)
})

it.skipIf(browserHere === null)(
  `applies the same guards to requests of a page's scripts${withoutBrowser}`,
  async () => {
    const renderer = new ChromiumRenderer(browserHere!, { tell: () => undefined })
    try {
      const [tool] = await createTools(['fetch_page'], { ...testEnvironment(), transport: live, renderer })
      const args = { url: `http://127.0.0.1:${intranet.port}/app` }
      const message = (await tool?.invoke({
        type: 'tool_call',
        id: 'c',
        name: 'fetch_page',
        args,
      })) as ToolMessage
      expect(String(message.content)).toContain('412 beds and refused')
      expect(otherRequests).toBe(0)
    } finally {
      await renderer.close()
    }
  },
)
