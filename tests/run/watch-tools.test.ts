import { expect, it } from 'vitest'
import type { EventBody } from '../../logs/events.ts'
import { watchAttempt } from '../../src/run/attempt/watch.ts'

const called = (callId: string, tool: string, args: unknown): EventBody => ({
  type: 'tool-called',
  callId,
  tool,
  args,
})
const answered = (callId: string, tool: string): EventBody => ({
  type: 'tool-answered',
  callId,
  tool,
  text: { text: '' },
  truncated: false,
  observations: [],
  wallMs: 1,
})
const failed = (callId: string, tool: string, errorClass: string): EventBody => ({
  type: 'tool-failed',
  callId,
  tool,
  errorClass,
  message: 'm',
  infrastructure: false,
  wallMs: 1,
})

it('counts calls by tool and error class, and records the addresses that returned nothing', () => {
  const watch = watchAttempt({ emit: () => undefined, close: async () => undefined })
  expect(watch.toolFailures()).toEqual({})
  const events: EventBody[] = [
    called('1', 'web_search', { queries: ['a'] }),
    answered('1', 'web_search'),
    called('2', 'fetch_page', { url: 'http://a.example/' }),
    failed('2', 'fetch_page', 'timeout'),
    called('3', 'read_pdf', { url: 'http://b.example/' }),
    { type: 'budget-charged', kind: 'fetchCalls', amount: 1, total: 1, what: 'fetch: http://b.example/' },
    answered('3', 'read_pdf'),
    // Reading on in a fetched page costs nothing and is no fetch.
    called('3b', 'read_pdf', { url: 'http://b.example/', pages: '2' }),
    answered('3b', 'read_pdf'),
    called('4', 'read_pdf', { url: 'http://c.example/' }),
    failed('4', 'read_pdf', 'budget'),
    called('5', 'no_such_tool', {}),
    failed('5', 'no_such_tool', 'bad-input'),
  ]
  for (const [step, event] of events.entries()) watch.tell(step, event)
  expect(watch.toolFailures()).toEqual({
    toolFailures: { search: { calls: 1, failed: {} }, fetch: { calls: 2, failed: { timeout: 1 } } },
  })
  expect(watch.failedFetches).toEqual([
    { step: 3, url: 'http://a.example/' },
    { step: 10, url: 'http://c.example/' },
  ])
})
