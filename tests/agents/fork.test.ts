import { AIMessage, HumanMessage, ToolMessage } from '@langchain/core/messages'
import { describe, expect, it } from 'vitest'
import {
  cutPassage,
  excerptSize,
  giveDocuments,
  passageSize,
  replaceResult,
} from '../../agents/fork/given-documents.ts'
import { readPrefix, requireNoAnswer, sumReplayed } from '../../agents/fork/recorded-prefix.ts'
import { type ForkInput, forkEnvironment } from '../../agents/fork/replay.ts'
import { runOwnAgent } from '../../agents/loop.ts'
import type { SettingOutcome } from '../../agents/setting.ts'
import type { EventBody, TraceEvent } from '../../logs/events.ts'
import { ProviderError, ToolError } from '../../src/core/errors.ts'
import { interventionSchema } from '../../src/core/fork.ts'
import { subtractUsage } from '../../src/core/usage.ts'
import { sha256 } from '../../src/system/hash.ts'
import {
  calls,
  page,
  question,
  type Request,
  type Script,
  says,
  scripted,
  search,
  table,
  world,
} from './harness.ts'

const texts = new Map<string, string>()
const keepText = (text: string): string => {
  texts.set(sha256(text), text)
  return sha256(text)
}
const blobs = { get: (hash: string) => texts.get(hash)! }

type Change = NonNullable<Parameters<typeof world>[1]>

interface Recorded {
  readonly events: TraceEvent[]
  readonly outcome: SettingOutcome
  readonly requests: readonly Request[]
}

const asTrace = (events: readonly { step: number; body: EventBody }[]): TraceEvent[] =>
  events.map(({ step, body }, seq) => ({
    ...body,
    step,
    seq,
    at: '2026-01-01T00:00:00.000Z',
    attemptId: 'source',
  }))

/** Runs the source attempt. */
async function record(script: Script, more: Change = {}): Promise<Recorded> {
  const model = scripted(script)
  const source = world(model, { keepText, ...more })
  const outcome = await runOwnAgent(question, source.environment)
  return { events: asTrace(source.events), outcome, requests: model.requests }
}

/** Forks a recorded attempt. */
async function fork(
  source: Recorded,
  atStep: number,
  script: Script,
  { input = {}, ...more }: Change & { input?: Partial<ForkInput> } = {},
) {
  const model = scripted(script)
  const sharedToolEnvironment = { ...world(model).environment.sharedToolEnvironment, keepText }
  const live = world(model, { keepText, sharedToolEnvironment, ...more })
  const prefix = readPrefix(source.events, atStep, 'source')
  const replayed: EventBody[] = []
  const forked = forkEnvironment(live.environment, {
    ...{
      prefix,
      blobs,
      caps: () => live.environment.caps,
      options: {},
      note: null,
      results: null,
      earlier: [],
    },
    ...{ isForeign: false, replayed: (_step: number, event: EventBody) => void replayed.push(event) },
    ...input,
  })
  const outcome = forked.conclude(await runOwnAgent(question, forked.environment))
  const prices = { price: null, searchUsd: null, fetchUsd: 0 }
  return {
    outcome,
    requests: model.requests,
    events: live.events,
    replayed,
    tookEffect: forked.tookEffect(),
    usage: subtractUsage(outcome.usage, sumReplayed(prefix, prices)),
  }
}

const [first, second] = [
  calls(['web_search', { queries: ['revenue a', 'revenue b'] }]),
  calls(['fetch_page', { url: 'https://one.example/a' }], ['fetch_page', { url: 'https://one.example/b' }]),
]
const script: Script = { turns: [first, second, says(table)] }
const textsOf = ({ messages }: Request): unknown[] => messages.map(({ content }) => content)

describe('a fork of an attempt', () => {
  it('asks and pays nothing before its step, and continues the same conversation', async () => {
    const source = await record(script)
    const { outcome, requests, usage, events } = await fork(source, 3, { turns: [says(table)] })
    expect(requests).toHaveLength(1)
    expect(textsOf(requests[0]!)).toEqual(textsOf(source.requests[2]!))
    expect(outcome.answerText).toBe(source.outcome.answerText)
    expect(outcome.usage).toMatchObject({ modelCalls: 3, searchCalls: 2, fetchCalls: 2, inputTokens: 30 })
    expect(usage).toMatchObject({
      modelCalls: 1,
      searchCalls: 0,
      fetchCalls: 0,
      inputTokens: 10,
      outputTokens: 5,
    })
    expect(events.every(({ step }) => step >= 3)).toBe(true)
  })

  it('replays every step of the source at every step', async () => {
    const source = await record(script)
    const all = source.events.filter(({ type }) => type !== 'budget-charged').length
    for (const atStep of [1, 2, 3]) {
      const { outcome, replayed, events } = await fork(source, atStep, {
        turns: [first, second, says(table)].slice(atStep - 1),
      })
      expect(outcome.termination).toEqual(source.outcome.termination)
      const whole = [...replayed, ...events.map(({ body }) => body)]
      expect(whole.filter(({ type }) => type !== 'budget-charged')).toHaveLength(all)
    }
  })

  it('repeats failed, refused and unreadable calls with the texts that the agent saw', async () => {
    const turns = [
      calls(['fetch_page', { url: 'https://gone.example' }]),
      calls(['fetch_page', { link: 3 }]),
      calls(['no_such_tool', {}]),
      calls(['web_search', { queries: ['a', 'b'] }]),
      says(table),
    ]
    const makeTools = [
      search(),
      page(() => {
        throw new ToolError('http-status', 'HTTP 404', { infrastructure: false })
      }),
    ]
    const caps = { searchCalls: 1 }
    const source = await record({ turns }, { makeTools, caps })
    expect(source.events.some(({ type }) => type === 'budget-refused')).toBe(true)
    const { requests, outcome } = await fork(source, 5, { turns: [says(table)] }, { caps })
    expect(textsOf(requests[0]!)).toEqual(textsOf(source.requests[4]!))
    expect(outcome.termination).toEqual(source.outcome.termination)
    expect(outcome.usage.toolErrors).toBe(source.outcome.usage.toolErrors)
  })

  it('repeats calls through text, reasoning and repeated requests', async () => {
    const asked = '<tool_call>{"name":"web_search","arguments":{"queries":["x"]}}</tool_call>'
    const busy = new ProviderError('rate-limited', 'busy', { retryable: true })
    const thinking = { additional_kwargs: { reasoning_content: 'a thought' } }
    const turns = [busy, says(asked, thinking), says(table)]
    const source = await record({ turns, nativeTools: false })
    const { requests, outcome, usage } = await fork(source, 2, { turns: [says(table)], nativeTools: false })
    expect(textsOf(requests[0]!)).toEqual(textsOf(source.requests[2]!))
    expect(outcome.termination.reason).toBe('answered')
    expect(usage.modelCalls).toBe(1)
  })

  it('ends as diverged, with the step and the difference, when the agent does something else', async () => {
    const source = await record(script)
    const other = await fork(
      source,
      3,
      { turns: [says(table)] },
      {
        prompts: {
          ...world(scripted(script)).environment.prompts,
          online: () => ({ system: 'Other.', user: 'Other?' }),
        },
      },
    )
    expect(other.outcome.termination).toMatchObject({ cause: 'harness', reason: 'diverged' })
    expect(other.outcome.termination.detail).toBe(
      'step 1 differs from the trace: message 0 (system) for the model has another text',
    )
    expect(other.requests).toHaveLength(0)
  })

  it('ends as diverged when the agent ends before the step', async () => {
    const source = await record(script)
    const { outcome } = await fork(
      source,
      3,
      { turns: [says(table)] },
      { hasAnswer: () => true, caps: { modelCalls: 2 } },
    )
    expect(outcome.termination).toMatchObject({ cause: 'harness', reason: 'diverged' })
  })

  it('gives documents as the first results of a replayed search, and opens their addresses', async () => {
    const source = await record(script)
    const callId = first.tool_calls![0]!.id!
    const given = {
      url: 'https://given.example/report',
      title: 'report.pdf',
      passage: 'revenue 1,234',
      excerpt: 'revenue 1,234',
      text: 'whole: revenue 1,234',
    }
    const { requests, tookEffect, events } = await fork(
      source,
      2,
      { turns: [calls(['fetch_page', { url: 'https://given.example/report#top' }]), says(table)] },
      { input: { results: giveDocuments([given], callId) } },
    )
    expect(tookEffect).toBe(true)
    const result = String(requests[0]!.messages.at(-1)!.content)
    expect(result).toMatch(
      /^Results for "":\n1\. report\.pdf\n {3}URL: https:\/\/given\.example\/report\n {3}revenue 1,234/,
    )
    expect(String(requests[1]!.messages.at(-1)!.content)).toContain('Part 1 of 1\n\nrevenue 1,234')
    const opened = events.flatMap(({ body }) => (body.type === 'tool-answered' ? body.observations : []))
    expect(opened).toMatchObject([{ kind: 'body', textSha256: sha256(given.text) }])
    expect(events.some(({ body }) => body.type === 'budget-charged' && body.kind === 'fetchCalls')).toBe(true)
  })

  it('gives a document with the next call when the step has none, and says when there is no next call', async () => {
    const source = await record(script)
    const given = {
      url: 'https://given.example/r',
      title: 'r',
      passage: 'the passage',
      excerpt: 'the passage',
      text: 'the passage',
    }
    const input = { results: giveDocuments([given], null) }
    const later = await fork(source, 2, { turns: [second, says(table)] }, { input })
    expect(String(later.requests[1]!.messages.at(-2)!.content)).toMatch(
      /^text of https:\/\/one\.example\/a\n\nURL: .*given/,
    )
    expect(later.tookEffect).toBe(true)
    expect((await fork(source, 3, { turns: [says(table)] }, { input })).tookEffect).toBe(false)
  })

  it('replaces the text of a tool result', async () => {
    const source = await record(script)
    const callId = second.tool_calls![1]!.id!
    const { requests } = await fork(
      source,
      3,
      { turns: [says(table)] },
      {
        input: { results: replaceResult('nothing here', callId) },
      },
    )
    expect(requests[0]!.messages.slice(-2).map(({ content }) => content)).toEqual([
      'text of https://one.example/a',
      'nothing here',
    ])
  })

  it('adds a note before its step', async () => {
    const source = await record(script)
    const { requests, tookEffect } = await fork(
      source,
      3,
      { turns: [says(table)] },
      { input: { note: 'Check it.' } },
    )
    const last = requests[0]!.messages.at(-1)
    expect(last).toBeInstanceOf(HumanMessage)
    expect(last!.content).toBe('Check it.')
    expect(tookEffect).toBe(true)
  })

  it('has new budgets from its step on, and those of its source before', async () => {
    const caps = { searchCalls: 2 }
    const turns = [first, calls(['web_search', { queries: ['c'] }]), says(table)]
    const source = await record({ turns }, { caps })
    const more = await fork(
      source,
      2,
      { turns: turns.slice(1) },
      { caps, input: { caps: () => ({ searchCalls: 4 }) } },
    )
    expect(String(more.requests[1]!.messages.at(-1)!.content)).toBe('hits for c')
    const last = await fork(
      source,
      2,
      { turns: [says(table)] },
      { caps, input: { caps: () => ({ modelCalls: 2 }) } },
    )
    expect(last.outcome.termination).toMatchObject({
      cause: 'budget',
      reason: 'model-calls',
      forcedFinal: true,
    })
  })

  it('has another context policy from its step on', async () => {
    const options = { contextPolicy: 'keep-last:1' }
    const long = search(query => query.repeat(400))
    const turns = ['a', 'b', 'c'].map(query => calls(['web_search', { queries: [query] }]))
    const source = await record({ turns: [...turns, says(table)] }, { options, makeTools: [long, page()] })
    const results = ({ messages }: Request): number =>
      messages.filter(message => message instanceof ToolMessage && message.content.length === 400).length
    expect(results(source.requests[3]!)).toBe(1)
    const whole = { options: { contextPolicy: 'shorten' } }
    const more = { options, makeTools: [long, page()] }
    const forked = await fork(source, 3, { turns: [turns[2]!, says(table)] }, { ...more, input: whole })
    expect(results(forked.requests[1]!)).toBe(3)
    expect(forked.outcome.termination.reason).toBe('answered')
  })

  it('accepts independent calls in another order', async () => {
    const source = await record(script)
    const swapped = source.events.map(event =>
      event.type === 'model-answered' ? { ...event, toolCalls: event.toolCalls.toReversed() } : event,
    )
    const { requests, outcome } = await fork({ ...source, events: swapped }, 3, { turns: [says(table)] })
    expect(outcome.termination.reason).toBe('answered')
    expect(textsOf(requests[0]!).slice(-2)).toEqual([
      'text of https://one.example/b',
      'text of https://one.example/a',
    ])
  })

  it('continues the calls and messages of an imported log', async () => {
    const events = asTrace([
      {
        step: 0,
        body: { type: 'attempt-started', taskId: 't', setting: 'online', model: 'm', trial: 0, caps: {} },
      },
      {
        step: 1,
        body: {
          type: 'model-called',
          messages: [
            { role: 'system', content: { text: 'You visit.' }, toolCallId: null },
            { role: 'user', content: { text: 'How much?' }, toolCallId: null },
          ],
          tools: [],
          reservedTokens: 0,
          maxOutputTokens: null,
        },
      },
      {
        step: 1,
        body: {
          type: 'model-answered',
          text: { text: 'I look.' },
          reasoning: null,
          toolCalls: [{ id: 'v1', name: 'visit', args: { site: 'x' } }],
          malformedCalls: [],
          finishReason: 'tool_calls',
          usage: null,
          wallMs: 0,
        },
      },
      { step: 1, body: { type: 'tool-called', callId: 'v1', tool: 'visit', args: { site: 'x' } } },
      {
        step: 1,
        body: {
          type: 'tool-answered',
          callId: 'v1',
          tool: 'visit',
          text: { text: 'It is 5.' },
          truncated: false,
          observations: [],
          wallMs: 0,
        },
      },
      {
        step: 2,
        body: {
          type: 'model-called',
          messages: [{ role: 'tool', content: { text: 'It is 5.' }, toolCallId: 'v1' }],
          tools: [],
          reservedTokens: 0,
          maxOutputTokens: null,
        },
      },
    ])
    const source = { events, requests: [], outcome: {} as SettingOutcome }
    const { requests, outcome } = await fork(
      source,
      2,
      { turns: [calls(['visit', { site: 'y' }]), says(table)] },
      { input: { isForeign: true } },
    )
    expect(outcome.termination.reason).toBe('answered')
    const [system, user, assistant, result] = requests[0]!.messages
    expect(String(system!.content)).toMatch(/^You visit\./)
    expect(user!.content).toBe('How much?')
    expect(assistant).toBeInstanceOf(AIMessage)
    expect(result!.content).toBe('It is 5.')
    expect(String(requests[1]!.messages.at(-1)!.content)).toContain(
      'visit is not available any more. Use web_search or fetch_page.',
    )
  })
})

describe('readPrefix', () => {
  const codeOf = (read: () => unknown): unknown => {
    try {
      read()
      return null
    } catch (error) {
      expect((error as Error).message).toContain('source')
      return (error as { code?: string }).code
    }
  }

  it('counts the time in which the steps were recorded, also of a fork', async () => {
    const { events } = await record(script)
    const at = (seconds: number): string => new Date(Date.UTC(2026, 0, 1) + 1_000 * seconds).toISOString()
    const timed = events.map((event, index) => ({ ...event, at: at(10 * index) }))
    const inSteps = timed.filter(({ step }, index) => step === 1 && timed[index - 1]?.step === 1).length
    const { events: prefix, wallMs } = readPrefix(timed, 2, 'source')
    expect(wallMs).toBe(10_000 * timed.indexOf(prefix.at(-1)!))
    const started = { ...timed[0]!, step: 0, at: at(86_400), type: 'attempt-started' } as TraceEvent
    const live = timed.map(event => (event.step < 2 ? event : { ...event, at: at(90_000) }))
    expect(readPrefix([started, ...live], 2, 'source').wallMs).toBe(10_000 * inSteps)
  })

  it('refuses a step that the trace does not have, naming those that it has', async () => {
    const { events } = await record(script)
    expect(codeOf(() => readPrefix(events, 4, 'source'))).toBe('fork-step')
    expect(codeOf(() => readPrefix(events, 0, 'source'))).toBe('fork-step')
    expect(() => readPrefix(events, 9, 'source')).toThrow('the steps 1 to 3')
  })

  it('refuses a trace without messages', async () => {
    const { events } = await record(script)
    expect(codeOf(() => readPrefix([], 1, 'source'))).toBe('fork-no-messages')
    const bare = events.map(event => (event.type === 'model-called' ? { ...event, messages: [] } : event))
    expect(codeOf(() => readPrefix(bare, 2, 'source'))).toBe('fork-no-messages')
  })

  it('refuses a call without a result, and an answer after which an imported log goes on', async () => {
    const { events } = await record(script)
    const open = events.filter(({ type, step }) => type !== 'tool-answered' || step !== 1)
    expect(codeOf(() => readPrefix(open, 2, 'source'))).toBe('fork-no-result')
    expect(readPrefix(open, 1, 'source').atStep).toBe(1)
    const answerAt = (wanted: number, text: string) =>
      events.map(event =>
        event.type === 'model-answered' && event.step === wanted
          ? { ...event, toolCalls: [], text: { text } }
          : event,
      )
    const check = (step: number, text: string, atStep: number) => () =>
      requireNoAnswer(readPrefix(answerAt(step, text), atStep, 'source'), 'source')
    expect(codeOf(check(1, 'Which year?', 2))).toBe('fork-conversation')
    expect(codeOf(check(1, 'Which year?', 3))).toBe('fork-conversation')
    expect(codeOf(check(2, 'Which year?', 2))).toBeNull()
    expect(codeOf(check(1, ' ', 2))).toBeNull()
  })

  it('refuses what a trace cannot repeat: pages read for a goal, and pages behind the proxy', async () => {
    const { events } = await record(script)
    const goal = {
      type: 'page-read-for-goal',
      model: 'm',
      url: 'u',
      goal: 'g',
      answer: { text: '' },
      usage: null,
      wallMs: 0,
    }
    const read = { ...events[5]!, ...goal } as TraceEvent
    expect(codeOf(() => readPrefix([{ ...read, step: 1 }, ...events], 2, 'source'))).toBe('fork-goal-reading')
    const direct = {
      ...events[5]!,
      type: 'tool-called',
      tool: 'http',
      callId: 'c',
      args: {},
      step: 1,
    } as TraceEvent
    expect(codeOf(() => readPrefix([direct, ...events], 2, 'source'))).toBe('fork-proxy')
  })
})

describe('a fork of a fork', () => {
  it('repeats the budget and the note of the first one', async () => {
    const many = Array.from({ length: 5 }, (_, at) => calls(['web_search', { queries: [`query ${at}`] }]))
    const note = (step: number) => (step === 3 ? 'Check every value.' : null)
    const source = await record({ turns: [...many, says(table)] }, { noteBefore: note })
    const change = { caps: { modelCalls: 20 }, options: {}, note: note(3) }
    const forkAgain = (earlier: ForkInput['earlier']) =>
      fork(
        source,
        6,
        { turns: [says(table)] },
        { caps: { modelCalls: 3 }, input: { earlier, caps: () => ({}) } },
      )
    expect((await forkAgain([{ atStep: 3, ...change }])).outcome.termination).toEqual(
      source.outcome.termination,
    )
    expect((await forkAgain([])).outcome.termination.reason).toBe('diverged')
  })
})

describe('cutPassage', () => {
  const text = Array.from({ length: 400 }, (_, line) => `line ${line}: ${'x'.repeat(40)}`).join('\n')

  it('returns a short text whole, and the beginning of a long text without any of the lines', () => {
    expect(cutPassage('short', ['nowhere'], passageSize)).toBe('short')
    expect(cutPassage(text, ['nowhere'], passageSize)).toBe(text.slice(0, 8_000))
  })

  it('returns whole lines around each line, joined where they meet', () => {
    const passage = cutPassage(text, ['line 300:', 'line 100:', 'line 105:'], passageSize)
    const parts = passage.split('\n[…]\n')
    expect(parts).toHaveLength(2)
    expect(parts[0]).toMatch(/^line 8\d: /)
    expect(parts[0]).toContain('line 105:')
    expect(parts[1]).toContain('line 300:')
    expect(parts.every(part => part.split('\n').every(line => /^line \d+: x{40}$/.test(line)))).toBe(true)
  })

  it.each([
    ['long', 'Value: 7', passageSize],
    ['long', 'Value: 7', excerptSize],
    ['longer than the excerpt', `Value: 7 ${'y'.repeat(3_000)}`, excerptSize],
    ['almost as long as the excerpt', `Value: ${'y'.repeat(1_900)} 7 end`, excerptSize],
  ])('contains the evidence in the middle of one line that is %s', (_how, line, size) => {
    const passage = cutPassage(`${'x'.repeat(50_000)}${line}${'x'.repeat(50_000)}`, [line], size)
    expect(passage).toContain(line.slice(0, size.most))
    expect(passage.length).toBeLessThanOrEqual(size.most)
    expect(cutPassage(`${'x'.repeat(50_000)}${line}`, [line], size)).toContain(line.slice(0, size.most))
  })
})

it('knows a closed list of interventions', () => {
  expect(interventionSchema.safeParse({ kind: 'give', value: 'a.pdf' }).success).toBe(true)
  expect(interventionSchema.safeParse({ kind: 'guess', value: null }).success).toBe(false)
})
