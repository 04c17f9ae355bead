import { Redis } from 'ioredis'
import { describe, expect, it } from 'vitest'
import { startHeartbeat } from '../../../src/run/queue/heartbeat.ts'
import { queueName } from '../../../src/run/queue/keys.ts'
import { realRedis, redisIsInstalled, whyNoRedis } from './redis-server.ts'

const [lifeMs, everyMs] = [2_000, 100]
const pause = (ms: number) => new Promise(resolve => setTimeout(resolve, ms))

describe.skipIf(!redisIsInstalled)(`a worker's heartbeat${whyNoRedis}`, () => {
  it('continues while its main thread is busy for longer than the heartbeat lasts, and ends with the job', async () => {
    const server = await realRedis()
    await server.start()
    const redis = new Redis(server.url)
    const lock = `bull:${queueName}:job:lock`
    const problems: string[] = []
    const signs = startHeartbeat({ queue: server.url, workerId: 'w', lifeMs, everyMs }, line =>
      problems.push(line),
    )
    signs.alive({ jobId: 'job', token: 'token', doing: 'doing' })
    while ((await redis.get('doing')) === null) await pause(50)
    await redis.set(lock, 'token', 'PX', lifeMs)
    const busyUntil = Date.now() + 1.5 * lifeMs
    while (Date.now() < busyUntil);
    expect([await redis.get(lock), await redis.get('doing'), problems]).toEqual(['token', 'w', []])
    signs.ended('job')
    await signs.close()
    expect(await redis.get('doing')).toBeNull()
    while ((await redis.get(lock)) !== null) await pause(50)
    redis.disconnect()
    await server.kill()
  })
})
