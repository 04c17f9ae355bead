import { describe, expect, it } from 'vitest'
import { systemClock } from '../../src/core/runtime.ts'
import { completion, type Play, send } from '../models/openai-server.ts'
import { document, page, table } from './harness.ts'
import {
  asks,
  attempt,
  expectWellFormed,
  fails,
  ok,
  opens,
  type Protocol,
  type Setup,
  searchFor,
} from './server-attempt.ts'

/** Every termination reason that a server can cause. Native tools and tools through text must have the same result. */
const cases: readonly (readonly [reason: string, cause: string, (protocol: Protocol) => Play, Setup?])[] = [
  [
    'answered',
    'agent',
    protocol => (_request, response, index) =>
      ok(response, index === 0 ? asks(protocol, searchFor('a')) : completion({ content: table })),
  ],
  [
    'answered-without-table',
    'agent',
    () => (_request, response) => ok(response, completion({ content: 'Nothing found.' })),
  ],
  ['refused', 'agent', () => (_request, response) => ok(response, completion({ refusal: 'I cannot help.' }))],
  [
    'no-progress',
    'agent',
    protocol => (_request, response) => ok(response, asks(protocol, searchFor('same'))),
  ],
  [
    'tokens',
    'budget',
    protocol => (_request, response, index) => ok(response, asks(protocol, searchFor(`q${index}`))),
    { caps: { tokens: 8_000 } },
  ],
  [
    'cost',
    'budget',
    protocol => (_request, response, index) => ok(response, asks(protocol, searchFor(`q${index}`))),
    { caps: { usd: 0.01 }, options: { prices: { fake: { input: 1, cachedInput: 1, output: 2 } } } },
  ],
  [
    'model-calls',
    'budget',
    protocol => (_request, response, index) => ok(response, asks(protocol, searchFor(`q${index}`))),
    { caps: { modelCalls: 4 } },
  ],
  [
    'search-calls',
    'budget',
    protocol => (_request, response, index) => ok(response, asks(protocol, searchFor(`q${index}`))),
    { caps: { searchCalls: 2 } },
  ],
  [
    'fetch-calls',
    'budget',
    protocol => (_request, response, index) => ok(response, asks(protocol, opens(`http://x.test/${index}`))),
    { caps: { fetchCalls: 2 } },
  ],
  ['wall-clock', 'budget', () => () => undefined, { caps: { wallMs: 200 }, clock: systemClock }],
  [
    'context-window',
    'budget',
    () =>
      fails(400, "This model's maximum context length is 8192 tokens.", { code: 'context_length_exceeded' }),
  ],
  [
    'output-limit',
    'budget',
    () => (_request, response) =>
      ok(
        response,
        completion(
          {},
          {
            choices: [
              {
                index: 0,
                finish_reason: 'length',
                message: { role: 'assistant', content: '```csv\na,b\n1,' },
              },
            ],
          },
        ),
      ),
  ],
  ['rate-limited', 'provider', () => fails(429, 'Rate limit reached, try again in 20ms')],
  ['unavailable', 'provider', () => fails(503, 'overloaded')],
  ['timeout', 'provider', () => () => undefined, { options: { requestTimeoutMs: 40 } }],
  ['auth', 'provider', () => fails(401, 'Incorrect API key provided')],
  [
    'content-filter',
    'provider',
    () => (_request, response) =>
      ok(
        response,
        completion(
          { content: '' },
          {
            choices: [
              { index: 0, finish_reason: 'content_filter', message: { role: 'assistant', content: '' } },
            ],
          },
        ),
      ),
  ],
  [
    'bad-response',
    'provider',
    () => (_request, response) =>
      send(response, 200, '<html>Welcome</html>', { 'content-type': 'text/html' }),
  ],
]

describe.each(['native', 'text'] as const)('an OpenAI-compatible server with %s tools', protocol => {
  it.each(cases.map(one => [one[0], one] as const))(
    'ends as %s',
    async (_reason, [reason, cause, play, setup = {}]) => {
      const { termination } = await attempt(play(protocol), {
        ...setup,
        options: { toolProtocol: protocol, ...setup.options },
      })
      expect({ cause: termination.cause, reason: termination.reason }).toEqual({ cause, reason })
    },
  )

  it('survives thirty parallel calls', async () => {
    const urls = Array.from({ length: 30 }, (_, index) => `http://x.test/${index}`)
    const { termination, usage, seen } = await attempt(
      (_request, response, index) =>
        ok(response, index === 0 ? asks(protocol, ...urls.map(opens)) : completion({ content: table })),
      { options: { toolProtocol: protocol } },
    )
    expect(termination).toMatchObject({ reason: 'answered' })
    expect(usage.fetchCalls).toBe(30)
    const sent = JSON.stringify(seen[1]!.body.messages)
    for (const url of urls) expect(sent).toContain(`text of ${url}`)
  })

  it('recovers from a 429 with Retry-After, a 500 and a reset connection', async () => {
    const { termination, usage, of } = await attempt(
      (_request, response, index) => {
        if (index === 0) send(response, 429, { error: { message: 'slow down' } }, { 'retry-after': '1' })
        else if (index === 1) send(response, 500, 'oops')
        else if (index === 2) response.destroy()
        else ok(response, completion({ content: table }))
      },
      { options: { toolProtocol: protocol } },
    )
    expect(termination).toMatchObject({ reason: 'answered' })
    expect(usage.modelCalls).toBe(4)
    expect(of('provider-retried').map(({ reason, waitMs }) => [reason, waitMs])).toEqual([
      ['rate-limited', 1_000],
      ['unavailable', 1_000],
      ['unavailable', 2_000],
    ])
  })

  const stoppedBy = (finish_reason: string) =>
    completion(
      {},
      { choices: [{ index: 0, finish_reason, message: { role: 'assistant', content: 'Half an' } }] },
    )

  it.each(['content_filter', 'sensitive'])(
    'charges for an answer that its content filter stopped with %s',
    async reason => {
      const { termination, usage, of } = await attempt(
        (_request, response) => ok(response, stoppedBy(reason)),
        {
          caps: { tokens: 20_000 },
          options: { toolProtocol: protocol, prices: { fake: { input: 1, cachedInput: 1, output: 2 } } },
        },
      )
      expect(termination).toMatchObject({
        cause: 'provider',
        reason: 'content-filter',
        answerProduced: false,
      })
      expect(usage).toMatchObject({ modelCalls: 1, inputTokens: 11, outputTokens: 7, usd: 25e-6 })
      expect(of('model-answered')).toMatchObject([
        { finishReason: 'content_filter', text: { text: 'Half an' } },
      ])
      expect(of('budget-charged').filter(event => event.kind === 'tokens')).toMatchObject([{ total: 18 }])
    },
  )

  it.each(['error', 'abort', 'insufficient_system_resource', 'network_error'])(
    'charges for every answer that it interrupted with %s',
    async reason => {
      const { termination, usage, of } = await attempt(
        (_request, response, index) =>
          ok(response, index === 0 ? stoppedBy(reason) : completion({ content: table })),
        { caps: { tokens: 20_000 }, options: { toolProtocol: protocol } },
      )
      expect(termination).toMatchObject({ reason: 'answered' })
      expect(usage).toMatchObject({ modelCalls: 2, inputTokens: 22, outputTokens: 14 })
      expect(of('provider-retried')).toMatchObject([{ reason: 'unavailable' }])
    },
  )

  it('ends the attempt immediately on a 429 for missing credit', async () => {
    const { termination, usage } = await attempt(
      fails(429, 'You exceeded your current quota, please check your plan and billing details.', {
        code: 'insufficient_quota',
      }),
      { options: { toolProtocol: protocol } },
    )
    expect(termination).toMatchObject({ cause: 'provider', reason: 'auth' })
    expect(usage.modelCalls).toBe(1)
  })

  it('cannot prolong an attempt with turns of only reasoning', async () => {
    const { termination, seen } = await attempt(
      (_request, response) => ok(response, completion({ content: '', reasoning_content: 'hm' })),
      { options: { toolProtocol: protocol } },
    )
    expect(termination).toMatchObject({ cause: 'agent', reason: 'no-progress' })
    expect(seen).toHaveLength(3)
  })

  it('cannot prolong an attempt with calls of unknown tools', async () => {
    const { termination, seen } = await attempt(
      (_request, response) => ok(response, asks(protocol, { name: 'browse', args: {} })),
      { options: { toolProtocol: protocol } },
    )
    expect(termination).toMatchObject({ cause: 'agent', reason: 'no-progress' })
    expect(seen).toHaveLength(5)
  })
})

describe('native tools', () => {
  it('report invalid arguments to the model a limited number of times, in requests that the API accepts', async () => {
    const broken = completion({
      tool_calls: [
        { id: 'x', type: 'function', function: { name: 'web_search', arguments: '{"queries": ["a"' } },
      ],
    })
    const { termination, seen } = await attempt((_request, response) => ok(response, broken))
    expect(termination).toMatchObject({ cause: 'agent', reason: 'no-progress' })
    expect(seen).toHaveLength(5)
    for (const { body } of seen) expectWellFormed(body.messages)
  })

  it('continue when one of two parallel calls is invalid, in requests that the API accepts', async () => {
    const mixed = completion({
      content: 'I look.',
      tool_calls: [
        { id: 'x', type: 'function', function: { name: 'web_search', arguments: '{"queries": ["a"]}' } },
        { id: 'x', type: 'function', function: { name: 'fetch_page', arguments: '{"url": ' } },
      ],
    })
    const { termination, seen } = await attempt((_request, response, index) =>
      ok(response, index < 2 ? mixed : completion({ content: table })),
    )
    expect(termination).toMatchObject({ reason: 'answered' })
    for (const { body } of seen) expectWellFormed(body.messages)
  })

  it('are offered through text once a server has refused them', async () => {
    const { termination, seen, answerText } = await attempt((request, response, index) => {
      if (request.body.tools !== undefined)
        send(response, 400, { error: { message: 'registry/fake does not support tools' } })
      else
        ok(
          response,
          index === 1 ? asks('text', searchFor('a')) : completion({ content: `<answer>${table}</answer>` }),
        )
    })
    expect(termination).toMatchObject({ cause: 'agent', reason: 'answered', lastHealthyStep: 2 })
    expect(answerText).toBe(table)
    expect(seen).toHaveLength(3)
  })

  it('are executed when a server without a parser leaves the calls in the text', async () => {
    const { termination, usage } = await attempt((_request, response, index) =>
      ok(
        response,
        index === 0 ? asks('text', searchFor('a'), opens('http://x.test/')) : completion({ content: table }),
      ),
    )
    expect(termination).toMatchObject({ reason: 'answered' })
    expect(usage).toMatchObject({ searchCalls: 1, fetchCalls: 1 })
  })

  it('are stopped by the wall-clock budget while a page is slow', async () => {
    const slow = page(() => new Promise<string>(() => undefined))
    const { termination } = await attempt(
      (_request, response, index) =>
        ok(response, index === 0 ? asks('native', opens('http://x.test/')) : completion({ content: table })),
      { caps: { wallMs: 3_000 }, clock: systemClock, makeTools: [slow] as never },
    )
    expect(termination).toMatchObject({
      cause: 'budget',
      reason: 'wall-clock',
      forcedFinal: true,
      answerProduced: true,
    })
  })
})

describe('offline and rag over HTTP', () => {
  const long = async () => [document('a.pdf', 'revenue 1,234 of the year\n'.repeat(8_000))]

  it('cut a prompt again when the server counts more tokens', async () => {
    const { termination, seen, context, of } = await attempt(
      (_request, response, index) =>
        index < 2
          ? send(response, 400, {
              error: { message: 'maximum context length is 20000 tokens', code: 'context_length_exceeded' },
            })
          : ok(response, completion({ content: table })),
      { name: 'offline', documents: long, options: { contextWindow: 32_000 } },
    )
    expect(termination).toMatchObject({ cause: 'agent', reason: 'answered' })
    expect(seen).toHaveLength(3)
    const sizes = seen.map(({ body }) => JSON.stringify(body.messages).length)
    expect(sizes[2]!).toBeLessThan(sizes[0]! * 0.65)
    expect(of('context-cut').at(-1)!.documents[0]!.charsInPrompt).toBe(context!.documents[0]!.charsInPrompt)
  })

  it.each(['offline', 'rag'] as const)(
    'end as budget / context-window when the server accepts no size: %s',
    async name => {
      const { termination, seen } = await attempt(
        fails(400, 'prompt is too long', { code: 'context_length_exceeded' }),
        { name, documents: long },
      )
      expect(termination).toMatchObject({ cause: 'budget', reason: 'context-window', answerProduced: false })
      expect(seen.length).toBeLessThanOrEqual(4)
    },
  )

  it('send the remaining budget as max_tokens, so that the answer cannot exceed it', async () => {
    const { seen, usage } = await attempt(
      (request, response) => {
        const most = Number(request.body.max_completion_tokens ?? request.body.max_tokens)
        ok(
          response,
          completion(
            { content: table },
            { usage: { prompt_tokens: 400, completion_tokens: most, total_tokens: 400 + most } },
          ),
        )
      },
      { name: 'offline', caps: { tokens: 3_000 } },
    )
    const sent = Number(seen[0]!.body.max_completion_tokens ?? seen[0]!.body.max_tokens)
    expect(sent).toBeGreaterThan(1_000)
    expect(usage.inputTokens! + usage.outputTokens!).toBeLessThanOrEqual(3_000)
  })
})
