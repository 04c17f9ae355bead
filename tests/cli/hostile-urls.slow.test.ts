import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { hostileUrls } from '../tools/web/hostile-urls.ts'
import { tablehunt } from './cli.ts'

let reached = 0
const canary = createServer((_request, response) => {
  reached += 1
  response.end('canary')
})
beforeAll(() => new Promise<void>(resolve => canary.listen(0, '127.0.0.1', resolve)))
afterAll(() => canary.close())

it.each([
  ['over HTTP', 'off'],
  ['with a browser at hand', null],
] as const)(
  'never lets the command line reach this machine by a hostile address, %s',
  async (_how, browser) => {
    const { port } = canary.address() as AddressInfo
    const urls = hostileUrls.map(template => template.replaceAll('PORT', String(port)))
    const input = urls.map(url => JSON.stringify({ url })).join('\n')
    const flags = browser === null ? [] : ['--browser', browser]
    const finished = await tablehunt(['tools', 'call', 'fetch_page', '-', '--web', 'live', ...flags], {
      input,
    })
    expect({ code: finished.code, stderr: finished.stderr }).toMatchObject({ code: 0 })
    const lines = finished.stdout
      .trim()
      .split('\n')
      .map(line => JSON.parse(line))
    expect(lines).toHaveLength(urls.length)
    expect(urls.length).toBeGreaterThanOrEqual(60)
    for (const line of lines) expect(line).toMatchObject({ ok: false, error: expect.any(String) })
    expect(reached).toBe(0)
  },
)
