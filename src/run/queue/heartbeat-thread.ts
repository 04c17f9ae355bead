import { parentPort, workerData } from 'node:worker_threads'
import { Worker } from 'bullmq'
import { queueName } from './keys.ts'
import type { HeldJob, HeartbeatInput, HeartbeatMessage } from './heartbeat.ts'
import { connectRedis } from './redis.ts'

const { queue, workerId, lifeMs, everyMs = 2_000 } = workerData as HeartbeatInput
// That Redis is away is told by the main thread.
const link = connectRedis(queue, () => undefined)
// Without a processor it takes no jobs; it knows how the engine's locks are renewed.
const locks = new Worker(queueName, null, { connection: link.client, autorun: false })
locks.on('error', () => undefined)
const jobs = new Map<string, HeldJob>()
let renewing: Promise<unknown> = Promise.resolve()

async function sign(signed: readonly HeldJob[]): Promise<void> {
  if (signed.length === 0) return
  const pipeline = link.client.pipeline()
  for (const { doing } of signed) if (doing !== null) pipeline.set(doing, workerId, 'PX', lifeMs)
  await pipeline.exec()
  await locks.extendJobLocks(
    signed.map(job => job.jobId),
    signed.map(job => job.token),
    lifeMs,
  )
}

// What Redis refuses now it may take the next time; while it is away the commands wait for it.
const timer = setInterval(() => {
  renewing = sign([...jobs.values()]).catch(() => undefined)
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
