import { describe, expect, it } from 'vitest'
import { runOwnAgent } from '../../agents/loop.ts'
import { loopNotes } from '../../agents/prompts/notes.ts'
import { DataError, ProviderError } from '../../src/core/errors.ts'
import { systemClock } from '../../src/core/runtime.ts'
import { calls, question, type Script, says, scripted, table, usageOf, world } from './harness.ts'

const search = (query: string) => () =>
  Object.assign(calls(['web_search', { queries: [query] }]), { usage_metadata: usageOf(900, 100) })
const turns: Script['turns'] = [search('a'), search('b'), search('c'), says(table)]
const draft = 'So far.\n```csv\nname,revenue\na.pdf,1\n```'

async function attempt(checkpointTokens: number[], shadow: Script = { turns: [says(draft)] }) {
  const model = scripted({ turns })
  const shadows = scripted({ price: { input: 1, cachedInput: 1, output: 1 }, ...shadow })
  const here = world(model, { checkpointTokens, shadowModel: () => shadows })
  const outcome = await runOwnAgent(question, here.environment)
  return { ...outcome, ...here, model, shadows }
}

describe('checkpoints', () => {
  it('request the table so far on a copy without changing the attempt', async () => {
    const plain = await attempt([])
    const watched = await attempt([1000, 1500, 3000])
    expect(watched.of('checkpoint').map(event => [event.tokens, event.answer])).toEqual([
      [1000, { text: draft }],
      [2000, { text: draft }],
      [3000, { text: draft }],
    ])
    const { wallMs: _, workingMs: __, ...usage } = watched.usage
    expect(plain.usage).toMatchObject(usage)
    expect(watched.termination).toEqual(plain.termination)
    expect(watched.answerText).toBe(plain.answerText)
    const seen = (one: typeof plain) => one.model.requests.map(request => request.messages.length)
    expect(seen(watched)).toEqual(seen(plain))
    const [first] = watched.shadows.requests
    expect(first?.options.toolChoice).toBe('none')
    expect(first?.messages.at(-1)?.text).toBe(loopNotes.en.answerNow)
    expect(first?.messages).toHaveLength(5)
  })

  it('record their cost without charging the attempt', async () => {
    const { of } = await attempt([1000])
    expect(of('checkpoint')[0]).toMatchObject({ usage: { inputTokens: 10, outputTokens: 5 } })
    const charged = of('budget-charged').filter(event => event.kind === 'tokens')
    expect(charged.map(event => event.amount)).toEqual([1000, 1000, 1000, 15])
  })

  it('produce one answer when a turn passes several, and none after the final answer', async () => {
    expect((await attempt([10, 20, 999])).of('checkpoint')).toHaveLength(1)
    expect((await attempt([3001])).of('checkpoint')).toHaveLength(0)
  })

  it('record why the model failed, and let the attempt continue', async () => {
    const failure = new ProviderError('bad-response', 'shadow fell over', { retryable: false })
    const { of, termination } = await attempt([1000], { turns: [failure] })
    expect(of('checkpoint')[0]).toMatchObject({ problem: 'shadow fell over', answer: { text: '' } })
    expect(termination.reason).toBe('answered')
  })

  it('record that a scripted model has no line for them, and let the attempt continue', async () => {
    const missing = new DataError('no line for checkpoints', { code: 'no-script-for-attempt' })
    const { of, termination } = await attempt([1000], { turns: [missing] })
    expect(of('checkpoint')[0]).toMatchObject({ problem: 'no line for checkpoints', answer: { text: '' } })
    expect(termination.reason).toBe('answered')
    const other = new DataError('damaged', { code: 'damaged-trace' })
    expect((await attempt([1000], { turns: [other] })).termination).toMatchObject({
      cause: 'harness',
      reason: 'crash',
    })
  })

  it('record the cost of an answer that the provider interrupted', async () => {
    const price = { input: 1, cachedInput: 1, output: 1 }
    const failure = new ProviderError('content-filter', 'filtered', {
      retryable: false,
      answer: says('', { usage_metadata: usageOf(40_000, 2_000) }),
    })
    const model = scripted({ price, turns })
    const shadow = scripted({ price, turns: [failure] })
    const here = world(model, { checkpointTokens: [1000], shadowModel: () => shadow })
    await runOwnAgent(question, here.environment)
    expect(here.of('checkpoint')[0]).toMatchObject({
      problem: 'filtered',
      usage: { inputTokens: 40_000, outputTokens: 2_000 },
      usd: 0.042,
    })
  })

  it('do not use up time of the attempt', async () => {
    const model = scripted({ turns })
    let skippedMs = 0
    const slow = scripted({
      turns: [
        async () => {
          skippedMs += 400_000
          return says(draft)
        },
      ],
    })
    const here = world(model, {
      clock: { ...systemClock, now: () => systemClock.now() + skippedMs },
      caps: { wallMs: 300_000 },
      checkpointTokens: [1000, 2000],
      shadowModel: () => slow,
    })
    const outcome = await runOwnAgent(question, here.environment)
    expect(outcome.termination.reason).toBe('answered')
    expect(outcome.usage.wallMs).toBeLessThan(300_000)
    expect(here.of('checkpoint')[0]?.wallMs).toBeGreaterThanOrEqual(400_000)
  })
})
