import { Worker } from 'bullmq'
import { Redis } from 'ioredis'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { redisUrl } from '../../../src/core/option-values.ts'
import { openCoordinator } from '../../../src/run/queue/coordinator.ts'
import { nameCampaignKeys, queueName } from '../../../src/run/queue/keys.ts'
import { createSigner } from '../../../src/run/queue/queue-secret.ts'
import { probeRedis, writeRefusalMessage } from '../../../src/run/queue/redis.ts'
import { emptyCampaign } from './empty-campaign.ts'
import { fastClock } from './fast-clock.ts'
import { type RealRedis, realRedis, redisIsInstalled, whyNoRedis } from './redis-server.ts'

const nothing = { tokens: 0, usd: 0, searchCalls: 0 }

describe.skipIf(!redisIsInstalled)(`a run with its Redis${whyNoRedis}`, () => {
  let server: RealRedis
  let redis: Redis

  async function open(database = '', paths: ReadonlyMap<string, string> = new Map()) {
    const [stop, cancel] = [new AbortController(), new AbortController()]
    const told: string[] = []
    const pauses: number[] = []
    const coordinator = await openCoordinator({
      queue: `${server.url}${database}`,
      signer: createSigner(null),
      campaign: { campaign: emptyCampaign, paths },
      caps: {},
      recorded: async () => nothing,
      tell: line => void told.push(line),
      stopping: stop.signal,
      cancelled: cancel.signal,
      clock: {
        ...fastClock,
        sleep(ms, signal) {
          pauses.push(ms)
          return fastClock.sleep(ms, signal)
        },
      },
    })
    const end = (): void => {
      stop.abort()
      cancel.abort()
    }
    return { coordinator, told, end, pauses }
  }

  beforeEach(async () => {
    server = await realRedis()
    await server.start()
    redis = new Redis(server.url, { maxRetriesPerRequest: null })
    redis.on('error', () => undefined)
  })
  afterEach(async () => {
    redis.disconnect()
    await server.kill()
  })

  it('ends when it is stopped while Redis does not answer, even with requests pending', async () => {
    const { coordinator, end } = await open()
    server.freeze()
    coordinator.recorded('a')
    const making = coordinator.make('b', () => undefined)
    end()
    expect(await making).toEqual({ kind: 'withdrawn' })
    await coordinator.close(false)
  })

  it('continues when Redis has no memory to book a record, and releases the reservation of the attempt', async () => {
    const { coordinator, told } = await open()
    const { results } = nameCampaignKeys('run')
    await redis.hset(results, 'a', 'packed')
    await redis.config('SET', 'maxmemory', '1')
    coordinator.recorded('a')
    await expect.poll(() => redis.hexists(results, 'a')).toBe(0)
    await redis.config('SET', 'maxmemory', '0')
    await expect.poll(() => told).toContainEqual(expect.stringMatching(/^--queue: OOM/))
    await coordinator.close(true)
    expect(await redis.keys('tablehunt:*')).toEqual([])
  })

  it('puts a file that Redis has lost there again', async () => {
    const { coordinator, told, end } = await open('', new Map([['hash', import.meta.filename]]))
    const making = coordinator.make('a', () => undefined)
    const key = nameCampaignKeys('run').file('hash')
    expect(await redis.del(key)).toBe(1)
    await expect.poll(() => redis.exists(key), { timeout: 10_000 }).toBe(1)
    expect(told).toContain('Redis has lost 1 part of the run, which is put there again')
    end()
    await making
    await coordinator.close(true)
  })

  it('ends the attempts with the cause when Redis loses a part again and again', async () => {
    const { coordinator } = await open('', new Map([['hash', import.meta.filename]]))
    const making = coordinator.make('a', () => undefined)
    const losing = setInterval(() => void redis.del(nameCampaignKeys('run').file('hash')), 1)
    const outcome = await making
    clearInterval(losing)
    expect(outcome).toMatchObject({
      kind: 'crashed',
      reason: expect.stringContaining('maxmemory-policy noeviction'),
    })
    await coordinator.close(true)
  })

  it.each(['allkeys-lru', 'volatile-lru', 'noeviction'])(
    'names the eviction policy %s at the start',
    async policy => {
      await redis.config('SET', 'maxmemory-policy', policy)
      const { coordinator, told } = await open()
      const isNamed = told.some(line => line.includes(`maxmemory-policy ${policy}`))
      expect(isNamed).toBe(policy !== 'noeviction')
      await coordinator.close(true)
    },
  )

  it('reports in one line that Redis has no memory for the data of the workers', async () => {
    await redis.config('SET', 'maxmemory', '1')
    await expect(open()).rejects.toMatchObject({
      code: 'queue-refuses-writes',
      message: expect.stringMatching(/^--queue: Redis at 127.*\(OOM .*maxmemory/),
    })
  })

  it('queues an attempt again when a worker failed because Redis had no memory', async () => {
    const { coordinator, end } = await open()
    const making = coordinator.make('a', () => undefined)
    let tries = 0
    const failing = async (): Promise<void> => {
      if (++tries === 1) throw new Error("OOM command not allowed when used memory > 'maxmemory'.")
      throw new Error('a bug')
    }
    const worker = new Worker(queueName, failing, { connection: redis })
    expect(await making).toEqual({ kind: 'crashed', reason: 'a bug' })
    expect(tries).toBe(2)
    end()
    await worker.close()
    await coordinator.close(true)
  })

  it('counts only the workers of its own database, and names the database when there are none', async () => {
    const worker = new Worker(queueName, async () => undefined, { connection: redis, name: 'elsewhere' })
    await worker.waitUntilReady()
    const { coordinator, told, end } = await open('/3')
    const making = coordinator.make('a', () => undefined)
    const hint = `no worker is running: start one with: tablehunt worker --queue ${server.url}/3`
    await expect.poll(() => told, { timeout: 5_000 }).toEqual([hint])
    end()
    await making
    await coordinator.close(true)
    await worker.close()
  })

  it('withdraws all attempts that have not started, and queues no more of them', async () => {
    const { coordinator, pauses } = await open()
    const making = coordinator.make('a', () => undefined)
    const job = `bull:${queueName}:run.a`
    await expect.poll(() => redis.exists(job)).toBe(1)
    coordinator.withdraw()
    expect(await making).toEqual({ kind: 'withdrawn' })
    // The coordinator has looked at the queue twice since then.
    const pausesBefore = pauses.length
    await expect.poll(() => pauses.length, { timeout: 20_000 }).toBeGreaterThan(pausesBefore + 1)
    expect(await redis.exists(job)).toBe(0)
    await coordinator.close(true)
  })

  it('is refused when the address names a missing or an invalid database', async () => {
    const found = await probeRedis(`${server.url}/99`, 2_000)
    expect(found).toEqual({ problem: 'ERR DB index is out of range' })
    expect(writeRefusalMessage(`${server.url}/99`, 'ERR DB index is out of range')).toMatch(
      /\/99 refuses .* Name an existing database/,
    )
    expect(await probeRedis(`${server.url}/3`, 2_000)).toEqual({ version: expect.stringMatching(/^\d/) })
    expect(redisUrl.safeParse(`${server.url}/tablehunt`).success).toBe(false)
  })
})
