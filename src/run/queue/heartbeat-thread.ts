import { parentPort, workerData } from 'node:worker_threads'
import { Worker } from 'bullmq'
import type { HeartbeatInput, HeartbeatMessage, HeldJob } from './heartbeat.ts'
import { queueName } from './keys.ts'
import { connectRedis } from './redis.ts'

const { queue, workerId, lifeMs, everyMs = 2_000 } = workerData as HeartbeatInput
// The main thread reports an unreachable Redis.
const link = connectRedis(queue, () => undefined)
// A worker without a processor takes no jobs. It renews the locks of BullMQ.
const locks = new Worker(queueName, null, { connection: link.client, autorun: false })
locks.on('error', () => undefined)
const jobs = new Map<string, HeldJob>()
let renewing: Promise<unknown> = Promise.resolve()

async function renew(held: readonly HeldJob[]): Promise<void> {
  if (held.length === 0) return
  const pipeline = link.client.pipeline()
  for (const { doing } of held) if (doing !== null) pipeline.set(doing, workerId, 'PX', lifeMs)
  await pipeline.exec()
  await locks.extendJobLocks(
    held.map(job => job.jobId),
    held.map(job => job.token),
    lifeMs,
  )
}

// Failures are ignored: the next beat tries again, and commands wait for an unreachable Redis.
const timer = setInterval(() => {
  renewing = renew([...jobs.values()]).catch(() => undefined)
}, everyMs)

async function end(jobId: string): Promise<void> {
  const doing = jobs.get(jobId)?.doing ?? null
  jobs.delete(jobId)
  await renewing
  if (doing !== null) await link.client.del(doing)
}

let ending: Promise<unknown> = Promise.resolve()

parentPort?.on('message', (message: HeartbeatMessage) => {
  if (message === 'close') {
    clearInterval(timer)
    void ending.finally(() => process.exit(0))
  } else if ('ended' in message) {
    const { ended } = message
    ending = ending.then(() => end(ended)).catch(() => undefined)
  } else {
    jobs.set(message.alive.jobId, message.alive)
  }
})
