import type { IncomingMessage, ServerResponse } from 'node:http'
import { gzipSync } from 'node:zlib'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { ToolError } from '../../../src/core/errors.ts'
import { classifyAddress } from '../../../tools/web/address-guard.ts'
import { createBlockList, parseBlockRule } from '../../../tools/web/block-list.ts'
import { createLiveTransport } from '../../../tools/web/live.ts'
import { hostileUrls } from './hostile-urls.ts'
import { type LocalServer, noSignal, pageRequest, startServer, textOf } from './local-server.ts'

// 127.0.0.2 represents the public internet; all other addresses are classified as usual.
const publicAddress = '127.0.0.2'
const classify = (address: string) => (address === publicAddress ? null : classifyAddress(address))

const names: Record<string, readonly string[]> = {
  'site.example': [publicAddress],
  'rebound.example': ['127.0.0.1'],
  'rebound6.example': ['::1'],
  'mapped.example': ['::ffff:127.0.0.1'],
  'half.example': [publicAddress, '127.0.0.1'],
}
const resolve = (host: string) => {
  const found = names[host]
  if (found === undefined)
    return Promise.reject(Object.assign(new Error(`no ${host}`), { code: 'ENOTFOUND' }))
  return Promise.resolve(found.map(address => ({ address, family: address.includes(':') ? 6 : 4 })))
}

let canary: LocalServer
let site: LocalServer
const live = createLiveTransport({ classify, resolve })

beforeAll(async () => {
  canary = await startServer((_request, response) => response.end('canary'))
  site = await startServer((request, response) => {
    const url = new URL(request.url ?? '/', 'http://site.example')
    const to = url.searchParams.get('to')
    // Servers send UTF-8 bytes, which Node reads as one character each. A line feed cannot be sent.
    const location = Buffer.from((to ?? '').replaceAll('\n', '')).toString('latin1')
    if (to !== null) response.writeHead(Number(url.searchParams.get('status') ?? 302), { location }).end()
    else if (url.pathname.startsWith('/door')) openDoor(url, request, response)
    else if (url.pathname === '/policy')
      response.writeHead(200, { 'content-security-policy': 'a '.repeat(50_000) }).end('long')
    else if (url.pathname === '/refresh')
      response.writeHead(200, { refresh: url.searchParams.get('header') ?? '' }).end('first')
    else if (url.pathname === '/plain-gzip')
      response.writeHead(200, { 'content-encoding': 'gzip' }).end('plain')
    else if (url.pathname === '/half-gzip')
      response.writeHead(200, { 'content-encoding': 'gzip' }).end(gzipSync('whole text').subarray(0, 12))
    else if (url.pathname === '/short') {
      response.writeHead(200, { 'content-length': '5000' })
      response.write('begins', () => response.destroy())
    } else if (url.pathname === '/cookies') response.setHeader('set-cookie', ['a=1', 'b=2; Path=/']).end('')
    else if (url.pathname === '/large') response.end(Buffer.alloc(50_000))
    else if (url.pathname === '/bomb') {
      response.writeHead(200, { 'content-encoding': 'gzip' }).end(gzipSync(Buffer.alloc(5_000_000)))
    } else if (url.pathname === '/slow') response.write('begins …')
    else if (url.pathname === '/reset') response.destroy()
    else if (url.pathname === '/error') response.writeHead(503).end('busy')
    else response.end(JSON.stringify({ method: request.method, headers: request.headers }))
  }, publicAddress)
})
afterAll(async () => {
  await live.close()
  await canary.close()
  await site.close()
})

/** Shows a page only to a client that sends back the cookie of `set`, which it sets while redirecting. */
function openDoor(url: URL, request: IncomingMessage, response: ServerResponse): void {
  const set = url.searchParams.get('set') ?? ''
  if (request.headers.cookie !== undefined) return void response.end(`cookie ${request.headers.cookie}`)
  const next = url.searchParams.get('next') ?? url.href.slice(url.origin.length)
  response.writeHead(302, { location: next, 'set-cookie': set.split('|') }).end()
}

const at = (path: string) => `http://site.example:${site.port}${path}`
const send = (url: string, overrides = {}) => live.send(pageRequest(url, overrides), noSignal())

describe('a page of the live web', () => {
  const door = (set: string, next?: string) =>
    `/door?set=${encodeURIComponent(set)}${next === undefined ? '' : `&next=${encodeURIComponent(next)}`}`

  it.each([
    [door('seen=1; Path=/'), 'cookie seen=1'],
    [door('a=1; Path=/|b=x=y; HttpOnly'), 'cookie a=1; b=x=y'],
    [door('a=1', '/door/inside'), 'cookie a=1'],
    [door('a=1; Domain=site.example; Max-Age=60'), 'cookie a=1'],
  ])('gets the cookies back that its redirects set: %s', async (path, text) => {
    expect(textOf((await send(at(path))).body)).toBe(text)
  })

  it.each([
    'a=1; Path=/other',
    'a=1; Domain=other.example',
    'a=1; Domain=example',
    'a=1; Secure',
    'a=1; Max-Age=0',
  ])('does not get a cookie that is not for it: %s', async set => {
    await expect(send(at(door(set)))).rejects.toThrow(/more than 5 redirects/)
  })

  it('may have headers of 100 KB', async () => {
    expect(textOf((await send(at('/policy'))).body)).toBe('long')
  })

  it.each([
    ['0; url=/large', '/large'],
    ['3;URL="/large"', '/large'],
    ['0, url=large', '/large'],
    ['5', '/refresh'],
    ['600; url=/large', '/refresh'],
    ['0; url=', '/refresh'],
  ])('sends readers on by a Refresh header: %s', async (header, path) => {
    const { finalUrl } = await send(at(`/refresh?header=${encodeURIComponent(header)}`))
    expect(new URL(finalUrl).pathname).toBe(path)
  })

  it.each([
    ['/plain-gzip', "the page's compression is broken (Z_DATA_ERROR)"],
    ['/short', 'the server broke off its answer before the end'],
    ['/reset', /the server (?:closed the connection|broke off its answer)/],
  ])('that fails says in words what happened: %s', async (path, words) => {
    await expect(send(at(path))).rejects.toThrow(words)
  })
})

describe('the live web', () => {
  it('keeps every cookie that a server sets', async () => {
    const { headers } = await send(at('/cookies'))
    expect(headers['set-cookie']).toBe('a=1\nb=2; Path=/')
  })

  it('has at least sixty hostile addresses in its table', () => {
    expect(new Set(hostileUrls).size).toBeGreaterThanOrEqual(60)
  })

  it.each(hostileUrls)('never reaches this machine by %j', async template => {
    const url = template.replaceAll('PORT', String(canary.port))
    await expect(send(url)).rejects.toMatchObject({ name: 'ToolError' })
    expect(canary.seen).toEqual([])
  })

  it.each(hostileUrls)('never reaches this machine by a redirect to %j', async template => {
    const to = template.replaceAll('PORT', String(canary.port))
    const answer = send(at(`/?to=${encodeURIComponent(to)}`))
    // A relative address leads back to the public site, which is allowed.
    await answer.then(
      response => expect(new URL(response.finalUrl).hostname).toBe('site.example'),
      (error: unknown) => expect(error).toBeInstanceOf(ToolError),
    )
    expect(canary.seen).toEqual([])
  })

  it('follows a chain of redirects, and refuses its last hop when that is private', async () => {
    const hop = (to: string) => at(`/?to=${encodeURIComponent(to)}`)
    const good = await send(hop(hop(at('/end'))))
    expect(good.finalUrl).toBe(at('/end'))
    await expect(send(hop(hop(`http://127.0.0.1:${canary.port}/`)))).rejects.toMatchObject({
      errorClass: 'blocked',
    })
    expect(canary.seen).toEqual([])
  })

  it('connects to the address it checked, even when the name resolves differently the second time', async () => {
    const answers = [publicAddress, '127.0.0.1', '127.0.0.1']
    const rebinding = createLiveTransport({
      classify,
      resolve: () => Promise.resolve([{ address: answers.shift() ?? '127.0.0.1', family: 4 }]),
    })
    const first = await rebinding.send(pageRequest(`http://flip.example:${site.port}/`), noSignal())
    expect(first.status).toBe(200)
    const second = rebinding.send(pageRequest(`http://flip.example:${canary.port}/`), noSignal())
    await expect(second).rejects.toMatchObject({ errorClass: 'blocked' })
    expect(canary.seen).toEqual([])
    await rebinding.close()
  })

  it('reads a redirect address with characters outside ASCII', async () => {
    const answer = await send(at(`/?to=${encodeURIComponent('/报告')}`))
    expect(decodeURIComponent(new URL(answer.finalUrl).pathname)).toBe('/报告')
  })

  it('stops a loop of redirects', async () => {
    const loop = at(`/?to=${encodeURIComponent('?to=/')}`)
    await expect(send(loop, { maxRedirects: 1 })).rejects.toThrow('more than 1 redirects')
  })

  it('drops keys and cookies when a redirect leaves the origin, and the body of a POST', async () => {
    names['other.example'] = [publicAddress]
    const to = `http://other.example:${site.port}/end`
    const answer = await send(at(`/?to=${encodeURIComponent(to)}`), {
      method: 'POST',
      body: '{}',
      headers: { authorization: 'Bearer x', cookie: 'a=b', 'x-subscription-token': 'k', 'x-plain': 'stays' },
    })
    const { method, headers } = JSON.parse(textOf(answer.body)) as {
      method: string
      headers: Record<string, string>
    }
    expect(method).toBe('GET')
    expect(headers).toMatchObject({ 'x-plain': 'stays' })
    for (const name of ['authorization', 'cookie', 'x-subscription-token'])
      expect(headers).not.toHaveProperty(name)
  })

  it('refuses a body beyond its limit, counting compressed ones after decompression', async () => {
    await expect(send(at('/large'), { maxBytes: 49_999 })).rejects.toMatchObject({ errorClass: 'too-large' })
    expect((await send(at('/large'), { maxBytes: 50_000 })).body.byteLength).toBe(50_000)
    await expect(send(at('/bomb'), { maxBytes: 1_000_000 })).rejects.toMatchObject({
      errorClass: 'too-large',
    })
  })

  it('gives up on a body that does not end, as an infrastructure failure', async () => {
    await expect(send(at('/slow'), { timeoutMs: 200 })).rejects.toMatchObject({
      errorClass: 'timeout',
      infrastructure: true,
    })
  })

  it('distinguishes a broken connection from a name that does not exist', async () => {
    await expect(send(at('/reset'))).rejects.toMatchObject({ errorClass: 'network', infrastructure: true })
    await expect(send('http://nowhere.example/')).rejects.toMatchObject({
      errorClass: 'network',
      infrastructure: false,
    })
  })

  it('returns an HTTP failure as a response', async () => {
    expect(await send(at('/error'))).toMatchObject({ status: 503, finalUrl: at('/error') })
  })

  it('stops at once with the reason of an aborted signal', async () => {
    const controller = new AbortController()
    const answer = live.send(pageRequest(at('/slow')), controller.signal)
    controller.abort(new Error('cancelled by the operator'))
    await expect(answer).rejects.toThrow('cancelled by the operator')
  })

  it('allows a service that the operator configured on this machine, without following its redirects', async () => {
    const service = await startServer((_request, response) =>
      response.writeHead(302, { location: `http://127.0.0.1:${canary.port}/` }).end(),
    )
    const answer = await send(`http://127.0.0.1:${service.port}/search`, {
      purpose: 'service',
      method: 'POST',
      body: '{}',
    })
    expect(answer.status).toBe(302)
    expect(canary.seen).toEqual([])
    await service.close()
  })

  it('sends nothing to a blocked place, not even after a redirect', async () => {
    names['leaks.example'] = [publicAddress]
    const guarded = createLiveTransport({
      classify,
      resolve,
      blockList: createBlockList([parseBlockRule('leaks.example')]),
    })
    const before = site.seen.length
    const blocked = `http://leaks.example:${site.port}/answers`
    await expect(guarded.send(pageRequest(blocked), noSignal())).rejects.toMatchObject({
      name: 'ToolError',
      errorClass: 'blocked',
      url: blocked,
      rule: 'leaks.example',
    })
    expect(site.seen.length).toBe(before)
    const redirect = guarded.send(pageRequest(at(`/?to=${encodeURIComponent(blocked)}`)), noSignal())
    await expect(redirect).rejects.toMatchObject({ errorClass: 'blocked' })
    expect(site.seen.slice(before)).not.toContain('GET /answers')
    await guarded.close()
  })
})
