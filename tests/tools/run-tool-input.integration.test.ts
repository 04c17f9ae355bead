import { afterEach, describe, expect, it } from 'vitest'
import { eventBodySchema } from '../../logs/events.ts'
import { runToolInput } from '../../tools/run-tool-input.ts'
import { testEnvironment } from './support/environment.ts'
import { type LocalWeb, localWeb } from './support/local-web.ts'

let web: LocalWeb | null = null
afterEach(async () => {
  await web?.close()
  web = null
})

describe('a tool called outside an attempt', () => {
  it('returns what the agent would see, and the events of a trace', async () => {
    web = await localWeb(() => ({
      headers: { 'content-type': 'text/html' },
      body: `<p>${'Word '.repeat(2_000)}</p>`,
    }))
    const environment = testEnvironment()
    const run = await runToolInput('fetch_page', JSON.stringify({ url: `${web.url}/a` }), environment)
    expect(run).toMatchObject({ ok: true, error: null, truncated: false })
    expect(run.text).toContain('Part 1 of 1')
    expect(run.events.map(event => event.type)).toEqual(['tool-called', 'budget-charged', 'tool-answered'])
    for (const event of run.events) expect(eventBodySchema.parse(event)).toEqual(event)
    const again = await runToolInput('fetch_page', JSON.stringify({ url: `${web.url}/a` }), environment)
    expect(again.events.map(event => event.type)).toEqual(['tool-called', 'tool-answered'])
  })

  it.each([
    ['{"url": ', 'not JSON'],
    ['', 'not JSON'],
    ['[1]', 'not a JSON object'],
    ['"https://a.example"', 'not a JSON object'],
    ['null', 'not a JSON object'],
    ['{}', 'url'],
    ['{"url": 5}', 'complete URL'],
    ['{"url": "https://a.example", "part": "two"}', 'part'],
  ])('reports what is wrong with the input %s', async (input, words) => {
    const run = await runToolInput('fetch_page', input, testEnvironment())
    expect(run).toMatchObject({ ok: false, truncated: false })
    expect(run.error).toMatch(/^bad-input: /)
    expect(run.text).toContain(words)
    expect(run.events.at(-1)).toMatchObject({ type: 'tool-failed', errorClass: 'bad-input' })
  })

  it('explains that a service refused the key', async () => {
    web = await localWeb(() => ({ status: 403, body: '{"message":"Unauthorized."}' }))
    const run = await runToolInput('web_search', '{"queries":["q"]}', testEnvironment({ searchUrl: web.url }))
    expect(run).toMatchObject({ ok: false, error: expect.stringMatching(/^auth: .*key/) })
  })

  it('records retries and the final failure', async () => {
    web = await localWeb(() => ({ status: 500 }))
    const run = await runToolInput('fetch_page', JSON.stringify({ url: web.url }), testEnvironment())
    expect(run.events.map(event => event.type)).toEqual([
      'tool-called',
      'budget-charged',
      'provider-retried',
      'budget-charged',
      'provider-retried',
      'budget-charged',
      'tool-failed',
    ])
    expect(run.events.at(-1)).toMatchObject({ errorClass: 'http-status', infrastructure: true })
  })

  it('rejects an unknown tool', async () => {
    await expect(runToolInput('fetch_pages', '{}', testEnvironment())).rejects.toMatchObject({
      name: 'ConfigError',
      code: 'unknown-tool',
    })
  })
})
