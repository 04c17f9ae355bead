import { describe, expect, it } from 'vitest'
import type { ModelDialect } from '../../../src/core/model.ts'
import { says, scripted } from '../harness.ts'
import { ask, openTestSession, plain, serverOf } from './model-client.ts'

const lastCall = {
  answerNow: 'Answer now.',
  shortened: (kept: number, chars: number) => `[${kept} of ${chars}]`,
}
const long = 'words '.repeat(2_000)

/** A conversation with one finished call of web_search, in each form. */
const requests = {
  'chat-completions': {
    path: '/v1/chat/completions',
    body: {
      messages: [
        { role: 'user', content: 'Go' },
        {
          role: 'assistant',
          content: null,
          tool_calls: [{ id: 'c1', type: 'function', function: { name: 'web_search', arguments: '{}' } }],
        },
        { role: 'tool', tool_call_id: 'c1', content: long },
      ],
      tools: [
        { type: 'function', function: { name: 'web_search' } },
        { type: 'function', function: { name: 'final_answer' } },
      ],
    },
    demanded: { tool_choice: 'required' },
    none: { tool_choice: 'none' },
  },
  responses: {
    path: '/v1/responses',
    body: {
      input: [
        { role: 'user', content: 'Go' },
        { type: 'function_call', call_id: 'c1', name: 'web_search', arguments: '{}' },
        { type: 'function_call_output', call_id: 'c1', output: long },
      ],
      tools: [
        { type: 'function', name: 'web_search' },
        { type: 'function', name: 'final_answer' },
      ],
    },
    demanded: { tool_choice: 'required' },
    none: { tool_choice: 'none' },
  },
  messages: {
    path: '/v1/messages',
    body: {
      max_tokens: 100,
      messages: [
        { role: 'user', content: 'Go' },
        { role: 'assistant', content: [{ type: 'tool_use', id: 'c1', name: 'web_search', input: {} }] },
        { role: 'user', content: [{ type: 'tool_result', tool_use_id: 'c1', content: long }] },
      ],
      tools: [{ name: 'web_search' }, { name: 'final_answer' }],
    },
    demanded: { tool_choice: { type: 'any' } },
    none: { tool_choice: { type: 'none' } },
  },
  gemini: {
    path: '/v1beta/models/any:generateContent',
    body: {
      contents: [
        { role: 'user', parts: [{ text: 'Go' }] },
        { role: 'model', parts: [{ functionCall: { name: 'web_search', args: {} } }] },
        {
          role: 'user',
          parts: [{ functionResponse: { name: 'web_search', response: { output: long } } }],
        },
      ],
      tools: [{ functionDeclarations: [{ name: 'web_search' }, { name: 'final_answer' }] }],
    },
    demanded: { toolConfig: { functionCallingConfig: { mode: 'ANY' } } },
    none: { toolConfig: { functionCallingConfig: { mode: 'NONE' } } },
  },
} satisfies Record<ModelDialect, object>

const cases = Object.entries(requests) as [ModelDialect, (typeof requests)[ModelDialect]][]
const refuse = () => plain('nothing')

describe.each(cases)('the last request that the budget covers, in %s', (dialect, given) => {
  const { path, body, demanded, none } = given
  /** Returns what the model's server gets of a request. */
  const sentFor = async (more: object, caps: object) => {
    const server = serverOf([dialect], refuse)
    const here = openTestSession(scripted({ server, turns: [] }), { caps }, lastCall)
    await ask(here.session, path, { ...body, ...more })
    return { ...here, body: server.seen[0]!.body, text: JSON.stringify(server.seen[0]!.body) }
  }

  it('demands the answer and forbids tool calls', async () => {
    const { body: sent, text, session, of } = await sentFor({}, { modelCalls: 1 })
    expect(text).toContain('Answer now.')
    expect(sent).toMatchObject(none)
    expect(text).toContain('"web_search"')
    expect(session.lastCallReason()).toBe('model-calls')
    expect(of('model-called')).toMatchObject([{ tools: [] }])
  })

  it('keeps the own tools of an agent that takes its answer from a tool call', async () => {
    const { body: sent, text } = await sentFor(demanded, { modelCalls: 1 })
    expect(sent).toMatchObject(demanded)
    const { tools } = sent as { tools: unknown }
    expect(JSON.stringify(tools)).toContain('final_answer')
    expect(JSON.stringify(tools)).not.toContain('web_search')
    expect(text).toContain('Answer now.')
  })

  it('shortens tool results to what the budget of tokens covers', async () => {
    const { text, of, session } = await sentFor({}, { tokens: 4_000 })
    expect(session.lastCallReason()).toBe('tokens')
    expect(text).toMatch(/\[\d+ of 12000\]/)
    expect(of('context-cut')).toMatchObject([{ strategy: 'shorten' }])
    expect(of('budget-refused')).toEqual([])
  })

  it('is sent as it is while the budget covers more calls', async () => {
    const { text, session } = await sentFor({}, { modelCalls: 2, tokens: 100_000 })
    expect(text).not.toContain('Answer now.')
    expect(text).toContain(long)
    expect(session.lastCallReason()).toBeNull()
  })
})

describe('the last call of a model', () => {
  const { path, body } = requests['chat-completions']

  it('is also asked for by requests to a model without a server', async () => {
    const model = scripted({ turns: [says('the answer')] })
    const { session } = openTestSession(model, { caps: { modelCalls: 1 } }, lastCall)
    await ask(session, path, body)
    const [{ messages, options }] = model.requests as [(typeof model.requests)[number]]
    expect([messages.at(-1)!.text, options.toolChoice]).toEqual(['Answer now.', 'none'])
  })

  it('leaves a turn before it no more output than keeps the answer affordable', async () => {
    const model = scripted({ turns: [says('a turn')] })
    const { session, of } = openTestSession(model, { caps: { tokens: 2_000 } }, lastCall)
    await ask(session, path, { messages: [{ role: 'user', content: 'Go' }] })
    expect(of('model-called')[0]!.maxOutputTokens).toBeLessThan(1_000)
    expect(session.lastCallReason()).toBeNull()
  })

  it('ends as output limit when the answer was cut', async () => {
    const cut = says('half', { response_metadata: { finish_reason: 'length' } })
    const { session } = openTestSession(scripted({ turns: [cut] }), { caps: { modelCalls: 1 } }, lastCall)
    await ask(session, path, body)
    expect(session.lastCallReason()).toBe('output-limit')
  })

  it('is not touched when the agent wants untouched requests', async () => {
    const model = scripted({ turns: [says('the answer')] })
    const { session } = openTestSession(model, { caps: { modelCalls: 1 } }, null)
    await ask(session, path, body)
    expect(model.requests[0]!.messages).toHaveLength(3)
    expect(session.lastCallReason()).toBeNull()
  })
})
