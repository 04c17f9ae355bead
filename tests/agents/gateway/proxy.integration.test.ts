import { mkdtemp, readFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { EnvHttpProxyAgent, fetch } from 'undici'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { classifyAddress } from '../../../tools/web/address-guard.ts'
import { createBlockList, parseBlockRule } from '../../../tools/web/block-list.ts'
import { buildCorpus } from '../../../tools/web/corpus-build.ts'
import { createLiveTransport } from '../../../tools/web/live.ts'
import { createRecordingTransport } from '../../../tools/web/record.ts'
import { createReplayTransport } from '../../../tools/web/replay.ts'
import { serveCorpus } from '../../../tools/web/sealed.ts'
import { transportFor } from '../../../tools/web/transport.ts'
import { hostileUrls } from '../../tools/web/hostile-urls.ts'
import { type LocalServer, startServer } from '../../tools/web/local-server.ts'
import { sampleInput } from '../../tools/web/sample-corpus.ts'
import { askThrough, connectThrough, openTestProxy, runThrough, type TestProxy } from './proxy-client.ts'

// 127.0.0.2 represents the public internet.
const publicAddress = '127.0.0.2'
const addresses: Record<string, string> = {
  'site.example.org': publicAddress,
  'answers.example.org': publicAddress,
  'rebound.example.org': '127.0.0.1',
  'rebound6.example.org': '::1',
  'api.openai.com': publicAddress,
}
const live = createLiveTransport({
  classify: address => (address === publicAddress ? null : classifyAddress(address)),
  resolve: async host => {
    const address = addresses[host]
    if (address === undefined) throw Object.assign(new Error(`no ${host}`), { code: 'ENOTFOUND' })
    return [{ address, family: address.includes(':') ? 6 : 4 }]
  },
  blockList: createBlockList([parseBlockRule('answers.example.org')]),
})

let site: LocalServer
let canary: LocalServer
beforeAll(async () => {
  canary = await startServer((_request, response) => response.end('canary'))
  site = await startServer((request, response) => {
    const path = request.url ?? '/'
    if (path === '/page') response.setHeader('content-type', 'text/html').end('<p>Alder has 12 beds.</p>')
    else if (path === '/moved') response.writeHead(301, { location: '/page' }).end()
    else if (path === '/error') response.writeHead(503, { 'retry-after': '7' }).end('busy')
    else if (path === '/large') {
      const part = Buffer.alloc(1_000_000)
      const more = (): void => {
        while (!response.destroyed && response.write(part)) {}
      }
      response.on('drain', more)
      more()
    } else if (path === '/v1/chat/completions') {
      response.setHeader('content-type', 'application/json')
      response.end(JSON.stringify({ key: request.headers.authorization }))
    } else response.writeHead(404).end('nothing here')
  }, publicAddress)
})
afterAll(async () => {
  await Promise.all([site.close(), canary.close(), live.close()])
})

const opened: TestProxy[] = []
afterEach(async () => {
  for (const { proxy, session } of opened.splice(0)) {
    await proxy.close()
    await session.close()
  }
})
async function open(...given: Parameters<typeof openTestProxy>): Promise<TestProxy> {
  const proxy = await openTestProxy(...given)
  opened.push(proxy)
  return proxy
}
const at = (path: string, host = 'site.example.org') => `http://${host}:${site.port}${path}`

describe('a page through the proxy', () => {
  it('is a charged call in the trace, with the whole text as seen', async () => {
    const { proxy, of } = await open(live)
    const { status, text, headers } = await askThrough(proxy, at('/page'))
    expect([status, text, headers['content-type']]).toEqual([200, '<p>Alder has 12 beds.</p>', 'text/html'])
    expect(of('tool-called')).toMatchObject([{ tool: 'http', args: { method: 'GET', url: at('/page') } }])
    expect(of('budget-charged')).toMatchObject([{ kind: 'fetchCalls', amount: 1 }])
    expect(of('tool-answered')).toMatchObject([
      {
        tool: 'http',
        text: { text: expect.stringContaining('Alder has 12 beds.') },
        observations: [{ kind: 'body', contentType: 'text/html', shown: [1], total: 1 }],
      },
    ])
  })

  it('is fetched and charged once, however often the agent asks', async () => {
    const { proxy, of } = await open(live)
    const before = site.seen.length
    for (const method of ['HEAD', 'GET', 'GET']) await askThrough(proxy, at('/page'), { method })
    expect(site.seen.length - before).toBe(1)
    expect(of('budget-charged')).toHaveLength(1)
    expect(
      of('tool-answered').map(({ observations }) => 'shown' in observations[0]! && observations[0].shown),
    ).toEqual([[], [1], [1]])
  })

  it('that moved is a redirect to its last address, and still one fetch', async () => {
    const { proxy, of } = await open(live)
    const { status, headers } = await askThrough(proxy, at('/moved'))
    expect([status, headers.location]).toEqual([302, at('/page')])
    expect((await askThrough(proxy, at('/page'))).text).toContain('Alder')
    expect(of('budget-charged')).toHaveLength(1)
  })

  it("keeps the status of the server's refusal, which the trace records as a failure", async () => {
    const { proxy, of } = await open(live)
    const busy = await askThrough(proxy, at('/error'))
    expect([busy.status, busy.headers['retry-after'], busy.text]).toEqual([503, '7', 'busy'])
    expect((await askThrough(proxy, at('/none'))).status).toBe(404)
    expect(of('tool-failed')).toMatchObject([
      { errorClass: 'http-status', infrastructure: true },
      { errorClass: 'http-status', infrastructure: false },
    ])
    expect(of('budget-charged')).toHaveLength(2)
  })

  it('is refused with status 403 when the budget is used up', async () => {
    const { proxy, of } = await open(live, { caps: { fetchCalls: 1 } })
    await askThrough(proxy, at('/page'))
    const { status, text } = await askThrough(proxy, at('/other'))
    expect([status, text]).toEqual([403, expect.stringMatching(/no fetches left/i)])
    expect(of('budget-refused')).toMatchObject([{ kind: 'fetchCalls' }])
  })
})

describe('the proxy refuses', () => {
  it('every spelling of an address of this machine, and sends nothing there', async () => {
    const { proxy } = await open(live)
    const before = canary.seen.length
    const asked = hostileUrls
      .map(url => url.replace('PORT', String(canary.port)))
      .filter(url => /^https?:\/\/[\x21-\x7e]+$/.test(url))
    expect(asked.length).toBeGreaterThan(40)
    for (const url of asked)
      expect.soft((await askThrough(proxy, url)).status, url).toBeGreaterThanOrEqual(400)
    expect(canary.seen).toHaveLength(before)
  })

  it.each([
    ['127.0.0.1', /loopback/],
    ['[::1]', /this machine|not a global/],
    ['169.254.169.254', /metadata/],
    ['2130706433', /loopback/],
    ['[::ffff:127.0.0.1]', /loopback/],
    ['rebound.example.org', /loopback/],
    ['rebound6.example.org', /this machine|not a global/],
    ['localhost', /this machine/],
  ])('%s by TLS and without, and says why', async (host, why) => {
    const { proxy, of } = await open(live)
    for (const scheme of ['http', 'https']) {
      const { status, text } = await askThrough(proxy, `${scheme}://${host}:${canary.port}/`)
      expect([status, text]).toEqual([403, expect.stringMatching(why)])
    }
    expect(of('tool-failed')).toMatchObject([{ errorClass: 'blocked' }, { errorClass: 'blocked' }])
    expect(canary.seen).toHaveLength(0)
  })

  it("pages that publish the benchmark's answers", async () => {
    const { proxy } = await open(live)
    const { status, text } = await askThrough(proxy, at('/page', 'answers.example.org'))
    expect([status, text]).toEqual([403, expect.stringContaining('publishes the answers')])
  })

  it('hosts of model providers, before anything is charged', async () => {
    const { proxy, of } = await open(live)
    const { status, text } = await askThrough(proxy, 'https://api.openai.com/v1/models')
    expect([status, text]).toEqual([403, expect.stringContaining('bypass the budget')])
    expect(of('budget-charged')).toEqual([])
  })

  it('methods other than GET and HEAD', async () => {
    const { proxy, of } = await open(live)
    const before = site.seen.length
    for (const method of ['POST', 'PUT', 'DELETE'])
      expect((await askThrough(proxy, at('/page'), { method, body: 'q=1' })).status).toBe(403)
    expect(site.seen).toHaveLength(before)
    expect(of('budget-charged')).toEqual([])
  })

  it("another attempt's agent", async () => {
    const [mine, other] = [await open(live), await open(live)]
    const { password } = new URL(mine.proxy.variables.HTTP_PROXY!)
    for (const url of [at('/page'), 'https://site.example.org/page'])
      for (const guess of [password, '', 'x'])
        expect((await askThrough(other.proxy, url, { password: guess })).status).toBe(407)
    expect(other.events).toEqual([])
  })

  it('requests beyond a number, which leave no trace', async () => {
    const { proxy, of } = await open(live, { mostRequests: 20 })
    const asked = Array.from({ length: 200 }, () => askThrough(proxy, at('/page')))
    const statuses = (await Promise.all(asked)).map(({ status }) => status)
    expect(statuses.filter(status => status === 200)).toHaveLength(20)
    expect(statuses.filter(status => status === 403)).toHaveLength(180)
    expect(of('tool-called')).toHaveLength(20)
    expect(of('budget-charged')).toHaveLength(1)
  })

  it('an address that a tunnel does not begin with', async () => {
    const { proxy, events } = await open(live)
    const { socket } = await connectThrough(proxy, `site.example.org:${site.port}`)
    socket.write('GET .evil.example/ HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n')
    const chunks: Buffer[] = []
    for await (const chunk of socket) chunks.push(chunk as Buffer)
    expect(Buffer.concat(chunks).toString()).toMatch(/^HTTP\/1.1 400/)
    expect(events).toEqual([])
  })

  it('a connection to a port of another service', async () => {
    const { proxy } = await open(live)
    for (const port of [22, 25, 445, 0, 70_000])
      expect((await connectThrough(proxy, `site.example.org:${port}`)).status).toBe(403)
    expect((await connectThrough(proxy, 'no-port')).status).toBe(403)
  })
})

describe('a connection through the proxy', () => {
  it('that speaks plain HTTP is served as such', async () => {
    const { proxy } = await open(live)
    const { socket } = await connectThrough(proxy, `site.example.org:${site.port}`)
    socket.write('GET /page HTTP/1.1\r\nHost: site.example.org\r\nConnection: close\r\n\r\n')
    const chunks: Buffer[] = []
    for await (const chunk of socket) chunks.push(chunk as Buffer)
    expect(Buffer.concat(chunks).toString()).toMatch(/^HTTP\/1.1 200[\s\S]*Alder has 12 beds/)
  })

  it('that speaks something else is closed, and others go on', async () => {
    const { proxy } = await open(live)
    const { socket } = await connectThrough(proxy, 'site.example.org:443')
    socket.on('error', () => undefined)
    socket.write(Buffer.from([0x53, 0x53, 0x48, 0x2d, 0x32, 0x00, 0xff, 0x0a, 0x0d, 0x0a]))
    socket.resume()
    await new Promise(resolve => socket.once('close', resolve))
    expect((await askThrough(proxy, at('/page'))).status).toBe(200)
  })

  it('ends with the proxy', async () => {
    const { proxy } = await openTestProxy(live)
    const { socket } = await connectThrough(proxy, 'site.example.org:443')
    const closed = new Promise(resolve => socket.once('close', resolve))
    socket.on('error', () => undefined).resume()
    await proxy.close()
    await closed
  })
})

describe('a bad answer', () => {
  it('of endless length is a failure of bounded size', async () => {
    const { proxy, of } = await open(live)
    expect((await askThrough(proxy, at('/large'))).status).toBe(502)
    expect(of('tool-failed')).toMatchObject([{ errorClass: 'too-large' }])
  })

  it('that never comes is a failure with status 504', async () => {
    const { ToolError } = await import('../../../src/core/errors.ts')
    const slow = {
      name: 'slow',
      send: () => Promise.reject(new ToolError('timeout', 'it did not answer', { infrastructure: true })),
    }
    const { proxy } = await open(slow)
    expect((await askThrough(proxy, at('/page'))).status).toBe(504)
  })

  it('of an unknown host is a failure with status 502', async () => {
    const { proxy } = await open(live)
    expect((await askThrough(proxy, 'https://unknown.example.org/')).status).toBe(502)
  })
})

describe('a host of a model provider that the operator allows', () => {
  it('gets the request with its body and key, and is charged as a fetch', async () => {
    const { proxy, of } = await open(live, { modelHosts: ['api.openai.com'] })
    const { status, text } = await askThrough(proxy, at('/v1/chat/completions', 'api.openai.com'), {
      ...{ method: 'POST', body: '{}', headers: { authorization: 'Bearer mine' } },
    })
    expect([status, text]).toEqual([200, '{"key":"Bearer mine"}'])
    expect(of('budget-charged')).toMatchObject([{ kind: 'fetchCalls' }])
    expect(JSON.stringify(of('tool-answered'))).not.toContain('mine')
  })
})

describe('clients on a sealed web', () => {
  it('get the same page by TLS, recorded and replayed without the web', async () => {
    const corpus = await buildCorpus(sampleInput(3))
    const served = await serveCorpus(corpus)
    const folder = join(await mkdtemp(join(tmpdir(), 'tablehunt-proxy-test-')), 'recording')
    const url = `https://${corpus.items[0]!.entry.host}/`
    const recorded = transportFor(await createRecordingTransport(served.transport, { folder }), 'a')
    const first = await open(recorded)
    const fetched = await runAll(first, url)
    await served.close()
    const second = await open(transportFor(await createReplayTransport({ folder }), 'a'))
    expect(await runAll(second, url)).toEqual(fetched)
    expect(timeless(second)).toEqual(timeless(first))
    expect((await askThrough(second.proxy, 'https://other.example.org/')).status).toBe(502)
  })
})

const timeless = ({ events }: TestProxy) => events.map(({ body }) => ({ ...body, wallMs: 0 }))

/** The same page by each client that is on this machine. */
async function runAll({ proxy }: TestProxy, url: string): Promise<string[]> {
  const own = await askThrough(proxy, url)
  expect(own).toMatchObject({ status: 200, text: expect.stringContaining('<h1>') })
  // What fetch uses in Node 24 under NODE_USE_ENV_PROXY.
  const { HTTPS_PROXY, NODE_EXTRA_CA_CERTS } = proxy.variables
  const ca = await readFile(NODE_EXTRA_CA_CERTS!)
  const dispatcher = new EnvHttpProxyAgent({ httpsProxy: HTTPS_PROXY!, requestTls: { ca } })
  const read = 'import sys,urllib.request as u; sys.stdout.write(u.urlopen(sys.argv[1]).read().decode())'
  const requests = 'import sys,requests; sys.stdout.write(requests.get(sys.argv[1]).text)'
  const texts = [
    own.text,
    await (await fetch(url, { dispatcher })).text(),
    await runThrough(proxy, 'curl', ['-sS', url]),
    await runThrough(proxy, 'python3', ['-c', read, url]),
    await runThrough(proxy, 'python3', ['-c', requests, url]),
  ].filter(text => text !== null)
  await dispatcher.close()
  for (const text of texts) expect(text).toBe(own.text)
  return texts
}
