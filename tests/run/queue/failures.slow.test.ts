import { Worker } from 'bullmq'
import { Redis } from 'ioredis'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { readRun } from '../../../src/run/folder/run-folder.ts'
import { keysOf, queueName } from '../../../src/run/queue/keys.ts'
import { countingModel, killAll, newSetup, recordsOf, type Setup, start } from './campaign-setup.ts'
import { type RealRedis, realRedis, redisIsInstalled, whyNoRedis } from './redis-server.ts'

const pause = (ms: number) => new Promise(resolve => setTimeout(resolve, ms))

/** Every attempt stands once and was answered. */
async function expectAllOnce(out: string, attempts: number): Promise<void> {
  expect([...(await recordsOf(out)).values()]).toEqual(Array(attempts).fill(1))
  const ends = (await readRun(out)).attempts.map(attempt => attempt.termination.reason)
  expect(ends).toEqual(Array(attempts).fill('answered'))
}

describe.skipIf(!redisIsInstalled)(`a distributed run loses nothing${whyNoRedis}`, () => {
  let server: RealRedis
  const worker = (setup: Setup, concurrency = 2, env: Record<string, string> = {}) =>
    start(
      ['worker', '--queue', server.url, '--concurrency', String(concurrency), '--cache', setup.out('cache')],
      { env },
    )
  const run = (setup: Setup, ...more: string[]) =>
    start(['run', ...setup.options, '--out', setup.out('run'), '--queue', server.url, ...more])

  beforeAll(async () => {
    server = await realRedis()
    await server.start()
  })
  afterEach(killAll)
  afterAll(async () => {
    await server.kill()
  })

  it('when a worker is killed in the middle of attempts: another makes them', async () => {
    const model = await countingModel(2_500)
    const setup = await newSetup(6, model.url)
    const victim = worker(setup)
    const coordinator = run(setup)
    await coordinator.saying('[1/6]')
    expect(coordinator.said()).toMatch(/^1 worker is there$/m)
    expect(coordinator.said()).not.toContain('2 workers')
    const other = worker(setup)
    await other.saying('attempts at a time')
    while ([...model.asked.values()].length < 4) await pause(50)
    victim.child.kill('SIGKILL')
    const killedAt = Date.now()
    await coordinator.saying('its worker is gone: another one takes it')
    expect(Date.now() - killedAt).toBeLessThan(20_000)
    expect([await coordinator.ended, coordinator.said()]).toEqual([0, expect.stringContaining('[6/6]')])
    await expectAllOnce(setup.out('run'), 6)
    await model.close()
    await setup.remove()
  }, 240_000)

  it('when a worker sleeps for longer than its locks last: what it makes after the run does not count, nor stay in Redis', async () => {
    const model = await countingModel(2_500)
    const setup = await newSetup(1, model.url)
    const sleeper = worker(setup)
    const coordinator = run(setup)
    while (model.asked.size < 1) await pause(50)
    sleeper.child.kill('SIGSTOP')
    worker(setup)
    expect([await coordinator.ended, coordinator.said()]).toEqual([0, expect.stringContaining('[1/1]')])
    await expectAllOnce(setup.out('run'), 1)
    const redis = new Redis(server.url)
    expect(await redis.keys('tablehunt:*')).toEqual([])
    sleeper.child.kill('SIGCONT')
    await expect.poll(() => redis.keys('tablehunt:*:results'), { timeout: 20_000 }).toHaveLength(1)
    await pause(500)
    for (const key of await redis.keys('tablehunt:*'))
      expect(await redis.ttl(key)).toSatisfy(seconds => seconds > 0 && seconds <= 600, key)
    await redis.flushall()
    redis.disconnect()
    await model.close()
    await setup.remove()
  }, 240_000)

  it('when Redis hangs for longer than a lock lasts: nothing is made twice', async () => {
    const model = await countingModel(9_000)
    const setup = await newSetup(6, model.url)
    const workers = [worker(setup), worker(setup)]
    const coordinator = run(setup)
    while (model.asked.size < 4) await pause(50)
    server.freeze()
    await pause(16_000)
    expect(coordinator.said()).toContain('does not answer: waiting for it')
    server.thaw()
    expect([await coordinator.ended, coordinator.said()]).toEqual([0, expect.stringContaining('[6/6]')])
    expect(coordinator.said()).toContain('answers again')
    expect(workers[0]!.said()).toContain('answers again')
    await expectAllOnce(setup.out('run'), 6)
    expect([...model.asked.values()]).toEqual(Array(6).fill(1))
    await model.close()
    await setup.remove()
  }, 240_000)

  it('when Redis dies and comes back empty: campaign and jobs are put again, nothing is made twice', async () => {
    const model = await countingModel(6_000)
    const setup = await newSetup(6, model.url)
    const workers = [worker(setup), worker(setup)]
    const coordinator = run(setup)
    while (model.asked.size < 4) await pause(50)
    await server.kill()
    await pause(1_000)
    await server.start()
    expect([await coordinator.ended, coordinator.said()]).toEqual([0, expect.stringContaining('[6/6]')])
    expect(coordinator.said()).toContain('put there again')
    await expectAllOnce(setup.out('run'), 6)
    expect([...model.asked.values()]).toEqual(Array(6).fill(1))
    for (const each of workers) each.child.kill('SIGINT')
    expect(await Promise.all(workers.map(each => each.ended))).toEqual([130, 130])
    await model.close()
    await setup.remove()
  }, 240_000)

  it('when the coordinator is killed: the same command takes what was made meanwhile', async () => {
    const model = await countingModel(1_500)
    const setup = await newSetup(6, model.url)
    worker(setup)
    const first = run(setup)
    await first.saying('[1/6]')
    first.child.kill('SIGKILL')
    await pause(6_000)
    const second = run(setup)
    expect([await second.ended, second.said()]).toEqual([0, expect.stringContaining('[6/6]')])
    await expectAllOnce(setup.out('run'), 6)
    expect([...model.asked.values()]).toEqual(Array(6).fill(1))
    await model.close()
    await setup.remove()
  }, 240_000)

  it('when the coordinator is killed for good: workers begin nothing more, and what they made waits and expires', async () => {
    const model = await countingModel(1_000)
    const setup = await newSetup(8, model.url)
    const made = worker(setup)
    const first = run(setup)
    await first.saying('[1/8]')
    first.child.kill('SIGKILL')
    await first.ended
    const redis = new Redis(server.url)
    const [runId] = (await redis.keys('tablehunt:*:wanted')).map(key => key.split(':')[1]!)
    const keys = keysOf(runId!)
    expect(await redis.pttl(keys.wanted)).toBeGreaterThan(0)
    await redis.del(keys.wanted)
    await made.saying(`run ${runId} was not heard of for a while`)
    await pause(4_000)
    const asked = model.asked.size
    expect(asked).toBeLessThan(8)
    for (const key of await redis.keys('tablehunt:*')) expect(await redis.ttl(key)).toBeGreaterThan(0)
    await pause(2_000)
    expect(model.asked.size).toBe(asked)
    const second = run(setup)
    expect([await second.ended, second.said()]).toEqual([0, expect.stringContaining('[8/8]')])
    await expectAllOnce(setup.out('run'), 8)
    expect([...model.asked.values()]).toEqual(Array(8).fill(1))
    expect(await redis.keys('tablehunt:*')).toEqual([])
    redis.disconnect()
    await model.close()
    await setup.remove()
  }, 240_000)

  it('when workers wait for a Redis that is not up yet', async () => {
    await server.kill()
    const setup = await newSetup(2)
    const early = worker(setup)
    await early.saying('does not answer (ECONNREFUSED): waiting for it')
    await server.start()
    const coordinator = run(setup, '--setting', 'offline')
    expect([await coordinator.ended, coordinator.said()]).toEqual([0, expect.stringContaining('[2/2]')])
    await setup.remove()
  }, 240_000)

  it('when the run is stopped: what is under way ends, the rest is withdrawn and made by the same command', async () => {
    const model = await countingModel(3_000)
    const setup = await newSetup(8, model.url)
    worker(setup)
    const first = run(setup)
    while (model.asked.size < 2) await pause(50)
    first.child.kill('SIGINT')
    expect(await first.ended).toBe(130)
    expect([...(await recordsOf(setup.out('run'))).values()]).toEqual([1, 1])
    const redis = new Redis(server.url)
    expect(await redis.keys('tablehunt:*')).toEqual([])
    redis.disconnect()
    const second = run(setup)
    expect([await second.ended, second.said()]).toEqual([0, expect.stringContaining('[8/8]')])
    await expectAllOnce(setup.out('run'), 8)
    expect([...model.asked.values()]).toEqual(Array(8).fill(1))
    await model.close()
    await setup.remove()
  }, 240_000)

  it('when the run is stopped twice: what is under way is cancelled, and made again by the same command', async () => {
    const model = await countingModel(20_000)
    const setup = await newSetup(2, model.url)
    worker(setup)
    const first = run(setup)
    while (model.asked.size < 2) await pause(50)
    first.child.kill('SIGINT')
    await first.saying('stopping')
    first.child.kill('SIGINT')
    expect(await first.ended).toBe(130)
    const { attempts } = await readRun(setup.out('run'))
    expect(attempts.map(attempt => attempt.termination.reason)).toEqual(['cancelled', 'cancelled'])
    await model.close()
    await setup.remove()
  }, 240_000)

  it('when a worker is stopped twice: its attempts go back to the queue', async () => {
    const model = await countingModel(4_000)
    const setup = await newSetup(3, model.url)
    const first = worker(setup, 3)
    const coordinator = run(setup)
    while (model.asked.size < 3) await pause(50)
    first.child.kill('SIGINT')
    await first.saying('stopping')
    first.child.kill('SIGINT')
    expect(await first.ended).toBe(130)
    expect((await recordsOf(setup.out('run'))).size).toBe(0)
    worker(setup, 3)
    expect([await coordinator.ended, coordinator.said()]).toEqual([
      0,
      expect.stringContaining('3 of 3 attempts done'),
    ])
    await expectAllOnce(setup.out('run'), 3)
    await model.close()
    await setup.remove()
  }, 240_000)

  it('when a worker lacks a key: it says so and leaves the attempts to others', async () => {
    const setup = await newSetup(2)
    const unfit = worker(setup)
    await unfit.saying('attempts at a time')
    const options = ['--setting', 'online', '--web', 'live']
    const coordinator = start(
      ['run', ...setup.options, '--out', setup.out('run'), '--queue', server.url, ...options],
      { env: { SERPER_API_KEY: 'coordinators' } },
    )
    expect(await unfit.ended).toBe(2)
    expect(unfit.said()).toContain('SERPER_API_KEY')
    await coordinator.saying(/takes no part: .*SERPER_API_KEY/)
    worker(setup, 2, { SERPER_API_KEY: 'workers' })
    expect([await coordinator.ended, coordinator.said()]).toEqual([0, expect.stringContaining('[2/2]')])
    await setup.remove()
  }, 240_000)

  it('when a job fails by a bug: its attempt is recorded as a crash with the reason', async () => {
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
    expect([await coordinator.ended, coordinator.said()]).toEqual([1, expect.stringContaining('[2/2]')])
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
  }, 240_000)

  it('when the run has a budget: its workers together never exceed it', async () => {
    const model = await countingModel(100)
    const setup = await newSetup(8, model.url)
    for (let number = 0; number < 2; number++) worker(setup, 4)
    const budget = ['--budget-tokens', '6000', '--run-budget-tokens', '14000']
    const coordinator = run(setup, ...budget)
    expect([await coordinator.ended, coordinator.said()]).toEqual([0, expect.stringContaining('[8/8]')])
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
  }, 240_000)
})
