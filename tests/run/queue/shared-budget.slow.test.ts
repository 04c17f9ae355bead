import { Redis } from 'ioredis'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { BudgetReservation } from '../../../src/run/open-run/run-budget.ts'
import { makeSharedBudget } from '../../../src/run/queue/shared-budget.ts'
import { fastClock } from './fast-clock.ts'
import { type RealRedis, realRedis, redisIsInstalled, whyNoRedis } from './redis-server.ts'

const never = new AbortController().signal
const unknown = { tokens: null, usd: null, searchCalls: null }
const nothing = { tokens: 0, usd: 0, searchCalls: 0 }
const spent = (tokens: number) => ({ ...nothing, tokens })
const soon = () => new Promise(resolve => setTimeout(resolve, 600))

describe.skipIf(!redisIsInstalled)(`a budget in Redis${whyNoRedis}`, () => {
  let server: RealRedis
  let redis: Redis
  let number = 0
  const newBudget = async (
    caps: { tokens?: number; usd?: number; searchCalls?: number },
    recorded = nothing,
  ) => {
    const runId = `run-${number++}`
    const budget = makeSharedBudget(redis, runId, fastClock, () => undefined)
    await budget.setUp(caps, recorded, null)
    // Each attempt as if by a worker of its own.
    const take = (attemptId: string, own: { tokens?: number; usd?: number }, signal = never) =>
      makeSharedBudget(redis, runId, fastClock, () => undefined)
        .forAttempt(attemptId, caps)
        .take(own, unknown, signal)
    return { budget, take, runId }
  }

  beforeAll(async () => {
    server = await realRedis()
    await server.start()
    redis = new Redis(server.url, { maxRetriesPerRequest: null })
  })
  afterAll(async () => {
    redis.disconnect()
    await server.kill()
  })

  it('sends no request to Redis when the run has no cap', async () => {
    const { take } = await newBudget({})
    const { caps, lowered } = await take('a', { tokens: 500 })
    expect([caps, lowered.size]).toEqual([{ tokens: 500 }, 0])
  })

  it('lets attempts of several workers run at the same time while each can have its full cap', async () => {
    const { take } = await newBudget({ tokens: 1_000 })
    const first = await take('a', { tokens: 400 })
    const second = await take('b', { tokens: 400 })
    let third: BudgetReservation | null = null
    const waiting = take('c', { tokens: 400 }).then(allotment => (third = allotment))
    await soon()
    expect(third).toBeNull()
    first.settle(spent(150))
    await waiting
    expect(third!.caps.tokens).toBe(400)
    expect([...third!.lowered, ...second.lowered]).toEqual([])
    for (const each of [second, third!]) each.settle(nothing)
  })

  it('divides the rest among the last attempts, one after another, and then refuses', async () => {
    const { take } = await newBudget({ tokens: 500, usd: 0.3 })
    const first = await take('a', { tokens: 400, usd: 0.1 })
    const later = take('b', { tokens: 400, usd: 0.1 })
    await soon()
    const last = take('c', { tokens: 400, usd: 0.1 })
    first.settle({ ...nothing, tokens: 400, usd: 0.25 })
    const second = await later
    expect(second.caps.tokens).toBe(100)
    expect(second.caps.usd).toBeCloseTo(0.05, 12)
    expect(second.lowered).toEqual(new Set(['tokens', 'usd']))
    second.settle(spent(100))
    const third = await last
    expect(third.caps.tokens).toBe(0)
    third.settle(nothing)
  })

  it('counts every record, and a record that arrives later only once', async () => {
    const { budget, take } = await newBudget({ tokens: 1_000 }, spent(300))
    const first = await take('a', {})
    expect(first.caps.tokens).toBe(700)
    first.settle(spent(200))
    await budget.record('a')
    await budget.record('a')
    const second = await take('b', {})
    expect(second.caps.tokens).toBe(500)
    second.settle(nothing)
  })

  it('includes the spending of an attempt that a worker returned when the run is started again', async () => {
    const { budget, take } = await newBudget({ tokens: 1_000 })
    const given = await take('a', { tokens: 400 })
    given.settle(spent(300))
    const again = await take('a', { tokens: 400 })
    again.settle(spent(200))
    await budget.record('a')
    await budget.setUp({ tokens: 1_000 }, spent(200), null)
    const next = await take('b', {})
    expect(next.caps.tokens).toBe(500)
    next.settle(nothing)
  })

  it('removes settled amounts soon after the run, but keeps all of a run that will be resumed', async () => {
    const { budget, take, runId } = await newBudget({ tokens: 1_000 })
    const key = (name: string): string => `tablehunt:${runId}:${name}`
    expect(await redis.ttl(key('budget'))).toBeGreaterThan(600_000)
    const late = await take('a', {})
    await redis.del(key('budget'), key('held'))
    late.settle(spent(10))
    await expect.poll(() => redis.exists(key('spent'))).toBe(1)
    for (const name of ['spent', 'budget']) expect(await redis.ttl(key(name))).toBeGreaterThan(0)
    for (const name of ['spent', 'budget']) expect(await redis.ttl(key(name))).toBeLessThanOrEqual(600)
    await budget.setUp({ tokens: 1_000 }, nothing, null)
    for (const name of ['spent', 'budget']) expect(await redis.ttl(key(name))).toBeGreaterThan(600_000)
  })

  it('counts the reservation of a dead worker as spent when another worker repeats the attempt', async () => {
    const { budget, take, runId } = await newBudget({ tokens: 1_000 })
    await redis.hset(
      `tablehunt:${runId}:held`,
      'a',
      JSON.stringify({ token: 'dead', at: Date.now(), tokens: 400 }),
    )
    const again = await take('a', { tokens: 500 })
    expect(again.caps.tokens).toBe(500)
    again.settle(spent(500))
    const next = await take('b', { tokens: 500 })
    expect(next.caps.tokens).toBe(100)
    next.settle(nothing)
    expect((await budget.lost()).tokens).toBe(400)
  })

  it('does not wait for the attempt of a dead worker that no other worker has taken over', async () => {
    const { take, runId } = await newBudget({ tokens: 1_000 })
    const silent = { token: 'dead', at: Date.now() - 60_000, tokens: 400 }
    await redis.hset(`tablehunt:${runId}:held`, 'a', JSON.stringify(silent))
    const next = await take('b', { tokens: 900 })
    expect(next.caps.tokens).toBe(600)
    next.settle(nothing)
  })

  it('ends the wait of a cancelled attempt without a reservation, and lets the next one continue', async () => {
    const { take } = await newBudget({ tokens: 100 })
    const first = await take('a', {})
    const cancel = new AbortController()
    const cancelled = take('b', {}, cancel.signal)
    await soon()
    const next = take('c', {})
    cancel.abort()
    expect((await cancelled).caps).toEqual({ tokens: 0 })
    first.settle(spent(60))
    const given = await next
    expect(given.caps).toEqual({ tokens: 40 })
    given.settle(nothing)
  })

  it('is never exceeded by many attempts of several workers at once', async () => {
    const { take } = await newBudget({ tokens: 2_000 })
    let total = 0
    await Promise.all(
      Array.from({ length: 40 }, async (_, index) => {
        const { caps, settle } = await take(`x${index}`, { tokens: 50 + ((index * 37) % 300) })
        const used = Math.floor((caps.tokens ?? 0) * ((index % 5) / 4))
        total += used
        settle(spent(used))
      }),
    )
    expect(total).toBeLessThanOrEqual(2_000)
    expect(total).toBeGreaterThan(1_500)
  })

  it('after a loss in Redis, refuses reservations until all running workers have reported theirs', async () => {
    const caps = { tokens: 1_000 }
    const { budget, take, runId } = await newBudget(caps)
    const running = await take('a', { tokens: 700 })
    await redis.del(`tablehunt:${runId}:budget`, `tablehunt:${runId}:held`)
    await budget.setUp(caps, nothing, { lost: spent(50) })
    const next = await take('b', { tokens: 100 })
    expect(next.caps.tokens).toBe(100)
    const all = take('c', {})
    next.settle(nothing)
    running.settle(spent(650))
    expect((await all).caps.tokens).toBe(300)
    ;(await all).settle(nothing)
  })
})
