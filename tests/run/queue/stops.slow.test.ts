import { Worker } from 'bullmq'
import { Redis } from 'ioredis'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { queueName } from '../../../src/run/queue/keys.ts'
import { readRun } from '../../../src/run/records/read-records.ts'
import {
  countingModel,
  expectAllOnce,
  expectDone,
  newSetup,
  recordsOf,
  type Setup,
  start,
  stopAll,
} from './campaign-setup.ts'
import { type RealRedis, realRedis, redisIsInstalled, whyNoRedis } from './redis-server.ts'

describe.skipIf(!redisIsInstalled)(
  `a distributed run that is stopped or lacks something loses nothing${whyNoRedis}`,
  () => {
    let server: RealRedis
    let workers = 0
    // In one process, workers can't share a cache.
    const worker = (setup: Setup, concurrency = 2, env: Record<string, string> = {}) => {
      const options = ['--concurrency', String(concurrency), '--cache', setup.out(`cache-${workers++}`)]
      return start(['worker', '--queue', server.url, ...setup.workerOptions, ...options], { env })
    }
    const run = (setup: Setup, ...more: string[]) =>
      start(['run', ...setup.options, '--out', setup.out('run'), '--queue', server.url, ...more])

    beforeAll(async () => {
      server = await realRedis()
      await server.start()
    })
    afterEach(stopAll)
    afterAll(async () => {
      await server.kill()
    })

    it('when workers wait for a Redis that has not started yet', async () => {
      await server.kill()
      const setup = await newSetup(2)
      const early = worker(setup)
      await early.saying('does not answer (ECONNREFUSED); waiting for it')
      await server.start()
      const coordinator = run(setup, '--setting', 'offline')
      await expectDone(coordinator, setup.out('run'), 2)
      await setup.remove()
    })

    it('when the run is stopped: running attempts finish, and the same command makes the withdrawn ones', async () => {
      const model = await countingModel(500)
      const setup = await newSetup(8, model.url)
      worker(setup)
      const first = run(setup)
      await model.askedFor(2)
      first.signal('SIGINT')
      expect((await first.ended).code).toBe(130)
      expect([...(await recordsOf(setup.out('run'))).values()]).toEqual([1, 1])
      const redis = new Redis(server.url)
      expect(await redis.keys('tablehunt:*')).toEqual([])
      redis.disconnect()
      const second = run(setup)
      await expectDone(second, setup.out('run'), 8)
      await expectAllOnce(setup.out('run'), 8)
      expect([...model.asked.values()]).toEqual(Array(8).fill(1))
      await model.close()
      await setup.remove()
    })

    it('when the run is stopped twice: running attempts are cancelled, and the same command repeats them', async () => {
      const model = await countingModel(20_000)
      const setup = await newSetup(2, model.url)
      worker(setup)
      const first = run(setup)
      await model.askedFor(2)
      first.signal('SIGINT')
      await first.saying('stopping')
      first.signal('SIGINT')
      expect((await first.ended).code).toBe(130)
      const { attempts } = await readRun(setup.out('run'))
      expect(attempts.map(attempt => attempt.termination.reason)).toEqual(['cancelled', 'cancelled'])
      await model.close()
      await setup.remove()
    })

    it('when a worker is stopped twice: its attempts return to the queue', async () => {
      const model = await countingModel(1_500)
      const setup = await newSetup(3, model.url)
      const first = worker(setup, 3)
      const coordinator = run(setup)
      await model.askedFor(3)
      first.signal('SIGINT')
      await first.saying('stopping')
      first.signal('SIGINT')
      expect((await first.ended).code).toBe(130)
      expect((await recordsOf(setup.out('run'))).size).toBe(0)
      worker(setup, 3)
      await expectDone(coordinator, setup.out('run'), 3)
      await expectAllOnce(setup.out('run'), 3)
      await model.close()
      await setup.remove()
    })

    it('when a worker lacks a key: it reports that and leaves the attempts to others', async () => {
      const setup = await newSetup(2)
      const unfit = worker(setup)
      await unfit.saying('attempts at a time')
      const options = ['--setting', 'online', '--web', 'live']
      const coordinator = start(
        ['run', ...setup.options, '--out', setup.out('run'), '--queue', server.url, ...options],
        { env: { SERPER_API_KEY: 'coordinators' } },
      )
      expect((await unfit.ended).code).toBe(2)
      expect(unfit.stderr()).toContain('SERPER_API_KEY')
      await coordinator.saying(/makes no attempts of this run: .*SERPER_API_KEY/)
      worker(setup, 2, { SERPER_API_KEY: 'workers' })
      await expectDone(coordinator, setup.out('run'), 2)
      await setup.remove()
    })

    it('when a job fails because of a bug: its attempt is recorded as a crash with the reason', async () => {
      const setup = await newSetup(2)
      const connection = new Redis(server.url, { maxRetriesPerRequest: null })
      const broken = new Worker(
        queueName,
        async () => {
          throw new Error('the roof came down')
        },
        { connection },
      )
      const coordinator = run(setup, '--setting', 'offline')
      // No attempt could be scored.
      expect((await coordinator.ended).code).toBe(1)
      const { attempts, scores } = await readRun(setup.out('run'))
      for (const { termination } of attempts)
        expect(termination).toMatchObject({
          cause: 'harness',
          reason: 'crash',
          detail: expect.stringContaining('the roof came down'),
        })
      expect(scores.map(score => score.status)).toEqual(['unscored', 'unscored'])
      await broken.close()
      connection.disconnect()
      await setup.remove()
    })

    it('when the run has a budget: its workers together never exceed it', async () => {
      const model = await countingModel(100)
      const setup = await newSetup(8, model.url)
      for (let number = 0; number < 2; number++) worker(setup, 4)
      const budget = ['--budget-tokens', '6000', '--run-budget-tokens', '14000']
      const coordinator = run(setup, ...budget)
      await expectDone(coordinator, setup.out('run'), 8)
      const { attempts } = await readRun(setup.out('run'))
      const spent = attempts.reduce(
        (sum, { usage }) => sum + (usage.inputTokens ?? 0) + (usage.outputTokens ?? 0),
        0,
      )
      expect(spent).toBeGreaterThan(8_000)
      expect(spent).toBeLessThanOrEqual(14_000)
      const starved = attempts.filter(({ termination }) => termination.reason === 'tokens')
      expect(starved.length).toBeGreaterThan(0)
      for (const { termination } of starved) expect(termination.detail).toContain('--run-budget-tokens')
      await model.close()
      await setup.remove()
    })
  },
)
