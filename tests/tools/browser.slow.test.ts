import type { AddressInfo } from 'node:net'
import { createServer, type Server } from 'node:net'
import type { ToolMessage } from '@langchain/core/messages'
import { afterAll, afterEach, describe, expect, it } from 'vitest'
import { ToolError } from '../../src/core/errors.ts'
import { ChromiumRenderer } from '../../tools/page/browser.ts'
import { findBrowser } from '../../tools/page/browser-path.ts'
import { createTools } from '../../tools/registry.ts'
import type { Transport } from '../../tools/web/transport.ts'
import { smallPdf } from '../retrieval/small-pdf.ts'
import { browserHere, withoutBrowser } from './support/browser.ts'
import { testEnvironment } from './support/environment.ts'
import {
  type LocalAnswer,
  type LocalRequest,
  type LocalWeb,
  localWeb,
  plainTransport,
} from './support/local-web.ts'

const renderer = browserHere === null ? null : new ChromiumRenderer(browserHere, { tell: () => undefined })
/** For pages that are read only when the time limit is reached. */
const impatient =
  browserHere === null
    ? null
    : new ChromiumRenderer(browserHere, {
        times: { settlingMs: 1_000, answerMs: 1_000 },
        tell: () => undefined,
      })

let web: LocalWeb | null = null
let canary: Server | null = null
afterEach(async () => {
  await web?.close()
  web = null
  canary?.close()
  canary = null
})
afterAll(async () => {
  await renderer?.close()
  await impatient?.close()
})

async function fetchRendered(
  answer: (request: LocalRequest, nth: number) => LocalAnswer,
  options: { transport?: Transport; calls?: number; isImpatient?: boolean } = {},
) {
  web = await localWeb(answer)
  const environment = {
    ...testEnvironment(options.calls === undefined ? {} : { calls: options.calls }),
    renderer: options.isImpatient ? impatient : renderer,
    ...(options.transport === undefined ? {} : { transport: options.transport }),
  }
  const [tool] = await createTools(['fetch_page'], environment)
  const args = { url: `${web.url}/app` }
  const message = (await tool?.invoke({
    type: 'tool_call',
    id: 'c',
    name: 'fetch_page',
    args,
  })) as ToolMessage
  return { environment, text: String(message.content) }
}

const html = (body: string): LocalAnswer => ({
  headers: { 'content-type': 'text/html; charset=utf-8' },
  body,
})

describe.skipIf(renderer === null)(`a page written by JavaScript${withoutBrowser}`, () => {
  it.each([
    ['UTF-8', Buffer.from('净利润')],
    // The text in GB 18030.
    ['GB 18030', Buffer.from([0xbe, 0xbb, 0xc0, 0xfb, 0xc8, 0xf3])],
  ])('is decoded correctly when it declares no charset: %s', async (_charset, words) => {
    const page = [
      '<title>App</title><p id="label">',
      words,
      '</p><div id="root"></div><script>root.innerHTML = label.innerText + " 1,234"</script>',
    ]
    const { text } = await fetchRendered(() => ({
      headers: { 'content-type': 'text/html' },
      body: Buffer.concat(page.map(part => Buffer.from(part))),
    }))
    expect(text).toContain('净利润 1,234')
  })

  it('is read as the browser shows it, and fetched once', async () => {
    const { environment, text } = await fetchRendered(request => {
      if (request.path === '/data.json') return { body: JSON.stringify([['Revenue', '1,234']]) }
      return html(`<title>App</title><div id="root"></div><img src="/photo.png"><link rel="stylesheet" href="/a.css">
        <script>fetch('/data.json').then(r => r.json()).then(rows => {
          root.innerHTML = '<h1>Figures</h1><table>' + [['Item', '2023'], ...rows].map(r => '<tr><td>' + r.join('</td><td>') + '</td></tr>').join('') + '</table><a href="/b.pdf">File</a>'
        })</script>`)
    })
    expect(text).toContain('| Revenue | 1,234 |')
    expect(text).toContain(`${web?.url}/b.pdf`)
    expect(text).not.toContain('Note:')
    expect(web?.requests.map(request => request.path)).toEqual(['/app', '/data.json'])
    expect(environment.charged).toEqual([
      `fetchCalls fetch: ${web?.url}/app`,
      `fetchCalls render: ${web?.url}/app`,
    ])
  })

  it('is read after its script has written it, even some time after loading', async () => {
    const words = 'Revenue of the group by quarter, in millions. '.repeat(10)
    const { text } = await fetchRendered(() =>
      html(`<div id="root">Loading…</div><script>
        setTimeout(() => { root.textContent = '${words}' }, 1_000)
        setTimeout(() => { root.textContent += 'The last: 1,234' }, 1_200)
      </script>`),
    )
    expect(text).toContain('The last: 1,234')
  })

  it('is read at the address to which its script navigates, through redirects that the transport follows', async () => {
    const { text } = await fetchRendered(request => {
      if (request.path === '/app') return html(`<script>location.href = '/first'</script>`)
      if (request.path === '/first') return { status: 302, headers: { location: '/deep/second' } }
      return html('<p>The report of the year</p><a href="file.pdf">File</a>')
    })
    expect(text).toContain('The report of the year')
    expect(text).toContain('/deep/file.pdf')
  })

  it('reaches nothing that the transport refuses, whichever way it tries', async () => {
    let connections = 0
    const listening = createServer(socket => {
      connections += 1
      socket.destroy()
    })
    canary = listening
    await new Promise<void>(resolve => listening.listen(0, '127.0.0.1', resolve))
    const { port } = listening.address() as AddressInfo
    const refused: string[] = []
    const plain = plainTransport()
    const guarded: Transport = {
      name: 'guarded',
      send: async (request, signal) => {
        if (new URL(request.url).port === `${port}`) {
          refused.push(request.url)
          throw new ToolError('blocked', 'not there')
        }
        // Redirects are passed on, and the browser must not follow them itself.
        return await plain.send({ ...request, maxRedirects: 0 }, signal)
      },
    }
    const at = `127.0.0.1:${port}`
    const { text } = await fetchRendered(
      request => {
        if (request.path === '/redirect')
          return { status: 302, headers: { location: `http://${at}/redirected` } }
        return html(`<link rel="preconnect" href="http://${at}"><link rel="prefetch" href="http://${at}/prefetch">
        <link rel="dns-prefetch" href="http://localhost:${port}"><div id="root"></div>
        <script type="speculationrules">{"prerender":[{"urls":["http://${at}/prerender"]}],"prefetch":[{"urls":["http://${at}/spec"]}]}</script>
        <script>
          const tries = [
            () => fetch('http://${at}/fetch', { mode: 'no-cors' }), () => fetch('http://localhost:${port}/name', { mode: 'no-cors' }),
            () => fetch('/redirect', { mode: 'no-cors' }), () => navigator.sendBeacon('http://${at}/beacon', 'x'),
            () => new WebSocket('ws://${at}/socket'), () => new EventSource('http://${at}/events'),
            () => { const f = document.createElement('iframe'); f.src = 'http://${at}/frame'; document.body.append(f) },
            () => { const i = new Image(); i.src = 'http://${at}/image' },
            () => window.open('http://${at}/popup'),
            () => { const w = new Worker(URL.createObjectURL(new Blob(["fetch('http://${at}/worker', { mode: 'no-cors' })"]))) },
            () => { const w = new SharedWorker(URL.createObjectURL(new Blob(["fetch('http://${at}/shared', { mode: 'no-cors' })"]))) },
            () => { const p = new RTCPeerConnection({ iceServers: [{ urls: 'turn:${at}?transport=tcp', username: 'a', credential: 'b' }] }); p.createDataChannel('x'); p.createOffer().then(o => p.setLocalDescription(o)) },
            () => { const f = document.createElement('form'); f.action = 'http://${at}/form'; f.method = 'post'; f.target = '_blank'; document.body.append(f); f.submit() },
          ]
          for (const attempt of tries) try { Promise.resolve(attempt()).catch(() => 0) } catch (e) {}
          setTimeout(() => { root.innerHTML = '<p>All ways were tried.</p>' }, 700)
        </script>`)
      },
      { transport: guarded },
    )
    expect(text).toContain('All ways were tried.')
    expect(refused.some(url => url.endsWith('/fetch'))).toBe(true)
    expect(connections).toBe(0)
  })

  it('reports why the address to which its script navigated is not shown', async () => {
    const plain = plainTransport()
    const guarded: Transport = {
      name: 'guarded',
      send: async (request, signal) => {
        if (request.url.endsWith('/inside')) throw new ToolError('blocked', 'a private address')
        return await plain.send(request, signal)
      },
    }
    const { text } = await fetchRendered(() => html(`<script>location.href = '/inside'</script>`), {
      transport: guarded,
    })
    expect(text).toContain('a private address')
    expect(text).not.toContain('chrome-error')
  })

  it('does not share cookies between attempts', async () => {
    const page = `<div id="root"></div><script>root.textContent = 'cookie: ' + document.cookie + '.'; document.cookie = 'a=1'</script>`
    expect((await fetchRendered(() => html(page))).text).toContain('cookie: .')
    await web?.close()
    expect((await fetchRendered(() => html(page))).text).toContain('cookie: .')
  })

  it('is returned as plain HTML with a note when no fetch is left to render it', async () => {
    const { text } = await fetchRendered(
      () => html('<div id="root">Loading</div><script>root.textContent = 1</script>'),
      { calls: 1 },
    )
    expect(text).toMatch(
      /Note: JavaScript may write text of this page, and it was not run: no fetchCalls left/,
    )
    expect(text).toContain('Loading')
  })

  it('is read as it is at the time limit when it never becomes quiet', async () => {
    const { text } = await fetchRendered(
      () =>
        html(
          `<div id="root"></div><script>let n = 0; setInterval(() => fetch('/tick' + n++), 50); root.textContent = 'Still counting'</script>`,
        ),
      { isImpatient: true },
    )
    expect(text).toContain('Still counting')
  })

  it('is returned as plain HTML with a note when its script never pauses', async () => {
    const { text } = await fetchRendered(
      () =>
        html('<title>Busy</title><div id="root"></div><script>setTimeout(() => { for (;;); }, 50)</script>'),
      { isImpatient: true },
    )
    expect(text).toMatch(/Title: Busy[\s\S]*Note: .*scripts gave no answer/)
  })

  it('stops at once when the attempt is cancelled', async () => {
    const controller = new AbortController()
    web = await localWeb(() =>
      html(`<div id="root"></div><script>setInterval(() => fetch('/tick'), 50)</script>`),
    )
    const environment = { ...testEnvironment({ signal: controller.signal }), renderer }
    const [tool] = await createTools(['fetch_page'], environment)
    const asked = tool?.invoke({ url: `${web.url}/app` })
    setTimeout(() => controller.abort(new Error('cancelled by the operator')), 1_500)
    const startedMs = performance.now()
    await expect(asked).rejects.toThrow('cancelled by the operator')
    expect(performance.now() - startedMs).toBeLessThan(4_000)
  })
})

describe.skipIf(renderer === null)(`a page that refuses other programs${withoutBrowser}`, () => {
  const isBrowser = (request: LocalRequest): boolean => /Chrome/.test(request.headers['user-agent'] ?? '')
  /** Answers with a status to everything but a browser. */
  const forBrowsers =
    (status: number, answer: (request: LocalRequest) => LocalAnswer) =>
    (request: LocalRequest): LocalAnswer =>
      isBrowser(request) ? answer(request) : { status, body: '<h1>Not for programs</h1>' }

  it.each([
    [403, 2],
    [429, 4],
  ])('with %i is read in the browser, and each request is charged and traced', async (status, charges) => {
    const { environment, text } = await fetchRendered(
      forBrowsers(status, request =>
        request.path === '/data'
          ? { body: 'Revenue 4,512,137' }
          : html(
              `<title>Report</title><p id="a"></p><script>fetch('/data').then(r => r.text()).then(t => { a.innerText = t })</script>`,
            ),
      ),
    )
    expect(text).toContain('Title: Report')
    expect(text).toContain('Revenue 4,512,137')
    expect(environment.charged).toHaveLength(charges)
    expect(environment.charged.at(-1)).toBe(`fetchCalls browser: ${web?.url}/app`)
    expect(environment.retries.at(-1)).toMatchObject({
      what: `fetch: ${web?.url}/app`,
      reason: `HTTP ${status} for ${web?.url}/app; read with the browser`,
    })
  })

  it('is read after a check that sets a cookie and loads the page again', async () => {
    const { text } = await fetchRendered(request => {
      if (request.headers.cookie?.includes('passed=1')) return html('<p>Revenue 4,512,137</p>')
      const check = `<p>Checking your browser</p><script>document.cookie = 'passed=1'; location.reload()</script>`
      return { ...html(check), status: 403 }
    })
    expect(text).toContain('Revenue 4,512,137')
    expect(text).not.toContain('Checking')
  })

  it('is returned as the server sent it when it is a file', async () => {
    const { text } = await fetchRendered(
      forBrowsers(403, () => ({
        headers: { 'content-type': 'application/pdf' },
        body: smallPdf([[{ x: 72, y: 700, text: 'Revenue 4,512,137' }]]),
      })),
    )
    expect(text).toContain('--- page 1 ---')
    expect(text).toContain('Revenue 4,512,137')
  })

  it('is reported with its first answer when it refuses the browser too', async () => {
    await expect(
      fetchRendered(request => ({ ...html(`<p>${request.path}</p>`), status: 403 })),
    ).rejects.toThrow(/HTTP 403 for .*app/)
  })

  it('is not read at an address that the transport refuses', async () => {
    const plain = plainTransport()
    const guarded: Transport = {
      name: 'guarded',
      send: async (request, signal) => {
        if (request.url.endsWith('/inside')) throw new ToolError('blocked', 'a private address')
        return await plain.send(request, signal)
      },
    }
    const read = fetchRendered(
      forBrowsers(403, () => html(`<script>location.href = '/inside'</script>`)),
      { transport: guarded },
    )
    await expect(read).rejects.toMatchObject({ errorClass: 'blocked' })
    expect(web?.requests.map(request => request.path)).toEqual(['/app', '/app'])
  })
})

describe('looking for a browser', () => {
  it.each([
    ['--browser', { flag: '/no/such/chromium', variable: null }],
    ['TABLEHUNT_CHROMIUM', { flag: null, variable: '/no/such/chromium' }],
  ])('names %s when its path does not exist', async (name, wishes) => {
    const found = findBrowser({ ...wishes, searchPath: '' })
    await expect(found).rejects.toMatchObject({
      code: 'browser-not-found',
      message: expect.stringContaining(name),
    })
  })

  it('prefers the named browser', async () => {
    const found = await findBrowser({ flag: process.execPath, variable: '/no/such', searchPath: '' })
    expect(found).toEqual({ path: process.execPath, foundBy: '--browser' })
  })
})
