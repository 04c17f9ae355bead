import { afterEach, describe, expect, it } from 'vitest'
import type { ModelDialect, ModelServerRequest } from '../../src/core/model.ts'
import { modelServers, type ServerContext } from '../../src/models/model-server.ts'
import { createModel, modelProviders } from '../../src/models/registry.ts'
import { type Play, send, startOpenAiServer } from './openai-server.ts'

const closers: (() => Promise<void>)[] = []
afterEach(async () => {
  for (const close of closers.splice(0)) await close()
})

async function serve(play: Play) {
  const server = await startOpenAiServer(play)
  closers.push(server.close)
  return server
}

const recipe: ServerContext['recipe'] = {
  dialects: () => ['chat-completions'],
  url: (_request, { baseUrl }) => `${baseUrl}/chat/completions`,
  headers: ({ key }) => ({ authorization: `Bearer ${key}` }),
}

const unset = { temperature: null, topP: null, reasoningEffort: null }

function request(more: Partial<ModelServerRequest> = {}): ModelServerRequest {
  const dialect: ModelDialect = 'chat-completions'
  return { dialect, body: {}, isStreamed: false, headers: {}, signal: new AbortController().signal, ...more }
}

async function open(play: Play, timeoutMs = 60_000) {
  const server = await serve(play)
  const settings = { model: 'fake', baseUrl: server.url, key: 'sk-1', ...unset }
  return { server, model: modelServers({ name: 'openai:fake', recipe, settings, timeoutMs })(7) }
}

async function textOf(body: AsyncIterable<Uint8Array>): Promise<string> {
  let text = ''
  for await (const chunk of body) text += Buffer.from(chunk).toString()
  return text
}

describe("a model's server", () => {
  it('gets the body with the key of the run and returns the bytes of the answer', async () => {
    const { server, model } = await open((_request, response) => send(response, 200, { ok: true }))
    const { contentType, body } = await model.send(request({ body: { a: 1 }, headers: { 'x-beta': 'b' } }))
    expect([contentType, await textOf(body)]).toEqual(['application/json', '{"ok":true}'])
    expect(server.seen[0]).toMatchObject({
      body: { a: 1 },
      headers: { authorization: 'Bearer sk-1', 'x-beta': 'b' },
    })
  })

  it('that answers with a status of failure rejects with the reason and its wait', async () => {
    const { model } = await open((_request, response) =>
      send(response, 429, { error: { message: 'slow down' } }, { 'retry-after': '3' }),
    )
    await expect(model.send(request())).rejects.toMatchObject({
      reason: 'rate-limited',
      retryable: true,
      retryAfterMs: 3_000,
    })
  })

  it('that redirects is not followed', async () => {
    const { model } = await open((_request, response) =>
      send(response, 307, '', { location: 'http://127.0.0.1:1/' }),
    )
    await expect(model.send(request())).rejects.toThrow(/redirects to/)
  })

  it('that is not there rejects as unavailable', async () => {
    const settings = { model: 'fake', baseUrl: 'http://127.0.0.1:9', key: null, ...unset }
    const model = modelServers({ name: 'openai:fake', recipe, settings, timeoutMs: 60_000 })(7)
    await expect(model.send(request())).rejects.toMatchObject({
      reason: 'unavailable',
      fatalService: 'openai:fake',
    })
  })

  it('that takes too long is given up, before and within its answer', async () => {
    const { model } = await open((_request, response, index) => {
      if (index === 1) response.writeHead(200).write('half')
    }, 150)
    await expect(model.send(request())).rejects.toMatchObject({ reason: 'timeout', retryable: true })
    const { body } = await model.send(request())
    await expect(textOf(body)).rejects.toMatchObject({ reason: 'timeout' })
  })

  it('that breaks its answer off rejects as unavailable', async () => {
    const { model } = await open((_request, response) => {
      response.writeHead(200).write('half')
      setImmediate(() => response.destroy())
    })
    const { body } = await model.send(request())
    await expect(textOf(body)).rejects.toMatchObject({ reason: 'unavailable', retryable: true })
  })

  it('is left when the caller aborts, with the reason of the caller', async () => {
    let closed = (): void => undefined
    const left = new Promise<void>(resolve => (closed = resolve))
    const { model } = await open((_request, response) => void response.once('close', () => closed()))
    const stop = new AbortController()
    const asked = model.send(request({ signal: stop.signal }))
    const reason = new Error('no longer wanted')
    setTimeout(() => stop.abort(reason), 100)
    await expect(asked).rejects.toBe(reason)
    await left
  })
})

describe('the request forms that a provider answers', () => {
  const attempt = { taskId: 't', setting: 'online', trial: 0, seed: 7 }
  const options = { contextWindow: 8_000, toolProtocol: 'auto' as const, seed: 0 }
  const dialectsOf = async (name: string, env: Record<string, string>) =>
    (await createModel(name, { ...options, env })).forAttempt(attempt).server?.dialects

  it("are OpenAI's two for OpenAI itself, and chat completions for other servers with its API", async () => {
    expect(await dialectsOf('openai:gpt-4o', { OPENAI_API_KEY: 'k' })).toEqual([
      'chat-completions',
      'responses',
    ])
    expect(await dialectsOf('openai:any@http://127.0.0.1:9/v1', {})).toEqual(['chat-completions'])
    expect(await dialectsOf('openrouter:a/b', { OPENROUTER_API_KEY: 'k' })).toEqual(['chat-completions'])
  })

  it('are none for models in this process', async () => {
    const extractive = await createModel('extractive', { ...options, env: {} })
    expect(extractive.forAttempt(attempt).server).toBeUndefined()
    expect(modelProviders.names()).toContain('anthropic')
  })
})
