import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { ProviderError } from '../../../src/core/errors.ts'
import { openGates } from '../../../src/run/open-run/gates.ts'
import { connectRedis, type RedisLink } from '../../../src/run/queue/redis.ts'
import { sharePauses } from '../../../src/run/queue/shared-pauses.ts'
import { type RealRedis, realRedis, redisIsInstalled, whyNoRedis } from './redis-server.ts'

const never = new AbortController().signal
const pause = (ms: number) => new Promise(resolve => setTimeout(resolve, ms))
const refusal = (retryAfterMs: number) =>
  new ProviderError('rate-limited', 'HTTP 429', { retryable: true, retryAfterMs })

describe.skipIf(!redisIsInstalled)(`a service that refused one worker${whyNoRedis}`, () => {
  let server: RealRedis
  const links: RedisLink[] = []
  const newWorker = async (id: string) => {
    const link = connectRedis(server.url, () => undefined)
    links.push(link)
    const pauses = sharePauses(link, id)
    const gates = openGates({ concurrency: 4, hostInterval: 0, seed: 1 }, pauses)
    await pauses.heed(gates)
    await untilSubscribed()
    return gates
  }
  const untilSubscribed = async () => {
    const channel = 'tablehunt:pauses'
    const count = async () => Number((await links[0]!.client.pubsub('NUMSUB', channel))[1])
    while ((await count()) < links.length) await pause(10)
  }
  /** Whether a worker's gate holds a request back. A held request is taken back. */
  const isHeld = async (gates: Awaited<ReturnType<typeof newWorker>>, service: string) => {
    const back = new AbortController()
    let held = false
    const hold = () => {
      held = true
      back.abort(new Error('held'))
    }
    const send = async () => 'answer'
    await gates.service.sendWhenAllowed(service, back.signal, { send, held: hold }).catch(() => undefined)
    return held
  }
  const untilHeld = async (gates: Awaited<ReturnType<typeof newWorker>>, service: string) => {
    while (!(await isHeld(gates, service))) await pause(10)
  }
  const refuse = async (gates: Awaited<ReturnType<typeof newWorker>>, service: string) => {
    const refused = gates.service.sendWhenAllowed(service, never, {
      send: () => Promise.reject(refusal(600_000)),
    })
    await expect(refused).rejects.toThrow('HTTP 429')
  }

  beforeAll(async () => {
    server = await realRedis()
    await server.start()
  })
  afterAll(async () => {
    for (const link of links) link.close()
    await server.kill()
  })

  it('gives each page request to a host a start of its own, whichever worker sends it', async () => {
    const [first, second] = ['e', 'f'].map(id => {
      const link = connectRedis(server.url, () => undefined)
      links.push(link)
      return sharePauses(link, id)
    })
    const waits = [
      await first!.reserveStart('site.example', 60_000),
      await second!.reserveStart('site.example', 60_000),
      await first!.reserveStart('site.example', 60_000),
    ]
    expect(waits[0]).toBe(0)
    expect(waits[1]).toBeGreaterThan(30_000)
    expect(waits[2]).toBeGreaterThan(waits[1]! + 30_000)
    expect(await second!.reserveStart('other.example', 60_000)).toBe(0)
  })

  it('receives no request from another worker, unlike other services', async () => {
    const [first, second] = [await newWorker('a'), await newWorker('b')]
    await refuse(first, 'openai')
    await untilHeld(second, 'openai')
    expect(await isHeld(second, 'openrouter')).toBe(false)
  })

  it('receives no request from a worker that joins later either', async () => {
    const [first, witness] = [await newWorker('c'), await newWorker('w')]
    await refuse(first, 'groq')
    await untilHeld(witness, 'groq')
    await untilHeld(await newWorker('d'), 'groq')
  })

  it('is a separate service on another machine when it is a server of that machine', async () => {
    const [first, second] = [await newWorker('e'), await newWorker('f')]
    const foreign = {
      from: 'z',
      gate: 'service',
      service: 'openai at 127.0.0.1:8000 on elsewhere',
      waitMs: 600_000,
      reason: 'rate-limited',
      message: 'HTTP 429',
    }
    const publish = async (pauseOf: object) =>
      await links[0]!.client.publish('tablehunt:pauses', JSON.stringify(pauseOf))
    await publish(foreign)
    // Messages arrive in order, so that the first has been read when the second is heeded.
    await publish({ ...foreign, service: 'cohere' })
    await untilHeld(second, 'cohere')
    expect(await isHeld(second, 'openai at 127.0.0.1:8000')).toBe(false)
    await refuse(first, 'openai at 127.0.0.1:8000')
    await untilHeld(second, 'openai at 127.0.0.1:8000')
  })
})
