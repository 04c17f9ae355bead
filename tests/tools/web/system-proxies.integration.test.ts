import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterEach, expect, it } from 'vitest'
import { createLiveTransport, type LiveOptions, readSystemProxies } from '../../../tools/web/live.ts'
import { makePageRequest } from '../../../tools/web/transport.ts'

const closers: (() => Promise<void> | void)[] = []
afterEach(async () => {
  for (const close of closers.splice(0)) await close()
})

/** A server that records the addresses and User-Agents of requests. As a proxy, it answers them itself. */
async function server(): Promise<{ url: string; seen: string[]; agents: unknown[] }> {
  const [seen, agents]: [string[], unknown[]] = [[], []]
  const listening = createServer((request, response) => {
    seen.push(request.url ?? '')
    agents.push(request.headers['user-agent'])
    response.end('answered')
  })
  // A tunnel ends here: the rest of the connection is read as requests of its own.
  listening.on('connect', (request, socket) => {
    seen.push(`CONNECT ${request.url}`)
    socket.write('HTTP/1.1 200 Connection established\r\n\r\n')
    listening.emit('connection', socket)
  })
  await new Promise<void>(resolve => listening.listen(0, '127.0.0.1', resolve))
  closers.push(() => {
    listening.closeAllConnections()
    listening.close()
  })
  return { url: `http://127.0.0.1:${(listening.address() as AddressInfo).port}`, seen, agents }
}

async function fetched(url: string, options: LiveOptions): Promise<string> {
  const live = createLiveTransport(options)
  closers.push(() => live.close())
  const { body } = await live.send(makePageRequest(url), new AbortController().signal)
  return new TextDecoder().decode(body)
}

it('fetches pages through the proxy of the system', async () => {
  const proxy = await server()
  const proxies = readSystemProxies({ HTTP_PROXY: proxy.url })
  expect(await fetched('http://site.example/report', { proxies })).toBe('answered')
  expect(proxy.seen.join(' ')).toContain('site.example')
})

it('refuses private addresses before it asks the proxy', async () => {
  const proxy = await server()
  const proxies = readSystemProxies({ http_proxy: proxy.url })
  await expect(fetched('http://10.0.0.1/', { proxies })).rejects.toMatchObject({ errorClass: 'blocked' })
  await expect(fetched('http://host.internal/', { proxies })).rejects.toMatchObject({ errorClass: 'blocked' })
  expect(proxy.seen).toEqual([])
})

it('checks addresses of hosts that need no proxy, and reaches this machine without one', async () => {
  const [proxy, site] = [await server(), await server()]
  const proxies = readSystemProxies({ HTTP_PROXY: proxy.url, NO_PROXY: 'inside.example' })
  const resolve = async () => [{ address: '10.0.0.7', family: 4 }]
  const inside = fetched('http://inside.example/', { proxies, resolve })
  await expect(inside).rejects.toMatchObject({ errorClass: 'blocked' })
  const allowedHosts = [{ hostname: '127.0.0.1', port: null }]
  const options: LiveOptions = { proxies, allowedHosts, userAgent: 'Elm University web@elm.example' }
  expect(await fetched(`${site.url}/page`, options)).toBe('answered')
  expect(site.agents).toEqual(['Elm University web@elm.example'])
  expect(proxy.seen).toEqual([])
})

it('reads no proxy from an environment without one', () => {
  expect(readSystemProxies({ NO_PROXY: '*' })).toBeNull()
})

it('names a proxy whose address cannot be read', () => {
  expect(() => readSystemProxies({ HTTPS_PROXY: 'proxy//me' })).toThrow(/HTTPS_PROXY: 'proxy\/\/me'/)
})
