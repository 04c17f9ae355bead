import { describe, expect, it } from 'vitest'
import { ProviderError } from '../../../src/core/errors.ts'
import { calls, says, scripted } from '../harness.ts'
import { ask, bytes, eventTexts, openTestSession, plain, serverOf, streamed } from './model-client.ts'

const chat = '/v1/chat/completions'
const hello = { model: 'any', messages: [{ role: 'user', content: 'Hi' }] }
const completion = (content: string) => ({
  model: 'secret-model',
  choices: [{ index: 0, message: { role: 'assistant', content }, finish_reason: 'stop' }],
  usage: { prompt_tokens: 10, completion_tokens: 5, total_tokens: 15 },
})
const delta = (content: string, finish: string | null = null) => ({
  model: 'secret-model',
  choices: [{ index: 0, delta: { content }, finish_reason: finish }],
})
const usageChunk = { model: 'secret-model', choices: [], usage: { prompt_tokens: 10, completion_tokens: 5 } }
const unavailable = (message = 'secret-model: HTTP 503') =>
  new ProviderError('unavailable', message, { retryable: true })

const paths = [
  ['chat-completions', chat, hello],
  ['responses', '/v1/responses', { model: 'any', input: 'Hi' }],
  ['messages', '/v1/messages', { model: 'any', max_tokens: 99, messages: [{ role: 'user', content: 'Hi' }] }],
  ['gemini', '/v1beta/models/any:generateContent', { contents: [{ role: 'user', parts: [{ text: 'Hi' }] }] }],
] as const

describe.each(paths)('a model without a server, asked in %s', (name, path, body) => {
  const streamedPath = path.replace(':generateContent', ':streamGenerateContent')

  it('answers plainly and streamed, in that form', async () => {
    const model = scripted({ turns: [says('Hello')] })
    const { session, of } = openTestSession(model)
    const whole = await ask(session, path, body)
    const parts = await ask(session, streamedPath, {
      ...body,
      ...(name === 'gemini' ? {} : { stream: true }),
    })
    expect([whole.status, parts.status]).toEqual([200, 200])
    expect(whole.text).toContain('Hello')
    expect(parts.text).toContain('Hello')
    expect(model.requests[0]!.messages.map(message => message.text)).toEqual(['Hi'])
    expect(of('model-answered')).toHaveLength(2)
    expect(session.run.meter.spent('tokens')).toBe(30)
  })

  it('refuses a call beyond the budget with status 400 and an error in that form', async () => {
    const { session, of } = openTestSession(scripted({ turns: [says('Hello')] }), { caps: { modelCalls: 1 } })
    await ask(session, path, body)
    for (let more = 0; more < 20; more++) {
      const { status, json } = await ask(session, path, body)
      expect(status).toBe(400)
      expect(JSON.stringify(json.error)).toContain('used up (model calls). Answer now')
    }
    expect(session.refusedKind()).toBe('modelCalls')
    expect(of('model-called')).toHaveLength(1)
    expect(of('budget-refused')).toHaveLength(1)
  })

  it('refuses a body that cannot be read, without charging it', async () => {
    const { session, of } = openTestSession(scripted({ turns: [says('Hello')] }))
    for (const bad of ['{', '[]', '{"messages": 1}', '{"messages": [1], "input": [1], "contents": [1]}'])
      expect((await ask(session, path, bad)).status).toBe(400)
    expect(of('model-called')).toHaveLength(0)
  })
})

describe('a model without a server', () => {
  it('is asked again after a failure that may pass, and each try is charged', async () => {
    const { session, of } = openTestSession(
      scripted({ turns: [unavailable(), unavailable(), says('Hello')] }),
    )
    expect((await ask(session, chat, hello)).status).toBe(200)
    expect(of('provider-retried').map(({ retry }) => retry)).toEqual([1, 2])
    expect(session.run.meter.spent('modelCalls')).toBe(3)
    expect(session.run.failing).toBeNull()
  })

  it('that keeps failing is answered with status 400, and is remembered as the cause', async () => {
    const { session } = openTestSession(scripted({ turns: [unavailable('test:model: HTTP 503')] }))
    const { status, json } = await ask(session, chat, hello)
    expect(status).toBe(400)
    expect(json.error).toMatchObject({ code: 'unavailable', message: 'the model: HTTP 503' })
    expect(session.run.failing?.reason).toBe('unavailable')
    expect(session.run.meter.spent('modelCalls')).toBe(5)
  })

  it('fails as itself when the budget does not cover another try', async () => {
    const { session } = openTestSession(scripted({ turns: [unavailable()] }), { caps: { modelCalls: 2 } })
    expect((await ask(session, chat, hello)).json.error).toMatchObject({ code: 'unavailable' })
    expect(session.refusedKind()).toBeNull()
    expect(session.run.failing?.reason).toBe('unavailable')
  })

  it('is charged as cut off when the agent hangs up', async () => {
    const model = scripted({ turns: [() => new Promise(() => undefined)] })
    const { session } = openTestSession(model, { caps: { tokens: 1_000 } })
    const { isCut } = await ask(session, chat, hello, { hangUpWhen: () => true })
    expect(isCut).toBe(true)
    expect(model.requests[0]!.options.signal.aborted).toBe(true)
    expect(session.run.usage.cutOffCalls()).toBe(1)
    expect(session.run.meter.spent('tokens')).toBeGreaterThan(0)
    expect(session.run.meter.left('tokens')).toBe(1_000 - session.run.meter.spent('tokens'))
  })

  it('is not asked when a body is nested too deeply, and the attempt goes on', async () => {
    const { session } = openTestSession(scripted({ turns: [says('Hello')] }))
    const deep = `${'{"a":'.repeat(50_000)}1${'}'.repeat(50_000)}`
    const tools = `[{"type":"function","function":{"name":"f","parameters":${deep}}}]`
    const { status } = await ask(
      session,
      chat,
      `{"messages":[{"role":"user","content":"Hi"}],"tools":${tools}}`,
    )
    expect(status).toBe(400)
    expect(session.fatal()).toBeNull()
    expect((await ask(session, chat, hello)).status).toBe(200)
  })

  it('ends the attempt when it has a bug', async () => {
    const bug = new TypeError('oops')
    const { session } = openTestSession(scripted({ turns: [bug] }))
    expect((await ask(session, chat, hello)).status).toBe(400)
    expect(session.fatal()).toBe(bug)
  })

  it('may call tools by their plain names, and sees its own calls as it wrote them', async () => {
    const model = scripted({ turns: [calls(['web_search', { q: 'x' }]), says('Done')] })
    const { session } = openTestSession(model)
    const tools = [{ type: 'function', function: { name: 'tablehunt_web_search', parameters: {} } }]
    const { json } = await ask(session, chat, { ...hello, tools })
    const { message } = (json.choices as unknown as { message: { tool_calls: { function: object }[] } }[])[0]!
    expect(message.tool_calls[0]!.function).toMatchObject({ name: 'tablehunt_web_search' })
    const result = { role: 'tool', content: 'found' }
    await ask(session, chat, { ...hello, messages: [...hello.messages, message, result], tools })
    const [, earlier] = model.requests[1]!.messages as unknown as { tool_calls?: { name: string }[] }[]
    expect(earlier!.tool_calls![0]!.name).toBe('web_search')
  })
})

describe('a model with a server', () => {
  const open = (play: Parameters<typeof serverOf>[1], more: Parameters<typeof openTestSession>[1] = {}) => {
    const server = serverOf(['chat-completions'], play)
    return { server, ...openTestSession(scripted({ turns: [says('translated')], server }), more) }
  }

  it('gets the request with its own name and seed, and its answer keeps the name that was asked for', async () => {
    const { server, session, of } = open(() => plain({ ...completion('Hello'), extra: 1 }))
    const { json } = await ask(session, chat, { ...hello, top_k: 3 }, { headers: { 'anthropic-beta': 'x' } })
    expect(server.seen[0]).toMatchObject({
      body: { model: 'secret-model', seed: 7, top_k: 3, messages: hello.messages },
      headers: { 'anthropic-beta': 'x' },
    })
    expect(json).toMatchObject({ model: 'any', extra: 1 })
    expect(of('model-answered')[0]).toMatchObject({ usage: { inputTokens: 10, outputTokens: 5 } })
  })

  it('is asked through its other interface when it does not speak the form of the agent', async () => {
    const { server, session } = open(() => plain(completion('Hello')))
    const { text } = await ask(session, '/v1/responses', { input: 'Hi' })
    expect(text).toContain('translated')
    expect(server.seen).toHaveLength(0)
  })

  it('sends at most the output that the budget leaves', async () => {
    const { server, session } = open(() => plain(completion('Hello')), { caps: { tokens: 100 } })
    await ask(session, chat, { ...hello, max_tokens: 5_000 })
    expect(server.seen[0]!.body.max_tokens).toBeLessThan(100)
  })

  it('streams each event on as it arrives', async () => {
    let release = (): void => undefined
    const later = new Promise<void>(resolve => (release = resolve))
    const { session } = open(() => ({
      contentType: 'text/event-stream',
      body: (async function* () {
        yield* bytes(...eventTexts(delta('one')))
        await later
        yield* bytes(...eventTexts(delta('two', 'stop'), usageChunk), 'data: [DONE]\n\n')
      })(),
    }))
    const { text } = await ask(
      session,
      chat,
      { ...hello, stream: true },
      {
        hangUpWhen: read => {
          if (read.includes('one')) release()
          return false
        },
      },
    )
    expect(text).toContain('two')
    expect(text.endsWith('data: [DONE]\n\n')).toBe(true)
    expect(text).not.toContain('secret-model')
    expect(text).not.toContain('usage')
    expect(session.run.meter.spent('tokens')).toBe(15)
  })

  it('has settled a streamed call before the agent reads its end', async () => {
    const { session } = open(() =>
      streamed(...eventTexts(delta('a', 'stop'), usageChunk), 'data: [DONE]\n\n'),
    )
    const spent: number[] = []
    await ask(
      session,
      chat,
      { ...hello, stream: true },
      {
        hangUpWhen: read => {
          if (read.includes('[DONE]')) spent.push(session.run.meter.spent('tokens'))
          return false
        },
      },
    )
    expect(spent).toEqual([15])
  })

  it('is asked again when it fails before the first event', async () => {
    const { server, session, of } = open((_request, index) => {
      if (index === 0) return unavailable()
      if (index === 1) return streamed(...eventTexts({ error: { message: 'overloaded', code: 503 } }))
      if (index === 2) return streamed(new ProviderError('unavailable', 'reset', { retryable: true }))
      return streamed(...eventTexts(delta('a', 'stop'), usageChunk), 'data: [DONE]\n\n')
    })
    const { status, text } = await ask(session, chat, { ...hello, stream: true })
    expect(status).toBe(200)
    expect(text).not.toContain('overloaded')
    expect(server.seen).toHaveLength(4)
    expect(of('provider-retried')).toHaveLength(3)
    expect(session.run.meter.spent('modelCalls')).toBe(4)
  })

  it('that breaks a stream off cuts the connection, and what was read is charged', async () => {
    const broken = new ProviderError('unavailable', 'reset', { retryable: true })
    for (const end of [[broken], []]) {
      const { server, session } = open(() => streamed(...eventTexts(delta('abcdefghij')), ...end))
      const { isCut } = await ask(session, chat, { ...hello, stream: true })
      expect(isCut).toBe(true)
      expect(server.seen).toHaveLength(1)
      expect(session.run.usage.cutOffCalls()).toBe(1)
      // The input by the local count, and ten tokens of output with the margin of the estimate.
      expect(session.run.meter.spent('tokens')).toBe(session.run.meter.inputFor(6 + 2) + 11)
      expect(session.run.failing?.reason).toBe('unavailable')
    }
  })

  it('is no longer read when the agent hangs up, and what was read is charged', async () => {
    let ended = false
    const { server, session } = open(() => ({
      contentType: 'text/event-stream',
      body: (async function* () {
        try {
          for (;;) yield* bytes(...eventTexts(delta('x')))
        } finally {
          ended = true
        }
      })(),
    }))
    const { isCut } = await ask(
      session,
      chat,
      { ...hello, stream: true },
      {
        hangUpWhen: read => read.length > 1_000,
      },
    )
    expect([isCut, ended, server.seen[0]!.signal.aborted]).toEqual([true, true, true])
    expect(session.run.usage.cutOffCalls()).toBe(1)
    expect(session.run.failing).toBeNull()
  })

  it('may answer plainly although a stream was asked for, and the reverse', async () => {
    const { session } = open(request =>
      request.body.stream === true
        ? plain(completion('whole'))
        : streamed(...eventTexts(delta('parts', 'stop'), usageChunk), 'data: [DONE]\n\n'),
    )
    const stream = await ask(session, chat, { ...hello, stream: true })
    const whole = await ask(session, chat, hello)
    expect(stream.events.length).toBeGreaterThan(1)
    expect(stream.text).toContain('whole')
    expect(whole.json).toMatchObject({ choices: [{ message: { content: 'parts' } }] })
    expect(session.run.meter.spent('tokens')).toBe(30)
  })

  it('that answers with something else is refused with status 400', async () => {
    for (const body of ['<html>', '{}', '{"choices": []}', '']) {
      const { session } = open(() => ({ body: bytes(body) }))
      const { status, json } = await ask(session, chat, hello)
      expect(status).toBe(400)
      expect(json.error).toMatchObject({ code: 'bad-response' })
      expect(session.run.failing?.reason).toBe('bad-response')
    }
  })

  it('does not show its name to the agent in an error', async () => {
    const { session } = open(
      () => new ProviderError('auth', 'test:model: HTTP 401 for secret-model', { retryable: false }),
    )
    const { json } = await ask(session, chat, hello)
    expect(JSON.stringify(json)).not.toMatch(/secret-model|test:model/)
  })

  it('lets a call wait for those under way when only their reservations leave too little', async () => {
    let release = (): void => undefined
    const later = new Promise<void>(resolve => (release = resolve))
    const { server, session } = open(
      async (_request, index) => {
        if (index === 0) await later
        return plain(completion('Hello'))
      },
      { caps: { tokens: 60 } },
    )
    const both = Promise.all([ask(session, chat, hello), ask(session, chat, hello)])
    await new Promise(resolve => setImmediate(resolve))
    expect(server.seen).toHaveLength(1)
    release()
    expect((await both).map(({ status }) => status)).toEqual([200, 200])
    expect(session.refusedKind()).toBeNull()
  })
})

describe('questions about models', () => {
  it('lists one model in the forms of all clients', async () => {
    const { session } = openTestSession(scripted({ turns: [says('')] }))
    const { json } = await ask(session, '/v1/models', null, { method: 'GET' })
    expect(json).toMatchObject({ object: 'list', has_more: false, data: [{ id: 'model', type: 'model' }] })
    const one = await ask(session, '/v1/models/vendor/x', null, { method: 'GET' })
    expect(one.json).toMatchObject({ id: 'vendor/x', object: 'model' })
  })

  it('counts tokens without charging them', async () => {
    const { session, of } = openTestSession(scripted({ turns: [says('')] }))
    const { json } = await ask(session, '/v1/messages/count_tokens', {
      model: 'any',
      messages: [{ role: 'user', content: 'Hello' }],
    })
    expect(json).toEqual({ input_tokens: 9 })
    const google = await ask(session, '/v1beta/models/any:countTokens', {
      contents: [{ role: 'user', parts: [{ text: 'Hello' }] }],
    })
    expect(google.json).toEqual({ totalTokens: 9 })
    expect(of('model-called')).toHaveLength(0)
  })
})
