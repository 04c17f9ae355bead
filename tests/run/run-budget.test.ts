import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  type BudgetReservation,
  createRunBudget,
  withRunBudgetDetail,
} from '../../src/run/open-run/run-budget.ts'

const never = new AbortController().signal
const unknown = { tokens: null, usd: null, searchCalls: null }
const spent = (tokens: number) => ({ tokens, usd: 0, searchCalls: 0 })

describe("a run's budget", () => {
  it('leaves every attempt its own caps when the run has none', async () => {
    const budget = createRunBudget({})
    const all = await Promise.all(
      [1, 2, 3].map(() => budget.take({ tokens: 500, wallMs: 9 }, unknown, never)),
    )
    for (const allotment of all) {
      expect(allotment.caps).toEqual({ tokens: 500, wallMs: 9 })
      expect(allotment.lowered.size).toBe(0)
    }
  })

  it('lets attempts run at the same time while each can have its full cap', async () => {
    const budget = createRunBudget({ tokens: 1_000 })
    const first = await budget.take({ tokens: 400 }, unknown, never)
    const second = await budget.take({ tokens: 400 }, unknown, never)
    let third: BudgetReservation | null = null
    const waiting = budget.take({ tokens: 400 }, unknown, never).then(allotment => (third = allotment))
    await Promise.resolve()
    expect(third).toBeNull()
    first.settle(spent(150))
    await waiting
    expect(third!.caps.tokens).toBe(400)
    expect([...third!.lowered, ...second.lowered]).toEqual([])
  })

  it('divides the rest among the last attempts, one after another, and then refuses', async () => {
    const budget = createRunBudget({ tokens: 500, searchCalls: 7 })
    const first = await budget.take({ tokens: 400, searchCalls: 5 }, unknown, never)
    const later = budget.take({ tokens: 400, searchCalls: 5 }, unknown, never)
    const last = budget.take({ tokens: 400, searchCalls: 5 }, unknown, never)
    first.settle({ tokens: 400, usd: 0, searchCalls: 5 })
    const second = await later
    expect(second.caps).toMatchObject({ tokens: 100, searchCalls: 2 })
    expect(second.lowered).toEqual(new Set(['tokens', 'searchCalls']))
    second.settle({ tokens: 100, usd: 0, searchCalls: 0 })
    expect((await last).caps).toMatchObject({ tokens: 0, searchCalls: 2 })
  })

  it("counts the spending of the run's earlier attempts", async () => {
    const budget = createRunBudget({ usd: 2 }, { tokens: 9, usd: 1.5, searchCalls: 9 })
    expect((await budget.take({}, unknown, never)).caps).toEqual({ usd: 0.5 })
  })

  it('ends the wait of a cancelled attempt without a reservation, and lets the next one continue', async () => {
    const budget = createRunBudget({ tokens: 100 })
    const first = await budget.take({}, unknown, never)
    const cancel = new AbortController()
    const cancelled = budget.take({}, unknown, cancel.signal)
    const next = budget.take({}, unknown, never)
    cancel.abort()
    expect((await cancelled).caps).toEqual({ tokens: 0 })
    first.settle(spent(60))
    expect((await next).caps).toEqual({ tokens: 40 })
  })

  it('is never exceeded, whatever attempts request, spend and in which order they end (1,000 schedules)', async () => {
    const attempts = fc.array(
      fc.record({
        wants: fc.option(fc.integer({ min: 0, max: 300 }), { nil: null }),
        share: fc.double({ min: 0, max: 1, noNaN: true }),
        delay: fc.integer({ min: 0, max: 4 }),
      }),
      { minLength: 1, maxLength: 12 },
    )
    await fc.assert(
      fc.asyncProperty(fc.integer({ min: 0, max: 600 }), attempts, async (cap, asked) => {
        const budget = createRunBudget({ tokens: cap })
        let total = 0
        let ended = 0
        await Promise.all(
          asked.map(async ({ wants, share, delay }) => {
            const { caps, settle } = await budget.take(
              wants === null ? {} : { tokens: wants },
              unknown,
              never,
            )
            for (let tick = 0; tick < delay; tick++) await Promise.resolve()
            const used = Math.floor((caps.tokens ?? 0) * share)
            total += used
            settle(spent(used))
            ended += 1
          }),
        )
        expect(total).toBeLessThanOrEqual(cap)
        expect(ended).toBe(asked.length)
      }),
      { numRuns: 1_000 },
    )
  })

  it('is named only in attempts that it ended', () => {
    const end = { answerProduced: false, forcedFinal: true, lastHealthyStep: 3, detail: null }
    const lowered = new Set(['tokens'] as const)
    expect(withRunBudgetDetail({ cause: 'budget', reason: 'tokens', ...end }, lowered).detail).toContain(
      '--run-budget-tokens',
    )
    expect(withRunBudgetDetail({ cause: 'budget', reason: 'cost', ...end }, lowered).detail).toBeNull()
    expect(withRunBudgetDetail({ cause: 'agent', reason: 'answered', ...end }, lowered).detail).toBeNull()
  })
})
