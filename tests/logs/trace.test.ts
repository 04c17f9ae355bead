import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import fc from 'fast-check'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { createBlobStore, readStoredText } from '../../logs/blobs.ts'
import { type EventBody, eventBodySchema } from '../../logs/events.ts'
import { parseTrace, readTrace } from '../../logs/reader.ts'
import { createRedactor } from '../../logs/redact.ts'
import { openTrace, tracePath } from '../../logs/writer.ts'
import type { Clock } from '../../src/core/runtime.ts'
import { sha256 } from '../../src/system/hash.ts'

const clock: Clock = { now: () => Date.UTC(2026, 0, 2, 3, 4, 5), sleep: async () => {} }
let folder: string

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'tablehunt-logs-'))
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

const open = async (secrets: readonly string[] = [], attemptId = 'task.online.model.0') => {
  const blobs = createBlobStore({ folder, secrets })
  return { blobs, trace: await openTrace({ folder, attemptId, clock, blobs, secrets }) }
}

const everyBody: EventBody[] = [
  { type: 'attempt-started', taskId: 't', setting: 'online', model: 'm', trial: 0, caps: { tokens: 10 } },
  {
    type: 'model-called',
    messages: [{ role: 'user', content: { text: 'find "it"\nnow' }, toolCallId: null }],
    tools: ['web_search'],
    reservedTokens: 12,
    maxOutputTokens: null,
  },
  {
    type: 'model-answered',
    text: { text: '' },
    reasoning: { text: 'hm' },
    toolCalls: [{ id: 'c1', name: 'web_search', args: { queries: ['宁德时代 2021'] } }],
    malformedCalls: [{ name: 'fetch_page', args: '{"url', problem: 'no JSON' }],
    finishReason: 'tool_calls',
    usage: { inputTokens: 10, cachedInputTokens: null, outputTokens: 2, reasoningTokens: null },
    wallMs: 3,
  },
  { type: 'tool-called', callId: 'c1', tool: 'web_search', args: { queries: ['x'] } },
  {
    type: 'tool-answered',
    callId: 'c1',
    tool: 'web_search',
    text: { text: 'one hit' },
    truncated: false,
    observations: [
      { kind: 'hits', query: 'x', hits: [{ url: 'http://a/', title: 'A', snippet: '', position: 1 }] },
    ],
    wallMs: 1,
  },
  {
    type: 'tool-failed',
    callId: 'c2',
    tool: 'fetch_page',
    errorClass: 'timeout',
    message: 'slow',
    infrastructure: true,
    wallMs: 9,
  },
  { type: 'budget-charged', kind: 'searchCalls', amount: 1, total: 1, what: 'web_search' },
  { type: 'budget-refused', kind: 'fetchCalls', asked: 1, left: 0, what: 'fetch_page' },
  { type: 'budget-overrun', kind: 'tokens', reserved: 5, billed: 6 },
  {
    type: 'context-cut',
    strategy: 'even',
    documents: [{ hint: 'a', chars: 9, charsInPrompt: 3 }],
    shortened: [],
  },
  { type: 'provider-retried', what: 'model', reason: 'rate-limited', retry: 1, waitMs: 500 },
  { type: 'leak-found', url: null, how: 'canary', detail: 'three gold cells' },
  { type: 'checkpoint', tokens: 4, answer: { text: 'a,b' } },
  { type: 'answer-parsed', parseStatus: 'table', rows: 1, columns: ['a'] },
  {
    type: 'terminated',
    termination: {
      cause: 'agent',
      reason: 'answered',
      answerProduced: true,
      forcedFinal: false,
      lastHealthyStep: 2,
      detail: null,
    },
  },
]

describe('a trace', () => {
  it('reads back every kind of event as written, numbered from 0, with time, attempt and step', async () => {
    const { trace } = await open()
    for (const [step, body] of everyBody.entries()) trace.emit(step, body)
    await trace.close()
    const read = await readTrace(folder, 'task.online.model.0')
    expect(read.halfLine).toBe(false)
    expect(read.events).toEqual(
      everyBody.map((body, seq) => ({
        seq,
        at: '2026-01-02T03:04:05.000Z',
        attemptId: 'task.online.model.0',
        step: seq,
        ...body,
      })),
    )
  })

  it('is on disk line by line before it is closed, so that a killed process loses nothing', async () => {
    const { trace } = await open()
    trace.emit(0, everyBody[0]!)
    trace.emit(1, everyBody[3]!)
    expect((await readTrace(folder, 'task.online.model.0')).events).toHaveLength(2)
    await trace.close()
  })

  it('drops an incomplete last line and reports it', async () => {
    const { trace } = await open()
    for (const body of everyBody) trace.emit(1, body)
    await trace.close()
    const content = readFileSync(tracePath(folder, 'task.online.model.0'), 'utf8')
    const read = parseTrace(content.slice(0, -20), 'x')
    expect(read.halfLine).toBe(true)
    expect(read.events).toHaveLength(everyBody.length - 1)
  })

  it('keeps a last line that lacks only its newline', () => {
    const line =
      '{"seq":0,"at":"x","attemptId":"a","step":0,"type":"checkpoint","tokens":1,"answer":{"text":""}}'
    expect(parseTrace(line, 'x')).toMatchObject({ halfLine: false, events: [{ type: 'checkpoint' }] })
  })

  it('names file, line and field of an invalid line', () => {
    const good =
      '{"seq":0,"at":"x","attemptId":"a","step":0,"type":"checkpoint","tokens":1,"answer":{"text":""}}'
    const bad = good.replace('"tokens":1', '"tokens":-1')
    expect(() => parseTrace(`${good}\n${bad}\n${good}\n`, 'traces/a.jsonl')).toThrow(
      expect.objectContaining({
        code: 'damaged-trace',
        message: expect.stringMatching(/traces\/a\.jsonl:2: .*tokens/),
      }),
    )
    expect(() => parseTrace(`${good}\n{"seq"\n${good}\n`, 'a')).toThrow(
      expect.objectContaining({ code: 'damaged-trace' }),
    )
  })

  it('starts again when an interrupted run left a trace of the same attempt', async () => {
    const first = await open()
    first.trace.emit(0, everyBody[0]!)
    first.trace.emit(0, everyBody[0]!)
    await first.trace.close()
    const second = await open()
    second.trace.emit(0, everyBody[3]!)
    await second.trace.close()
    expect((await readTrace(folder, 'task.online.model.0')).events).toHaveLength(1)
  })

  it("writes the given time of an event, or the clock's", async () => {
    const { trace } = await open()
    trace.emit(0, everyBody[0]!, Date.UTC(2026, 0, 1))
    trace.emit(1, everyBody[0]!)
    await trace.close()
    const { events } = await readTrace(folder, 'task.online.model.0')
    expect(events.map(event => event.at)).toEqual(['2026-01-01T00:00:00.000Z', '2026-01-02T03:04:05.000Z'])
  })

  it('ignores events after it was closed, and may be closed twice', async () => {
    const { trace } = await open()
    trace.emit(0, everyBody[0]!)
    await trace.close()
    trace.emit(0, everyBody[0]!)
    await trace.close()
    expect((await readTrace(folder, 'task.online.model.0')).events).toHaveLength(1)
  })

  it('stores texts of more than 4,000 characters as blobs and reads them back', async () => {
    const { trace, blobs } = await open()
    const long = '长'.repeat(4_001)
    const edge = 'e'.repeat(4_000)
    trace.emit(1, {
      type: 'tool-answered',
      callId: 'c',
      tool: 't',
      text: { text: long },
      truncated: true,
      observations: [],
      wallMs: 0,
    })
    trace.emit(1, { type: 'checkpoint', tokens: 1, answer: { text: edge } })
    await trace.close()
    const { events } = await readTrace(folder, 'task.online.model.0')
    const [answered, checkpoint] = events
    if (answered?.type !== 'tool-answered' || checkpoint?.type !== 'checkpoint')
      throw new Error('other events')
    expect(answered.text).toEqual({ blob: sha256(long) })
    expect(readStoredText(answered.text, blobs)).toBe(long)
    expect(checkpoint.answer).toEqual({ text: edge })
  })
})

describe('the blobs', () => {
  it('are stored once per text, complete, without temporary files', () => {
    const blobs = createBlobStore({ folder })
    const again = createBlobStore({ folder })
    expect(blobs.put('same')).toBe(again.put('same'))
    expect(readdirSync(join(folder, 'traces', 'blobs'))).toEqual([sha256('same')])
    expect(again.get(sha256('same'))).toBe('same')
  })

  it('report a missing text with a stable code', () => {
    expect(() => createBlobStore({ folder }).get(sha256('never'))).toThrow(
      expect.objectContaining({ code: 'missing-blob' }),
    )
  })
})

describe('secrets', () => {
  it('appear in no file of the trace: literal ones, keys, authorization, cookies, key parameters', async () => {
    const literal = 'my "odd" sécret/+='
    const { trace, blobs } = await open([literal])
    const looks = [
      'sk-proj-abcdefghijklmnop0123456789',
      'Authorization: Bearer abcdefgh.ijkl.mnop0',
      'Cookie: session=verysecretsession; other=1',
      'https://api.example.com/v1?key=AbCdEf123&q=1',
      'https://user:hunter2pass@example.com/x',
      `body ${literal} ${encodeURIComponent(literal)} ${Buffer.from(literal).toString('base64')}`,
    ]
    trace.emit(1, {
      type: 'tool-called',
      callId: 'c',
      tool: 'fetch_page',
      args: {
        url: looks.join(' '),
        headers: { 'X-API-KEY': 'plainkey1', cookie: 'choc', authorization: 'x y z' },
        [literal]: 1,
      },
    })
    trace.emit(1, {
      type: 'checkpoint',
      tokens: 1,
      answer: { text: `${'long '.repeat(900)}${looks.join('\n')}` },
    })
    blobs.put(looks.join('\n'))
    await trace.close()
    const files = [tracePath(folder, 'task.online.model.0')]
    for (const name of readdirSync(join(folder, 'traces', 'blobs')))
      files.push(join(folder, 'traces', 'blobs', name))
    expect(files.length).toBe(3)
    const all = files.map(file => readFileSync(file, 'utf8')).join('\n')
    for (const secret of [
      'sk-proj-abc',
      'abcdefgh.ijkl',
      'verysecretsession',
      'AbCdEf123',
      'hunter2pass',
      'sécret',
      'plainkey1',
      'choc',
      'x y z',
      encodeURIComponent(literal),
      Buffer.from(literal).toString('base64'),
    ])
      expect(all).not.toContain(secret)
    expect(all).toContain('q=1')
  })

  it('are found in JSON as in each of its texts', () => {
    const literal = 'my "odd"\nsécret'
    const redactor = createRedactor([literal])
    const parts = [
      ...[
        'sk-proj-abcdefghijklmnop0123456789',
        'Authorization: Bearer abcdefgh.ijkl.mnop0',
        'bearer\nabcdefghij0123456',
      ],
      ...[
        'Cookie: session=verysecretsession',
        'https://a.example/v1?key=AbCdEf123',
        'x;accesstoken=abc&sig=12',
      ],
      ...[
        'https://user:hunter2pass@example.com/x',
        'AIzaSyA1234567890abcdefghijklmnopqrstu',
        'tvly-abcdef12345',
      ],
      ...[
        'ghp_abcdefghijklmnopqrstuvwxyz0123456789',
        'api_key: "abc123def"',
        'client-secret=a1b2c3d4',
        literal,
      ],
      ...['reservedTokens', 'a plain word', '\n', '"', '\\', 'task-list of 2020', 'x-amz-signature=1'],
    ]
    const names = ['plain', 'token', 'secret', 'X-API-KEY', 'id_token', 'password', literal]
    const text = fc.array(fc.constantFrom(...parts), { maxLength: 4 }).map(some => some.join(''))
    const value = fc.dictionary(fc.constantFrom(...names), fc.oneof(text, fc.array(text, { maxLength: 2 })))
    fc.assert(
      fc.property(value, data => {
        expect(redactor.json(JSON.stringify(data))).toBe(JSON.stringify(redactor.value(data)))
      }),
      { numRuns: 2_000 },
    )
  })

  it('are not found in ordinary documents', () => {
    const text = [
      'Basic earnings per share 1.23; Diluted 1.20',
      'Authorization: This Agreement has been duly authorized by the Board of Directors.',
      'The bearer certificates of 1999; token sales; Cookie: a biscuit, 12 per box',
      'risk-adjusted-return-on-capital-2020 task-list; password: the agreed word',
      'Key: 1 = yes. The keystone (key=value) pair.',
      '授权: 张三; 密钥',
    ].join('\n')
    expect(createBlobStore({ folder }).put(text)).toBe(sha256(text))
  })
})

describe('cost', () => {
  it('stays below 0.2 ms per event and does not grow with the number of events', async () => {
    const { trace } = await open(['a-literal-secret'])
    const body = everyBody[4]!
    for (let warm = 0; warm < 500; warm++) trace.emit(1, body)
    const before = process.memoryUsage().heapUsed
    const begun = process.cpuUsage()
    for (let index = 0; index < 5_000; index++) trace.emit(index, body)
    const spent = process.cpuUsage(begun)
    await trace.close()
    expect((spent.user + spent.system) / 1_000 / 5_000).toBeLessThan(0.2)
    expect(process.memoryUsage().heapUsed - before).toBeLessThan(60e6)
    expect(existsSync(tracePath(folder, 'task.online.model.0'))).toBe(true)
  })
})

it('accepts no path as the name of the recorded part of a fork', () => {
  const event = { type: 'forked', source: 'a', atStep: 2, prefix: 'a'.repeat(64) }
  expect(eventBodySchema.safeParse(event).success).toBe(true)
  expect(eventBodySchema.safeParse({ ...event, prefix: '../../secret' }).success).toBe(false)
})
