import { type BaseMessage, HumanMessage } from '@langchain/core/messages'
import { describe, expect, it } from 'vitest'
import { findContextPolicy, readContextPolicy } from '../../agents/context-policies/registry.ts'
import { runOwnAgent } from '../../agents/loop.ts'
import { loopNotes } from '../../agents/prompts/notes.ts'
import type { TraceEvent } from '../../logs/events.ts'
import { ProviderError } from '../../src/core/errors.ts'
import type { Question } from '../../src/core/task.ts'
import { rebuildTranscript } from '../../src/run/attempt/controls/transcript.ts'
import {
  calls,
  page,
  question,
  type Request,
  type Script,
  says,
  scripted,
  table,
  usageOf,
  world,
} from './harness.ts'

const everyPolicy = ['shorten', 'keep-last:2', 'summarise', 'final-answer']
const protocols = [true, false]
const both = everyPolicy.flatMap(policy => protocols.map(native => [policy, native] as const))

const isNoteRequest = ({ messages }: Pick<Request, 'messages'>): boolean =>
  messages.at(-1)!.text.endsWith(loopNotes.en.writeStateNote)
const isFinal = ({ messages }: Request): boolean => messages.at(-1)!.text.includes(loopNotes.en.answerNow)

const pageOf = (n: number): string =>
  `page ${n} begins\n${'a line of filler text\n'.repeat(60)}page ${n} total ${n}77,000\n`

function open(n: number, native: boolean) {
  const url = `http://x.test/${n}`
  if (native) return calls(['fetch_page', { url }])
  return says(`<tool_call>{"name": "fetch_page", "arguments": {"url": "${url}"}}</tool_call>`)
}

/** Opens pages 0, 1, 2, … and writes the table when it must, or after `pages` pages. */
function opening(pages: number, native: boolean): Script['turns'] {
  let opened = 0
  return [
    request => {
      if (isNoteRequest(request)) return says(`noted after ${opened} pages`)
      return isFinal(request) || opened === pages ? says(table) : open(opened++, native)
    },
  ]
}

async function attempt(
  policy: string,
  {
    native = true,
    pages = 6,
    asked = question,
    ...script
  }: Partial<Script> & { native?: boolean; pages?: number; asked?: Question } = {},
  more: Parameters<typeof world>[1] = {},
) {
  const model = scripted({ turns: opening(pages, native), nativeTools: native, ...script })
  const here = world(model, {
    makeTools: [page(url => pageOf(Number(url.split('/').at(-1))))],
    options: { contextPolicy: policy },
    ...more,
  })
  const outcome = await runOwnAgent(asked, here.environment)
  return { ...outcome, ...here, model, last: textOf(model.requests.at(-1)!.messages) }
}

const textOf = (messages: readonly BaseMessage[]): string =>
  messages.map(message => message.text).join('\n\n')
const pagesIn = (text: string): number[] =>
  [0, 1, 2, 3, 4, 5, 6, 7, 8, 9].filter(n => text.includes(pageOf(n)))

describe.each(both)('the context policy %s (native tools: %s)', (policy, native) => {
  it('keeps every request within the context window', async () => {
    const { model, termination } = await attempt(policy, { native, pages: 9, contextWindow: 14_000 })
    expect(termination.answerProduced).toBe(true)
    for (const { messages } of model.requests) expect(textOf(messages).length).toBeLessThan(14_000)
  })

  it.each([20_000, 30_000, 45_000, 80_000, 160_000])('never exceeds a budget of %s tokens', async cap => {
    let billed = 0
    const [turn] = opening(20, native) as [(request: Request) => ReturnType<typeof says>]
    const { of } = await attempt(
      policy,
      {
        native,
        contextWindow: 14_000,
        turns: [
          request => {
            const message = turn(request)
            const usage = usageOf(textOf(request.messages).length + 150, 120)
            billed += usage.total_tokens
            return Object.assign(message, { usage_metadata: usage })
          },
        ],
      },
      { caps: { tokens: cap } },
    )
    expect(billed).toBeLessThanOrEqual(cap)
    expect(of('budget-overrun')).toEqual([])
  })

  it('answers after a provider refused a request as too long, although no window is declared', async () => {
    const tooLong = new ProviderError('context-window', 'too long', { retryable: false })
    const [turn] = opening(10, native) as [(request: Request) => ReturnType<typeof says>]
    const { termination, model } = await attempt(policy, {
      native,
      turns: [
        request => {
          if (textOf(request.messages).length > 16_000) throw tooLong
          return turn(request)
        },
      ],
    })
    expect(termination.answerProduced).toBe(true)
    const canContinue = policy === 'summarise' || policy === 'keep-last:2'
    if (!canContinue)
      expect(termination).toMatchObject({ cause: 'budget', reason: 'context-window', forcedFinal: true })
    expect(model.requests.length).toBeGreaterThan(4)
  })

  it('records every removal, so that the trace tells what the last request contained', async () => {
    const { events, of, model, answerText } = await attempt(policy, {
      native,
      pages: 9,
      contextWindow: 14_000,
    })
    const trace = events.map(
      ({ step, body }, seq) => ({ ...body, step, seq, at: '', attemptId: 'a' }) as TraceEvent,
    )
    const rebuilt = rebuildTranscript(trace, hash => hash).map(({ text }) => text)
    expect(rebuilt).toEqual([...model.requests.at(-1)!.messages.map(message => message.text), answerText])
    for (const cut of of('context-cut')) {
      expect(cut.strategy).toBe(policy)
      expect(cut.removed!.map(({ callId }) => callId)).toEqual(cut.shortened)
      for (const { chars, keptChars, tool } of cut.removed!) {
        expect(tool).toBe('fetch_page')
        expect(keptChars).toBeLessThan(chars)
      }
    }
  })

  it('keeps the questions of a conversation', async () => {
    const asked: Question = { ...question, turns: [{ query: 'And the profit?', form: { kind: 'table' } }] }
    let answers = 0
    const [turn] = opening(5, native) as [(request: Request) => ReturnType<typeof says>]
    let opened = 10
    const { last } = await attempt(policy, {
      native,
      asked,
      contextWindow: 16_000,
      turns: [
        request => {
          if (isNoteRequest(request) || answers === 0) {
            const message = turn(request)
            if (message.text === table) answers++
            return message
          }
          return isFinal(request) || opened === 14 ? says(table) : open(opened++, native)
        },
      ],
    })
    expect(last).toContain(question.query)
    expect(last).toContain('And the profit?')
  })

  it('is named in the prompt, in both languages', async () => {
    for (const language of ['en', 'zh'] as const) {
      const { model } = await attempt(policy, { native, asked: { ...question, language } })
      const notice = findContextPolicy({ contextPolicy: policy }).notice(loopNotes[language].context)
      expect(model.requests[0]!.messages[0]!.text).toContain(notice)
    }
  })
})

describe('keep-last', () => {
  it.each(protocols)(
    'keeps the last results and names the calls of the others (native: %s)',
    async native => {
      const { last, of, termination } = await attempt('keep-last:2', { native, pages: 5 })
      expect(termination.reason).toBe('answered')
      expect(pagesIn(last)).toEqual([3, 4])
      expect(last).toContain(
        '[removed: the result of fetch_page {"url":"http://x.test/0"}; make the call again',
      )
      expect(of('context-cut').map(({ removed }) => removed!.map(({ step }) => step))).toEqual([
        [1],
        [2],
        [3],
      ])
    },
  )

  it('demands the answer when the kept results do not fit, and removes the oldest of them', async () => {
    const { last, termination } = await attempt(
      'keep-last:9',
      { pages: 9, contextWindow: 14_000 },
      {
        makeTools: [page(url => (url.endsWith('/4') ? 'long\n'.repeat(1_400) : pageOf(Number(url.at(-1)))))],
      },
    )
    expect(termination).toMatchObject({ cause: 'budget', reason: 'context-window', forcedFinal: true })
    expect(pagesIn(last)).toEqual([3])
    expect(last).toContain('long\nlong')
  })

  it('lets the agent read a removed result again', async () => {
    let turn = 0
    const order = [0, 1, 2, 0, 1, 2, 0, 1, 2]
    const { termination } = await attempt('keep-last:1', {
      turns: [() => (turn < order.length ? open(order[turn++]!, true) : says(table))],
    })
    expect(termination.reason).toBe('answered')
  })
})

describe('final-answer', () => {
  it('removes nothing and demands the answer at the share of the window', async () => {
    const { last, of, termination, model } = await attempt('final-answer:0.7', {
      pages: 9,
      contextWindow: 20_000,
    })
    expect(termination).toMatchObject({ cause: 'budget', reason: 'context-window', forcedFinal: true })
    expect(of('context-cut')).toEqual([])
    expect(pagesIn(last)).toHaveLength(model.requests.length - 1)
    const sizes = model.requests.map(({ messages }) => textOf(messages).length)
    expect(sizes.at(-2)!).toBeLessThan(14_000)
    expect(sizes.at(-1)!).toBeGreaterThan(12_000)
  })

  it('removes the newest results when they leave no room for the answer', async () => {
    let opened = 0
    const { last, of, termination } = await attempt(
      'final-answer',
      {
        contextWindow: 14_000,
        turns: [request => (isFinal(request) ? says(table) : open(opened++, true))],
      },
      {
        makeTools: [
          page(url => (url.endsWith('/3') ? 'too long\n'.repeat(2_000) : pageOf(Number(url.at(-1))))),
        ],
      },
    )
    expect(termination).toMatchObject({ reason: 'context-window', answerProduced: true })
    expect(pagesIn(last)).toEqual([0, 1, 2])
    expect(of('context-cut')).toMatchObject([{ removed: [{ step: 4, keptChars: 0 }] }])
  })
})

describe('summarise', () => {
  it.each(protocols)(
    'replaces all turns but the latest by the note of the model (native: %s)',
    async native => {
      const { last, of, usage, model, termination } = await attempt('summarise', {
        native,
        pages: 9,
        contextWindow: 14_000,
      })
      expect(termination.reason).toBe('answered')
      const notes = model.requests.filter(isNoteRequest)
      expect(notes.length).toBeGreaterThan(0)
      expect(usage.modelCalls).toBe(model.requests.length)
      expect(of('model-called').filter(({ side }) => side === 'state-note')).toHaveLength(notes.length)
      for (const { options } of notes) expect(options.toolChoice).toBe('none')
      expect(last).toMatch(/Your state note, which replaces your earlier turns:\nnoted after \d pages/)
      expect(last.match(/Your state note/g)).toHaveLength(1)
      expect(last).not.toContain(pageOf(0))
      expect(pagesIn(last)).toContain(8)
      expect(of('context-cut')[0]!.removedMessages!.length).toBeGreaterThan(0)
    },
  )

  it('continues after a refused request, with a note of everything before it', async () => {
    const tooLong = new ProviderError('context-window', 'too long', { retryable: false })
    let refused = 0
    const [turn] = opening(8, true) as [(request: Request) => ReturnType<typeof says>]
    const { termination, model } = await attempt('summarise', {
      turns: [
        request => {
          if (textOf(request.messages).length <= 12_000) return turn(request)
          refused++
          throw tooLong
        },
      ],
    })
    expect(refused).toBe(1)
    expect(termination).toMatchObject({ reason: 'answered', forcedFinal: false })
    expect(model.requests.some(isNoteRequest)).toBe(true)
  })

  it.each(protocols)(
    'shortens results when the request for the note is too long itself (native: %s)',
    async native => {
      const tooLong = new ProviderError('context-window', 'too long', { retryable: false })
      const [turn] = opening(10, native) as [(request: Request) => ReturnType<typeof says>]
      let turns = 0
      let longest = 0
      const { termination, model } = await attempt('summarise', {
        native,
        turns: [
          request => {
            const chars = textOf(request.messages).length
            // The window is exactly as large as the request of the eighth turn.
            if (++turns === 8) longest = chars
            if (turns > 8 && chars > longest) throw tooLong
            return turn(request)
          },
        ],
      })
      const notes = model.requests.filter(isNoteRequest).map(({ messages }) => textOf(messages).length)
      expect(notes[0]).toBeGreaterThan(longest)
      expect(notes[1]).toBeLessThanOrEqual(longest)
      expect(termination).toMatchObject({ reason: 'answered', forcedFinal: false })
    },
  )

  it('demands the answer when the note is empty', async () => {
    let opened = 0
    const { termination } = await attempt('summarise', {
      contextWindow: 14_000,
      turns: [
        request => {
          if (isNoteRequest(request)) return says('')
          return isFinal(request) ? says(table) : open(opened++, true)
        },
      ],
    })
    expect(termination).toMatchObject({ cause: 'budget', reason: 'context-window', answerProduced: true })
  })
})

it('a checkpoint sees the conversation as the policy keeps it', async () => {
  const shadow = scripted({ turns: [says(table)] })
  await attempt('keep-last:1', { pages: 4 }, { checkpointTokens: [40], shadowModel: () => shadow })
  expect(pagesIn(textOf(shadow.requests[0]!.messages))).toHaveLength(1)
})

it('the date of the run is part of the prompt', async () => {
  const { model } = await attempt('shorten', {}, { options: { date: '2026-11-23' } })
  expect(model.requests[0]!.messages[0]!.text).toContain('Today is 2026-11-23.')
})

it.each([
  ['final-answer', 'final-answer'],
  ['final-answer:0.50', 'final-answer:0.5'],
  ['final-answer:0.859375', 'final-answer'],
  ['keep-last:5', 'keep-last:5'],
  ['keep-last', null],
  ['keep-last:0', null],
  ['final-answer:2', null],
  ['final-answer:', null],
  ['shorten:3', null],
  ['forget', null],
])('the value %s names the policy %s', (value, name) => {
  expect(readContextPolicy(value)?.name ?? null).toBe(name)
})

describe('--no-progress', () => {
  const repeating = (noProgress: number | 'off', turns: number) => {
    let call = 0
    return attempt(
      'shorten',
      { turns: [() => (call++ < turns ? open(0, true) : says(table))] },
      { options: { noProgress }, makeTools: [page(() => 'the same')] },
    )
  }

  it('off lets an agent repeat itself', async () => {
    expect((await repeating('off', 30)).termination.reason).toBe('answered')
    expect((await repeating(8, 30)).termination.reason).toBe('no-progress')
  })

  it('sets the turns after which the agent gets a note', async () => {
    let part = 0
    const { model, termination } = await attempt(
      'shorten',
      { turns: [() => calls(['fetch_page', { url: 'http://x.test/', part: part++ }])] },
      { options: { noProgress: 3 }, makeTools: [page(() => 'the same')] },
    )
    expect(termination.reason).toBe('no-progress')
    expect(model.requests).toHaveLength(5)
    expect(model.requests[4]!.messages.findLast(one => one instanceof HumanMessage)!.text).toContain(
      loopNotes.en.noProgress,
    )
  })
})
