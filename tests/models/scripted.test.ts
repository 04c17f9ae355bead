import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { HumanMessage } from '@langchain/core/messages'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { DataError, ProviderError } from '../../src/core/errors.ts'
import { readUsage } from '../../src/models/message-usage.ts'
import { createModel } from '../../src/models/registry.ts'

let folder = ''
let files = 0
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'scripted-'))
})
afterAll(() => rm(folder, { recursive: true }))

const options = { toolProtocol: 'auto', seed: 0, env: {} } as const

async function script(lines: readonly (object | string)[]) {
  const file = join(folder, `script-${files++}.jsonl`)
  const text = lines.map(line => (typeof line === 'string' ? line : JSON.stringify(line))).join('\n')
  await writeFile(file, text)
  return await createModel(`scripted:${file}`, options)
}

const at = (taskId: string, setting: string) => ({ taskId, setting, trial: 0, seed: 0 })
const call = { tools: [], maxOutputTokens: null, signal: new AbortController().signal }
const hello = [new HumanMessage('hello')]

describe('a scripted model', () => {
  it('plays its turns in order for each attempt and repeats the last turn', async () => {
    const source = await script([{ turns: [{ text: 'one' }, { text: 'two' }] }])
    for (const _attempt of [1, 2]) {
      const handle = source.forAttempt(at('t', 'offline'))
      const texts = []
      for (let turn = 0; turn < 3; turn++) texts.push((await handle.call(hello, call)).text)
      expect(texts).toEqual(['one', 'two', 'two'])
    }
  })

  it('plays the most specific line for an attempt', async () => {
    const source = await script([
      { turns: [{ text: 'any' }] },
      { setting: 'rag', turns: [{ text: 'rag' }] },
      { taskId: 'a', turns: [{ text: 'a' }] },
      { taskId: 'a', setting: 'rag', turns: [{ text: 'a rag' }] },
    ])
    const said = async (taskId: string, setting: string) =>
      (await source.forAttempt(at(taskId, setting)).call(hello, call)).text
    expect(await said('a', 'rag')).toBe('a rag')
    expect(await said('a', 'offline')).toBe('a')
    expect(await said('b', 'rag')).toBe('rag')
    expect(await said('b', 'online')).toBe('any')
  })

  it('calls tools with different ids in each turn and keeps invalid arguments', async () => {
    const toolCalls = [
      { name: 'web_search', args: { queries: ['x'] } },
      { name: 'web_search', args: '{"queries": [' },
    ]
    const handle = (await script([{ turns: [{ toolCalls }] }])).forAttempt(at('t', 'online'))
    const first = await handle.call(hello, call)
    const second = await handle.call(hello, call)
    expect(first.tool_calls).toMatchObject([{ name: 'web_search', args: { queries: ['x'] } }])
    expect(first.invalid_tool_calls).toHaveLength(1)
    expect(first.tool_calls?.[0]?.id).not.toBe(second.tool_calls?.[0]?.id)
    expect(first.response_metadata.finish_reason).toBe('tool_calls')
  })

  it('reports the usage in the script, otherwise its own count', async () => {
    const usage = { inputTokens: 100, outputTokens: 7, cachedInputTokens: 3, reasoningTokens: 2 }
    const handle = (await script([{ turns: [{ text: 'x', usage }, { text: '12345678' }] }])).forAttempt(
      at('t', 'rag'),
    )
    expect(readUsage(await handle.call(hello, call))).toMatchObject({ input_tokens: 100, output_tokens: 7 })
    expect(readUsage(await handle.call(hello, call))).toMatchObject({ output_tokens: 2 })
  })

  it('is cut at the output cap, and the finish reason says so', async () => {
    const handle = (await script([{ turns: [{ text: 'abcdefghijkl' }] }])).forAttempt(at('t', 'rag'))
    const answer = await handle.call(hello, { ...call, maxOutputTokens: 2 })
    expect(answer.text).toBe('abcdefgh')
    expect(answer.response_metadata.finish_reason).toBe('length')
  })

  const failures: [unknown, string, boolean, number | null][] = [
    ['rate-limited', 'rate-limited', true, null],
    ['auth', 'auth', false, null],
    [503, 'unavailable', true, null],
    ['429 no credit left', 'auth', false, null],
    [{ status: 429, retryAfterMs: 50 }, 'rate-limited', true, 50],
    [{ reason: 'timeout', retryable: false, message: 'gone' }, 'timeout', false, null],
    ['it broke', 'unavailable', true, null],
  ]
  for (const [error, reason, retryable, retryAfterMs] of failures) {
    it(`fails with ${JSON.stringify(error)} as ${reason}, then plays the next turn`, async () => {
      const handle = (await script([{ turns: [{ error }, { text: 'after' }] }])).forAttempt(at('t', 'rag'))
      const failure = await handle.call(hello, call).catch((reasonOf: unknown) => reasonOf)
      expect(failure).toBeInstanceOf(ProviderError)
      expect(failure).toMatchObject({ reason, retryable, retryAfterMs })
      expect((await handle.call(hello, call)).text).toBe('after')
    })
  }

  it('waits as long as a turn says, and stops waiting when it is cancelled', async () => {
    const handle = (await script([{ turns: [{ text: 'late', delayMs: 3_600_000 }] }])).forAttempt(
      at('t', 'rag'),
    )
    const controller = new AbortController()
    setTimeout(() => controller.abort(new Error('stop')), 20)
    await expect(handle.call(hello, { ...call, signal: controller.signal })).rejects.toThrow('stop')
  })

  it('has no path in its name', async () => {
    expect((await script([{ turns: [{ text: 'x' }] }])).name).toMatch(/^scripted:script-\d+\.jsonl$/)
  })
})

describe('an invalid script', () => {
  const bad: [string, (object | string)[], string, RegExp][] = [
    ['a line that is not JSON', [{ turns: [{ text: 'x' }] }, '{"turns": ['], 'invalid-script', /line 2: /],
    ['an attempt without turns', [{ turns: [] }], 'invalid-script', /line 1: turns/],
    ['an unknown key', [{ turns: [{ txt: 'x' }] }], 'invalid-script', /line 1: .*'txt'.*'text'/],
    ['an empty file', [''], 'empty-script', /script-\d+\.jsonl: /],
  ]
  for (const [what, lines, code, place] of bad) {
    it(`is a data error that names the place: ${what}`, async () => {
      const failure = await script(lines).catch((error: unknown) => error)
      expect(failure).toBeInstanceOf(DataError)
      expect(failure).toMatchObject({ code, message: expect.stringMatching(place) })
      expect((failure as DataError).message).toMatch(/\. (?:Correct the line|Write lines such as)\b/)
    })
  }

  it('is a configuration error when the file is missing or not named', async () => {
    const missing = createModel('scripted:/nowhere/x.jsonl', options)
    await expect(missing).rejects.toMatchObject({ name: 'ConfigError', code: 'script-not-found' })
    await expect(createModel('scripted', options)).rejects.toMatchObject({ code: 'missing-script' })
  })

  it('suggests an example for a provider that is unknown and like no other', async () => {
    await expect(createModel('zzzzzz:x', options)).rejects.toMatchObject({
      code: 'unknown-model-provider',
      message: expect.stringMatching(
        /Write PROVIDER:NAME, such as openai:\S+\. The providers are .*scripted/,
      ),
    })
  })

  it('names the attempt to which no line applies', async () => {
    const handle = (await script([{ taskId: 'a', turns: [{ text: 'x' }] }])).forAttempt(at('b', 'rag'))
    await expect(handle.call(hello, call)).rejects.toMatchObject({
      code: 'no-script-for-attempt',
      message: expect.stringContaining('task b, setting rag'),
    })
  })

  it('explains how a line for checkpoints is written', async () => {
    const source = await script([{ setting: 'online', turns: [{ text: 'x' }] }])
    await expect(source.forAttempt(at('a', 'checkpoint')).call(hello, call)).rejects.toMatchObject({
      code: 'no-script-for-attempt',
      message: expect.stringContaining('Add a line with "setting": "checkpoint"'),
    })
  })

  it('explains how a line for a judge is written', async () => {
    const judge = (await script([{ taskId: 'a', turns: [{ text: 'x' }] }])).forAttempt(at('judge', 'judge'))
    await expect(judge.call(hello, call)).rejects.toMatchObject({
      code: 'no-script-for-attempt',
      message: expect.stringMatching(/has no line for a judge\. Add a line with "setting": "judge"/),
    })
  })
})
