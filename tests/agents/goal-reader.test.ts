import { describe, expect, it } from 'vitest'
import { runOwnAgent } from '../../agents/loop.ts'
import { ProviderError } from '../../src/core/errors.ts'
import { createFetchPage } from '../../tools/page-tools.ts'
import { calls, hastyClock, question, type Script, says, scripted, table, world } from './harness.ts'

const page = '<title>Report</title><p>The Alder has 12 beds. It was built in 1999.</p>'
const url = 'https://a.example/r'

function run(reader: Script, more: Parameters<typeof world>[1] = {}, isOther = true) {
  const model = scripted({
    turns: [calls(['fetch_page', { url, goal: 'beds' }]), says(table)],
    price: { input: 1, cachedInput: 1, output: 1 },
  })
  const readerModel = scripted(reader)
  const here = world(model, {
    makeTools: [createFetchPage],
    goalReader: () => ({ model: readerModel, name: 'test:reader', isOther }),
    sharedToolEnvironment: {
      clock: hastyClock,
      keepText: () => 'hash',
      transport: {
        name: 'test',
        send: async () => ({
          status: 200,
          headers: { 'content-type': 'text/html' },
          body: Buffer.from(page),
          finalUrl: url,
        }),
      },
    } as never,
    ...more,
  })
  const shown = () =>
    model.requests
      .at(-1)!
      .messages.map(message => String(message.content))
      .join('\n')
  return { ...here, readerModel, shown, outcome: runOwnAgent(question, here.environment) }
}

describe('a reader of pages for a goal', () => {
  it('is charged to the attempt at its own price, and its quotes are what the agent sees', async () => {
    const price = { input: 100, cachedInput: 100, output: 100 }
    const here = run({ turns: [says('12 beds.\n> The Alder has 12 beds.\n> It has 13 beds.')], price })
    const { usage, termination } = await here.outcome
    expect(termination.reason).toBe('answered')
    expect(here.shown()).toContain('12 beds.\n\nQuotes:\n> The Alder has 12 beds.\n\n[1 quote left out')
    expect(here.shown()).not.toContain('1999')
    expect(usage).toMatchObject({ modelCalls: 3, inputTokens: 30, outputTokens: 15 })
    expect(usage.usdModel).toBeCloseTo((30 * 1 + 15 * 100) / 1e6)
    expect(here.of('page-read-for-goal')).toMatchObject([{ model: 'test:reader', url, goal: 'beds' }])
    expect(here.of('model-called')).toHaveLength(2)
    expect(here.of('tool-answered')[0]?.observations).toMatchObject([{ kind: 'body', shown: [1] }])
  })

  it('leaves the page to the agent when its provider fails', async () => {
    const here = run({ turns: [new ProviderError('auth', 'no key', { retryable: false })] })
    await here.outcome
    expect(here.shown()).toContain('[The page was not read for the goal: The reader failed (auth).')
    expect(here.shown()).toContain('built in 1999')
    expect(here.of('page-read-for-goal')[0]?.problem).toBe('The reader failed (auth).')
  })

  it('is not asked when the rest of the budget is reserved for the answer', async () => {
    const here = run({ turns: [says('x')] }, { caps: { modelCalls: 2 } })
    const { termination } = await here.outcome
    expect(here.readerModel.requests).toHaveLength(0)
    expect(here.shown()).toContain('The budget does not cover the reader.')
    expect(termination.answerProduced).toBe(true)
  })

  it('shares the price of the model under test when it is that model', async () => {
    const here = run({ turns: [says('> The Alder has 12 beds.')] }, {}, false)
    expect((await here.outcome).usage.usdModel).toBeCloseTo(45 / 1e6)
  })
})
