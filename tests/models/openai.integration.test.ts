import { brotliCompressSync, deflateSync, gzipSync } from 'node:zlib'
import { AIMessage, HumanMessage, ToolMessage } from '@langchain/core/messages'
import { tool } from '@langchain/core/tools'
import { afterEach, describe, expect, it } from 'vitest'
import { z } from 'zod/v4'
import { ProviderError } from '../../src/core/errors.ts'
import { readUsage } from '../../src/models/message-usage.ts'
import type { ModelOptions } from '../../src/models/model-source.ts'
import { createModel } from '../../src/models/registry.ts'
import { completion, type Play, send, startOpenAiServer } from './openai-server.ts'

const attempt = { taskId: 't', setting: 'offline', trial: 0, seed: 42 }
const base: ModelOptions = { toolProtocol: 'auto', seed: 1, env: {}, contextWindow: 8_000 }
const closers: (() => Promise<void>)[] = []

afterEach(async () => {
  for (const close of closers.splice(0)) await close()
})

async function serve(play: Play, get?: Record<string, unknown>) {
  const server = await startOpenAiServer(play, get)
  closers.push(server.close)
  return server
}

const cutChunk = 'data: {"choices":[{"index":0,"delta":{"content":"Hot"}}]}\n\n'
const doneLine = 'data: [DONE]\n\n'

async function ask(play: Play, options: Partial<ModelOptions> = {}, cap: number | null = null) {
  const server = await serve(play)
  const source = await createModel(`openai:fake@${server.url}`, { ...base, ...options })
  const handle = source.forAttempt(attempt)
  const signal = new AbortController().signal
  const call = () => handle.call([new HumanMessage('hi')], { tools: [], maxOutputTokens: cap, signal })
  return { server, handle, call }
}

const failure = async (work: Promise<unknown>): Promise<ProviderError> => {
  const error = await work.then(
    () => null,
    (reason: unknown) => reason,
  )
  expect(error).toBeInstanceOf(ProviderError)
  return error as ProviderError
}

const search = tool(async () => 'found', {
  name: 'web_search',
  description: 'Searches',
  schema: z.object({ queries: z.array(z.string()) }),
})

describe('an OpenAI request', () => {
  it('sends temperature, top_p, the seed of the attempt and the smaller output cap', async () => {
    const { server, call } = await ask(
      (_request, response) => send(response, 200, completion({ content: 'ok' })),
      { temperature: 0, topP: 0.5, maxOutputTokens: 900, reasoningEffort: 'low' },
      123,
    )
    await call()
    expect(server.seen[0]!.body).toMatchObject({
      model: 'fake',
      temperature: 0,
      top_p: 0.5,
      seed: 42,
      max_tokens: 123,
      reasoning_effort: 'low',
    })
    expect(server.seen[0]!.body.stream ?? false).toBe(false)
  })

  it.each([
    ['openai:fake', {}, undefined],
    ['openai:Qwen/Qwen2.5-7B-Instruct', {}, 0.7],
    ['openai:Qwen/Qwen2.5-7B-Instruct', { temperature: 0 }, 0],
    ['openai:gpt-oss-20b', {}, undefined],
    ['openai:fake', { temperature: 0.2 }, 0.2],
  ])('of %s with %j has temperature %s, and the manifest says so', async (name, options, sent) => {
    const server = await serve((_request, response) => send(response, 200, completion({ content: 'ok' })))
    const source = await createModel(`${name}@${server.url}`, { ...base, ...options })
    const { signal } = new AbortController()
    await source
      .forAttempt(attempt)
      .call([new HumanMessage('hi')], { tools: [], maxOutputTokens: null, signal })
    expect(server.seen[0]!.body.temperature).toBe(sent)
    expect(source.describe().temperature).toBe(sent ?? null)
  })

  it('of a reasoning model of OpenAI has no temperature, and the manifest says so', async () => {
    const options = { ...base, temperature: 0.5, topP: 0.5, env: { OPENAI_API_KEY: 'sk-test' } }
    const source = await createModel('openai:gpt-5-mini', options)
    expect(source.describe()).toMatchObject({ temperature: null, topP: null })
  })

  it('has the additional fields, also when an agent has written it', async () => {
    const requestFields = { presence_penalty: 1.1, chat_template_kwargs: { enable_thinking: false } }
    const { server, handle, call } = await ask(
      (_request, response) => send(response, 200, completion({ content: 'ok' })),
      { requestFields },
    )
    await call()
    expect(server.seen[0]!.body).toMatchObject(requestFields)
    const { signal } = new AbortController()
    const written = { presence_penalty: 0, chat_template_kwargs: { own: 1 } }
    const request = {
      dialect: 'chat-completions',
      body: written,
      isStreamed: false,
      headers: {},
      signal,
    } as const
    const { body } = await handle.server!.send(request)
    for await (const _bytes of body);
    expect(server.seen[1]!.body).toEqual({
      presence_penalty: 1.1,
      chat_template_kwargs: { own: 1, enable_thinking: false },
    })
  })

  it('has the output cap of its own call', async () => {
    const server = await serve((_request, response) => send(response, 200, completion({ content: 'ok' })))
    const handle = (await createModel(`openai:fake@${server.url}`, base)).forAttempt(attempt)
    const { signal } = new AbortController()
    for (const cap of [10, 20, null]) {
      await handle.call([new HumanMessage('hi')], { tools: [], maxOutputTokens: cap, signal })
    }
    expect(server.seen.map(one => one.body.max_tokens)).toEqual([10, 20, undefined])
  })

  it('describes the tools, and all calls are returned, even thirty with one id', async () => {
    const calls = Array.from({ length: 30 }, (_, index) => ({
      id: 'same',
      function: { name: 'web_search', arguments: JSON.stringify({ queries: [`q${index}`] }) },
    }))
    const server = await serve((_request, response) => send(response, 200, completion({ tool_calls: calls })))
    const handle = (await createModel(`openai:fake@${server.url}`, base)).forAttempt(attempt)
    const answer = await handle.call([new HumanMessage('hi')], {
      tools: [search],
      maxOutputTokens: null,
      signal: new AbortController().signal,
    })
    expect(JSON.stringify(server.seen[0]!.body.tools)).toContain('"web_search"')
    expect(answer.tool_calls).toHaveLength(30)
    expect(new Set(answer.tool_calls?.map(one => one.id)).size).toBe(30)
    expect(answer.id).toBeUndefined()
  })

  it('sends the key as a bearer token, and no key when none is set', async () => {
    const play: Play = (_request, response) => send(response, 200, completion({ content: 'ok' }))
    const keyed = await ask(play, { env: { OPENAI_API_KEY: 'sk-test' } })
    await keyed.call()
    expect(keyed.server.seen[0]!.headers.authorization).toBe('Bearer sk-test')
  })
})

describe('the reasoning that led to a tool call', () => {
  it.each(['deepseek', 'openai'])('comes back with it to %s', async provider => {
    const asked = { name: 'web_search', arguments: '{"queries":["a"]}' }
    const server = await serve((_request, response) =>
      send(
        response,
        200,
        completion({
          reasoning_content: 'look it up',
          tool_calls: [{ id: 'c', type: 'function', function: asked }],
        }),
      ),
    )
    const source = await createModel(`${provider}:fake@${server.url}`, base)
    const handle = source.forAttempt(attempt)
    const options = { tools: [search], maxOutputTokens: null, signal: new AbortController().signal }
    const begun = [new HumanMessage('hi'), new AIMessage('before')]
    const answer = await handle.call(begun, options)
    await handle.call([...begun, answer, new ToolMessage({ content: 'x', tool_call_id: 'c' })], options)
    const messages = server.seen[1]!.body.messages as Record<string, unknown>[]
    expect(messages.map(message => message.reasoning_content)).toEqual([
      undefined,
      undefined,
      'look it up',
      undefined,
    ])
    expect(messages[2]).toMatchObject({ role: 'assistant', tool_calls: [{ id: 'c' }] })
  })
})

describe('an OpenAI answer', () => {
  it('keeps usage with cached and reasoning tokens', async () => {
    const usage = {
      prompt_tokens: 100,
      completion_tokens: 0,
      prompt_tokens_details: { cached_tokens: 64 },
      completion_tokens_details: { reasoning_tokens: 5 },
    }
    const { call } = await ask((_r, response) => send(response, 200, completion({ content: 'x' }, { usage })))
    expect(readUsage(await call())).toEqual({
      input_tokens: 100,
      // The server counts reasoning beside the completion.
      output_tokens: 5,
      total_tokens: 105,
      input_token_details: { cache_read: 64 },
      output_token_details: { reasoning: 5 },
    })
  })

  it('has cached tokens under the name that DeepSeek documents', async () => {
    const cache = { prompt_cache_hit_tokens: 64, prompt_cache_miss_tokens: 36 }
    const usage = { prompt_tokens: 100, completion_tokens: 9, total_tokens: 109, ...cache }
    const { call } = await ask((_r, response) => send(response, 200, completion({ content: 'x' }, { usage })))
    expect(readUsage(await call())).toMatchObject({ input_token_details: { cache_read: 64 } })
  })

  it('counts reasoning as output when the provider counts it only in the total', async () => {
    // An answer of grok-4 whose sum matches the bill of xAI. Gemini's endpoint reports only the total.
    const grok = { prompt_tokens: 10_120, completion_tokens: 1_499, total_tokens: 14_428 }
    for (const details of [{ completion_tokens_details: { reasoning_tokens: 2_809 } }, {}]) {
      const usage = { ...grok, ...details }
      const { call } = await ask((_r, response) =>
        send(response, 200, completion({ content: 'x' }, { usage })),
      )
      expect(readUsage(await call())).toMatchObject({ input_tokens: 10_120, output_tokens: 4_308 })
    }
    const gemini = { input_tokens: 7, output_tokens: 12, total_tokens: 515 }
    expect(readUsage(new AIMessage({ content: 'x', usage_metadata: gemini } as never))).toMatchObject({
      output_tokens: 508,
    })
  })

  it('has no usage when the server reports none', async () => {
    const { call } = await ask((_r, response) =>
      send(response, 200, completion({ content: 'x' }, { usage: undefined })),
    )
    expect(readUsage(await call())).toBeNull()
  })

  it('keeps the finish reason, the refusal and the reasoning', async () => {
    const messages = [
      { content: 'cut', finish: 'length' },
      { refusal: 'I will not', finish: 'stop' },
      { content: '', reasoning_content: 'hmm', finish: 'stop' },
    ]
    const { call } = await ask((_r, response, index) => {
      const { finish, ...message } = messages[index]!
      const body = completion(message)
      Object.assign(body.choices[0]!, { finish_reason: finish })
      send(response, 200, body)
    })
    expect((await call()).response_metadata.finish_reason).toBe('length')
    expect((await call()).additional_kwargs.refusal).toBe('I will not')
    expect((await call()).additional_kwargs.reasoning_content).toBe('hmm')
  })

  it('keeps invalid arguments as invalid calls and repairs an object, an empty text and a missing role', async () => {
    const call = (args: unknown) => ({ function: { name: 'web_search', arguments: args } })
    const { call: run } = await ask((_r, response) =>
      send(
        response,
        200,
        completion({
          role: undefined,
          tool_calls: [call('{"queries": ['), call({ queries: ['a'] }), call('')],
        }),
      ),
    )
    const answer = await run()
    expect(answer.invalid_tool_calls).toHaveLength(1)
    expect(answer.tool_calls?.map(one => one.args)).toEqual([{ queries: ['a'] }, {}])
  })
})

describe('a failure of the server', () => {
  const cases: [string, number, unknown, Record<string, string>, string, boolean, number | null][] = [
    [
      'a rate limit',
      429,
      { error: { message: 'slow down' } },
      { 'retry-after': '3' },
      'rate-limited',
      true,
      3000,
    ],
    [
      'a 429 for lack of credit',
      429,
      {
        error: {
          code: 'insufficient_quota',
          message: 'You exceeded your current quota, please check your plan and billing details',
        },
      },
      {},
      'auth',
      false,
      null,
    ],
    [
      'a rate limit that speaks of payment',
      429,
      {
        error: {
          message: 'Rate limit reached on tokens per min. Add a payment method to your billing account.',
        },
      },
      {},
      'rate-limited',
      true,
      null,
    ],
    [
      'a per-minute quota',
      429,
      { error: { message: 'Quota exceeded for requests per minute' } },
      {},
      'rate-limited',
      true,
      null,
    ],
    ['no credit', 402, { error: { message: 'Insufficient credits' } }, {}, 'auth', false, null],
    ['a bad key', 401, { error: { message: 'Incorrect API key provided' } }, {}, 'auth', false, null],
    ['a forbidden model', 403, { error: { message: 'no access' } }, {}, 'auth', false, null],
    ['a broken server', 500, { error: { message: 'boom' } }, {}, 'unavailable', true, null],
    ['an overloaded server', 503, 'overloaded', {}, 'unavailable', true, null],
    [
      'a gateway page with 502',
      502,
      '<html><h1>Bad gateway</h1></html>',
      { 'content-type': 'text/html' },
      'unavailable',
      true,
      null,
    ],
    ['a gateway timeout', 504, 'upstream timed out', {}, 'timeout', true, null],
    [
      'an unknown model',
      404,
      { error: { message: 'The model does not exist' } },
      {},
      'bad-response',
      false,
      null,
    ],
    ['a bad request', 400, { error: { message: 'bad field' } }, {}, 'bad-response', false, null],
    [
      'too long a prompt',
      400,
      {
        error: {
          code: 'context_length_exceeded',
          message: "This model's maximum context length is 8192 tokens",
        },
      },
      {},
      'context-window',
      false,
      null,
    ],
    [
      'too long a prompt for llama.cpp',
      400,
      {
        error: {
          type: 'exceed_context_size_error',
          message: 'the request exceeds the available context size',
        },
      },
      {},
      'context-window',
      false,
      null,
    ],
    [
      'a content filter',
      400,
      { error: { code: 'content_filter', message: 'The response was filtered' } },
      {},
      'content-filter',
      false,
      null,
    ],
    [
      'HTML with status 200',
      200,
      '<!doctype html><title>Welcome</title>',
      { 'content-type': 'text/html' },
      'bad-response',
      false,
      null,
    ],
    ['JSON that is not a completion', 200, { hello: 1 }, {}, 'bad-response', false, null],
    ['no choices', 200, completion({}, { choices: [] }), {}, 'unavailable', true, null],
    ['choices that are null', 200, completion({}, { choices: null }), {}, 'unavailable', true, null],
    [
      'no choices and an error',
      200,
      { choices: [], error: { message: 'Unauthorized: invalid api key' } },
      {},
      'auth',
      false,
      null,
    ],
    ['an empty body', 200, '', {}, 'unavailable', true, null],
    ['nothing but line breaks', 200, ' \n\n ', {}, 'unavailable', true, null],
    [
      'JSON that breaks off',
      200,
      '{"choices":[{"index":0,"message":{"content":"a',
      {},
      'unavailable',
      true,
      null,
    ],
    ['a stream of comments', 200, ': ping\n\n: ping\n\n', {}, 'unavailable', true, null],
    ['a page about a gateway', 200, '<h1>502 Bad Gateway</h1>', {}, 'unavailable', true, null],
    [
      'an event of an error',
      200,
      `${cutChunk}event: error\ndata: engine 7 is gone\n\n${doneLine}`,
      {},
      'unavailable',
      true,
      null,
    ],
    [
      'a line of an error',
      200,
      `${cutChunk}error: {"code":500,"message":"slot"}\n\n${doneLine}`,
      {},
      'unavailable',
      true,
      null,
    ],
    [
      'a chunk with a message',
      200,
      `${cutChunk}data: {"message":"rate limit reached"}\n\n${doneLine}`,
      {},
      'rate-limited',
      true,
      null,
    ],
    [
      'an end that is not known and no content',
      200,
      completion({}, { choices: [{ index: 0, finish_reason: 'evicted', message: { content: '' } }] }),
      {},
      'unavailable',
      true,
      null,
    ],
    [
      'an answer that was cancelled',
      200,
      completion({}, { choices: [{ index: 0, finish_reason: 'CANCELLED', message: { content: 'Hot' } }] }),
      {},
      'unavailable',
      true,
      null,
    ],
    [
      'an answer in a member that is not known',
      200,
      completion({}, { choices: [{ index: 0, finish_reason: 'stop', messages: [{ content: 'Hot' }] }] }),
      {},
      'bad-response',
      false,
      null,
    ],
    [
      'an upstream failure inside a 200',
      200,
      { error: { code: 429, message: 'rate limited upstream' } },
      {},
      'rate-limited',
      true,
      null,
    ],
    ['a redirect', 302, '', { location: 'http://127.0.0.1:9/elsewhere' }, 'bad-response', false, null],
  ]
  for (const [what, status, body, headers, reason, retryable, retryAfterMs] of cases) {
    it(`is ${reason}, ${retryable ? 'retryable' : 'not retryable'}, for ${what} after one request`, async () => {
      const { server, call } = await ask((_r, response) => send(response, status, body, headers))
      const error = await failure(call())
      expect({ reason: error.reason, retryable: error.retryable, wait: error.retryAfterMs }).toEqual({
        reason,
        retryable,
        wait: retryAfterMs,
      })
      expect(error.message).toContain('openai:fake')
      expect(server.seen).toHaveLength(1)
    })
  }

  it.each([
    ['gzip', gzipSync],
    ['x-gzip', gzipSync],
    ['br', brotliCompressSync],
    ['deflate', deflateSync],
  ])('is read from a body that is compressed with %s, as an answer is', async (encoding, compress) => {
    const { call } = await ask((_r, response, index) => {
      const body = index === 0 ? { error: { message: 'prompt is too long' } } : completion({ content: 'ok' })
      response.writeHead(index === 0 ? 400 : 200, { 'content-encoding': encoding })
      response.end(compress(JSON.stringify(body)))
    })
    expect((await failure(call())).reason).toBe('context-window')
    expect((await call()).text).toBe('ok')
  })

  it('reports the usage of an answer without choices', async () => {
    const { call } = await ask((_r, response) => send(response, 200, completion({}, { choices: [] })))
    const { answer } = await failure(call())
    expect(answer?.usage_metadata).toMatchObject({ input_tokens: 11, output_tokens: 7 })
  })

  it('is content-filter for a filtered answer', async () => {
    const body = completion({ content: '' })
    Object.assign(body.choices[0]!, { finish_reason: 'content_filter' })
    const { call } = await ask((_r, response) => send(response, 200, body))
    expect((await failure(call())).reason).toBe('content-filter')
  })

  it('is unavailable and retryable for a connection that is closed', async () => {
    const { call } = await ask((_r, response) => response.destroy())
    expect(await failure(call())).toMatchObject({ reason: 'unavailable', retryable: true })
  })

  it('is unavailable and retryable for an incomplete body', async () => {
    const { call } = await ask((_r, response) => {
      response.writeHead(200, { 'content-type': 'application/json', 'content-length': '5000' })
      response.write('{"choices": [')
      setTimeout(() => response.destroy(), 20)
    })
    expect(await failure(call())).toMatchObject({ reason: 'unavailable', retryable: true })
  })

  it('is unavailable for a port without a server', async () => {
    const server = await startOpenAiServer(() => undefined)
    await server.close()
    const handle = (await createModel(`openai:fake@${server.url}`, base)).forAttempt(attempt)
    const { signal } = new AbortController()
    const call = handle.call([new HumanMessage('hi')], { tools: [], maxOutputTokens: null, signal })
    expect(await failure(call)).toMatchObject({ reason: 'unavailable', retryable: true })
  })

  it('is a timeout for a server that never answers', async () => {
    const { call } = await ask(() => undefined, { requestTimeoutMs: 60 })
    expect(await failure(call())).toMatchObject({ reason: 'timeout', retryable: true })
  })

  it('rejects immediately with the reason of an abort', async () => {
    const server = await serve(() => undefined)
    const handle = (await createModel(`openai:fake@${server.url}`, base)).forAttempt(attempt)
    const controller = new AbortController()
    const reason = new Error('stopped by hand')
    const call = handle.call([new HumanMessage('hi')], {
      tools: [],
      maxOutputTokens: null,
      signal: controller.signal,
    })
    setTimeout(() => controller.abort(reason), 30)
    await expect(call).rejects.toBe(reason)
  })

  it('switches to tools as text for a server that refuses tools', async () => {
    const server = await serve((_r, response) =>
      send(response, 400, { error: { message: 'fake does not support tools' } }),
    )
    const source = await createModel(`openai:fake@${server.url}`, base)
    const handle = source.forAttempt(attempt)
    expect(handle.nativeTools).toBe(true)
    const { signal } = new AbortController()
    const error = await failure(
      handle.call([new HumanMessage('hi')], { tools: [search], maxOutputTokens: null, signal }),
    )
    expect(error.message).toContain('--tool-protocol text')
    expect(handle.nativeTools).toBe(false)
    expect(source.forAttempt(attempt).nativeTools).toBe(false)
  })
})

describe('creating a model', () => {
  it('finds the window and tool support of llama.cpp and the window of vLLM', async () => {
    const llama = await serve(() => undefined, {
      '/v1/models': { data: [{ id: 'other', owned_by: 'llamacpp', meta: { n_ctx_train: 99 } }] },
      '/props': {
        default_generation_settings: { n_ctx: 16_384 },
        chat_template_caps: { supports_tools: false },
      },
    })
    const { contextWindow: _none, ...withoutWindow } = base
    const source = await createModel(`openai:qwen@${llama.url}`, withoutWindow)
    expect(source.forAttempt(attempt)).toMatchObject({ contextWindow: 16_384, nativeTools: false })
    const vllm = await serve(() => undefined, {
      '/v1/models': { data: [{ id: 'qwen', max_model_len: 32_768 }] },
    })
    const other = await createModel('openai:qwen', { ...withoutWindow, baseUrl: vllm.url })
    expect(other.forAttempt(attempt)).toMatchObject({ contextWindow: 32_768, nativeTools: true })
  })

  it('names the flag when the window is unknown', async () => {
    const server = await serve(() => undefined)
    const { contextWindow: _none, ...withoutWindow } = base
    const named = (url: string) => createModel(`openai:qwen@${url}`, withoutWindow)
    const code = 'unknown-context-window'
    const names = (text: RegExp) => ({ code, message: expect.stringMatching(text) })
    await expect(named(server.url)).rejects.toMatchObject(names(/--context-window N/))
    await expect(named(server.url.replace('/v1', ''))).rejects.toMatchObject(names(/HTTP 404: .*\/v1/))
  })

  it('uses the window and price of a well-known model, and no price for an unknown one', async () => {
    const { contextWindow: _none, ...withoutWindow } = base
    const known = (
      await createModel('openai:gpt-4o-mini', { ...withoutWindow, env: { OPENAI_API_KEY: 'k' } })
    ).forAttempt(attempt)
    expect(known).toMatchObject({ contextWindow: 128_000, price: { input: 0.15, output: 0.6 } })
    const unknown = await createModel('openai:qwen@http://127.0.0.1:9/v1', base)
    expect(unknown.forAttempt(attempt).price).toBeNull()
    const priced = await createModel('openai:qwen@http://127.0.0.1:9/v1', {
      ...base,
      prices: { 'openai:qwen': { input: 1, cachedInput: 1, output: 2 } },
    })
    expect(priced.forAttempt(attempt).price?.output).toBe(2)
  })

  it('requires a key by the name of its variable, except for a model with a URL', async () => {
    await expect(createModel('openai:gpt-4o', base)).rejects.toMatchObject({
      code: 'missing-key',
      message: expect.stringContaining('OPENAI_API_KEY'),
    })
    await expect(
      createModel('openai:gpt-4o', { ...base, baseUrl: 'http://127.0.0.1:9/v1' }),
    ).resolves.toBeDefined()
  })

  it('names a package that is not installed and the most similar provider', async () => {
    await expect(
      createModel('anthropic:claude-sonnet-4-5', { ...base, env: { ANTHROPIC_API_KEY: 'k' } }),
    ).rejects.toMatchObject({
      code: 'missing-package',
      message: expect.stringContaining('npm install @langchain/anthropic'),
    })
    await expect(createModel('opanai:gpt-4o', base)).rejects.toMatchObject({
      code: 'unknown-model-provider',
      message: expect.stringContaining("'openai:gpt-4o'"),
    })
    await expect(createModel('openai', base)).rejects.toMatchObject({ code: 'missing-model-name' })
    await expect(createModel('openai:x@http://', base)).rejects.toMatchObject({ code: 'invalid-url' })
  })

  it('refuses an address without http:// after the @, but accepts other names with an @', async () => {
    const keyed = { ...base, env: { OPENAI_API_KEY: 'k' } }
    for (const meant of ['localhost:8000', 'ftp://h/v1', '10.0.0.7/v1', 'my.server.org/v1', 'gpu:80'])
      await expect(createModel(`openai:foo@${meant}`, keyed)).rejects.toMatchObject({ code: 'invalid-url' })
    for (const name of ['qwen@q4_k_m', 'claude@20240620', 'a@v1.0.2', '@cf/meta/llama-3.1-8b'])
      expect((await createModel(`openai:${name}`, keyed)).name).toBe(`openai:${name}`)
    const { contextWindow: _none, ...withoutWindow } = keyed
    const hint = /'notaurl' after the @/
    await expect(createModel('openai:foo@notaurl', base)).rejects.toThrow(hint)
    await expect(createModel('openai:foo@notaurl', withoutWindow)).rejects.toThrow(hint)
  })

  it('describes the model without secrets, and its name has no URL', async () => {
    const source = await createModel('openai:qwen@http://127.0.0.1:9/v1?key=hidden', {
      ...base,
      env: { OPENAI_API_KEY: 'sk-secret' },
    })
    expect(source.name).toBe('openai:qwen')
    expect(JSON.stringify(source.describe())).not.toMatch(/secret|hidden/)
  })

  it.each([
    'http://user:secret@127.0.0.1:9/v1',
    'http://token@127.0.0.1:9/v1',
    'http://:secret@127.0.0.1:9/v1',
  ])('refuses the address %s, whose user and password it would not send', async url => {
    const refused = { code: 'user-in-address', message: expect.not.stringMatching(/secret|token/) }
    await expect(createModel(`openai:qwen@${url}`, base)).rejects.toMatchObject(refused)
    await expect(createModel('openai:qwen', { ...base, baseUrl: url })).rejects.toMatchObject(refused)
  })
})
