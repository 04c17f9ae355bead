import { describe, expect, it } from 'vitest'
import { ProviderError } from '../../src/core/errors.ts'
import { contextRefusals, isUnknownRefusal, judgeByNumbers } from '../../src/models/context-refusals.ts'
import { judgeFailure } from '../../src/models/provider-errors.ts'

const reasonOf = (status: number, body: unknown) =>
  judgeFailure({
    status,
    text: typeof body === 'string' ? body : JSON.stringify(body),
    retryAfterMs: null,
  })[0]

/** Words of each service, with other numbers than its reports. */
const examples: Readonly<Record<string, readonly [status: number, body: unknown]>> = {
  'OpenAI, DeepSeek, OpenRouter, vLLM': [400, { error: { message: 'no', code: 'context_length_exceeded' } }],
  vLLM: [400, { message: 'max_tokens must be at least 1, got -77.' }],
  'llama.cpp': [500, { error: { message: 'input prompt is too big compared to KV size' } }],
  Anthropic: [400, { error: { message: 'prompt is too long: 212345 tokens > 200000 maximum' } }],
  Gemini: [400, [{ error: { message: 'The input token count (90000) exceeds the number allowed.' } }]],
  Bedrock: [400, { message: 'Malformed input request: expected maxLength: 42000, actual: 51999' }],
  'GitHub Copilot': [400, { error: { message: 'no', code: 'model_max_prompt_tokens_exceeded' } }],
  'GitHub Models': [413, { error: { message: 'Request body too large for m. Max size: 4000 tokens.' } }],
  DashScope: [400, { error: { message: 'Range of input length should be [1, 6000]' } }],
  SiliconFlow: [
    400,
    { code: 1, message: 'number of input tokens (9) has exceeded max_prompt_tokens (8) limit.' },
  ],
  'Text Generation Inference, Together': [
    422,
    { error: '`inputs` tokens + `max_new_tokens` must be <= 4097' },
  ],
  Moonshot: [400, { error: { message: 'model max length exceeded, max length:8192' } }],
  'Volcengine Ark': [400, { error: { message: 'Total tokens of image and text exceed max message tokens' } }],
  'Zhipu, Ollama': [400, { error: { message: 'Prompt exceeds max length', code: '1261' } }],
  'TabbyAPI, SambaNova': [422, { detail: 'Request length 9001 + 100 is greater than max_seq_len 8192' }],
  'LM Studio': [400, { error: 'Cannot truncate prompt with n_keep (15028) >= n_ctx (7424)' }],
  watsonx: [400, { errors: [{ message: 'input tokens 7000 cannot exceed the total tokens limit 4096' }] }],
  'TensorRT-LLM': [400, { message: 'Prompt length (9000) exceeds max_input_len (8192)' }],
  'Chinese services': [400, { error: { message: '输入内容的长度超过模型上下文限制' } }],
}

describe('a full context', () => {
  it.each(contextRefusals)('is recognised in the words of $service', ({ service, source, words }) => {
    const [status, body] = examples[service]!
    expect(JSON.stringify(body)).toMatch(words)
    expect(reasonOf(status, body)).toBe('context-window')
    expect(source).toMatch(/^https:\/\//)
  })

  it.each([
    'Your prompt is 52,311 tokens but this deployment accepts at most 32,768.',
    'The conversation does not fit into the context window of the model',
    'messages are longer than the limit of 4k tokens',
    'This request is over the maximum context size.',
    'The query has more tokens than the model allows (limit 2048)',
  ])('is recognised in other words: %s', words => {
    expect(reasonOf(400, { error: { message: words } })).toBe('context-window')
    expect(reasonOf(422, words)).toBe('context-window')
  })

  it.each([
    'max_tokens is too large: 32768. This model supports at most 16384 completion tokens.',
    'The maximum tokens you requested exceeds the model limit of 2048.',
    "This model's maximum completion tokens is 4096, however your request asked for 8192 output tokens",
    "Invalid 'messages[3].tool_calls[0].id': string too long. Expected a string with maximum length 40.",
    'Member must have length less than or equal to 25000000',
    'The number of images in the request exceeds the limit of 5',
    'context deadline exceeded',
    'Input should be less than or equal to 2',
  ])('is not what these words say: %s', words => {
    expect(reasonOf(400, { error: { message: words } })).toBe('bad-response')
    expect(judge(400, words, 9_000)).toBe('bad-response')
  })

  it.each([
    ['two numbers', 400, 'Refused: 9411 > 8192 tokens', 9_000],
    ['numbers with commas', 422, 'tokens 10,021, window 8,192', 12_000],
    [
      'another language',
      400,
      'Das Kontextfenster von 8192 Token ist kleiner als die Anfrage (9411 Token)',
      9_000,
    ],
    ['a limit alone', 413, 'Entity too big, 4096 tokens are possible', 9_000],
    ['a crash of the server', 500, 'assertion failed: length 9200 < 8192', 9_100],
  ])('is recognised by its numbers: %s', (_how, status, words, sent) => {
    expect(judge(status, words, sent)).toBe('context-window')
  })

  it.each([
    ['are far from what was sent', 400, 'tokens: 9411, 8192', 900],
    ['are a status and a code', 400, '{"code":400,"message":"token 9411 refused"}', 9_000],
    ['belong to the output', 400, 'max_tokens 9000 > 8192 completion tokens', 9_000],
    ['have no unit', 400, 'port 9411, line 8192', 9_000],
    ['come with a missing permission', 403, 'length 9411 > 8192 tokens', 9_000],
  ])('is not recognised by numbers that %s', (_why, status, words, sent) => {
    expect(judge(status, words, sent)).toBe('bad-response')
  })
})

function judge(status: number, words: string, sent: number): unknown {
  const error = new ProviderError('bad-response', `openai:m-9999: HTTP ${status}: ${words}`, {
    retryable: false,
    status,
  })
  return (judgeByNumbers(error, sent) as ProviderError).reason
}

it('knows which refusals have no known reason', () => {
  const refused = (
    reason: ProviderError['reason'],
    status: number | null,
    fatalService: string | null = null,
  ) => isUnknownRefusal(new ProviderError(reason, 'no', { retryable: false, status, fatalService }))
  expect([400, 413, 422].map(status => refused('bad-response', status))).toEqual([true, true, true])
  expect([200, 404, 500, null].map(status => refused('bad-response', status))).toEqual([
    false,
    false,
    false,
    false,
  ])
  expect(refused('auth', 400)).toBe(false)
  expect(refused('bad-response', 400, 'openai:m')).toBe(false)
})
