import { AIMessage, HumanMessage, ToolMessage } from '@langchain/core/messages'
import { tool } from '@langchain/core/tools'
import { describe, expect, it } from 'vitest'
import { z } from 'zod/v4'
import { runOwnAgent } from '../../agents/loop.ts'
import { loopNotes } from '../../agents/prompts/notes.ts'
import type { SettingEnvironment } from '../../agents/setting.ts'
import { ProviderError, ToolError } from '../../src/core/errors.ts'
import { systemClock } from '../../src/core/runtime.ts'
import { terminationSchema } from '../../src/core/termination.ts'
import {
  calls,
  page,
  question,
  type Script,
  says,
  scripted,
  search,
  table,
  usageOf,
  world,
} from './harness.ts'

const searchFor = (query: string) => calls(['web_search', { queries: [query] }])
const openPage = (url: string) => calls(['fetch_page', { url }])
const endless = (make: (n: number) => AIMessage) => [({ call }: { call: number }) => make(call)]

async function attempt(script: Script, more: Parameters<typeof world>[1] = {}) {
  const model = scripted(script)
  const here = world(model, more)
  const outcome = await runOwnAgent(question, here.environment)
  terminationSchema.parse(outcome.termination)
  return { ...outcome, ...here, model }
}

const provider = (reason: ProviderError['reason'], retryable = false) =>
  new ProviderError(reason, `test:model: HTTP 500: failed at http://127.0.0.1:3456/v1 after 12 s`, {
    retryable,
  })

describe('the agent loop', () => {
  it('searches, opens pages and answers, with usage and a complete trace', async () => {
    const { answerText, termination, usage, events, of, model } = await attempt({
      turns: [searchFor('a'), openPage('http://x.test/a'), says(table)],
    })
    expect(answerText).toBe(table)
    expect(termination).toEqual({
      cause: 'agent',
      reason: 'answered',
      answerProduced: true,
      forcedFinal: false,
      lastHealthyStep: 3,
      detail: null,
    })
    expect(usage).toMatchObject({
      inputTokens: 30,
      outputTokens: 15,
      cachedInputTokens: null,
      modelCalls: 3,
      searchCalls: 1,
      fetchCalls: 1,
      toolErrors: 0,
      usd: null,
      usdModel: null,
      usdFetch: 0,
    })
    expect(events.map(({ step, body }) => `${step} ${body.type}`)).toEqual([
      '1 budget-charged',
      '1 model-called',
      '1 model-answered',
      '1 budget-charged',
      '1 tool-called',
      '1 budget-charged',
      '1 tool-answered',
      '2 budget-charged',
      '2 model-called',
      '2 model-answered',
      '2 budget-charged',
      '2 tool-called',
      '2 budget-charged',
      '2 tool-answered',
      '3 budget-charged',
      '3 model-called',
      '3 model-answered',
      '3 budget-charged',
    ])
    expect(of('model-called').map(({ messages }) => messages.map(({ role }) => role))).toEqual([
      ['system', 'user'],
      ['assistant', 'tool'],
      ['assistant', 'tool'],
    ])
    expect(model.requests[0]!.messages[1]!.text).toMatch(
      /^# Question\nCompare revenue\.\n\n# Documents\n- a\.pdf\n- b\.pdf\n\n# Answer\n[\s\S]*web_search.*\n$/,
    )
    expect(model.requests[2]!.messages.at(-1)!.text).toBe('text of http://x.test/a')
  })

  it('ends with answered-without-table after a final message without a table, and keeps its text', async () => {
    const { answerText, termination } = await attempt({ turns: [says('I could not find them.')] })
    expect(answerText).toBe('I could not find them.')
    expect(termination).toMatchObject({
      cause: 'agent',
      reason: 'answered-without-table',
      answerProduced: false,
    })
  })

  it("ends with refused after OpenAI's message.refusal", async () => {
    const { termination } = await attempt({
      turns: [says('', { additional_kwargs: { refusal: 'I cannot.' } })],
    })
    expect(termination).toMatchObject({ cause: 'agent', reason: 'refused', answerProduced: false })
  })

  it("ends with refused after Anthropic's stop reason 'refusal'", async () => {
    const { termination } = await attempt({
      turns: [says('', { response_metadata: { stop_reason: 'refusal' } })],
    })
    expect(termination).toMatchObject({ cause: 'agent', reason: 'refused' })
  })

  it('ends with budget / output-limit when the last answer is cut, and keeps its text', async () => {
    const cut = 'x\n```csv\nname,revenue\na.pdf,1\nb.p'
    const { answerText, termination } = await attempt({
      turns: [says(cut, { response_metadata: { finish_reason: 'length' } })],
    })
    expect(answerText).toBe(cut)
    expect(termination).toMatchObject({ cause: 'budget', reason: 'output-limit', answerProduced: true })
  })

  it('accepts an answer that is written as a call of a tool named answer', async () => {
    const { answerText, termination } = await attempt({ turns: [calls(['final_answer', { text: table }])] })
    expect(answerText).toBe(table)
    expect(termination).toMatchObject({ cause: 'agent', reason: 'answered', answerProduced: true })
  })

  it('answers each of thirty parallel calls under its own id and traces them in order', async () => {
    const urls = Array.from({ length: 30 }, (_, index) => `http://x.test/${index}`)
    const slowFirst = page(async url => {
      await systemClock.sleep(url.endsWith('/0') ? 30 : Number(url.split('/').at(-1)) % 5)
      return `text of ${url}`
    })
    const { termination, events, model, usage } = await attempt(
      { turns: [calls(...urls.map(url => ['fetch_page', { url }] as const)), says(table)] },
      { makeTools: [slowFirst] },
    )
    expect(termination).toMatchObject({ reason: 'answered' })
    expect(usage.fetchCalls).toBe(30)
    const asked = (model.requests[1]!.messages.find(message => message instanceof AIMessage) as AIMessage)
      .tool_calls!
    const answers = model.requests[1]!.messages.filter(message => message instanceof ToolMessage)
    expect(answers.map(message => message.tool_call_id)).toEqual(asked.map(call => call.id))
    expect(answers.map(message => message.text)).toEqual(urls.map(url => `text of ${url}`))
    const tools = events
      .map(({ body }) => body)
      .filter(body => body.type.startsWith('tool-') || ('kind' in body && body.kind === 'fetchCalls'))
    expect(tools.map(body => body.type)).toEqual(
      Array.from({ length: 30 }, () => ['tool-called', 'budget-charged', 'tool-answered']).flat(),
    )
    expect(tools.flatMap(body => (body.type === 'budget-charged' ? [body.total] : []))).toEqual(
      Array.from({ length: 30 }, (_, index) => index + 1),
    )
  })

  it('assigns unique ids to calls without an id or with a repeated one', async () => {
    const same = (query: string) =>
      says('', {
        tool_calls: [0, 1].map(n => ({
          type: 'tool_call',
          id: n === 0 ? 'x' : '',
          name: 'web_search',
          args: { queries: [query + n] },
        })),
      })
    const { termination, model } = await attempt({ turns: [same('a'), same('b'), says(table)] })
    expect(termination).toMatchObject({ reason: 'answered' })
    const last = model.requests[2]!.messages
    const asked = last.flatMap(message =>
      message instanceof AIMessage ? (message.tool_calls ?? []).map(call => call.id) : [],
    )
    const answered = last.flatMap(message => (message instanceof ToolMessage ? [message.tool_call_id] : []))
    expect(new Set(asked).size).toBe(4)
    expect(answered).toEqual(asked)
  })

  it('shows the agent a failed page, counts the tool error and continues', async () => {
    const broken = page(() => {
      throw new ToolError('http-status', 'HTTP 404', { infrastructure: true })
    })
    const { termination, usage, of, model } = await attempt(
      { turns: [openPage('http://x.test/a'), says(table)] },
      { makeTools: [broken] },
    )
    expect(termination).toMatchObject({ reason: 'answered', lastHealthyStep: 2 })
    expect(usage.toolErrors).toBe(1)
    expect(of('tool-failed')).toMatchObject([
      { errorClass: 'http-status', infrastructure: true, message: 'HTTP 404' },
    ])
    expect(model.requests[1]!.messages.at(-1)!.text).toContain('HTTP 404')
  })

  it('ends with harness / crash and the cause when a tool crashes, without path, host or time', async () => {
    const broken = page(() => {
      throw new TypeError("cannot read '/home/me/x/y.ts' at http://127.0.0.1:8080/ after 15 ms", {
        cause: new Error('inner'),
      })
    })
    const { termination, answerText } = await attempt(
      { turns: [openPage('http://x.test/')] },
      { makeTools: [broken] },
    )
    expect(answerText).toBeNull()
    expect(termination).toMatchObject({
      cause: 'harness',
      reason: 'crash',
      answerProduced: false,
      lastHealthyStep: 0,
    })
    expect(termination.detail).toContain('TypeError: cannot read')
    expect(termination.detail).toContain('inner')
    expect(termination.detail).not.toMatch(/home|127|8080|15 ms/)
  })

  it('ends with harness / crash when the model handle crashes', async () => {
    const { termination } = await attempt({ turns: [new RangeError('odd')] })
    expect(termination).toMatchObject({ cause: 'harness', reason: 'crash', detail: 'RangeError: odd' })
  })

  it('ends on a replay miss if the operator requested it, and otherwise shows it to the agent', async () => {
    const miss = page(() => {
      throw new ToolError('replay-miss', 'not in the recording', { infrastructure: true })
    })
    const turns = [openPage('http://x.test/'), says(table)]
    const ended = await attempt({ turns }, { makeTools: [miss], onReplayMiss: 'end' })
    expect(ended.termination).toMatchObject({ cause: 'harness', reason: 'replay-miss' })
    const observed = await attempt({ turns }, { makeTools: [miss] })
    expect(observed.termination).toMatchObject({ reason: 'answered' })
  })
})

describe('a provider that fails', () => {
  it.each([
    ['rate-limited', true],
    ['unavailable', true],
    ['timeout', true],
    ['auth', false],
    ['content-filter', false],
    ['bad-response', false],
  ] as const)('ends the attempt as provider / %s', async (reason, retryable) => {
    const { termination, usage, of } = await attempt({ turns: [searchFor('a'), provider(reason, retryable)] })
    expect(termination).toMatchObject({
      cause: 'provider',
      reason,
      answerProduced: false,
      lastHealthyStep: 1,
    })
    expect(termination.detail).not.toMatch(/127|3456|12 s/)
    expect(usage.modelCalls).toBe(retryable ? 6 : 2)
    expect(of('provider-retried')).toHaveLength(retryable ? 4 : 0)
  })

  it('is asked again until it recovers, and each request is counted', async () => {
    const { termination, usage } = await attempt({
      turns: [provider('rate-limited', true), provider('unavailable', true), says(table)],
    })
    expect(termination).toMatchObject({ cause: 'agent', reason: 'answered', lastHealthyStep: 1 })
    expect(usage).toMatchObject({ modelCalls: 3, inputTokens: 10 })
  })

  it('is the cause of the end, not the model-call budget that its retries used up', async () => {
    const { termination, usage } = await attempt(
      { turns: [provider('unavailable', true)] },
      { caps: { modelCalls: 3 } },
    )
    expect(termination).toMatchObject({ cause: 'provider', reason: 'unavailable' })
    expect(usage.modelCalls).toBe(3)
  })

  it('is the cause of the end, not the wall clock that ran out between its retries', async () => {
    const { termination } = await attempt(
      { turns: [provider('unavailable', true)] },
      { caps: { wallMs: 60 }, clock: systemClock },
    )
    expect(termination).toMatchObject({ cause: 'provider', reason: 'unavailable' })
  })

  it('ends with provider / content-filter when a 200 response reports a content filter', async () => {
    const { termination } = await attempt({
      turns: [says('', { response_metadata: { finish_reason: 'content_filter' } })],
    })
    expect(termination).toMatchObject({ cause: 'provider', reason: 'content-filter' })
  })

  it('ends the attempt unscored when the search service stays down', async () => {
    const down = search(() => {
      throw new ProviderError('auth', 'serper: bad key', { retryable: false })
    })
    const { termination } = await attempt({ turns: [searchFor('a')] }, { makeTools: [down] })
    expect(termination).toMatchObject({ cause: 'provider', reason: 'auth', detail: 'serper: bad key' })
  })

  it('is also the cause when the budget ends the retries of a search', async () => {
    const flaky = (environment: Parameters<ReturnType<typeof search>>[0]) =>
      tool(
        () => {
          for (let retry = 1; ; retry++) {
            environment.charge('searchCalls', 'search: x')
            environment.retried('search: x', 'rate-limited', retry, 0)
          }
        },
        { name: 'web_search', description: 'd', schema: z.object({}) },
      )
    const { termination, usage } = await attempt(
      { turns: [calls(['web_search', {}])] },
      { makeTools: [flaky as never], caps: { searchCalls: 2 } },
    )
    expect(usage.searchCalls).toBe(2)
    expect(termination).toMatchObject({ cause: 'provider', reason: 'rate-limited' })
  })
})

describe('budgets', () => {
  it('force a final answer in the last model call and keep it', async () => {
    const { termination, answerText, usage, model } = await attempt(
      { turns: [...[0, 1, 2].map(n => searchFor(`q${n}`)), says(table)] },
      { caps: { modelCalls: 4 } },
    )
    expect(usage.modelCalls).toBe(4)
    expect(answerText).toBe(table)
    expect(termination).toMatchObject({
      cause: 'budget',
      reason: 'model-calls',
      forcedFinal: true,
      answerProduced: true,
      lastHealthyStep: 4,
    })
    const last = model.requests[3]!
    expect(last.messages.at(-1)!.text).toContain(loopNotes.en.answerNow)
    expect(last.options.toolChoice).toBe('none')
  })

  it('end without an answer when the forced final call has none', async () => {
    const { termination, answerText } = await attempt(
      { turns: endless(n => searchFor(`q${n}`)) },
      { caps: { modelCalls: 3 } },
    )
    expect(answerText).toBeNull()
    expect(termination).toMatchObject({
      cause: 'budget',
      reason: 'model-calls',
      forcedFinal: true,
      answerProduced: false,
    })
  })

  it.each(['tokens', 'usd'] as const)(
    'reserve %s for the forced final answer and are never exceeded',
    async kind => {
      const price = { input: 1, cachedInput: 1, output: 2 }
      const cap = kind === 'tokens' ? 40_000 : 0.06
      let billed = 0
      const bill = (
        message: AIMessage,
        request: { messages: readonly { text: string }[]; options: { maxOutputTokens: number | null } },
      ) => {
        const input = request.messages.reduce((sum, { text }) => sum + text.length, 0) + 400
        const output = Math.min(700, request.options.maxOutputTokens ?? 700)
        billed += kind === 'tokens' ? input + output : (input + output * 2) / 1e6
        return Object.assign(message, { usage_metadata: usageOf(input, output) })
      }
      const { termination, usage, of } = await attempt(
        {
          price,
          turns: [
            request =>
              bill(
                request.options.toolChoice === 'none'
                  ? says(table)
                  : openPage(`http://x.test/${request.call}`),
                request,
              ),
          ],
        },
        { caps: { [kind]: cap }, makeTools: [page(url => `text of ${url} `.repeat(60))] },
      )
      expect(termination).toMatchObject({
        cause: 'budget',
        reason: kind === 'tokens' ? 'tokens' : 'cost',
        forcedFinal: true,
        answerProduced: true,
      })
      expect(billed).toBeLessThanOrEqual(cap)
      expect(of('budget-overrun')).toEqual([])
      expect(usage.modelCalls).toBeGreaterThan(2)
      if (kind === 'usd') expect(usage.usdModel).toBeCloseTo(billed, 9)
    },
  )

  it('shorten tool results when the conversation is too long for the final answer', async () => {
    const { termination, of } = await attempt(
      {
        turns: [
          openPage('http://x.test/long'),
          request => (request.options.toolChoice === 'none' ? says(table) : searchFor('x')),
        ],
      },
      { caps: { tokens: 20_000 }, makeTools: [search(), page(() => 'long line of a page\n'.repeat(3_000))] },
    )
    expect(termination).toMatchObject({
      cause: 'budget',
      reason: 'tokens',
      forcedFinal: true,
      answerProduced: true,
    })
    expect(of('context-cut')).toHaveLength(1)
  })

  it('refuse the first call when they do not cover the prompt', async () => {
    const { termination, usage, of } = await attempt({ turns: [says(table)] }, { caps: { tokens: 100 } })
    expect(termination).toMatchObject({ cause: 'budget', reason: 'tokens', answerProduced: false })
    expect(usage.modelCalls).toBe(0)
    expect(of('budget-refused')).toHaveLength(1)
  })

  it('end an attempt whose provider bills beyond the reservation, with that reason', async () => {
    const { termination, of, answerText } = await attempt(
      { turns: [says(table, { usage_metadata: usageOf(1_000_000, 5) })] },
      { caps: { tokens: 50_000 } },
    )
    expect(of('budget-overrun')).toMatchObject([{ kind: 'tokens', billed: 1_000_005 }])
    expect(termination).toMatchObject({ cause: 'budget', reason: 'tokens', answerProduced: true })
    expect(answerText).toBe(table)
  })

  it.each([
    [
      'searchCalls',
      'search-calls',
      (n: number) => searchFor(`q${n}`),
      'There are no searches left. Answer from what you have.',
    ],
    [
      'fetchCalls',
      'fetch-calls',
      (n: number) => openPage(`http://x.test/${n}`),
      'There are no fetches left. Answer from what you have.',
    ],
  ] as const)(
    'report that %s are used up, and end the attempt when the agent keeps asking',
    async (kind, reason, ask, words) => {
      const { termination, usage, model, of } = await attempt(
        { turns: endless(ask) },
        { caps: { [kind]: 2 } },
      )
      expect(usage[kind]).toBe(2)
      expect(usage.toolErrors).toBe(0)
      expect(model.requests[3]!.messages.at(-1)!.text).toBe(words)
      expect(of('budget-refused').length).toBe(3)
      expect(termination).toMatchObject({ cause: 'budget', reason, forcedFinal: true })
      expect(model.requests).toHaveLength(6)
    },
  )

  it('accept an answer after a refused call', async () => {
    const { termination } = await attempt(
      { turns: [searchFor('a'), searchFor('b'), says(table)] },
      { caps: { searchCalls: 1 } },
    )
    expect(termination).toMatchObject({ cause: 'agent', reason: 'answered', forcedFinal: false })
  })

  it('refuse parallel calls that are not covered, in whatever order they finish', async () => {
    const urls = Array.from({ length: 20 }, (_, index) => `http://x.test/${index}`)
    const slow = page(async url => {
      await systemClock.sleep((7 * Number(url.split('/').at(-1))) % 5)
      return url
    })
    const { usage, model } = await attempt(
      { turns: [calls(...urls.map(url => ['fetch_page', { url }] as const)), says(table)] },
      { caps: { fetchCalls: 7 }, makeTools: [slow] },
    )
    expect(usage.fetchCalls).toBe(7)
    const answers = model.requests[1]!.messages.filter(message => message instanceof ToolMessage)
    expect(answers.map(message => message.text)).toEqual([
      ...urls.slice(0, 7),
      ...urls.slice(7).map(() => 'There are no fetches left. Answer from what you have.'),
    ])
  })

  it('abort a slow model when the wall-clock budget ends', async () => {
    const { termination, usage } = await attempt(
      { turns: [({ options }) => systemClock.sleep(60_000, options.signal).then(() => says(table))] },
      { caps: { wallMs: 60 }, clock: systemClock },
    )
    // The bill is unknown.
    expect(usage).toMatchObject({ modelCalls: 1, inputTokens: null, outputTokens: null, usdModel: null })
    expect(termination).toMatchObject({
      cause: 'budget',
      reason: 'wall-clock',
      forcedFinal: false,
      answerProduced: false,
      detail: '1 model call cut off before an answer: not in the usage',
    })
  })

  it('charge an aborted call by its local count, and report that the usage does not include it', async () => {
    const late = provider('timeout', true)
    const { termination, usage, of } = await attempt({ turns: [late, says(table)] })
    expect(termination).toMatchObject({
      reason: 'answered',
      detail: '1 model call cut off before an answer: not in the usage',
    })
    expect(usage).toMatchObject({ modelCalls: 2, inputTokens: 10, outputTokens: 5 })
    const tokens = of('budget-charged').flatMap(body => (body.kind === 'tokens' ? [body.amount] : []))
    const [called] = of('model-called')
    expect(tokens).toEqual([called?.reservedTokens, 15])
    expect(tokens[0]).toBeGreaterThan(0)
  })

  it('charge no tokens for a call that was refused or never sent', async () => {
    const refused = await attempt({ turns: [provider('unavailable', true), says(table)] })
    const waiting: Script = {
      turns: [
        ({ options }) => {
          options.held?.(provider('rate-limited'), 0)
          return systemClock.sleep(60_000, options.signal).then(() => says(table))
        },
      ],
    }
    const held = await attempt(waiting, { caps: { wallMs: 60 }, clock: systemClock })
    const tokens = (events: { kind: string; amount: number }[]) =>
      events.flatMap(({ kind, amount }) => (kind === 'tokens' ? [amount] : []))
    expect(tokens(refused.of('budget-charged'))).toEqual([15])
    expect(tokens(held.of('budget-charged'))).toEqual([])
    expect(held.termination).toMatchObject({ cause: 'provider', reason: 'rate-limited' })
  })

  it('stop slow tools shortly before the wall-clock budget ends and force an answer', async () => {
    const slow = page(() => systemClock.sleep(60_000).then(() => 'never'))
    const { termination, model } = await attempt(
      { turns: [openPage('http://x.test/'), says(table)] },
      { caps: { wallMs: 2_000 }, clock: systemClock, makeTools: [slow] },
    )
    expect(termination).toMatchObject({
      cause: 'budget',
      reason: 'wall-clock',
      forcedFinal: true,
      answerProduced: true,
    })
    expect(model.requests).toHaveLength(2)
  })

  it('force an answer from a shorter conversation when the provider reports a full context', async () => {
    const { termination, model, of } = await attempt(
      { turns: [openPage('http://x.test/'), provider('context-window'), says(table)] },
      { makeTools: [page(() => 'line of a page\n'.repeat(2_000))] },
    )
    expect(termination).toMatchObject({
      cause: 'budget',
      reason: 'context-window',
      forcedFinal: true,
      answerProduced: true,
    })
    expect(of('context-cut')).toHaveLength(1)
    expect(model.requests).toHaveLength(3)
  })

  it('keep most of the results that the model has not seen when the provider reports a full context', async () => {
    const long = { makeTools: [page(url => `${url}\n${'line of a page\n'.repeat(1_000)}`)] }
    const { model } = await attempt(
      {
        turns: [
          openPage('http://old.test/'),
          openPage('http://new.test/'),
          provider('context-window'),
          says(table),
        ],
      },
      long,
    )
    const shown = (url: string) =>
      model.requests.at(-1)!.messages.find(message => message.text.startsWith(url))!.text.length
    expect(shown('http://old.test/')).toBeLessThan(1_000)
    expect(shown('http://new.test/')).toBeGreaterThan(5_000)
  })

  it('end with context-window without an answer when nothing can be left out', async () => {
    const { termination } = await attempt({ turns: [provider('context-window')] })
    expect(termination).toMatchObject({
      cause: 'budget',
      reason: 'context-window',
      forcedFinal: false,
      answerProduced: false,
    })
  })
})

describe('the context window', () => {
  it('is respected by shortening old results first: searches, then pages that were not quoted', async () => {
    const text = (name: string) =>
      `${name} begins\n${'filler line of the page\n'.repeat(80)}${name} total 123,456\n`
    const { termination, model, of } = await attempt(
      {
        contextWindow: 12_000,
        turns: [
          searchFor('one'),
          openPage('http://x.test/unquoted'),
          openPage('http://x.test/quoted'),
          says('So the total is 123456.', {
            tool_calls: calls(['fetch_page', { url: 'http://x.test/last' }]).tool_calls,
          }),
          says(table),
        ],
      },
      {
        makeTools: [
          search(query => text(`search ${query}`)),
          page(url =>
            url.endsWith('/quoted') || url.endsWith('/last') ? text(url) : 'nothing here\n'.repeat(150),
          ),
        ],
      },
    )
    expect(termination).toMatchObject({ cause: 'agent', reason: 'answered' })
    const cuts = of('context-cut')
    expect(cuts.length).toBeGreaterThan(0)
    expect(cuts[0]).toMatchObject({ strategy: 'shorten', documents: [] })
    const last = model.requests.at(-1)!.messages.filter(message => message instanceof ToolMessage)
    expect(last[0]!.text).toContain('[shortened: ')
    expect(last.at(-1)!.text).toBe(text('http://x.test/last'))
    expect(last[2]!.text).toContain('total 123,456')
    for (const { messages } of model.requests)
      expect(messages.reduce((sum, message) => sum + message.text.length, 0)).toBeLessThan(12_000)
  })

  it('is respected by shortening a single result that is too long', async () => {
    const { termination, model } = await attempt(
      { contextWindow: 12_000, turns: [openPage('http://x.test/'), says(table)] },
      { makeTools: [page(() => `start ${'word '.repeat(20_000)}`)] },
    )
    expect(termination).toMatchObject({ cause: 'agent', reason: 'answered' })
    expect(model.requests[1]!.messages.at(-1)!.text).toMatch(
      /^start word[\s\S]*\[shortened: \d+ of 100006 characters/,
    )
  })

  it('ends the attempt when the prompt alone does not fit', async () => {
    const { termination, usage } = await attempt({ contextWindow: 1_000, turns: [says(table)] })
    expect(termination).toMatchObject({ cause: 'budget', reason: 'context-window', answerProduced: false })
    expect(usage.modelCalls).toBe(0)
  })
})

describe('an agent without progress', () => {
  it('gets a note after three equal calls and is stopped after the next', async () => {
    const { termination, model } = await attempt({ turns: endless(() => searchFor('same')) })
    expect(termination).toMatchObject({ cause: 'agent', reason: 'no-progress', lastHealthyStep: 4 })
    expect(model.requests).toHaveLength(4)
    expect(model.requests[3]!.messages.at(-1)!.text).toContain(loopNotes.en.sameCall)
  })

  it('gets a note after eight turns without a new query, URL or text and is stopped after the ninth', async () => {
    const { termination, model } = await attempt(
      { turns: endless(n => calls(['fetch_page', { url: 'http://x.test/', part: n }])) },
      { makeTools: [page(() => 'the same page')] },
    )
    expect(termination).toMatchObject({ cause: 'agent', reason: 'no-progress' })
    expect(model.requests).toHaveLength(10)
    expect(model.requests[9]!.messages.at(-1)!.text).toContain(loopNotes.en.noProgress)
  })

  it('may continue for long as long as each turn has a new query', async () => {
    const { termination, model } = await attempt(
      { turns: [({ call }) => (call < 40 ? searchFor(`q${call}`) : says(table))] },
      { makeTools: [search(() => 'no results')] },
    )
    expect(termination).toMatchObject({ reason: 'answered' })
    expect(model.requests).toHaveLength(41)
  })

  it.each([
    ['empty turns', says(''), loopNotes.en.emptyTurn, 3],
    [
      'turns of nothing but reasoning',
      says('', { additional_kwargs: { reasoning_content: 'hm' } }),
      loopNotes.en.reasoningOnly,
      3,
    ],
    ['turns with only <think>', says('<think>hm'), loopNotes.en.reasoningOnly, 3],
    [
      'malformed calls',
      says('', {
        invalid_tool_calls: [
          { type: 'invalid_tool_call', id: 'x', name: 'web_search', args: '{"queries', error: 'no JSON' },
        ],
      }),
      'no JSON',
      5,
    ],
    ['unknown tools', calls(['web_serach', { queries: ['a'] }]), 'There is no tool named web_serach', 5],
    ['invalid arguments', calls(['web_search', { query: 'a' }]), 'did not match expected schema', 5],
  ])('gets notes and is stopped: %s', async (_what, turn, words, most) => {
    const { termination, model } = await attempt({ turns: [turn] })
    expect(termination).toMatchObject({ cause: 'agent', reason: 'no-progress', answerProduced: false })
    expect(model.requests).toHaveLength(most)
    expect(model.requests[1]!.messages.map(message => message.text).join('\n')).toContain(words)
  })

  it('makes the calls that a server joined in the arguments of one', async () => {
    const joined = says('', {
      invalid_tool_calls: [
        {
          ...{ type: 'invalid_tool_call', id: 'x', name: 'functions.web_search', error: 'no JSON' },
          args: '{"queries":["a"]}{"queries":["b"]}',
        },
      ],
    })
    const { termination, model } = await attempt({ turns: [joined, says(table)] })
    expect(termination).toMatchObject({ reason: 'answered' })
    const [first, second] = model.requests[1]!.messages.slice(-2)
    expect([first!.getType(), second!.getType()]).toEqual(['tool', 'tool'])
  })

  it('is stopped after turns of nothing but reasoning also with --no-progress off', async () => {
    const { termination, model } = await attempt(
      { turns: [says('<think>hm</think>')] },
      { options: { noProgress: 'off' } },
    )
    expect(termination).toMatchObject({ cause: 'agent', reason: 'no-progress' })
    expect(model.requests).toHaveLength(3)
  })

  it('is stopped when it mixes these turns', async () => {
    const mixed = [
      says(''),
      calls(['nope', {}]),
      says('<think>x</think>'),
      calls(['web_search', {}]),
      says(''),
    ]
    const { termination, model } = await attempt({ turns: mixed })
    expect(termination).toMatchObject({ cause: 'agent', reason: 'no-progress' })
    expect(model.requests).toHaveLength(5)
  })

  it('keeps a table beside its calls as its answer', async () => {
    const { answerText, termination } = await attempt({
      turns: [says(table, { tool_calls: searchFor('x').tool_calls }), says('')],
    })
    expect(answerText).toBe(table)
    expect(termination).toMatchObject({ cause: 'agent', reason: 'no-progress', answerProduced: true })
  })

  it('sends no empty message and no unanswered call id to the provider', async () => {
    const bad = says('', {
      invalid_tool_calls: [{ type: 'invalid_tool_call', id: 'x', name: 'web_search', args: '{', error: 'e' }],
      additional_kwargs: {
        tool_calls: [{ id: 'x', type: 'function', function: { name: 'web_search', arguments: '{' } }],
      },
    })
    const { model } = await attempt({ turns: [bad, says(''), searchFor('a'), says(table)] })
    for (const { messages } of model.requests)
      for (const message of messages) {
        if (!(message instanceof AIMessage)) continue
        expect(message.text !== '' || (message.tool_calls ?? []).length > 0).toBe(true)
        expect(message.additional_kwargs.tool_calls).toBeUndefined()
      }
  })
})

describe('cancelling', () => {
  it('ends the attempt immediately while the model is silent', async () => {
    const model = scripted({ turns: [() => new Promise<AIMessage>(() => undefined)] })
    const { environment, cancel, events } = world(model)
    setTimeout(() => cancel.abort(new Error('ctrl-c')), 20)
    const { termination } = await runOwnAgent(question, environment)
    expect(termination).toMatchObject({
      cause: 'operator',
      reason: 'cancelled',
      answerProduced: false,
      detail: '1 model call cut off before an answer: not in the usage',
    })
    expect(events.slice(-2).map(({ body }) => body.type)).toEqual(['model-called', 'budget-charged'])
  })

  it('ends the attempt immediately during parallel tools that ignore the signal, and traces their calls', async () => {
    const deaf = page(() => new Promise<string>(() => undefined))
    const model = scripted({
      turns: [calls(...[1, 2, 3].map(n => ['fetch_page', { url: `http://x.test/${n}` }] as const))],
    })
    const { environment, cancel, of } = world(model, { makeTools: [deaf] })
    setTimeout(() => cancel.abort(new Error('ctrl-c')), 20)
    const { termination, usage } = await runOwnAgent(question, environment)
    expect(termination).toMatchObject({ cause: 'operator', reason: 'cancelled' })
    expect(of('tool-called')).toHaveLength(3)
    expect(of('tool-failed').map(({ errorClass }) => errorClass)).toEqual([
      'cancelled',
      'cancelled',
      'cancelled',
    ])
    expect(usage).toMatchObject({ fetchCalls: 3, toolErrors: 0 })
  })

  it('ends an attempt that begins later without a request', async () => {
    const model = scripted({ turns: [says(table)] })
    const { environment, cancel } = world(model)
    cancel.abort(new Error('ctrl-c'))
    const { termination } = await runOwnAgent(question, environment)
    expect(termination).toMatchObject({ cause: 'operator', reason: 'cancelled' })
    expect(model.requests).toHaveLength(0)
  })
})

describe('a model without native tool calls', () => {
  const text = (body: object) => says(`I look.\n<tool_call>\n${JSON.stringify(body)}\n</tool_call>`)
  const through = (turns: Script['turns'], more: Partial<SettingEnvironment> = {}) =>
    attempt({ nativeTools: false, turns }, more as never)

  it('searches, opens and answers through text', async () => {
    const { answerText, termination, model, usage } = await through([
      text({ name: 'web_search', arguments: { queries: ['a', 'b'] } }),
      text({ name: 'fetch_page', arguments: { url: 'http://x.test/' } }),
      says(`<answer>\n${table}\n</answer>`),
    ])
    expect(answerText).toBe(table)
    expect(termination).toMatchObject({ cause: 'agent', reason: 'answered' })
    expect(usage).toMatchObject({ searchCalls: 2, fetchCalls: 1 })
    expect(model.requests.every(({ options }) => options.tools.length === 0)).toBe(true)
    expect(model.requests[0]!.messages[0]!.text).toContain('web_search: searches')
    const result = model.requests[1]!.messages.at(-1)!
    expect(result).toBeInstanceOf(HumanMessage)
    expect(result.text).toBe('<tool_result name="web_search">\nhits for a\nhits for b\n</tool_result>')
  })

  it('cannot invent tool results', async () => {
    const { model, answerText } = await through([
      says(
        '<tool_call>{"name":"web_search","arguments":{"queries":["a"]}}</tool_call><tool_result>made up</tool_result><answer>x</answer>',
      ),
      says(table),
    ])
    expect(answerText).toBe(table)
    expect(model.requests[1]!.messages.map(message => message.text).join('\n')).not.toContain('made up')
  })

  it('is told the problem of an invalid call, and is stopped when it repeats it', async () => {
    const { termination, model } = await through([
      says('<tool_call>{"name": "web_search", "arguments": {"queries": [}</tool_call>'),
    ])
    expect(termination).toMatchObject({ cause: 'agent', reason: 'no-progress' })
    expect(model.requests).toHaveLength(5)
    expect(model.requests[1]!.messages.at(-1)!.text).toContain('Your call of web_search could not be read')
  })

  it('alternates user and assistant messages, as strict chat templates require', async () => {
    const { model } = await through([
      text({ name: 'nope' }),
      says('<think>x</think>'),
      text({ name: 'web_search', arguments: { queries: ['a'] } }),
      says(table),
    ])
    const roles = model.requests.at(-1)!.messages.map(message => message.type)
    expect(roles).toEqual(['system', 'human', 'ai', 'human', 'ai', 'human'])
  })

  it('is forced to a final answer like other models', async () => {
    const { termination, answerText } = await through(
      [text({ name: 'web_search', arguments: { queries: ['a'] } }), says(`<answer>${table}`)],
      { caps: { modelCalls: 2 } },
    )
    expect(answerText).toBe(table)
    expect(termination).toMatchObject({
      cause: 'budget',
      reason: 'model-calls',
      forcedFinal: true,
      answerProduced: true,
    })
  })
})

describe('the CPU time of the loop', () => {
  // A bare call of a LangChain tool with its messages is the unit, so that a busy core does not matter.
  const maxRatio = 8
  const steps = 500

  async function cpuMs(work: () => Promise<unknown>): Promise<number> {
    const begun = process.cpuUsage()
    await work()
    const spent = process.cpuUsage(begun)
    return (spent.user + spent.system) / 1_000 / steps
  }

  async function bareLoop(): Promise<void> {
    const [searching] = world(scripted({ turns: [] })).environment.tools({ charge: () => undefined } as never)
    const messages = []
    for (let step = 0; step < steps; step++) {
      const message = searchFor(`q${step}`)
      messages.push(message, await searching!.invoke(message.tool_calls![0]!))
    }
  }

  async function ourLoop(): Promise<void> {
    const model = scripted({
      countTokens: text => Math.ceil(text.length / 4),
      turns: [({ call }) => (call < steps ? searchFor(`q${call}`) : says(table))],
    })
    const { environment } = world(model, { caps: { tokens: 1e9, searchCalls: 1e6, modelCalls: 1e6 } })
    const { termination } = await runOwnAgent(question, { ...environment, emit: () => undefined })
    expect(termination.reason).toBe('answered')
  }

  it('is at most eight times that of bare tool calls', async () => {
    await bareLoop()
    await ourLoop()
    const bare = await cpuMs(bareLoop)
    const ours = Math.min(await cpuMs(ourLoop), await cpuMs(ourLoop), await cpuMs(ourLoop))
    expect(ours / bare).toBeLessThan(maxRatio)
  })
})
