import { AIMessage, type BaseMessage, HumanMessage } from '@langchain/core/messages'
import { describe, expect, it } from 'vitest'
import { runClosedBook } from '../../agents/closed-book.ts'
import { runOwnAgent } from '../../agents/loop.ts'
import { runOffline } from '../../agents/offline.ts'
import { runRag } from '../../agents/rag.ts'
import type { RetrieveRequest } from '../../agents/setting.ts'
import { ProviderError } from '../../src/core/errors.ts'
import type { Question } from '../../src/core/task.ts'
import { calls, page, question, says, scripted, world } from './harness.ts'

const conversation: Question = {
  ...question,
  query: 'Which cave is deepest?',
  form: { kind: 'text' },
  turns: [
    { query: 'Who discovered it?', form: { kind: 'text' } },
    { query: 'List its halls.', form: { kind: 'text', isList: true } },
  ],
}
const text = (messages: readonly BaseMessage[]): string => messages.map(message => message.text).join('\n')
const kinds = (messages: readonly BaseMessage[]): string[] => messages.map(message => message.getType())
const hasAnswer = (answer: string): boolean => answer.trim() !== ''
const documents = async () => [
  { hint: 'a.pdf', sha256: null, text: 'Tolvan Cave is 412 m deep.', problem: null },
  { hint: 'b.pdf', sha256: null, text: 'Iso Brandel discovered it.', problem: null },
]
const unavailable = new ProviderError('auth', 'no key', { retryable: false })

describe.each([
  { name: 'offline', run: runOffline },
  { name: 'rag', run: runRag },
  { name: 'closed-book', run: runClosedBook },
])('a conversation in $name', ({ run }) => {
  const threeAnswers = () => scripted({ turns: [says('Tolvan'), says('Brandel'), says('North\nSouth')] })

  it('asks each turn with all earlier messages and returns every text', async () => {
    const model = threeAnswers()
    const outcome = await run(conversation, world(model, { documents, hasAnswer }).environment)
    expect(outcome.turnTexts).toEqual(['Tolvan', 'Brandel', 'North\nSouth'])
    expect(outcome.answerText).toBe('North\nSouth')
    expect(outcome.termination).toMatchObject({ reason: 'answered', detail: null, answerProduced: true })
    const last = model.requests[2]!.messages
    expect(kinds(last)).toEqual(['system', 'human', 'ai', 'human', 'ai', 'human'])
    expect(last[4]!.text).toBe('Brandel')
    expect(last[3]!.text).toContain('Who discovered it?')
    expect(last[5]!.text).toContain('one item per line')
    for (const { messages } of model.requests)
      expect(text(messages).match(/# Contents/g)?.length ?? 0).toBeLessThanOrEqual(1)
  })

  it('counts one budget over all turns and keeps the answers before its end', async () => {
    const environment = world(threeAnswers(), { documents, hasAnswer, caps: { modelCalls: 2 } }).environment
    const outcome = await run(conversation, environment)
    expect(outcome.turnTexts).toEqual(['Tolvan', 'Brandel', null])
    expect(outcome.answerText).toBeNull()
    expect(outcome.termination).toMatchObject({
      cause: 'budget',
      reason: 'model-calls',
      detail: 'turn 3 of 3',
      answerProduced: true,
    })
  })

  it('keeps the first answer when the provider fails in the second turn', async () => {
    const model = scripted({ turns: [says('Tolvan'), unavailable] })
    const outcome = await run(conversation, world(model, { documents, hasAnswer }).environment)
    expect(outcome.turnTexts).toEqual(['Tolvan', null, null])
    expect(outcome.termination).toMatchObject({ cause: 'provider', reason: 'auth' })
    expect(outcome.termination.detail).toMatch(/^turn 2 of 3: /)
  })

  it('continues after a turn without an answer and names the turn in the termination', async () => {
    const model = scripted({ turns: [says(''), says('Brandel'), says('North')] })
    const outcome = await run(conversation, world(model, { documents, hasAnswer }).environment)
    expect(outcome.turnTexts).toEqual([null, 'Brandel', 'North'])
    expect(outcome.termination).toMatchObject({ reason: 'answered-without-table', detail: 'turn 1 of 3' })
    expect(kinds(model.requests[1]!.messages)).toEqual(['system', 'human'])
  })
})

it('returns no turn texts for a task with one question', async () => {
  const outcome = await runOffline(
    question,
    world(scripted({ turns: [says('x')] }), { documents }).environment,
  )
  expect('turnTexts' in outcome).toBe(false)
})

it('offline reports the documents once in the trace, and cuts them again where later turns need the room', async () => {
  const long = async () => [{ hint: 'a.pdf', sha256: null, text: 'cave '.repeat(2_000), problem: null }]
  const model = scripted({
    turns: [says('T'.repeat(1_500)), says('B'), says('N')],
    contextWindow: 6_000,
    countTokens: (said: string) => said.length,
  })
  const { environment, of } = world(model, { documents: long, hasAnswer })
  const outcome = await runOffline(conversation, environment)
  expect(outcome.turnTexts?.every(said => said !== null)).toBe(true)
  const [first, second] = model.requests.map(({ messages }) => messages[1]!.text.length)
  expect(second!).toBeLessThan(first!)
  expect(of('context-cut').length).toBeGreaterThan(0)
  const fitting = world(scripted({ turns: [says('T'), says('B'), says('N')] }), { documents, hasAnswer })
  await runOffline(conversation, fitting.environment)
  expect(fitting.of('model-called').map(({ messages }) => messages.length)).toEqual([2, 2, 2])
})

it('rag retrieves once, for all questions of the conversation', async () => {
  const asked: RetrieveRequest[] = []
  const retrieve = async (_documents: unknown, _signal: unknown, request: RetrieveRequest) => {
    asked.push(request)
    return { chunks: [], retriever: 'aoe' as const, embedder: 'hash', k: 1 }
  }
  const model = scripted({ turns: [says('A')] })
  const outcome = await runRag(conversation, world(model, { documents, retrieve, hasAnswer }).environment)
  expect(asked).toHaveLength(1)
  expect(asked[0]!.queries).toEqual(['Which cave is deepest?', 'Who discovered it?', 'List its halls.'])
  expect(outcome.retrieval?.queries).toHaveLength(3)
})

describe('a conversation online', () => {
  it.each([true, false])(
    'continues the same agent conversation, tools included (native: %s)',
    async native => {
      const search = native
        ? calls(['web_search', { queries: ['Tolvan'] }])
        : says('<tool_call>{"name": "web_search", "arguments": {"queries": ["Tolvan"]}}</tool_call>')
      const model = scripted({
        nativeTools: native,
        turns: [search, says('Tolvan'), says('Brandel'), says('North\nSouth')],
      })
      const outcome = await runOwnAgent(conversation, world(model, { hasAnswer }).environment)
      expect(outcome.turnTexts).toEqual(['Tolvan', 'Brandel', 'North\nSouth'])
      expect(outcome.usage).toMatchObject({ searchCalls: 1, modelCalls: 4 })
      const last = model.requests[3]!.messages
      expect(last.filter(HumanMessage.isInstance).at(-1)!.text).toContain('List its halls.')
      expect(last.filter(AIMessage.isInstance).map(({ text }) => text)).toContain('Tolvan')
      expect(text(last)).toContain('call your tools again')
    },
  )

  it('keeps the first answer when a budget ends the second turn, which still answers', async () => {
    const model = scripted({
      turns: [says('Tolvan'), calls(['web_search', { queries: ['x'] }]), says('late')],
    })
    const caps = { modelCalls: 3 }
    const outcome = await runOwnAgent(conversation, world(model, { hasAnswer, caps }).environment)
    expect(outcome.turnTexts).toEqual(['Tolvan', 'late', null])
    expect(outcome.termination).toMatchObject({ cause: 'budget', reason: 'model-calls', forcedFinal: true })
    const last = model.requests.at(-1)!.messages
    expect(last.at(-1)!.text).toContain('in the requested form')
  })
})

it('applies a context policy that changes during an online conversation', async () => {
  const options: Record<string, unknown> = { contextPolicy: 'shorten' }
  const open = (name: string) => calls(['fetch_page', { url: `http://x.test/${name}` }])
  const change = () => {
    options.contextPolicy = 'keep-last:1'
    return open('a')
  }
  const model = scripted({ turns: [says('Tolvan'), change, open('b'), open('c'), says('Brandel')] })
  const makeTools = [page(() => 'a line\n'.repeat(500))]
  const { environment, of } = world(model, { hasAnswer, options, makeTools })
  await runOwnAgent(conversation, environment)
  expect(of('context-cut').map(({ strategy }) => strategy)).toContain('keep-last:1')
})
