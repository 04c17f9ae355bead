import { describe, expect, it } from 'vitest'
import { ProviderError } from '../../src/core/errors.ts'
import { seededRandom, systemClock } from '../../src/core/runtime.ts'
import { createRateGate, type RateGate } from '../../src/system/rate-gate.ts'
import { withoutWaiting } from '../no-waiting.ts'

withoutWaiting()

const never = new AbortController().signal
const wait = (ms: number) => new Promise(resolve => setTimeout(resolve, ms))
const newGate = (most = 64): RateGate =>
  createRateGate({ clock: systemClock, random: seededRandom(1), most, longestWaitMs: 60_000 })
const refusal = (retryAfterMs: number | null) =>
  new ProviderError('rate-limited', 'HTTP 429', { retryable: true, retryAfterMs })

/** A service that answers after so long and refuses what goes beyond its limit. */
function serviceOf(limit: number, answerMs: number, retryAfterMs: number | null) {
  const service = { underWay: 0, most: 0, refused: 0, answered: 0, sentAt: [] as number[] }
  const send = async (): Promise<string> => {
    service.sentAt.push(performance.now())
    service.underWay += 1
    service.most = Math.max(service.most, service.underWay)
    try {
      if (service.underWay > limit) {
        service.refused += 1
        throw refusal(retryAfterMs)
      }
      await wait(answerMs)
      service.answered += 1
      return 'answer'
    } finally {
      service.underWay -= 1
    }
  }
  return { service, send }
}

/** Asks until it is answered. */
async function persist(gate: RateGate, send: () => Promise<string>): Promise<void> {
  for (;;) {
    const answer = await gate.sendWhenAllowed('s', never, { send }).catch(() => null)
    if (answer !== null) return
  }
}

describe('the gate of a service', () => {
  it('sends no request before the time that a refusal named', async () => {
    const gate = newGate()
    const send = () => wait(5).then(() => Promise.reject(refusal(300)))
    await Promise.allSettled(Array.from({ length: 8 }, () => gate.sendWhenAllowed('s', never, { send })))
    const began = performance.now()
    const waits = await Promise.all(
      [1, 2, 3, 4].map(() =>
        gate.sendWhenAllowed('s', never, { send: async () => performance.now() - began }),
      ),
    )
    for (const waited of waits) expect(waited).toBeGreaterThanOrEqual(295)
    // Not all at once, and not much later.
    expect(new Set(waits.map(Math.round)).size).toBeGreaterThan(1)
    expect(Math.max(...waits)).toBeLessThan(900)
  })

  it('delays no other service', async () => {
    const gate = newGate()
    await gate
      .sendWhenAllowed('a', never, { send: () => Promise.reject(refusal(60_000)) })
      .catch(() => undefined)
    const began = performance.now()
    await gate.sendWhenAllowed('b', never, { send: async () => 'b' })
    expect(performance.now() - began).toBeLessThan(100)
  })

  it('finds the number of requests that a service accepts, with few refusals', async () => {
    const gate = newGate()
    const { service, send } = serviceOf(4, 10, 20)
    await Promise.all(Array.from({ length: 32 }, () => persist(gate, send)))
    const first = service.refused
    await Promise.all(Array.from({ length: 200 }, () => persist(gate, send)))
    expect(service.answered).toBe(232)
    expect(gate.limitOf('s')).toBeLessThan(12)
    // Without the gate 32 at once would be refused 28 times a round.
    expect(service.refused - first).toBeLessThan(100)
  })

  it('removes the limit when a service answers all requests again', async () => {
    const gate = newGate(8)
    const { send } = serviceOf(1, 5, 10)
    await Promise.all(Array.from({ length: 8 }, () => persist(gate, send)))
    expect(gate.limitOf('s')).toBeLessThan(8)
    for (let count = 0; count < 80; count++)
      await gate.sendWhenAllowed('s', never, { send: async () => 'ok' })
    expect(gate.limitOf('s')).toBe(Number.POSITIVE_INFINITY)
  })

  it('cuts the limit once for one burst of refusals', async () => {
    const gate = newGate()
    const send = async () => {
      await wait(20)
      throw refusal(10)
    }
    await Promise.allSettled(Array.from({ length: 16 }, () => gate.sendWhenAllowed('s', never, { send })))
    expect(gate.limitOf('s')).toBe(8)
  })

  it('reports to a waiting request why it waited, and how long', async () => {
    const gate = newGate()
    const by = refusal(100)
    await gate.sendWhenAllowed('s', never, { send: () => Promise.reject(by) }).catch(() => undefined)
    const told: unknown[] = []
    await gate.sendWhenAllowed('s', never, {
      send: async () => 'ok',
      held: error => told.push(error),
      released: waitedMs => told.push(waitedMs >= 95),
    })
    expect(told).toEqual([by, true])
  })

  it('releases a cancelled request that waits in a pause or for a place', async () => {
    const gate = newGate()
    await gate.sendWhenAllowed('s', never, { send: () => Promise.reject(refusal(50)) }).catch(() => undefined)
    const cancel = new AbortController()
    const send = () => wait(30).then(() => 'ok')
    const waiting = [1, 2, 3].map(() => gate.sendWhenAllowed('s', cancel.signal, { send }))
    const stays = gate.sendWhenAllowed('s', never, { send })
    setTimeout(() => cancel.abort(new Error('cancelled')), 10)
    for (const one of await Promise.allSettled(waiting)) expect(one).toMatchObject({ status: 'rejected' })
    expect(await stays).toBe('ok')
  })

  it('treats an answer as a refusal when its service refuses by answers', async () => {
    const gate = newGate()
    await gate.sendWhenAllowed('s', never, { send: async () => 429, refusalOf: () => refusal(200) })
    const began = performance.now()
    await gate.sendWhenAllowed('s', never, { send: async () => 200, refusalOf: () => null })
    expect(performance.now() - began).toBeGreaterThanOrEqual(190)
  })
})
