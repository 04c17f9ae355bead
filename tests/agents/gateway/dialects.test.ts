import { AIMessage, type BaseMessage } from '@langchain/core/messages'
import { describe, expect, it } from 'vitest'
import { dialects } from '../../../agents/gateway/model-requests.ts'
import { chatCompletions } from '../../../src/models/dialects/chat-completions.ts'
import type { AgentRequest, Dialect } from '../../../src/models/dialects/dialect.ts'
import { EventStream } from '../../../src/models/dialects/event-stream.ts'
import { gemini } from '../../../src/models/dialects/gemini.ts'
import { messages } from '../../../src/models/dialects/messages.ts'
import { responses } from '../../../src/models/dialects/responses.ts'
import { readModelAnswer } from '../../../src/models/model-answer.ts'

const shown = (list: readonly BaseMessage[]) =>
  list.map(message => {
    const role = message.getType()
    const calls = AIMessage.isInstance(message)
      ? (message.tool_calls ?? []).map(({ id, name, args }) => ({ id, name, args }))
      : []
    const id = 'tool_call_id' in message ? { id: message.tool_call_id } : {}
    return { role, text: message.text, ...id, ...(calls.length === 0 ? {} : { calls }) }
  })

const schema = { type: 'object', properties: { q: { type: 'string' } } }
const call = { id: 'c1', name: 'web_search', args: { q: 'x' } }
const sampling = { temperature: 0.2, topP: null, reasoningEffort: null }
const fields = { model: 'real', seed: 7, sampling, maxOutputTokens: 50 }

describe('a chat completions request', () => {
  const read = (body: Record<string, unknown>) => chatCompletions.read(body, '/v1/chat/completions')

  it('is read in all forms that agents send', () => {
    const { messages: list, tools } = read({
      model: 'any',
      messages: [
        {
          role: 'developer',
          content: [
            { type: 'text', text: 'Be ' },
            { type: 'text', text: 'brief.' },
          ],
        },
        {
          role: 'user',
          content: [
            { type: 'text', text: 'Look: ' },
            { type: 'image_url', image_url: { url: 'data:' } },
          ],
        },
        {
          role: 'assistant',
          content: null,
          tool_calls: [
            { id: 'c1', type: 'function', function: { name: 'web_search', arguments: '{"q":"x"}' } },
          ],
        },
        { role: 'tool', content: [{ type: 'text', text: 'found' }] },
        { role: 'assistant', content: 'one' },
        { role: 'assistant', content: 'two' },
      ],
      tools: [
        { type: 'function', function: { name: 'web_search', description: 'Searches', parameters: schema } },
      ],
    })
    expect(shown(list)).toEqual([
      { role: 'system', text: 'Be brief.' },
      { role: 'human', text: 'Look: [image]' },
      { role: 'ai', text: '', calls: [call] },
      { role: 'tool', text: 'found', id: 'c1' },
      { role: 'ai', text: 'one' },
      { role: 'ai', text: 'two' },
    ])
    expect(tools).toEqual([{ name: 'web_search', description: 'Searches', parameters: schema }])
  })

  it('gives results without an id to the open calls of the same name, in their order', () => {
    const asks = (id: string, name: string) => ({ id, type: 'function', function: { name, arguments: '{}' } })
    const { messages: list } = read({
      messages: [
        { role: 'assistant', tool_calls: [asks('a', 'fetch'), asks('b', 'search'), asks('c', 'fetch')] },
        { role: 'tool', name: 'search', content: '1' },
        { role: 'tool', name: 'fetch', content: '2' },
        { role: 'tool', content: '3' },
      ],
    })
    expect(shown(list).slice(1)).toEqual([
      { role: 'tool', text: '1', id: 'b' },
      { role: 'tool', text: '2', id: 'a' },
      { role: 'tool', text: '3', id: 'c' },
    ])
  })

  it("is passed on without hosted tools, several answers or a larger cap, with the usage of a stream and the run's sampling", () => {
    const own = { type: 'function', function: { name: 'f' } }
    const body = {
      model: 'any',
      messages: [],
      n: 5,
      stream: true,
      max_tokens: 900,
      web_search_options: {},
      tools: [own, { type: 'web_search_preview' }],
      tool_choice: 'auto',
      temperature: 0.5,
    }
    expect(chatCompletions.forward(body, fields)).toEqual({
      model: 'real',
      seed: 7,
      messages: [],
      stream: true,
      stream_options: { include_usage: true },
      max_tokens: 50,
      tools: [own],
      tool_choice: 'auto',
      temperature: 0.2,
    })
    expect(chatCompletions.forward({ ...body, max_tokens: 20 }, fields)).toMatchObject({ max_tokens: 20 })
    const unset = { temperature: null, topP: null, reasoningEffort: null }
    const open = { ...fields, sampling: unset, maxOutputTokens: null }
    expect(chatCompletions.forward({ messages: [], temperature: 1 }, open)).toEqual({
      model: 'real',
      seed: 7,
      messages: [],
    })
  })

  it('names the cap as reasoning models of OpenAI do', () => {
    const sent = chatCompletions.forward({ messages: [], max_tokens: 90 }, { ...fields, model: 'o4-mini' })
    expect(sent).toMatchObject({ max_completion_tokens: 50 })
    expect(sent).not.toHaveProperty('max_tokens')
  })
})

describe('a responses request', () => {
  const read = (body: Record<string, unknown>) => responses.read(body, '/v1/responses')

  it('is read with its items, its namespaced tools and its plain-text tools', () => {
    const { messages: list, tools } = read({
      instructions: 'Be brief.',
      input: [
        { role: 'developer', content: 'More.' },
        {
          type: 'message',
          role: 'user',
          content: [{ type: 'input_text', text: 'Go' }, { type: 'input_image' }],
        },
        { type: 'reasoning', summary: [{ type: 'summary_text', text: 'hm' }] },
        { type: 'message', role: 'assistant', content: [{ type: 'output_text', text: 'I search.' }] },
        {
          type: 'function_call',
          call_id: 'c1',
          namespace: 'mcp__t',
          name: 'web_search',
          arguments: '{"q":"x"}',
        },
        { type: 'custom_tool_call', call_id: 'c2', name: 'patch', input: 'raw' },
        { type: 'web_search_call', id: 'hosted' },
        { type: 'function_call_output', call_id: 'c1', output: [{ type: 'input_text', text: 'found' }] },
        { type: 'custom_tool_call_output', call_id: 'c2', output: 'done' },
      ],
      tools: [
        { type: 'web_search' },
        { type: 'custom', name: 'patch', description: 'Patches' },
        {
          type: 'namespace',
          name: 'mcp__t',
          tools: [{ type: 'function', name: 'web_search', parameters: schema }],
        },
      ],
    })
    expect(shown(list)).toEqual([
      { role: 'system', text: 'Be brief.' },
      { role: 'system', text: 'More.' },
      { role: 'human', text: 'Go[image]' },
      {
        role: 'ai',
        text: 'I search.',
        calls: [
          { ...call, name: 'mcp__t__web_search' },
          { id: 'c2', name: 'patch', args: { input: 'raw' } },
        ],
      },
      { role: 'tool', text: 'found', id: 'c1' },
      { role: 'tool', text: 'done', id: 'c2' },
    ])
    expect(tools.map(({ name, namespace, isFreeform }) => [name, namespace, isFreeform])).toEqual([
      ['patch', undefined, true],
      ['mcp__t__web_search', 'mcp__t', undefined],
    ])
  })

  it('is refused when it relies on a conversation that the provider keeps', () => {
    expect(() => read({ input: 'Go', previous_response_id: 'resp_1' })).toThrow(/Send the whole conversation/)
  })

  it('is passed on without hosted tools and with the smaller cap', () => {
    const own = { type: 'function', name: 'f' }
    const sent = responses.forward(
      {
        input: 'Go',
        background: true,
        max_output_tokens: 80,
        tools: [own, { type: 'web_search' }, { type: 'code_interpreter' }],
        tool_choice: { type: 'web_search' },
      },
      fields,
    )
    expect(sent).toEqual({
      input: 'Go',
      model: 'real',
      max_output_tokens: 50,
      temperature: 0.2,
      tools: [own],
    })
  })
})

describe('a messages request', () => {
  it('is read with its system list, tool results and thinking', () => {
    const {
      messages: list,
      tools,
      forbidsTools,
    } = messages.read(
      {
        system: [
          { type: 'text', text: 'Be', cache_control: {} },
          { type: 'text', text: 'brief.' },
        ],
        messages: [
          { role: 'user', content: 'Go' },
          {
            role: 'assistant',
            content: [
              { type: 'thinking', thinking: 'hm', signature: 's' },
              { type: 'text', text: 'I search.' },
              { type: 'tool_use', id: 'c1', name: 'web_search', input: { q: 'x' } },
            ],
          },
          {
            role: 'user',
            content: [
              {
                type: 'tool_result',
                tool_use_id: 'c1',
                content: [{ type: 'text', text: 'found' }, { type: 'image' }],
              },
              { type: 'text', text: 'Go on' },
            ],
          },
        ],
        tools: [
          { name: 'web_search', input_schema: schema },
          { type: 'web_search_20250305', name: 'web_search' },
        ],
        tool_choice: { type: 'none' },
      },
      '/v1/messages',
    )
    expect(shown(list)).toEqual([
      { role: 'system', text: 'Be\n\nbrief.' },
      { role: 'human', text: 'Go' },
      { role: 'ai', text: 'I search.', calls: [call] },
      { role: 'tool', text: 'found[image]', id: 'c1' },
      { role: 'human', text: 'Go on' },
    ])
    expect(tools).toHaveLength(1)
    expect(forbidsTools).toBe(true)
  })

  it('is passed on without hosted tools, and with less thinking than output', () => {
    const own = { name: 'f', input_schema: schema }
    const body = {
      messages: [],
      max_tokens: 9_000,
      thinking: { type: 'enabled', budget_tokens: 4_000 },
      tools: [
        own,
        { type: 'web_search_20250305', name: 'web_search' },
        { type: 'computer_20250124', name: 'c' },
      ],
      mcp_servers: [{}],
    }
    expect(messages.forward(body, { ...fields, maxOutputTokens: 2_000 })).toEqual({
      model: 'real',
      messages: [],
      max_tokens: 2_000,
      thinking: { type: 'enabled', budget_tokens: 1_999 },
      tools: [own],
    })
    expect(messages.forward(body, fields)).not.toHaveProperty('thinking')
  })
})

describe('a Gemini request', () => {
  const path = '/v1beta/models/vendor/some-model:streamGenerateContent'

  it('names its model in the path, slashes included', () => {
    expect(gemini.path.test(path)).toBe(true)
    expect(gemini.read({ contents: [] }, path)).toMatchObject({
      model: 'vendor/some-model',
      isStreamed: true,
    })
  })

  it('is read with function calls and responses that have no id', () => {
    const { messages: list, tools } = gemini.read(
      {
        systemInstruction: { parts: [{ text: 'Be brief.' }] },
        contents: [
          { role: 'user', parts: [{ text: 'Go' }, { inlineData: {} }] },
          {
            role: 'model',
            parts: [{ text: 'hm', thought: true }, { functionCall: { name: 'a', args: { q: 'x' } } }],
          },
          { role: 'user', parts: [{ functionResponse: { name: 'a', response: { output: 'found' } } }] },
        ],
        tools: [
          {
            functionDeclarations: [
              { name: 'a', parameters: { type: 'OBJECT', properties: { q: { type: 'STRING' } } } },
            ],
          },
          { googleSearch: {} },
        ],
      },
      path,
    )
    expect(shown(list)).toEqual([
      { role: 'system', text: 'Be brief.' },
      { role: 'human', text: 'Go[file]' },
      { role: 'ai', text: '', calls: [{ id: 'call_0', name: 'a', args: { q: 'x' } }] },
      { role: 'tool', text: 'found', id: 'call_0' },
    ])
    expect(tools).toEqual([{ name: 'a', description: '', parameters: schema }])
  })

  it('is passed on without hosted tools, with the seed and the smaller cap', () => {
    const functionDeclarations = [{ name: 'a' }]
    const sent = gemini.forward(
      {
        contents: [],
        generationConfig: { maxOutputTokens: 80, candidateCount: 3, temperature: 0 },
        tools: [{ functionDeclarations, googleSearch: {} }, { codeExecution: {} }],
      },
      fields,
    )
    expect(sent).toEqual({
      contents: [],
      tools: [{ functionDeclarations }],
      generationConfig: { maxOutputTokens: 50, seed: 7, temperature: 0.2 },
    })
  })
})

const asked: AgentRequest = {
  model: 'asked-name',
  messages: [],
  tools: [],
  forbidsTools: false,
  maxOutputTokens: null,
  isStreamed: true,
  wantsUsage: true,
}
const answer = new AIMessage({
  content: 'Grüße 🌍',
  tool_calls: [
    { ...call, type: 'tool_call' },
    { id: 'c2', name: 'fetch_page', args: { url: 'u' }, type: 'tool_call' },
  ],
  additional_kwargs: { reasoning_content: 'hm' },
  response_metadata: { finish_reason: 'tool_calls' },
  usage_metadata: {
    input_tokens: 100,
    output_tokens: 40,
    total_tokens: 140,
    input_token_details: { cache_read: 30 },
    output_token_details: { reasoning: 10 },
  },
} as never)

/** What a reader makes of a streamed answer that arrives in pieces of a few bytes. */
function readStream(dialect: Dialect, text: string, size: number) {
  const reader = dialect.openReader(asked, true)
  const stream = new EventStream()
  const all = Buffer.from(text)
  const events = []
  for (let at = 0; at < all.length; at += size) events.push(...stream.push(all.subarray(at, at + size)))
  for (const { data } of [...events, ...stream.end()])
    if (data !== null && data !== '[DONE]') reader.take(JSON.parse(data))
  return reader
}

describe.each(dialects.map(dialect => [dialect.name, dialect] as const))(
  'an answer in %s',
  (name, dialect) => {
    const { usage, ...rest } = readModelAnswer(answer)
    const expected = {
      ...rest,
      ...(name === 'gemini' ? { finishReason: 'stop' } : {}),
      usage: name === 'messages' ? { ...usage, reasoningTokens: null } : usage,
    }

    it('is the same after it was written and read', () => {
      const reader = dialect.openReader({ ...asked, isStreamed: false }, false)
      const body = JSON.parse(JSON.stringify(dialect.write(answer, asked)))
      expect(reader.take(body)).toEqual(body)
      expect(JSON.stringify(body)).toContain('asked-name')
      expect(reader.isComplete()).toBe(true)
      expect(readModelAnswer(reader.answer()!)).toEqual(expected)
    })

    it.each([1, 7, 100_000])('is the same after it was streamed in pieces of %d bytes', size => {
      const text = [...dialect.stream(answer, asked)].join('')
      for (const other of [
        text,
        `: comment\n\n${text}`.replaceAll('\n', '\r\n'),
        text.replaceAll('\n', '\r'),
      ]) {
        const reader = readStream(dialect, other, size)
        expect(reader.isComplete()).toBe(true)
        expect(readModelAnswer(reader.answer()!)).toEqual(expected)
      }
    })

    it('shows the model name that the request asked for', () => {
      const text = [...dialect.stream(answer, { ...asked, model: 'secret-model' })]
      const reader = dialect.openReader(asked, true)
      const passed = text.flatMap(event => {
        const data = event.split('data: ')[1]!.trim()
        return data === '[DONE]' ? [] : [JSON.stringify(reader.take(JSON.parse(data)))]
      })
      expect(passed.join('')).not.toContain('secret-model')
      expect(passed.join('')).toContain('asked-name')
    })

    it('that is broken off is not complete and has no usage', () => {
      const events = [...dialect.stream(answer, asked)]
      const cut = events.slice(0, Math.max(1, events.length - (name === 'chat-completions' ? 3 : 1))).join('')
      const reader = readStream(dialect, cut, 1_000)
      expect(reader.isComplete()).toBe(false)
      expect(readModelAnswer(reader.answer()!)).toMatchObject({ text: 'Grüße 🌍', usage: null })
    })

    it('that stops at its cap says so', () => {
      const short = new AIMessage({ content: 'abc', response_metadata: { finish_reason: 'length' } })
      const reader = dialect.openReader({ ...asked, isStreamed: false }, false)
      reader.take(JSON.parse(JSON.stringify(dialect.write(short, asked))))
      expect(readModelAnswer(reader.answer()!).finishReason).toBe('length')
    })

    it('with a call that is not valid JSON is still an answer', () => {
      const broken = new AIMessage({
        content: '',
        invalid_tool_calls: [{ type: 'invalid_tool_call', id: 'c', name: 'f', args: '{"q":', error: 'cut' }],
      })
      expect(JSON.stringify(dialect.write(broken, asked))).toContain('"f"')
    })
  },
)

describe('the usage of a streamed chat completion', () => {
  it('is kept from a client that did not ask for it', () => {
    const reader = chatCompletions.openReader({ ...asked, wantsUsage: false }, true)
    const delta = { index: 0, delta: { content: 'a' }, finish_reason: 'stop' }
    expect(reader.take({ model: 'm', choices: [delta], usage: null })).toEqual({
      model: 'asked-name',
      choices: [delta],
    })
    expect(
      reader.take({ model: 'm', choices: [], usage: { prompt_tokens: 3, completion_tokens: 2 } }),
    ).toBeNull()
    expect(readModelAnswer(reader.answer()!).usage).toMatchObject({ inputTokens: 3, outputTokens: 2 })
  })

  it('is null when the server reports zeros', () => {
    const reader = chatCompletions.openReader(asked, false)
    reader.take({
      choices: [{ message: { content: 'a' }, finish_reason: 'stop' }],
      usage: { prompt_tokens: 0 },
    })
    expect(readModelAnswer(reader.answer()!).usage).toBeNull()
  })
})
