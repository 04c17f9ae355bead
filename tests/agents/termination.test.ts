import { AIMessage } from '@langchain/core/messages'
import { describe, expect, it } from 'vitest'
import { endOfFailure, plainDetail } from '../../agents/termination.ts'
import { readTextTurn } from '../../agents/text-protocol.ts'
import { BudgetRefusedError, ProviderError } from '../../src/core/errors.ts'
import { readModelAnswer } from '../../src/models/model-answer.ts'
import { splitThinking } from '../../src/text/thinking.ts'

describe('the detail of a termination', () => {
  it.each([
    ['connect ECONNREFUSED 127.0.0.1:8081', 'connect ECONNREFUSED [host]'],
    ['fetch of http://localhost:3000/a?b=1 failed', 'fetch of [url] failed'],
    ['no answer within 120 s', 'no answer within [time]'],
    ['slept 1.5 seconds, then 20ms', 'slept [time], then [time]'],
    ["ENOENT: no such file, open '/srv/runs/x/blobs/abc'", "ENOENT: no such file, open '[path]'"],
    ['at C:\\Users\\me\\x.js:12', 'at [path]'],
    ['api.example.com:443 hung up', '[host] hung up'],
    ['connect to ::1:8080', 'connect to [host]'],
    ['request req_0123456789ab failed', 'request [id] failed'],
    ['openai:gpt-4o: HTTP 429: rate limit', 'openai:gpt-4o: HTTP 429: rate limit'],
    ['revenue and/or profit 10/12', 'revenue and/or profit 10/12'],
    ['several\nlines   here', 'several lines here'],
  ])('of "%s" contains nothing that differs between equal runs', (message, plain) => {
    expect(plainDetail(message)).toBe(plain)
  })

  it('is at most 500 characters', () => {
    expect(plainDetail('x'.repeat(2_000))).toHaveLength(500)
  })

  it('names the whole chain of causes of a crash', () => {
    const error = new Error('outer', { cause: new TypeError('middle', { cause: 'inner' }) })
    expect(endOfFailure(error, null).detail).toBe(
      'Error: outer; caused by TypeError: middle; caused by inner',
    )
  })
})

describe('the end of an attempt', () => {
  it.each(['rate-limited', 'unavailable', 'timeout', 'auth', 'content-filter', 'bad-response'] as const)(
    'follows from %s of a provider',
    reason => {
      expect(endOfFailure(new ProviderError(reason, 'x', { retryable: false }), null)).toEqual({
        cause: 'provider',
        reason,
        detail: 'x',
      })
    },
  )

  it.each([
    ['tokens', 'tokens'],
    ['modelCalls', 'model-calls'],
    ['searchCalls', 'search-calls'],
    ['fetchCalls', 'fetch-calls'],
    ['usd', 'cost'],
  ])('follows from a refused budget of %s', (kind, reason) => {
    expect(endOfFailure(new BudgetRefusedError(kind, 'x'), null)).toMatchObject({ cause: 'budget', reason })
  })
})

describe('reading an answer', () => {
  it.each([
    ['<think>a</think>b', 'b', 'a'],
    ['<think>a</think>b<think>c</think>d', 'bd', 'a\n\nc'],
    ['opened by the template</think>\nb', 'b', 'opened by the template'],
    ['b<think>never closed', 'b', 'never closed'],
    ['<thinking>a</thinking> b', 'b', 'a'],
    ['plain <b>text</b>', 'plain <b>text</b>', ''],
  ])('separates reasoning from %j', (text, rest, thought) => {
    expect(splitThinking(text)).toEqual({ text: rest, thought })
  })

  it('reads text, thinking (Anthropic) and reasoning from content blocks', () => {
    const answer = readModelAnswer(
      new AIMessage({
        content: [
          { type: 'thinking', thinking: 'deep', signature: 's' },
          { type: 'text', text: 'one ' },
          { type: 'text', text: 'two' },
          { type: 'tool_use', id: 'x', name: 'web_search', input: {} },
        ],
        tool_calls: [{ type: 'tool_call', id: 'x', name: 'web_search', args: {} }],
        response_metadata: { stop_reason: 'tool_use' },
      }),
    )
    expect(answer).toMatchObject({
      text: 'one two',
      reasoning: 'deep',
      finishReason: 'tool_calls',
      usage: null,
    })
    expect(answer.calls).toEqual([{ id: 'x', name: 'web_search', args: {} }])
  })

  it('treats invalid token counts as unknown', () => {
    const usage_metadata = { input_tokens: Number.NaN, output_tokens: -1, total_tokens: 0 }
    expect(readModelAnswer(Object.assign(new AIMessage('x'), { usage_metadata })).usage).toEqual({
      inputTokens: null,
      outputTokens: null,
      cachedInputTokens: null,
      reasoningTokens: null,
    })
  })
})

describe('tools through text', () => {
  let number = 0
  const read = (text: string) => {
    number = 0
    return readTextTurn(text, {
      tools: [],
      nextId: () => `c${++number}`,
      isAnswer: () => false,
      isCut: false,
    })
  }

  it('reads several calls, fenced JSON, other names for arguments, and an unclosed last tag', () => {
    const turn = read(
      'I look.\n<tool_call>{"name":"a","arguments":{"x":1}}</tool_call>\n<tool_call>\n```json\n{"name":"b","parameters":{}}\n```\n</tool_call><tool_call>{"name":"c","args":{"y":"</b>"}}',
    )
    expect(turn.calls).toEqual([
      { id: 'c1', name: 'a', args: { x: 1 } },
      { id: 'c2', name: 'b', args: {} },
      { id: 'c3', name: 'c', args: { y: '</b>' } },
    ])
    expect(turn.text).toBe('I look.')
  })

  it('reads calls in tags, as coder models write them, even without the last tags', () => {
    const turn = read(
      '<tool_call>\n<function=web_search>\n<parameter=queries>\n["a", "b"]\n</parameter>\n<parameter=language>\nde\n</parameter>\n</function>\n</tool_call><tool_call><function=fetch_page><parameter=url>https://x.test/a?b=1<parameter=part>2',
    )
    expect(turn.calls).toEqual([
      { id: 'c1', name: 'web_search', args: { queries: ['a', 'b'], language: 'de' } },
      { id: 'c2', name: 'fetch_page', args: { url: 'https://x.test/a?b=1', part: 2 } },
    ])
    expect(turn.malformed).toEqual([])
  })

  it.each([
    ['{"name": "a", "arguments": {', 'a'],
    ['[1]', 'the tool'],
    ['{"arguments": {}}', 'the tool'],
    ['', 'the tool'],
  ])('reports the problem of %j', (body, name) => {
    const turn = read(`<tool_call>${body}</tool_call>`)
    expect(turn.calls).toEqual([])
    expect(turn.malformed).toMatchObject([{ name, problem: expect.stringMatching(/./) }])
  })

  it('reads the last answer, even if it is not closed, and a plain message unchanged', () => {
    expect(read('a <answer>x</answer> b <answer>y').text).toBe('y')
    expect(read('plain').text).toBe('plain')
  })
})
