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
    return gates
  }
  /** How long a request has to wait at a worker's gate. */
  const waitOf = async (gates: Awaited<ReturnType<typeof newWorker>>, service: string) => {
    const began = performance.now()
    await gates.service.sendWhenAllowed(service, never, { send: async () => 'answer' })
    return performance.now() - began
  }
  const refuse = async (gates: Awaited<ReturnType<typeof newWorker>>, service: string) => {
    const refused = gates.service.sendWhenAllowed(service, never, {
      send: () => Promise.reject(refusal(1_500)),
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

  it('receives no request from another worker before the time that it named, unlike other services', async () => {
    const [first, second] = [await newWorker('a'), await newWorker('b')]
    await pause(300)
    await refuse(first, 'openai')
    await pause(200)
    expect(await waitOf(second, 'openrouter')).toBeLessThan(200)
    expect(await waitOf(second, 'openai')).toBeGreaterThan(1_000)
  })

  it('receives no request from a worker that joins later either', async () => {
    const first = await newWorker('c')
    await refuse(first, 'groq')
    await pause(200)
    const late = await newWorker('d')
    expect(await waitOf(late, 'groq')).toBeGreaterThan(700)
  })

  it('is a separate service on another machine when it is a server of that machine', async () => {
    const [first, second] = [await newWorker('e'), await newWorker('f')]
    await pause(300)
    const foreign = {
      from: 'z',
      gate: 'service',
      service: 'openai at 127.0.0.1:8000 on elsewhere',
      waitMs: 5_000,
      reason: 'rate-limited',
      message: 'HTTP 429',
    }
    await links[0]!.client.publish('tablehunt:pauses', JSON.stringify(foreign))
    await pause(200)
    expect(await waitOf(second, 'openai at 127.0.0.1:8000')).toBeLessThan(300)
    await refuse(first, 'openai at 127.0.0.1:8000')
    await pause(200)
    expect(await waitOf(second, 'openai at 127.0.0.1:8000')).toBeGreaterThan(1_000)
  })
})
