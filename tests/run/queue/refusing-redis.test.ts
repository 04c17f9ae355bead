import type { Redis } from 'ioredis'
import { expect, it, vi } from 'vitest'
import { systemClock } from '../../../src/core/runtime.ts'
import { beatScript, settleScript, takeScript } from '../../../src/run/queue/budget-scripts.ts'
import { makeSharedBudget } from '../../../src/run/queue/shared-budget.ts'

/** The test's own timeout ends the wait. */
const untilTimeout = { timeout: 3_600_000, interval: 5 }

it('keeps renewing its reservation after Redis has refused once, and reports spending that was not booked', async () => {
  let beats = 0
  const redis = {
    status: 'ready',
    eval: async (script: string) => {
      if (script === takeScript) return JSON.stringify({ tokens: 100 })
      if (script === settleScript) throw new Error('LOADING Redis is loading the dataset in memory')
      if (script === beatScript && ++beats === 1) throw new Error('BUSY Redis is busy running a script')
      return 1
    },
  } as unknown as Redis
  const quick = { ...systemClock, sleep: (_ms: number, signal?: AbortSignal) => systemClock.sleep(5, signal) }
  const told: string[] = []
  const budget = makeSharedBudget(redis, 'run', quick, line => told.push(line)).forAttempt('a', {
    tokens: 100,
  })
  const unknown = { tokens: null, usd: null, searchCalls: null }
  const allotment = await budget.take({}, unknown, new AbortController().signal)
  await vi.waitUntil(() => beats > 2, untilTimeout)
  allotment.settle({ tokens: 60, usd: 0, searchCalls: 0 })
  await vi.waitUntil(() => told.length > 0, untilTimeout)
  const atTheEnd = beats
  await systemClock.sleep(30)
  expect(beats).toBe(atTheEnd)
  expect(told).toEqual([expect.stringMatching(/^a: .*all that it had reserved counts: .*LOADING/)])
})
