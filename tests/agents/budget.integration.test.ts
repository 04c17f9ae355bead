import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { type BudgetEvent, createBudgetMeter, type Reservation } from '../../agents/budget.ts'
import { runOwnAgent } from '../../agents/loop.ts'
import type { BudgetCaps } from '../../src/core/budget.ts'
import { BudgetRefusedError, ProviderError } from '../../src/core/errors.ts'
import { calls, page, question, says, scripted, search, table, usageOf, world } from './harness.ts'

const free = { price: null, searchUsd: null, fetchUsd: null }
const request = (localInputTokens: number, maxOutputTokens: number | null = null, exclusive = true) => ({
  localInputTokens,
  maxOutputTokens,
  exclusive,
  what: 'model call',
})
const bill = (inputTokens: number, outputTokens: number, cachedInputTokens: number | null = null) => ({
  inputTokens,
  outputTokens,
  cachedInputTokens,
})

describe('the budget meter', () => {
  it('reserves the local count x 1.1, or x the largest billed / local ratio if that is larger', () => {
    const meter = createBudgetMeter({ caps: { tokens: 10_000 }, ...free })
    const first = meter.reserve(request(1_000))
    expect(first.inputTokens).toBe(1_100)
    expect(first.maxOutputTokens).toBe(8_900)
    expect(first.settle(bill(1_500, 100), 0)).toBeNull()
    expect(meter.left('tokens')).toBe(8_400)
    const second = meter.reserve(request(1_000))
    expect(second.inputTokens).toBe(1_500)
    expect(second.settle(bill(1_200, 1), 0)).toBeNull()
    expect(meter.inputFor(1_000)).toBe(1_500)
  })

  it('caps the output at the remaining budget or at the requested cap, whichever is smaller', () => {
    const meter = createBudgetMeter({ caps: { tokens: 1_000 }, ...free })
    expect(meter.reserve(request(100, 50, false)).maxOutputTokens).toBe(50)
    expect(meter.left('tokens')).toBe(1_000 - 110 - 50)
    expect(meter.reserve(request(100, 5_000, false)).maxOutputTokens).toBe(840 - 110)
  })

  it('does not cap the output without a budget', () => {
    expect(createBudgetMeter({ caps: {}, ...free }).reserve(request(1e9)).maxOutputTokens).toBeNull()
  })

  it('refuses a call whose input leaves no room for a single output token, and charges nothing', () => {
    const events: BudgetEvent[] = []
    const caps = { tokens: 110, modelCalls: 5 }
    const meter = createBudgetMeter({ caps, ...free, onEvent: event => events.push(event) })
    expect(meter.affords(request(100))).toBe(false)
    expect(() => meter.reserve(request(100))).toThrow(BudgetRefusedError)
    expect(meter.spent('modelCalls')).toBe(0)
    expect(events).toEqual([{ type: 'refused', kind: 'tokens', asked: 111, left: 110, what: 'model call' }])
    expect(meter.affords(request(99))).toBe(true)
  })

  it('counts a failed request and releases its tokens', () => {
    const meter = createBudgetMeter({ caps: { tokens: 1_000, modelCalls: 2 }, ...free })
    meter.reserve(request(100)).release()
    expect(meter.left('tokens')).toBe(1_000)
    expect(meter.left('modelCalls')).toBe(1)
  })

  it('charges the local estimate when the provider does not report usage', () => {
    const meter = createBudgetMeter({ caps: { tokens: 1_000 }, ...free })
    meter.reserve(request(100)).settle(null, 10)
    expect(meter.spent('tokens')).toBe(110 + 11)
  })

  it('applies the weights of cached input and output', () => {
    const weights = { cachedInput: 0.1, output: 4 }
    const meter = createBudgetMeter({ caps: { tokens: 10_000 }, ...free, weights })
    const reservation = meter.reserve(request(1_000))
    expect(reservation.maxOutputTokens).toBe((10_000 - 1_100) / 4)
    reservation.settle(bill(1_000, 100, 900), 0)
    expect(meter.spent('tokens')).toBe(100 + 90 + 400)
  })

  it('charges tokens and searches in dollars exactly', () => {
    const price = { input: 0.15, cachedInput: 0.075, output: 0.6 }
    const meter = createBudgetMeter({ caps: { usd: 0.01 }, price, searchUsd: 0.001, fetchUsd: 0 })
    meter.charge('searchCalls', 'search')
    meter.reserve(request(10_000)).settle(bill(10_000, 1_000, 4_000), 0)
    expect(meter.spent('usd')).toBeCloseTo(0.001 + (6_000 * 0.15 + 4_000 * 0.075 + 1_000 * 0.6) / 1e6, 12)
    expect(meter.left('usd')).toBeCloseTo(0.01 - meter.spent('usd'), 12)
  })

  it('reports a bill beyond the reservation as an overrun of its kind', () => {
    const events: BudgetEvent[] = []
    const meter = createBudgetMeter({
      caps: { tokens: 1_000 },
      ...free,
      onEvent: event => events.push(event),
    })
    expect(meter.reserve(request(100)).settle(bill(990, 11), 0)).toBe('tokens')
    expect(events.at(-1)).toEqual({ type: 'overrun', kind: 'tokens', reserved: 1_000, billed: 1_001 })
    expect(meter.left('tokens')).toBe(0)
  })

  it('refuses searches and fetches beyond their own caps', () => {
    const meter = createBudgetMeter({ caps: { searchCalls: 1, fetchCalls: 0 }, ...free })
    meter.charge('searchCalls', 'a')
    expect(() => meter.charge('searchCalls', 'b')).toThrow(expect.objectContaining({ kind: 'searchCalls' }))
    expect(() => meter.charge('fetchCalls', 'c')).toThrow(expect.objectContaining({ kind: 'fetchCalls' }))
  })
})

const capsArbitrary = fc.record(
  {
    tokens: fc.integer({ min: 0, max: 20_000 }),
    modelCalls: fc.integer({ min: 0, max: 12 }),
    searchCalls: fc.integer({ min: 0, max: 8 }),
    fetchCalls: fc.integer({ min: 0, max: 8 }),
    usd: fc.integer({ min: 0, max: 40_000 }).map(micro => micro / 1e6),
  },
  { requiredKeys: [] },
) as fc.Arbitrary<BudgetCaps>

const share = fc.double({ min: 0, max: 1, noNaN: true })
const operation = fc.oneof(
  fc.record({
    kind: fc.constant('reserve' as const),
    local: fc.integer({ min: 0, max: 4_000 }),
    most: fc.option(fc.integer({ min: 0, max: 3_000 })),
    exclusive: fc.boolean(),
  }),
  fc.record({
    kind: fc.constant('settle' as const),
    which: fc.nat(),
    input: share,
    output: share,
    cached: share,
  }),
  fc.record({ kind: fc.constant('release' as const), which: fc.nat() }),
  fc.record({ kind: fc.constantFrom('searchCalls' as const, 'fetchCalls' as const) }),
)
const prices = fc.record({
  input: fc.constantFrom(0, 0.15, 1, 3.3),
  cachedInput: fc.constantFrom(0, 0.075, 0.5),
  output: fc.constantFrom(0, 0.6, 2, 15),
})

const tokenWeights = fc.record({
  cachedInput: fc.constantFrom(0, 0.1, 0.5, 1, 1.25),
  output: fc.constantFrom(0.5, 1, 4),
})

describe('a budget is never exceeded', () => {
  it('by parallel calls, settlements in any order, failures and charges (5,000 schedules)', () => {
    fc.assert(
      fc.property(
        capsArbitrary,
        prices,
        tokenWeights,
        fc.array(operation, { maxLength: 60 }),
        (caps, price, weights, operations) => {
          const meter = createBudgetMeter({ caps, price, searchUsd: 0.001, fetchUsd: 0, weights })
          const open: Reservation[] = []
          const billed = { tokens: 0, modelCalls: 0, searchCalls: 0, fetchCalls: 0, usd: 0 }
          const attempt = (work: () => void): void => {
            try {
              work()
            } catch (error) {
              if (!(error instanceof BudgetRefusedError)) throw error
            }
          }
          for (const step of operations) {
            if (step.kind === 'reserve') {
              attempt(() => {
                open.push(meter.reserve(request(step.local, step.most, step.exclusive)))
                billed.modelCalls += 1
              })
            } else if (step.kind === 'settle' || step.kind === 'release') {
              const [reservation] = open.splice(step.which % Math.max(1, open.length), 1)
              if (reservation === undefined) continue
              if (step.kind === 'release') {
                reservation.release()
                continue
              }
              const input = Math.floor(reservation.inputTokens * step.input)
              const output = Math.floor((reservation.maxOutputTokens ?? 5_000) * step.output)
              const cached = Math.floor(input * step.cached)
              expect(reservation.settle(bill(input, output, cached), 0)).toBeNull()
              billed.tokens += input - cached + cached * weights.cachedInput + output * weights.output
              billed.usd +=
                ((input - cached) * price.input + cached * price.cachedInput + output * price.output) / 1e6
            } else {
              attempt(() => {
                meter.charge(step.kind, 'x')
                billed[step.kind] += 1
                if (step.kind === 'searchCalls') billed.usd += 0.001
              })
            }
            for (const kind of ['tokens', 'modelCalls', 'searchCalls', 'fetchCalls'] as const)
              expect(billed[kind]).toBeLessThanOrEqual((caps[kind] ?? Number.POSITIVE_INFINITY) + 1e-6)
            for (const kind of ['tokens', 'usd'] as const)
              expect(meter.spent(kind)).toBeLessThanOrEqual(caps[kind] ?? Number.POSITIVE_INFINITY)
            expect(billed.usd).toBeLessThanOrEqual((caps.usd ?? Number.POSITIVE_INFINITY) + 1e-12)
          }
        },
      ),
      { numRuns: 5_000, seed: 20_260_101 },
    )
  })

  it('by whole attempts with parallel tools, retries and failing providers (400 attempts)', async () => {
    const turn = fc.oneof(
      fc.record({
        kind: fc.constant('calls' as const),
        searches: fc.nat(6),
        pages: fc.nat(6),
        output: share,
      }),
      fc.record({ kind: fc.constant('fails' as const) }),
      fc.record({ kind: fc.constant('empty' as const), output: share }),
    )
    await fc.assert(
      fc.asyncProperty(
        capsArbitrary,
        prices,
        fc.array(turn, { minLength: 1, maxLength: 30 }),
        async (caps, price, turns) => {
          const spent = { tokens: 0, modelCalls: 0, searchCalls: 0, fetchCalls: 0, usd: 0 }
          let failures = 0
          const model = scripted({
            price,
            turns: [
              ({ messages, options, call }) => {
                spent.modelCalls += 1
                const next = turns[call] ?? { kind: 'empty' as const, output: 0.5 }
                if (next.kind === 'fails') {
                  failures += 1
                  throw new ProviderError('unavailable', 'down', { retryable: true })
                }
                const input = messages.reduce((sum, message) => sum + message.text.length + 4, 0)
                const output = Math.floor((options.maxOutputTokens ?? 300) * next.output)
                spent.tokens += input + output
                spent.usd += (input * price.input + output * price.output) / 1e6
                const usage = { usage_metadata: usageOf(input, output) }
                if (options.toolChoice === 'none') return says(table, usage)
                if (next.kind === 'empty') return says('', usage)
                const asked = calls(
                  ...Array.from(
                    { length: next.searches },
                    (_, index) => ['web_search', { queries: [`${call} ${index}`] }] as const,
                  ),
                  ...Array.from(
                    { length: next.pages },
                    (_, index) => ['fetch_page', { url: `http://x.test/${call}/${index}` }] as const,
                  ),
                )
                return says('', { ...usage, tool_calls: asked.tool_calls })
              },
            ],
          })
          const counted = [
            search(query => {
              spent.searchCalls += 1
              spent.usd += 0.0001
              return query
            }),
            page(url => {
              spent.fetchCalls += 1
              return `${url} `.repeat(20)
            }),
          ]
          const webPrices = { searchUsd: 0.0001, fetchUsd: 0 }
          const { environment, of } = world(model, { caps, makeTools: counted, webPrices })
          const { termination, usage } = await runOwnAgent(question, environment)
          for (const kind of ['tokens', 'modelCalls', 'searchCalls', 'fetchCalls'] as const)
            expect(spent[kind]).toBeLessThanOrEqual(caps[kind] ?? Number.POSITIVE_INFINITY)
          expect(spent.usd).toBeLessThanOrEqual((caps.usd ?? Number.POSITIVE_INFINITY) + 1e-12)
          expect(usage).toMatchObject({
            modelCalls: spent.modelCalls,
            searchCalls: spent.searchCalls,
            fetchCalls: spent.fetchCalls,
          })
          expect(of('budget-overrun')).toEqual([])
          expect(['agent', 'budget', ...(failures > 0 ? ['provider'] : [])]).toContain(termination.cause)
        },
      ),
      { numRuns: 400, seed: 20_260_102 },
    )
  })
})
