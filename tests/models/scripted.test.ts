import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { HumanMessage } from '@langchain/core/messages'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { ConfigError, DataError, ProviderError } from '../../src/core/errors.ts'
import { usageOf } from '../../src/models/message-usage.ts'
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
  it('plays its turns in order and repeats the last, for each attempt from the start', async () => {
    const source = await script([{ turns: [{ text: 'one' }, { text: 'two' }] }])
    for (const _attempt of [1, 2]) {
      const handle = source.forAttempt(at('t', 'offline'))
      const texts = []
      for (let turn = 0; turn < 3; turn++) texts.push((await handle.call(hello, call)).text)
      expect(texts).toEqual(['one', 'two', 'two'])
    }
  })

  it('gives an attempt the line that fits it most closely', async () => {
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

  it('calls tools with ids that differ from turn to turn, and keeps broken arguments broken', async () => {
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

  it('bills what the script says, else its own count', async () => {
    const usage = { inputTokens: 100, outputTokens: 7, cachedInputTokens: 3, reasoningTokens: 2 }
    const handle = (await script([{ turns: [{ text: 'x', usage }, { text: '12345678' }] }])).forAttempt(
      at('t', 'rag'),
    )
    expect(usageOf(await handle.call(hello, call))).toMatchObject({ input_tokens: 100, output_tokens: 7 })
    expect(usageOf(await handle.call(hello, call))).toMatchObject({ output_tokens: 2 })
  })

  it('is cut by the cap on its output, and says so', async () => {
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
    it(`fails with ${JSON.stringify(error)} as ${reason}, then goes on`, async () => {
      const handle = (await script([{ turns: [{ error }, { text: 'after' }] }])).forAttempt(at('t', 'rag'))
      const failure = await handle.call(hello, call).catch((reasonOf: unknown) => reasonOf)
      expect(failure).toBeInstanceOf(ProviderError)
      expect(failure).toMatchObject({ reason, retryable, retryAfterMs })
      expect((await handle.call(hello, call)).text).toBe('after')
    })
  }

  it('waits as long as a turn says, and not a moment longer than the signal', async () => {
    const handle = (await script([{ turns: [{ text: 'late', delayMs: 5_000 }] }])).forAttempt(at('t', 'rag'))
    const controller = new AbortController()
    setTimeout(() => controller.abort(new Error('stop')), 20)
    const started = performance.now()
    await expect(handle.call(hello, { ...call, signal: controller.signal })).rejects.toThrow('stop')
    expect(performance.now() - started).toBeLessThan(1_000)
  })

  it('holds no path in its name', async () => {
    expect((await script([{ turns: [{ text: 'x' }] }])).name).toMatch(/^scripted:script-\d+\.jsonl$/)
  })
})

describe('a script that does not fit', () => {
  const bad: [string, (object | string)[], RegExp][] = [
    ['no JSON', [{ turns: [{ text: 'x' }] }, '{"turns": ['], /line 2: no JSON/],
    ['no turns', [{ turns: [] }], /line 1: turns/],
    ['an unknown key', [{ turns: [{ txt: 'x' }] }], /line 1: .*'txt'.*did you mean 'text'/],
    ['an empty file', [''], /empty script/],
  ]
  for (const [what, lines, message] of bad) {
    it(`${what} is a data error that names the place`, async () => {
      const failure = await script(lines).catch((error: unknown) => error)
      expect(failure).toBeInstanceOf(DataError)
      expect((failure as Error).message).toMatch(message)
    })
  }

  it('a missing file is a wrong setting', async () => {
    await expect(createModel('scripted:/nowhere/x.jsonl', options)).rejects.toBeInstanceOf(ConfigError)
    await expect(createModel('scripted', options)).rejects.toBeInstanceOf(ConfigError)
  })

  it('an attempt that no line fits says which', async () => {
    const handle = (await script([{ taskId: 'a', turns: [{ text: 'x' }] }])).forAttempt(at('b', 'rag'))
    await expect(handle.call(hello, call)).rejects.toThrow(/no line for task b, setting rag/)
  })
})
