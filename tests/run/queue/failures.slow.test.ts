import { Redis } from 'ioredis'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { nameCampaignKeys } from '../../../src/run/queue/keys.ts'
import {
  countingModel,
  expectAllOnce,
  expectDone,
  firstRecord,
  newSetup,
  type Setup,
  startProcess,
  stopAll,
} from './campaign-setup.ts'
import { type RealRedis, realRedis, redisIsInstalled, whyNoRedis } from './redis-server.ts'

const pause = (ms: number) => new Promise(resolve => setTimeout(resolve, ms))

describe.skipIf(!redisIsInstalled)(`a distributed run loses nothing${whyNoRedis}`, () => {
  let server: RealRedis
  const worker = (setup: Setup, concurrency = 2, env: Record<string, string> = {}) =>
    startProcess(
      [
        'worker',
        '--queue',
        server.url,
        ...setup.workerOptions,
        '--concurrency',
        String(concurrency),
        '--cache',
        setup.out('cache'),
      ],
      { env },
    )
  const run = (setup: Setup, ...more: string[]) =>
    startProcess(['run', ...setup.options, '--out', setup.out('run'), '--queue', server.url, ...more])

  beforeAll(async () => {
    server = await realRedis()
    await server.start()
  })
  afterEach(stopAll)
  afterAll(async () => {
    await server.kill()
  })

  it('when a worker is killed during attempts: another worker repeats them', async () => {
    let release = (): void => undefined
    const released = new Promise<void>(resolve => {
      release = resolve
    })
    const model = await countingModel(0, released)
    const setup = await newSetup(6, model.url)
    const victim = worker(setup)
    const coordinator = run(setup)
    await model.askedFor(2)
    await coordinator.saying(/^1 worker is running$/m)
    expect(coordinator.stderr()).not.toContain('2 workers')
    const other = worker(setup)
    await model.askedFor(4)
    expect(other.stderr()).toContain('attempts at a time')
    victim.signal('SIGKILL')
    await coordinator.saying('its worker is gone; another worker makes it')
    release()
    await expectDone(coordinator, setup.out('run'), 6)
    await expectAllOnce(setup.out('run'), 6)
    await model.close()
    await setup.remove()
  })

  it('when a worker sleeps for longer than its locks last: its later results are ignored and removed from Redis', async () => {
    const model = await countingModel(2_500)
    const setup = await newSetup(1, model.url)
    const sleeper = worker(setup)
    const coordinator = run(setup)
    await model.askedFor(1)
    sleeper.signal('SIGSTOP')
    worker(setup)
    await expectDone(coordinator, setup.out('run'), 1)
    await expectAllOnce(setup.out('run'), 1)
    const redis = new Redis(server.url)
    expect(await redis.keys('tablehunt:*')).toEqual([])
    sleeper.signal('SIGCONT')
    await expect.poll(() => redis.keys('tablehunt:*:results'), { timeout: 20_000 }).toHaveLength(1)
    await pause(500)
    for (const key of await redis.keys('tablehunt:*'))
      expect(await redis.ttl(key)).toSatisfy(seconds => seconds > 0 && seconds <= 600, key)
    await redis.flushall()
    redis.disconnect()
    await model.close()
    await setup.remove()
  })

  it('when Redis hangs for longer than a lock lasts: no attempt is repeated', async () => {
    const model = await countingModel(9_000)
    const setup = await newSetup(6, model.url)
    const workers = [worker(setup), worker(setup)]
    const coordinator = run(setup)
    await model.askedFor(4)
    server.freeze()
    await pause(16_000)
    expect(coordinator.stderr()).toContain('does not answer; waiting for it')
    server.thaw()
    await expectDone(coordinator, setup.out('run'), 6)
    expect(coordinator.stderr()).toContain('answers again')
    expect(workers[0]!.stderr()).toContain('answers again')
    await expectAllOnce(setup.out('run'), 6)
    expect([...model.asked.values()]).toEqual(Array(6).fill(1))
    await model.close()
    await setup.remove()
  })

  it('when Redis dies and restarts empty: campaign and jobs are queued again, and no attempt is repeated', async () => {
    const model = await countingModel(6_000)
    const setup = await newSetup(6, model.url)
    const workers = [worker(setup), worker(setup)]
    const coordinator = run(setup)
    await model.askedFor(4)
    await server.kill()
    await pause(1_000)
    await server.start()
    await expectDone(coordinator, setup.out('run'), 6)
    expect(coordinator.stderr()).toContain('put there again')
    await expectAllOnce(setup.out('run'), 6)
    expect([...model.asked.values()]).toEqual(Array(6).fill(1))
    for (const each of workers) each.signal('SIGINT')
    expect((await Promise.all(workers.map(each => each.ended))).map(({ code }) => code)).toEqual([130, 130])
    await model.close()
    await setup.remove()
  })

  it('when the coordinator is killed: the same command collects the finished attempts', async () => {
    const model = await countingModel(1_500)
    const setup = await newSetup(6, model.url)
    worker(setup)
    const first = run(setup)
    await firstRecord(setup.out('run'))
    first.signal('SIGKILL')
    await pause(6_000)
    const second = run(setup)
    await expectDone(second, setup.out('run'), 6)
    await expectAllOnce(setup.out('run'), 6)
    expect([...model.asked.values()]).toEqual(Array(6).fill(1))
    await model.close()
    await setup.remove()
  })

  it('when the coordinator never returns: workers start no more attempts, and their results wait until they expire', async () => {
    const model = await countingModel(1_000)
    const setup = await newSetup(8, model.url)
    const made = worker(setup)
    const first = run(setup)
    await firstRecord(setup.out('run'))
    first.signal('SIGKILL')
    await first.ended
    const redis = new Redis(server.url)
    const [runId] = (await redis.keys('tablehunt:*:wanted')).map(key => key.split(':')[1]!)
    const keys = nameCampaignKeys(runId!)
    expect(await redis.pttl(keys.wanted)).toBeGreaterThan(0)
    await redis.del(keys.wanted)
    await made.saying(`run ${runId} has sent no sign of life for a while`)
    await pause(4_000)
    const asked = model.asked.size
    expect(asked).toBeLessThan(8)
    for (const key of await redis.keys('tablehunt:*')) expect(await redis.ttl(key)).toBeGreaterThan(0)
    await pause(2_000)
    expect(model.asked.size).toBe(asked)
    const second = run(setup)
    await expectDone(second, setup.out('run'), 8)
    await expectAllOnce(setup.out('run'), 8)
    expect([...model.asked.values()]).toEqual(Array(8).fill(1))
    expect(await redis.keys('tablehunt:*')).toEqual([])
    redis.disconnect()
    await model.close()
    await setup.remove()
  })
})
