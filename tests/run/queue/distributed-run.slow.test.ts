import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { Redis } from 'ioredis'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { tablehunt } from '../../cli/cli.ts'
import { comparable, expectDone, newSetup, start, stopAll } from './campaign-setup.ts'
import { type RealRedis, realRedis, redisIsInstalled, whyNoRedis } from './redis-server.ts'

describe.skipIf(!redisIsInstalled)(`a run on several workers${whyNoRedis}`, () => {
  let server: RealRedis

  beforeAll(async () => {
    server = await realRedis()
    await server.start()
  })
  afterEach(stopAll)
  afterAll(async () => {
    await server.kill()
  })

  it('has the records, traces and report of a local run, and leaves nothing in Redis', async () => {
    const setup = await newSetup(4)
    const options = [...setup.options, '--web', 'sealed', '--vector-store', 'exact']
    expect((await start(['run', ...options, '--out', setup.out('local')]).ended).code).toBe(0)

    const workers = ['a', 'b'].map(name =>
      start(['worker', '--queue', server.url, '--concurrency', '2', '--cache', setup.out(`cache-${name}`)]),
    )
    const run = start(['run', ...options, '--out', setup.out('queued'), '--queue', server.url])
    await expectDone(run, setup.out('queued'), 12)
    for (const worker of workers) worker.signal('SIGINT')
    expect((await Promise.all(workers.map(worker => worker.ended))).map(({ code }) => code)).toEqual([
      130, 130,
    ])

    expect(await comparable(setup.out('queued'))).toEqual(await comparable(setup.out('local')))
    for (const part of ['traces', 'traces/blobs', 'answers']) {
      const [queued, local] = await Promise.all(
        ['queued', 'local'].map(name => readdir(join(setup.out(name), part))),
      )
      expect(queued).toEqual(local)
    }
    const redis = new Redis(server.url)
    expect(await redis.keys('tablehunt:*')).toEqual([])
    redis.disconnect()
    expect(await readdir(join(setup.out('cache-a'), 'queue'))).toEqual(['files'])
    await setup.remove()
  })

  it('reports a worker that runs another commit', async () => {
    const setup = await newSetup(1)
    const queue = ['--queue', server.url]
    // Without git it knows its version alone.
    const worker = start(['worker', ...queue, '--cache', setup.out('cache')], { env: { PATH: '/nowhere' } })
    const run = start(['run', ...setup.options, '--setting', 'offline', '--out', setup.out('run'), ...queue])
    await expectDone(run, setup.out('run'), 1)
    const manifest = JSON.parse(await readFile(join(setup.out('run'), 'manifest.json'), 'utf8'))
    if (manifest.codeVersion !== manifest.tablehunt)
      expect(run.stderr()).toContain(
        `uses other programs, which may change results (tablehunt: ${manifest.tablehunt}, the coordinator has ${manifest.codeVersion}`,
      )
    worker.signal('SIGINT')
    await worker.ended
    await setup.remove()
  })

  it('keeps the password of Redis out of the manifest', async () => {
    const setup = await newSetup(1)
    const url = server.url.replace('redis://', 'redis://default:hush@')
    const redis = new Redis(server.url)
    await redis.config('SET', 'requirepass', 'hush')
    const worker = start(['worker', '--queue', url, '--cache', setup.out('cache')])
    const run = start([
      'run',
      ...setup.options,
      '--setting',
      'offline',
      '--out',
      setup.out('run'),
      '--queue',
      url,
    ])
    await expectDone(run, setup.out('run'), 1)
    worker.signal('SIGINT')
    await redis.config('SET', 'requirepass', '')
    redis.disconnect()
    const manifest = await readFile(join(setup.out('run'), 'manifest.json'), 'utf8')
    expect(manifest).not.toContain('hush')
    expect(JSON.parse(manifest).config.queue).toContain('[redacted]@127.0.0.1')
    await worker.ended
    await setup.remove()
  })

  it('shows in doctor whether Redis is available, and what is impossible without it', async () => {
    const there = await tablehunt(['info', 'doctor', '--queue', server.url])
    expect([there.code, there.stdout]).toEqual([
      0,
      expect.stringMatching(/^redis +\d+\.\S+ at 127\.0\.0\.1:/m),
    ])
    const nowhere = await tablehunt(['info', 'doctor', '--queue', 'redis://127.0.0.1:1'])
    expect(nowhere.stdout).toMatch(/^redis +not found: no answer at 127\.0\.0\.1:1 \(ECONNREFUSED\)/m)
    const wrong = await tablehunt(['worker', '--queue', 'http://127.0.0.1'])
    expect([wrong.code, wrong.stderr]).toEqual([2, expect.stringContaining('[invalid-option]')])
  })

  it('ends on both sides when Redis refuses the connection, instead of waiting', async () => {
    const setup = await newSetup(1)
    const redis = new Redis(server.url)
    await redis.config('SET', 'requirepass', 'open sesame')
    try {
      const queue = server.url.replace('redis://', 'redis://:wrong@')
      for (const args of [['run', ...setup.options, '--out', setup.out('z')], ['worker']]) {
        const refused = start([...args, '--queue', queue])
        expect((await refused.ended).code).toBe(2)
        expect(refused.stderr()).toMatch(/refuses the connection \(WRONGPASS.*\[queue-unavailable\]/)
        expect(refused.stderr()).not.toContain('wrong@')
      }
    } finally {
      await redis.config('SET', 'requirepass', '')
      redis.disconnect()
    }
    await setup.remove()
  })

  it('reports that no Redis answers, and what to do when no worker is running', async () => {
    const setup = await newSetup(1)
    const nowhere = start([
      'run',
      ...setup.options,
      '--out',
      setup.out('x'),
      '--queue',
      'redis://127.0.0.1:1',
    ])
    expect((await nowhere.ended).code).toBe(2)
    expect(nowhere.stderr()).toContain('[queue-unavailable]')
    const alone = start([
      'run',
      ...setup.options,
      '--setting',
      'offline',
      '--out',
      setup.out('y'),
      '--queue',
      server.url,
    ])
    await alone.saying('no worker is running: start one with: tablehunt worker --queue redis://')
    alone.signal('SIGINT')
    expect((await alone.ended).code).toBe(130)
    await setup.remove()
  })
})
