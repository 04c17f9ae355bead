import { expect, it } from 'vitest'
import { ProviderError } from '../../src/core/errors.ts'
import type { Clock } from '../../src/core/runtime.ts'
import { openGates } from '../../src/run/open-run/gates.ts'
import { gateTransport } from '../../tools/web/gated.ts'
import type { Transport } from '../../tools/web/transport.ts'
import { makePageRequest } from '../../tools/web/transport.ts'

it.each([
  // Longer in all than the minute by which most services count.
  ['service', [500, 2_500, 12_500, 60_000, 60_000]],
  ['page', [500, 1_000, 2_000, 4_000, 8_000]],
] as const)('waits longer after each refusal of a %s that names no time', async (kind, waits) => {
  let now = 0
  const clock: Clock = { now: () => now, sleep: async ms => void (now += ms) }
  const told: number[] = []
  const gates = openGates(
    { concurrency: 1, hostInterval: 0, seed: 0 },
    {
      announce: (_gate, _service, _by, waitMs) => void told.push(waitMs),
      reserveStart: async () => 0,
    },
    clock,
  )
  const send = async () => {
    now += 1
    throw new ProviderError('rate-limited', 'HTTP 429', { retryable: true })
  }
  const never = new AbortController().signal
  for (const _wait of waits) await gates[kind].sendWhenAllowed('s', never, { send }).catch(() => undefined)
  expect(told).toEqual(waits)
})

/** A clock that wakes sleepers in the order of time, when nothing else can run. */
function manualClock(): Clock & { run(): Promise<void> } {
  let now = 1_000
  const sleepers: { readonly at: number; readonly wake: () => void }[] = []
  return {
    now: () => now,
    sleep: ms => new Promise(wake => void sleepers.push({ at: now + ms, wake })),
    async run() {
      for (;;) {
        await new Promise(resolve => setImmediate(resolve))
        sleepers.sort((a, b) => a.at - b.at)
        const next = sleepers.shift()
        if (next === undefined) return
        now = Math.max(now, next.at)
        next.wake()
      }
    },
  }
}

/** A web whose pages take `answerMs`. It records when requests start, and how many run at a time. */
function slowWeb(clock: Clock, answerMs: number) {
  const started: [path: string, at: number][] = []
  let [underWay, most] = [0, 0]
  const transport: Transport = {
    name: 'slow',
    async send({ url }) {
      started.push([new URL(url).pathname, clock.now() - 1_000])
      underWay += 1
      most = Math.max(most, underWay)
      await clock.sleep(answerMs)
      underWay -= 1
      return { status: 200, headers: {}, body: new Uint8Array(), finalUrl: url }
    },
  }
  return { transport, started, most: () => most }
}

const never = new AbortController().signal

it('keeps page requests to a host apart by the interval, but not the parts of a page or another host', async () => {
  const clock = manualClock()
  const web = slowWeb(clock, 10)
  const gates = openGates({ concurrency: 8, hostInterval: 250, seed: 0 }, undefined, clock)
  const { send } = gateTransport(web.transport, gates)
  const pages = ['/a', '/b', '/c'].map(path => send(makePageRequest(`https://elm.example${path}`), never))
  const part = send({ ...makePageRequest('https://elm.example/part'), isPartOfPage: true }, never)
  const other = send(makePageRequest('https://oak.example/other'), never)
  await clock.run()
  await Promise.all([...pages, part, other])
  expect(Object.fromEntries(web.started)).toEqual({ '/a': 0, '/b': 250, '/c': 500, '/part': 0, '/other': 0 })
})

it('sends at most four page requests to a host at a time', async () => {
  const clock = manualClock()
  const web = slowWeb(clock, 1_000)
  const gates = openGates({ concurrency: 64, hostInterval: 0, seed: 0 }, undefined, clock)
  const { send } = gateTransport(web.transport, gates)
  const pages = Array.from({ length: 10 }, (_, at) =>
    send(makePageRequest(`https://elm.example/${at}`), never),
  )
  await clock.run()
  await Promise.all(pages)
  expect(web.most()).toBe(4)
  expect(gates.page.limitOf('elm.example')).toBe(4)
})

it('sends no page request before the time that the host named, and then keeps the interval', async () => {
  const clock = manualClock()
  const gates = openGates({ concurrency: 8, hostInterval: 250, seed: 0 }, undefined, clock)
  const started: number[] = []
  const refusal = new ProviderError('rate-limited', 'HTTP 429', { retryable: true, retryAfterMs: 4_000 })
  const send = (refusalOf: () => ProviderError | null) =>
    gates.page.sendWhenAllowed('elm.example', never, {
      send: async () => started.push(clock.now() - 1_000),
      refusalOf,
    })
  const first = send(() => refusal)
  await clock.run()
  await first
  const others = [send(() => null), send(() => null)]
  await clock.run()
  await Promise.all(others)
  const [, second = 0, third = 0] = started
  expect(second).toBeGreaterThanOrEqual(4_000)
  expect(third - second).toBeGreaterThanOrEqual(250)
})

it('keeps page requests apart by the starts that processes reserve together', async () => {
  const clock = manualClock()
  const web = slowWeb(clock, 10)
  const reserved: string[] = []
  const shared = {
    announce: () => undefined,
    reserveStart: async (host: string, intervalMs: number) => 2 * intervalMs * (reserved.push(host) - 1),
  }
  const gates = openGates({ concurrency: 8, hostInterval: 250, seed: 0 }, shared, clock)
  const { send } = gateTransport(web.transport, gates)
  const pages = ['/a', '/b'].map(path => send(makePageRequest(`https://elm.example${path}`), never))
  await clock.run()
  await Promise.all(pages)
  expect(reserved).toHaveLength(2)
  expect(Object.fromEntries(web.started)).toEqual({ '/a': 0, '/b': 500 })
})
