import { existsSync } from 'node:fs'
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { Queue } from 'bullmq'
import { Redis } from 'ioredis'
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest'
import { createJobId, nameCampaignKeys, queueName } from '../../../src/run/queue/keys.ts'
import { createSigner } from '../../../src/run/queue/queue-secret.ts'
import { packResult } from '../../../src/run/queue/result.ts'
import { send, startOpenAiServer } from '../../models/openai-server.ts'
import { makeAttempt } from '../../report/records.ts'
import { expectAllOnce, expectDone, newSetup, type Setup, startProcess, stopAll } from './campaign-setup.ts'
import { type RealRedis, realRedis, redisIsInstalled, whyNoRedis } from './redis-server.ts'

const env = { QUEUE_SECRET: 'the secret of run and worker', OPENAI_API_KEY: 'the-key-of-the-worker' }
const secret = ['--queue-secret', 'variable:QUEUE_SECRET']

describe.skipIf(!redisIsInstalled)(`somebody who can write to Redis${whyNoRedis}`, () => {
  let server: RealRedis
  let redis: Redis
  let setup: Setup
  beforeAll(async () => {
    server = await realRedis()
    await server.start()
    redis = new Redis(server.url)
  })
  afterEach(async () => {
    await stopAll()
    await setup.remove()
    await redis.flushall()
  })
  afterAll(async () => {
    redis.disconnect()
    await server.kill()
  })

  const worker = (...more: string[]) =>
    startProcess(['worker', '--queue', server.url, '--cache', setup.out('worker'), ...more], { env })
  const run = (...more: string[]) =>
    startProcess(
      [
        'run',
        ...setup.options,
        '--setting',
        'offline',
        '--out',
        setup.out('run'),
        '--queue',
        server.url,
        ...more,
      ],
      { env },
    )
  /** The campaign that is in Redis. */
  const campaign = async (): Promise<{ runId: string; config: Record<string, unknown> }> => {
    const key = await vi.waitUntil(async () => (await redis.keys('tablehunt:*:campaign'))[0], {
      timeout: 60_000,
    })
    return JSON.parse((await redis.get(key))!).campaign
  }

  it('cannot make a worker start a program or send its key away', async () => {
    setup = await newSetup(1)
    const calls: unknown[] = []
    const thief = await startOpenAiServer((request, response) => {
      calls.push(request)
      send(response, 200, {})
    })
    const coordinator = run(...secret)
    const real = await campaign()
    coordinator.signal('SIGKILL')
    await coordinator.ended
    const mark = setup.out('mark')
    const evil = {
      ...real,
      runId: 'evil',
      config: {
        ...real.config,
        setting: ['online'],
        agent: [`command: sh -c "touch ${mark}"`],
        model: ['openai:m'],
        baseUrl: thief.url,
      },
    }
    const queue = new Queue(queueName, { connection: redis })
    const offer = async (signer: ReturnType<typeof createSigner>) => {
      const { sealCampaign } = await import('../../../src/run/queue/campaign.ts')
      const keys = nameCampaignKeys('evil')
      await redis.set(keys.campaign, sealCampaign(evil as never, signer))
      await redis.set(keys.wanted, '1')
      for (const sha256 of (real as unknown as { files: { sha256: string }[] }).files.map(
        file => file.sha256,
      ))
        await redis.copy(nameCampaignKeys(real.runId).file(sha256), keys.file(sha256))
      const job = { runId: 'evil', attemptId: 'x' }
      const signature = signer.sign('job', ['evil', 'x']).toString('base64')
      await queue.add('attempt', { ...job, signature }, { jobId: createJobId(job), removeOnComplete: true })
    }
    // Signed with a guess: the worker goes on for other runs.
    const guarded = worker(...secret)
    await offer(createSigner('a guess of the secret'))
    await guarded.saying(/no attempts of run evil: its campaign or jobs are not signed.*\[queue-signature\]/)
    guarded.signal('SIGINT')
    expect((await guarded.ended).code).toBe(130)
    // Without a secret, the worker still accepts no program and no address.
    const open = worker()
    await offer(createSigner(null))
    const { code, stderr } = await open.ended
    expect([code, stderr]).toEqual([1, expect.stringContaining('[worker-refuses-agent]')])
    const allowing = worker('--allow-agent', `command: sh -c "touch ${mark}"`)
    await offer(createSigner(null))
    expect((await allowing.ended).stderr).toContain('[worker-refuses-address]')
    expect([existsSync(mark), calls]).toEqual([false, []])
    await queue.close()
    await thief.close()
  })

  it('cannot give a run results, or write outside of its folder', async () => {
    setup = await newSetup(2)
    const coordinator = run(...secret)
    const { runId } = await campaign()
    const jobs = await vi.waitUntil(
      async () => {
        const ids = (await redis.keys(`bull:${queueName}:${runId}.*`)).map(key => key.split(`${runId}.`)[1]!)
        return ids.length === 2 ? ids : null
      },
      { timeout: 60_000 },
    )
    const [first = '', second = ''] = jobs
    const evil = '../../../evil/authorized'
    const attempt = { ...makeAttempt({ task: 't', setting: 'offline' }), attemptId: evil }
    const result = { attempt, scores: [], answerText: 'x', leaks: [], trace: '{}\n', blobs: {} }
    // Unsigned with a path as its id; and signed with a guess for the right id.
    await redis.hset(
      nameCampaignKeys(runId).results,
      first,
      await packResult(result, { runId, attemptId: first }, createSigner(null)),
    )
    const forged = { ...result, attempt: { ...attempt, attemptId: second } }
    const guess = createSigner('a guess of the secret')
    await redis.hset(
      nameCampaignKeys(runId).results,
      second,
      await packResult(forged, { runId, attemptId: second }, guess),
    )
    await coordinator.saying(new RegExp(`${first.replaceAll('.', '\\.')}: removed a result from Redis`))
    worker(...secret)
    await expectDone(coordinator, setup.out('run'), 2)
    await expectAllOnce(setup.out('run'), 2)
    expect((await readdir(setup.folder)).toSorted()).not.toContain('evil')
    const manifest = await readFile(join(setup.out('run'), 'manifest.json'), 'utf8')
    expect(manifest).not.toContain(env.QUEUE_SECRET)
    expect(JSON.parse(manifest).config.queueSecret).toBe('variable:QUEUE_SECRET')
  })

  it('cannot pass a result with another id on a machine without a secret', async () => {
    setup = await newSetup(1)
    const coordinator = run()
    const { runId } = await campaign()
    const key = await vi.waitUntil(async () => (await redis.keys(`bull:${queueName}:${runId}.*`))[0], {
      timeout: 60_000,
    })
    const attemptId = key.split(`${runId}.`)[1]!
    const attempt = { ...makeAttempt({ task: 't', setting: 'offline' }), attemptId: '../../../evil' }
    const result = { attempt, scores: [], answerText: 'x', leaks: [], trace: '{}\n', blobs: {} }
    const packed = await packResult(result, { runId, attemptId }, createSigner(null))
    await redis.hset(nameCampaignKeys(runId).results, attemptId, packed)
    const { code } = await coordinator.ended
    expect(code).toBe(1)
    expect(await readdir(setup.folder)).not.toContain('evil')
    expect(existsSync(join(setup.folder, '..', 'evil'))).toBe(false)
  })
})
