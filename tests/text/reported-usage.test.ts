import { AIMessage } from '@langchain/core/messages'
import { describe, expect, it } from 'vitest'
import { readUsage, setUsage } from '../../src/models/message-usage.ts'
import { readTokens, reconcileUsage } from '../../src/text/reported-usage.ts'

/** Input, of it cached, and output; `?` when the report does not add up. */
const billed = (usage: object): string => {
  const { input_tokens, input_token_details, output_tokens, uncertain } = reconcileUsage(readTokens(usage))!
  return `${input_tokens} ${input_token_details?.cache_read ?? '–'} ${output_tokens}${uncertain ? ' ?' : ''}`
}
const prompt = (cached_tokens: number) => ({ prompt_tokens_details: { cached_tokens } })
const thought = (reasoning_tokens: number) => ({ completion_tokens_details: { reasoning_tokens } })
const counts = (prompt_tokens: number, completion_tokens: number, total_tokens?: number) => ({
  ...{ prompt_tokens, completion_tokens },
  ...(total_tokens !== undefined && { total_tokens }),
})

describe('the usage of a chat completion', () => {
  it.each([
    ['OpenAI', { ...counts(9500, 20, 9520), ...prompt(9000) }, '9500 9000 20'],
    ['OpenAI with reasoning', { ...counts(100, 90, 190), ...thought(80) }, '100 – 90'],
    // Anthropic's documentation: all input is the sum of input_tokens and the two counts of the cache.
    [
      'Anthropic in a log',
      {
        input_tokens: 9500,
        cache_read_input_tokens: 400,
        cache_creation_input_tokens: 100,
        output_tokens: 20,
      },
      '10000 400 20',
    ],
    [
      'Gemini with tools',
      { promptTokenCount: 80, toolUsePromptTokenCount: 20, candidatesTokenCount: 7 },
      '100 – 7',
    ],
    ['Ollama', { prompt_eval_count: 100, eval_count: 7 }, '100 – 7'],
    ['llama.cpp', { tokens_evaluated: 100, tokens_predicted: 7 }, '100 – 7'],
    ['watsonx', { input_token_count: 100, generated_token_count: 7 }, '100 – 7'],
    [
      'Cohere',
      { billed_units: { input_tokens: 9 }, tokens: { input_tokens: 100, output_tokens: 7 } },
      '100 – 7',
    ],
    ['AI SDK 5', { inputTokens: 100, outputTokens: 7, totalTokens: 107, cachedInputTokens: 60 }, '100 60 7'],
    [
      'AI SDK 6',
      { inputTokens: { total: 100, noCache: 40, cacheRead: 60 }, outputTokens: { total: 7, text: 7 } },
      '100 60 7',
    ],
    [
      'Bedrock through a gateway',
      { ...counts(500, 20, 9520), cache_read_input_tokens: 9000 },
      '9500 9000 20',
    ],
    ['Bedrock in the names of OpenAI', { ...counts(500, 20, 9520), ...prompt(9000) }, '9500 9000 20'],
    [
      'Bedrock that wrote to the cache',
      { ...counts(500, 20, 9520), cache_read_input_tokens: 0, cache_creation_input_tokens: 9000 },
      '9500 0 20',
    ],
    [
      'Bedrock that read and wrote',
      { ...counts(500, 20, 9820), cache_read_input_tokens: 9000, cache_creation_input_tokens: 300 },
      '9800 9000 20',
    ],
    [
      'a prompt from the cache alone',
      { ...counts(0, 20, 9020), cache_read_input_tokens: 9000 },
      '9000 9000 20',
    ],
    ['a gateway without a total', { ...counts(500, 20), cache_read_input_tokens: 9000 }, '9500 9000 20'],
    [
      'a gateway whose total leaves the cache out',
      { ...counts(500, 20, 520), cache_read_input_tokens: 9000 },
      '9500 9000 20',
    ],
    ['xAI', { ...counts(1000, 20, 1320), ...prompt(800), ...thought(300) }, '1000 800 320'],
    ['xAI without a total', { ...counts(1000, 20), ...thought(300) }, '1000 – 320'],
    [
      'cached input and reasoning outside',
      { ...counts(500, 20, 9820), ...thought(300), cache_read_input_tokens: 9000 },
      '9500 9000 320',
    ],
    ['DeepSeek', { ...counts(500, 20, 520), prompt_cache_hit_tokens: 384 }, '500 384 20'],
    [
      'OpenRouter',
      { ...counts(9500, 20, 9520), prompt_tokens_details: { cached_tokens: 0, cache_write_tokens: 9000 } },
      '9500 0 20',
    ],
    ['Moonshot and Together', { ...counts(9500, 20, 9520), cached_tokens: 9000 }, '9500 9000 20'],
    [
      'DashScope',
      {
        ...counts(9500, 20, 9520),
        prompt_tokens_details: { cached_tokens: 0, cache_creation_input_tokens: 9000 },
      },
      '9500 0 20',
    ],
    ['SGLang', { ...counts(100, 90, 190), reasoning_tokens: 80 }, '100 – 90'],
    ['Perplexity', { ...counts(33, 7163, 7196), reasoning_tokens: 73997 }, '33 – 81160 ?'],
    [
      'a gateway in the names of Responses',
      {
        input_tokens: 9500,
        output_tokens: 20,
        total_tokens: 9520,
        input_tokens_details: { cached_tokens: 9000 },
      },
      '9500 9000 20',
    ],
    [
      'a gateway in the names of Anthropic',
      { input_tokens: 500, output_tokens: 20, cache_read_input_tokens: 9000, cache_creation_input_tokens: 0 },
      '9500 9000 20',
    ],
    [
      'Bedrock as it is',
      { inputTokens: 500, outputTokens: 20, totalTokens: 9520, cacheReadInputTokens: 9000 },
      '9500 9000 20',
    ],
    [
      'Gemini as it is',
      { promptTokenCount: 9500, candidatesTokenCount: 20, thoughtsTokenCount: 300, totalTokenCount: 9820 },
      '9500 – 320',
    ],
    [
      'a router that fills in one set of names',
      {
        ...counts(9500, 20, 9520),
        input_tokens: 0,
        output_tokens: 0,
        ...prompt(0),
        cache_read_input_tokens: 9000,
      },
      '9500 9000 20',
    ],
    ['a total of zero', { ...counts(500, 20, 0) }, '500 – 20'],
    ['counts as texts', { prompt_tokens: '500', completion_tokens: '20', total_tokens: '520' }, '500 – 20'],
    ['a total that nothing explains', counts(500, 20, 9520), '500 – 9020 ?'],
    ['a total below the sum', counts(500, 20, 400), '500 – 20 ?'],
    [
      'a total beyond the cached input',
      { ...counts(500, 20, 9600), cache_read_input_tokens: 9000 },
      '9500 9000 100 ?',
    ],
    [
      'a total short of the cached input',
      { ...counts(500, 20, 9000), cache_read_input_tokens: 9000 },
      '9500 9000 20 ?',
    ],
  ])('of %s is reconciled', (_, usage, expected) => {
    expect(billed(usage)).toBe(expected)
  })

  it('is unknown when a router sends zeros', () => {
    expect(reconcileUsage(readTokens(counts(0, 0, 0)))).toBeNull()
    expect(reconcileUsage(readTokens(null))).toBeNull()
  })
})

describe('the usage of an answer of LangChain', () => {
  const of = (usage: object) => readUsage(setUsage(new AIMessage('x'), usage as never))

  it('counts what Gemini adds to the total alone as output', () => {
    expect(of({ input_tokens: 10, output_tokens: 20, total_tokens: 100 })).toEqual({
      ...{ input_tokens: 10, output_tokens: 90, total_tokens: 100 },
    })
  })

  it('counts cached input that Bedrock adds to the total alone as input', () => {
    const input_token_details = { cache_read: 9000, cache_creation: 300 }
    const usage = { input_tokens: 500, output_tokens: 20, total_tokens: 9820, input_token_details }
    expect(of(usage)).toMatchObject({ input_tokens: 9800, output_tokens: 20, total_tokens: 9820 })
  })

  it('is the same when it is read twice', () => {
    const guess = reconcileUsage(readTokens(counts(500, 20, 9520)))!
    expect(of(guess)).toEqual(guess)
  })
})

it('a report in names that nothing knows has no tokens', () => {
  expect(reconcileUsage(readTokens({ words_in: 100, words_out: 7 }))).toBeNull()
})
