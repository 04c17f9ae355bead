import { HumanMessage } from '@langchain/core/messages'
import { afterEach, describe, expect, it } from 'vitest'
import { ProviderError } from '../../src/core/errors.ts'
import { createModel } from '../../src/models/registry.ts'
import { completion, send, startOpenAiServer } from './openai-server.ts'

const closers: (() => Promise<void>)[] = []
afterEach(async () => {
  for (const close of closers.splice(0)) await close()
})

/** Returns the error of a call that the server answers in this way; null when the answer is accepted. */
async function fails(status: number, body: unknown, headers: Record<string, string> = {}) {
  const server = await startOpenAiServer((_request, response) => send(response, status, body, headers))
  closers.push(server.close)
  const source = await createModel(`openai:fake@${server.url}`, {
    toolProtocol: 'auto',
    seed: 1,
    env: {},
    contextWindow: 8_000,
  })
  const handle = source.forAttempt({ taskId: 't', setting: 'offline', trial: 0, seed: 1 })
  const signal = new AbortController().signal
  try {
    await handle.call([new HumanMessage('hi')], { tools: [], maxOutputTokens: null, signal })
    return null
  } catch (error) {
    if (error instanceof ProviderError) return error
    throw error
  }
}

const error = (message: string, more: Record<string, unknown> = {}) => ({ error: { message, ...more } })
const ended = (finish_reason: string, message: Record<string, unknown> = {}) => ({
  ...completion({}),
  choices: [{ index: 0, finish_reason, message }],
})
const short = { code: 'insufficient_quota', type: 'insufficient_quota' }
const perMinute = { details: [{ violations: [{ quotaId: 'RequestsPerMinute-Free' }] }] }
const throttled =
  'Token rate limit of your tier exceeded. To increase it go to https://example.com/quotaincrease'

const cases: Record<string, readonly (readonly [status: number, body: unknown])[]> = {
  'rate-limited, worth asking again': [
    [429, error(throttled)],
    [400, error('QPS limit exceeded', { code: '336501' })],
    [400, error('Your concurrent requests exceed the limit: 5')],
    [429, [{ error: { code: 429, message: 'Resource has been exhausted (e.g. check quota).' } }]],
    [429, error('You exceeded your current quota, check your plan and billing', { ...short, ...perMinute })],
    [429, error('You exceeded your current quota, see error-code#token-limit', short)],
    [429, error('Quota exceeded for api.example.com/requests_per_minute_per_project with base model: x')],
    [429, { message: 'Tokens per minute limit exceeded', param: 'quota', code: 'token_quota_exceeded' }],
    [429, error('Rate limit exceeded: free models a day. Add 10 credits to unlock more')],
    [429, error('负载已饱和，请稍后再试', short)],
    [200, error('您的账户已达到速率限制', { code: '1302' })],
    [200, error('Rate limit reached', { code: 'rate_limit_exceeded' })],
    [200, { choices: null, base_resp: { status_code: 1002, status_msg: 'rate limit exceeded' } }],
    [200, { error_code: 336501, error_msg: 'Rate limit reached for RPM' }],
    [500, { detail: 'ThrottlingException: Too many tokens, please wait before trying again.' }],
  ],
  'rate-limited, not worth asking again': [
    [413, error('Request too large on tokens per minute (TPM): Limit 12000, Requested 14137, reduce it')],
    [429, error('Request too large on tokens per min (TPM): Limit 30000, Requested 342389')],
  ],
  'auth, not worth asking again': [
    [429, error('You exceeded your current quota, check your plan and billing', short)],
    [429, error('RateLimitError: You exceeded your current quota, check your plan', { ...short, code: 429 })],
    [429, error('Quota exceeded for free requests, limit: 0. Please retry in 5.2s.')],
    [429, error('Budget has been exceeded! Current cost: 11, max: 10', { type: 'budget_exceeded' })],
    [429, error('您的账户已欠费，请充值后重试。')],
    [429, { code: 'exhausted', error: 'Your team has used all available credits' }],
    [429, error('Provider returned error', { metadata: { raw: '{"error":{"message":"余额不足"}}' } })],
    [400, error('Your credit balance is too low to ask')],
    [400, error('Please make sure your account is in good standing.', { code: 'Arrearage' })],
    [400, error('Billing hard limit has been reached')],
    [400, [error('User location is not supported for the API use.')]],
    [412, error('Account x is suspended: monthly spending limit')],
    [500, error('insufficient balance (1008)')],
    [200, { choices: null, base_resp: { status_code: 1008, status_msg: 'insufficient balance' } }],
    [200, { code: 1113, msg: '您的账户已欠费', success: false }],
  ],
  'context-window, not worth asking again': [
    [400, error('InvalidParameter: Range of input length should be [1, 30720]')],
    [400, { code: 20015, message: 'length of prompt_tokens (68957) must be less than max_seq_len (65536).' }],
    [400, error('Input length (160062 tokens) exceeds the maximum allowed length (59862 tokens).')],
    [400, error('The decoder prompt is longer than the maximum model length of 40960.')],
    [400, error('input length and `max_tokens` exceed context limit: 188240 + 21333 > 200000')],
    [400, error('Your request exceeded model token limit: 131072')],
    [400, error('max_tokens must be at least 1, got -186.')],
    [422, { error: 'Input validation error: `inputs` must have less than 1024 tokens.' }],
    [400, error('Total tokens exceed max message tokens')],
    [400, error('Prompt 超长', { code: '1261' })],
    [400, error('输入超出最大长度')],
  ],
  'content-filter, not worth asking again': [
    [400, error('Content Exists Risk')],
    [400, { detail: 'Content Exists Risk' }],
    [400, error('Input may contain inappropriate content.', { code: 'data_inspection_failed' })],
    [400, error('the input text may contain sensitive information', { code: 'SensitiveContentDetected' })],
    [400, error('生成内容可能包含不安全或敏感内容', { code: '1301' })],
    [403, { code: 'no permission', error: 'Content violates usage guidelines. SAFETY_CHECK_TYPE_X' }],
    [403, error('The model requires moderation and your input was flagged')],
    [403, error('Your input was flagged for "violence". No credits were charged.')],
    [200, { choices: null, base_resp: { status_code: 1026, status_msg: 'input new_sensitive' } }],
    [200, ended('content_filter: RECITATION')],
    [200, ended('PROHIBITED_CONTENT')],
  ],
  'unavailable, worth asking again': [
    [200, error('Provider disconnected', { code: 'server_error' })],
    [200, { error: 'unexpected EOF' }],
    [200, ended('ERROR')],
    [498, error('Flex tier capacity exceeded')],
    [400, error('Model is loading, please try again later')],
    [200, { error: 'upstream connect error or disconnect/reset before headers' }],
    [522, '<html><h1>522: Connection timed out</h1></html>'],
    [503, error('no reply: upstream timed out')],
  ],
  'timeout, worth asking again': [
    [524, '<html><h1>524</h1></html>'],
    [504, ''],
    [200, { choices: null, base_resp: { status_code: 1001, status_msg: 'request timeout' } }],
  ],
  'bad-response, not worth asking again': [
    [413, '<html><h1>413 Request Entity Too Large</h1></html>'],
    [400, error('Range of max_tokens should be [1, 8192]')],
    [400, error('the value of timeout is no number, or timed out')],
    [
      400,
      error('Invalid value', { input: 'the credit agreement: insufficient balance, content policy, quota' }),
    ],
    [422, { detail: [{ loc: ['seed'], msg: 'Extra inputs', input: 'prompt is too long; context length' }] }],
    [400, error('Temperature is not supported', { failed: { message: 'rate limit' } })],
  ],
}

describe.each(Object.entries(cases))('%s', (verdict, bodies) => {
  it.each(bodies)('classifies %s with HTTP %i %j', async (status, body) => {
    const failure = await fails(status, body)
    const worth = failure?.retryable === true ? 'worth' : 'not worth'
    expect(`${failure?.reason}, ${worth} asking again`).toBe(verdict)
  })
})

it('classifies a failure by the words in its body that describe it', async () => {
  expect((await fails(400, error('the read timed out')))?.message).toContain('HTTP 400')
})

it.each([
  ['named in its words', 429, [{ error: { message: 'Please retry in 2.2375s.' } }], {}, 2_238],
  ['named as a delay', 429, error('no', { details: [{ retryDelay: '3s' }] }), {}, 3_000],
  ['after so many seconds', 429, error('Please retry after 54 seconds.'), {}, 54_000],
  ['of minutes', 429, error('Please try again in 7m12.5s. Visit'), {}, 432_500],
  ['in Chinese', 429, error('请在 5 秒后重试'), {}, 5_000],
  ['of an error inside an answer', 200, error('wait 20ms', { code: 429 }), {}, 20],
  ['in a header, whatever the words', 429, error('try again in 9s'), { 'retry-after': '2' }, 2_000],
  [
    'until what is used up refills',
    429,
    error('no'),
    {
      'x-ratelimit-remaining-tokens': '0',
      'x-ratelimit-reset-tokens': '1.57s',
      'x-ratelimit-remaining-requests': '9',
      'x-ratelimit-reset-requests': '6m0s',
    },
    1_570,
  ],
  ['that no one names', 429, error('try again with fewer than 4096 tokens'), {}, null],
  ['when waiting does not help', 400, error('retry in 5s with another model'), {}, null],
] as const)('waits: %s', async (_what, status, body, headers, waitMs) => {
  expect((await fails(status, body, headers))?.retryAfterMs).toBe(waitMs)
})

it.each([
  [
    'words of failures',
    completion({ content: 'quota, rate limit, context length, content filter, 余额不足' }),
  ],
  ['an empty error', { ...completion({ content: 'a' }), error: { code: 0, message: '' } }],
  [
    'a status of no failure',
    { ...completion({ content: 'a' }), base_resp: { status_code: 0, status_msg: '' } },
  ],
  ['no message but an end', { ...completion({}), choices: [{ index: 0, finish_reason: 'length' }] }],
])('an answer with %s is an answer', async (_what, body) => {
  expect(await fails(200, body)).toBeNull()
})
