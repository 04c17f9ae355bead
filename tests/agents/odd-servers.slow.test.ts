import type { ServerResponse } from 'node:http'
import { describe, expect, it } from 'vitest'
import { completion, type Play, send } from '../models/openai-server.ts'
import { table } from './harness.ts'
import {
  type Asked,
  asks,
  attempt,
  expectWellFormed,
  ok,
  opens,
  type Protocol,
  searchFor,
} from './server-attempt.ts'

type Completion = ReturnType<typeof completion>
type Fields = Record<string, unknown>

/** Answers with a search first and then with the table. `send` writes each response. */
const searchThenAnswer =
  (protocol: Protocol, put: (response: ServerResponse, body: Completion) => void): Play =>
  (_request, response, index) =>
    put(response, index === 0 ? asks(protocol, searchFor('a')) : completion({ content: table }))

const messageOf = (body: Completion) => body.choices[0]!.message as Fields
/** Returns a completion with a changed message. */
const withMessage =
  (change: (message: Fields) => void) =>
  (response: ServerResponse, body: Completion): void => {
    change(messageOf(body))
    ok(response, body)
  }
const withChoice =
  (more: Fields) =>
  (response: ServerResponse, body: Completion): void => {
    Object.assign(body.choices[0]!, more)
    ok(response, body)
  }

/** Returns a completion as a stream of chunks with a few characters each. */
function stream(body: Completion, { finish = true, done = true } = {}): string {
  const message = messageOf(body)
  const chunk = (delta: Fields, finish_reason: string | null = null) =>
    `data: ${JSON.stringify({ id: 'x', object: 'chat.completion.chunk', choices: [{ index: 0, delta, finish_reason }] })}\n\n`
  const pieces = (text: unknown) => (typeof text === 'string' ? (text.match(/[\s\S]{1,7}/g) ?? []) : [])
  const calls = (message.tool_calls ?? []) as { id: string; function: { name: string; arguments: string } }[]
  return [
    ': keep-alive\n\n',
    chunk({ role: 'assistant', content: '' }),
    ...pieces(message.content).map(content => chunk({ content })),
    ...calls.flatMap((call, index) => [
      chunk({
        tool_calls: [{ index, id: call.id, type: 'function', function: { name: call.function.name } }],
      }),
      ...pieces(call.function.arguments).map(part =>
        chunk({ tool_calls: [{ index, function: { arguments: part } }] }),
      ),
    ]),
    finish ? chunk({}, 'stop') : '',
    `data: ${JSON.stringify({ choices: [], usage: body.usage })}\n\n`,
    done ? 'data: [DONE]\n\n' : '',
  ].join('')
}
const eventStream = { 'content-type': 'text/event-stream' }

/** Unusual responses that must be understood: each attempt executes a search and ends with answered. */
const harmless: readonly (readonly [
  what: string,
  put: (response: ServerResponse, body: Completion) => void,
])[] = [
  ['streams without being asked to', (r, body) => send(r, 200, stream(body), eventStream)],
  ['streams with the content type of JSON', (r, body) => send(r, 200, stream(body))],
  [
    'sends the whole message in one event',
    (r, body) => send(r, 200, `data: ${JSON.stringify(body)}\n\ndata: [DONE]\n\n`, eventStream),
  ],
  ['returns JSON as text/html', (r, body) => send(r, 200, body, { 'content-type': 'text/html' })],
  ['returns no content type', (r, body) => send(r, 200, body, { 'content-type': '' })],
  ['pads its JSON with blank lines', (r, body) => send(r, 200, `\n \n${JSON.stringify(body)}\n\n`)],
  ['begins with a byte order mark', (r, body) => send(r, 200, `\ufeff${JSON.stringify(body)}`)],
  ['returns no usage', (r, { usage: _usage, ...body }) => ok(r, body)],
  [
    'returns usage as text with invalid details',
    (r, body) =>
      ok(r, { ...body, usage: { prompt_tokens: '11', completion_tokens: '7', prompt_tokens_details: [] } }),
  ],
  ['returns invalid usage', (r, body) => ok(r, { ...body, usage: 'plenty' })],
  [
    'returns negative usage',
    (r, body) => ok(r, { ...body, usage: { prompt_tokens: -5, completion_tokens: -1 } }),
  ],
  ['returns no role', withMessage(message => delete message.role)],
  ['returns no id, model, object and time', (r, { choices }) => ok(r, { choices })],
  [
    'returns several choices',
    (r, body) => ok(r, { ...body, choices: [...body.choices, { index: 1, message: {} }] }),
  ],
  ['returns no finish reason', withChoice({ finish_reason: null })],
  ['returns an unknown finish reason', withChoice({ finish_reason: 'eos_token' })],
  ['returns its finish reason as an object', withChoice({ finish_reason: { type: 'stop', matched: 2 } })],
  ['returns tool_calls as the finish reason of every turn', withChoice({ finish_reason: 'tool_calls' })],
  [
    'returns content in parts',
    withMessage(message => {
      if (typeof message.content === 'string')
        message.content = [{ type: 'text', text: message.content.slice(0, 9) }, message.content.slice(9)]
    }),
  ],
  [
    'returns an empty refusal, empty reasoning and an empty list of calls with its content',
    withMessage(message => Object.assign(message, { refusal: '', reasoning: null, reasoning_content: '' })),
  ],
  ['returns false as the refusal', withMessage(message => Object.assign(message, { refusal: false }))],
  [
    'returns reasoning as an object',
    withMessage(message => Object.assign(message, { reasoning: { text: 'hm' } })),
  ],
  [
    'writes its reasoning into the content',
    withMessage(message => {
      message.content = `<think>first a, then b</think>${String(message.content ?? '')}`
    }),
  ],
]

describe.each(['native', 'text'] as const)('an unusual server with %s tools', protocol => {
  it.each(harmless)('is understood when it %s', async (_what, put) => {
    const { termination, usage, answerText, seen } = await attempt(searchThenAnswer(protocol, put), {
      options: { toolProtocol: protocol },
    })
    expect(termination).toMatchObject({ cause: 'agent', reason: 'answered' })
    expect(answerText).toBe(table)
    expect(usage).toMatchObject({ searchCalls: 1, modelCalls: 2 })
    if (protocol === 'native') expectWellFormed(seen[1]!.body.messages)
  })

  it.each([
    ['a call of a tool named answer', { name: 'answer', args: { csv: table } }],
    [
      'an answer whose reasons come first',
      { name: 'answer', args: { why: 'It is so, said a.pdf.', result: { csv: table } } },
    ],
    ['a call of final_answer with any argument name', { name: 'final_answer', args: { table } }],
  ] satisfies [string, Asked][])('ends the attempt after %s', async (_what, call) => {
    const { termination, answerText } = await attempt(
      (_request, response) => ok(response, asks(protocol, call)),
      { options: { toolProtocol: protocol } },
    )
    expect(termination).toMatchObject({ cause: 'agent', reason: 'answered' })
    expect(answerText).toBe(table)
  })

  it('accepts a call of a tool named answer as the forced final answer', async () => {
    const answer = { name: 'answer', args: { csv: table } }
    const { termination, answerText } = await attempt(
      (_request, response, index) =>
        ok(response, index < 2 ? asks(protocol, searchFor(`q${index}`)) : asks(protocol, answer)),
      { caps: { modelCalls: 3 }, options: { toolProtocol: protocol } },
    )
    expect(termination).toMatchObject({ reason: 'model-calls', forcedFinal: true, answerProduced: true })
    expect(answerText).toBe(table)
  })

  it.each([
    [
      'a stream that breaks off',
      200,
      (body: Completion) => stream(body, { finish: false, done: false }),
      'unavailable',
      5,
    ],
    [
      'an answer that it broke off itself',
      200,
      (body: Completion) => withFinish(body, 'error'),
      'unavailable',
      5,
    ],
    ['an aborted answer', 200, (body: Completion) => withFinish(body, 'abort'), 'unavailable', 5],
    ['an error inside the choice', 200, (body: Completion) => withError(body, 502), 'unavailable', 5],
    [
      'an error inside the choice for lack of credit',
      200,
      (body: Completion) => withError(body, 402),
      'auth',
      1,
    ],
    [
      'an error inside a stream',
      200,
      () => 'data: {"error": {"code": 401, "message": "bad key"}}\n\n',
      'auth',
      1,
    ],
    [
      'an error object of its own',
      200,
      () => ({ object: 'error', message: 'overloaded', code: 503 }),
      'unavailable',
      5,
    ],
    ['HTML with the status 503', 503, () => '<html><body>Maintenance</body></html>', 'unavailable', 5],
    ['a non-standard overload status', 529, () => ({ error: { message: 'Overloaded' } }), 'unavailable', 5],
    ['a gateway’s timeout page', 524, () => '<html>A timeout occurred</html>', 'timeout', 5],
    ['half a JSON object', 200, (body: Completion) => JSON.stringify(body).slice(0, 60), 'unavailable', 5],
    ['an empty answer', 200, () => '', 'unavailable', 5],
    ['null', 200, () => 'null', 'bad-response', 1],
    ['a list', 200, () => '[]', 'bad-response', 1],
    ['a choice without a message', 200, () => ({ choices: [{ words: 'old ways' }] }), 'bad-response', 1],
    ['no choices', 200, (body: Completion) => ({ ...body, choices: [] }), 'unavailable', 5],
    ['an empty stream', 200, () => 'data: [DONE]\n\n', 'unavailable', 5],
    ['its list of models', 200, () => ({ object: 'list', data: [{ id: 'fake' }] }), 'bad-response', 1],
    ['an HTML page', 200, () => '<!doctype html><title>Ollama is running</title>', 'bad-response', 1],
    ['a redirect to a login', 302, () => 'Found', 'bad-response', 1],
    ['a missing model', 404, () => ({ error: { message: 'model not found' } }), 'bad-response', 1],
    ['a rate limit with an unusual message', 429, () => 'Too many requests', 'rate-limited', 5],
    ['a rate limit without a message', 429, () => '', 'rate-limited', 5],
    ['a used-up balance', 402, () => '', 'auth', 1],
    ['no credit under 429', 429, () => ({ error: { message: 'Your credit balance is too low' } }), 'auth', 1],
    [
      'a Chinese provider’s empty account',
      429,
      () => ({ error: { message: '账户余额不足，请充值' } }),
      'auth',
      1,
    ],
    ['a forbidden region', 403, () => ({ error: { message: 'Country not supported' } }), 'auth', 1],
    [
      'a filtered prompt',
      400,
      () => ({ error: { code: 'content_filter', message: 'filtered' } }),
      'content-filter',
      1,
    ],
  ] as const)('ends with a provider failure on %s', async (_what, status, bodyOf, reason, asked) => {
    const { termination, seen } = await attempt(
      (_request, response) => {
        const body = bodyOf(completion({ content: table }))
        send(response, status, body, status === 302 ? { location: '/login' } : {})
      },
      { options: { toolProtocol: protocol } },
    )
    expect(termination).toMatchObject({ cause: 'provider', reason, answerProduced: false })
    expect(seen).toHaveLength(asked)
  })

  it('reads the text of a choice in the form of old completions', async () => {
    const { answerText } = await attempt(
      (_request, response) => ok(response, { choices: [{ text: table, finish_reason: 'stop' }] }),
      { options: { toolProtocol: protocol } },
    )
    expect(answerText).toBe(table)
  })

  it('ends with refused when a content part is a refusal', async () => {
    const content = [{ type: 'refusal', refusal: 'I will not.' }]
    const { termination } = await attempt((_r, response) => ok(response, completion({ content })), {
      options: { toolProtocol: protocol },
    })
    expect(termination).toMatchObject({ cause: 'agent', reason: 'refused' })
  })

  it('ends with output-limit when every answer is cut before its text begins', async () => {
    const cut = completion({ content: null, reasoning_content: 'I think and think' })
    const { termination, seen } = await attempt((_r, response) => ok(response, withFinish(cut, 'length')), {
      options: { toolProtocol: protocol },
    })
    expect(termination).toMatchObject({ cause: 'budget', reason: 'output-limit', answerProduced: false })
    expect(seen.length).toBeLessThanOrEqual(3)
  })

  it('is not read forever when its response has no end', async () => {
    const { termination } = await attempt(
      (_request, response) => {
        response.writeHead(200, { 'content-type': 'application/json' })
        const part = Buffer.alloc(1_000_000, 32)
        const more = (): void => {
          while (response.writable && response.write(part));
          if (response.writable) response.once('drain', more)
        }
        more()
      },
      { options: { toolProtocol: protocol } },
    )
    expect(termination).toMatchObject({ cause: 'provider', reason: 'bad-response' })
  })

  it('ends with timeout when its responses stall', async () => {
    const { termination, seen } = await attempt(
      (_request, response) => {
        response.writeHead(200, { 'content-type': 'application/json' })
        response.write('{"choices": [')
      },
      { options: { toolProtocol: protocol, requestTimeoutMs: 300 } },
    )
    expect(termination).toMatchObject({ cause: 'provider', reason: 'timeout' })
    expect(seen.length).toBeLessThanOrEqual(5)
  })

  it('cannot prolong an attempt with thirty equal calls per turn', async () => {
    const same = Array.from({ length: 30 }, () => searchFor('same'))
    const { termination, seen } = await attempt((_r, response) => ok(response, asks(protocol, ...same)), {
      options: { toolProtocol: protocol },
    })
    expect(termination).toMatchObject({ cause: 'agent', reason: 'no-progress' })
    expect(seen.length).toBeLessThanOrEqual(3)
    if (protocol === 'native') for (const { body } of seen) expectWellFormed(body.messages)
  })

  it('may report a rate limit, then an outage, and answer in the end', async () => {
    const { termination, usage } = await attempt(
      (_request, response, index) => {
        if (index === 0) send(response, 429, '', { 'retry-after': 'Wed, 21 Oct 2015 07:28:00 GMT' })
        else if (index === 1) send(response, 503, '<html>', { 'retry-after': 'soon' })
        else if (index === 2)
          send(response, 200, stream(completion({ content: 'x' }), { finish: false, done: false }))
        else ok(response, completion({ content: table }))
      },
      { options: { toolProtocol: protocol } },
    )
    expect(termination).toMatchObject({ cause: 'agent', reason: 'answered' })
    expect(usage.modelCalls).toBe(4)
  })
})

function withFinish(body: Completion, finish_reason: string): Completion {
  Object.assign(body.choices[0]!, { finish_reason })
  return body
}

function withError(body: Completion, code: number): Completion {
  Object.assign(body.choices[0]!, { error: { code, message: 'upstream failed' } })
  return body
}

describe('calls in unusual forms', () => {
  const args = JSON.stringify({ queries: ['a'] })
  it.each([
    ['old function_call', { function_call: { name: 'web_search', arguments: args } }],
    ['flat calls', { tool_calls: [{ id: 'x', name: 'web_search', arguments: args }] }],
    [
      'arguments as an object',
      { tool_calls: [{ id: 'x', function: { name: 'web_search', arguments: { queries: ['a'] } } }] },
    ],
    [
      'arguments encoded twice',
      { tool_calls: [{ id: 'x', function: { name: 'web_search', arguments: JSON.stringify(args) } }] },
    ],
    [
      'an id that is a number',
      { tool_calls: [{ id: 7, function: { name: 'web_search', arguments: args } }] },
    ],
    ['no id', { tool_calls: [{ function: { name: 'web_search', arguments: args } }] }],
  ])('are executed: %s', async (_what, message) => {
    const { termination, usage, seen } = await attempt((_request, response, index) =>
      ok(response, completion(index === 0 ? message : { content: table })),
    )
    expect(termination).toMatchObject({ reason: 'answered' })
    expect(usage.searchCalls).toBe(1)
    expectWellFormed(seen[1]!.body.messages)
  })

  it.each([
    ['null for arguments', [{ id: 'x', function: { name: 'web_search', arguments: 'null' } }]],
    ['a list for arguments', [{ id: 'x', function: { name: 'web_search', arguments: '["a"]' } }]],
    ['a number for arguments', [{ id: 'x', function: { name: 'web_search', arguments: '5' } }]],
    ['the wrong arguments', [{ id: 'x', function: { name: 'web_search', arguments: '{"query": "a"}' } }]],
    ['arguments of a wrong type', [{ id: 'x', function: { name: 'fetch_page', arguments: '{"url": 5}' } }]],
    ['no name', [{ id: 'x', function: { arguments: args } }]],
    ['no function', [{ id: 'x', type: 'function' }]],
    ['a call that is null', [null]],
    ['a call that is text', ['web_search']],
  ])('are reported to the model a limited number of times and never crash: %s', async (_what, tool_calls) => {
    const { termination, seen } = await attempt((_request, response) =>
      ok(response, completion({ tool_calls })),
    )
    expect(termination).toMatchObject({ cause: 'agent', reason: 'no-progress' })
    expect(seen.length).toBeGreaterThan(1)
    expect(seen.length).toBeLessThanOrEqual(6)
    for (const { body } of seen) expectWellFormed(body.messages)
  })

  it('parsed from text are executed as text calls', async () => {
    const { termination, usage, seen } = await attempt(
      (_request, response, index) =>
        ok(response, index === 0 ? asks('native', searchFor('a')) : completion({ content: table })),
      { options: { toolProtocol: 'text' } },
    )
    expect(termination).toMatchObject({ reason: 'answered' })
    expect(usage).toMatchObject({ searchCalls: 1, modelCalls: 2 })
    expect(JSON.stringify(seen[1]!.body.messages)).toContain('<tool_call>')
  })

  it.each(['', 'none', {}])('are ignored when the list is %j', async tool_calls => {
    const { termination } = await attempt((_request, response) =>
      ok(response, completion({ content: table, tool_calls })),
    )
    expect(termination).toMatchObject({ reason: 'answered' })
  })

  it('are kept apart when all of them have one id', async () => {
    const { seen, usage } = await attempt((_request, response, index) => {
      const call = (url: string) => ({
        id: 'call',
        type: 'function',
        function: { name: 'fetch_page', arguments: JSON.stringify({ url }) },
      })
      const tool_calls = [call(`http://x.test/${index}/1`), call(`http://x.test/${index}/2`)]
      ok(response, index < 3 ? completion({ tool_calls }) : completion({ content: table }))
    })
    expect(usage.fetchCalls).toBe(6)
    const last = JSON.stringify(seen.at(-1)!.body.messages)
    for (const turn of [0, 1, 2]) expect(last).toContain(`text of http://x.test/${turn}/2`)
    for (const { body } of seen) expectWellFormed(body.messages)
  })

  it('may be three hundred at once within the fetch budget', async () => {
    const urls = Array.from({ length: 300 }, (_, index) => `http://x.test/${index}`)
    const { termination, usage, seen } = await attempt(
      (_request, response, index) =>
        ok(response, index === 0 ? asks('native', ...urls.map(opens)) : completion({ content: table })),
      { caps: { fetchCalls: 100 } },
    )
    expect(termination).toMatchObject({ reason: 'answered' })
    expect(usage.fetchCalls).toBe(100)
    expectWellFormed(seen[1]!.body.messages)
  })
})
