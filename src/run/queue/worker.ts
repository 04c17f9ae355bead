import { randomUUID } from 'node:crypto'
import { readdir, rm } from 'node:fs/promises'
import { hostname } from 'node:os'
import { join } from 'node:path'
import { DelayedError, type Job, WaitingError, Worker } from 'bullmq'
import type { Redis } from 'ioredis'
import { systemClock } from '../../core/runtime.ts'
import { type Campaign, campaignSchema } from './campaign.ts'
import { type AttemptJob, jobIdOf, keysOf, queueName } from './keys.ts'
import { linkRedis } from './redis.ts'
import { packResult } from './result.ts'
import { type SharedPauses, sharePauses } from './shared-pauses.ts'
import { type LoadTasks, type OpenCampaign, openCampaign } from './worker-campaign.ts'

/** A worker that does not say that it lives for that long is taken for dead. */
export const lockMs = 10_000
const stalledCheckMs = 5_000
/** A job that outlived so many workers ends as a crash. */
export const mostStalls = 4
const beatEveryMs = 3_000
const watchEveryMs = 1_000
const idleMs = 30_000

export interface WorkerInput {
  /** redis://… */
  readonly queue: string
  readonly concurrency: number
  readonly cache: string
  readonly env: NodeJS.ProcessEnv
  readonly loadTasks: LoadTasks
  tell(line: string): void
  /** Aborts: no new attempts. */
  readonly stopping: AbortSignal
  /** Aborts: running attempts go back to the queue. */
  readonly cancelled: AbortSignal
}

/** An attempt that this worker makes now. */
interface Making {
  readonly job: AttemptJob
  readonly cancel: AbortController
  readonly done: Promise<void>
}

interface Held {
  readonly opened: Promise<OpenCampaign>
  running: number
  idleSince: number
}

/**
 * Takes attempts from the queue and makes them until it is stopped. Rejects where this machine can't make a campaign's
 * attempts, such as without a key; the attempt it was about to make goes back to the queue.
 */
export async function runWorker(input: WorkerInput): Promise<void> {
  const link = linkRedis(input.queue, input.tell)
  const workerId = `${hostname()}-${process.pid}-${randomUUID().slice(0, 8)}`
  const folder = join(input.cache, 'queue', `worker-${hostname()}-${process.pid}`)
  await sweepDeadWorkers(join(input.cache, 'queue'))
  const pauses = sharePauses(link, workerId)
  const worker = createAttemptWorker({ ...input, redis: link.client, pauses, workerId, folder })
  try {
    input.tell(
      `worker ${workerId}: ${input.concurrency} attempts at a time from ${queueName} at ${link.place}`,
    )
    await worker.run()
  } finally {
    link.close()
    await rm(folder, { recursive: true, force: true })
  }
}

interface AttemptWorkerInput extends WorkerInput {
  readonly redis: Redis
  readonly pauses: SharedPauses
  readonly workerId: string
  readonly folder: string
}

function createAttemptWorker(input: AttemptWorkerInput) {
  const { redis, workerId, folder } = input
  const making = new Map<string, Making>()
  const campaigns = new Map<string, Held>()
  const unfit = new AbortController()
  const closing = new AbortController()

  async function campaignOf(runId: string): Promise<Held | null> {
    const known = campaigns.get(runId)
    if (known !== undefined) return known
    const text = await redis.get(keysOf(runId).campaign)
    if (text === null) return null
    const again = campaigns.get(runId)
    if (again !== undefined) return again
    const campaign: Campaign = campaignSchema.parse(JSON.parse(text))
    const own = { campaign, folder: join(folder, runId), signal: closing.signal }
    const opened = openCampaign({ ...input, ...own })
    const held: Held = { opened, running: 0, idleSince: Date.now() }
    campaigns.set(runId, held)
    return held
  }

  /** What this machine can't do another may: the job goes back, and the worker ends with the reason. */
  async function openOrLeave(runId: string, job: Job<AttemptJob>, token: string) {
    try {
      const held = await campaignOf(runId)
      return held === null ? null : { held, campaign: await held.opened }
    } catch (error) {
      if (!unfit.signal.aborted) {
        const why = error instanceof Error ? error.message : String(error)
        await redis.publish(keysOf(runId).notices, `worker ${workerId} takes no part: ${why}`)
        unfit.abort(error)
      }
      return await giveBack(job, token)
    }
  }

  async function takeJob(job: Job<AttemptJob>, token = ''): Promise<void> {
    const { runId, attemptId } = job.data
    const keys = keysOf(runId)
    if (unfit.signal.aborted || input.cancelled.aborted) return await giveBack(job, token)
    const here = making.get(jobIdOf(job.data))
    // Redis was away for longer than a lock lasts: the attempt is being made here all the while.
    if (here !== undefined) return await here.done
    if ((await redis.exists(keys.cancelled)) === 1) return
    if ((await redis.hexists(keys.results, attemptId)) === 1) return
    const opened = await openOrLeave(runId, job, token)
    // Its coordinator has ended; one that lives puts campaign and job again.
    if (opened === null) return
    if ((await redis.set(keys.doing(attemptId), workerId, 'PX', lockMs, 'NX')) === null) {
      await job.moveToDelayed(Date.now() + beatEveryMs, token)
      throw new DelayedError()
    }
    const cancel = new AbortController()
    const done = makeAndDeliver(opened, job.data, cancel.signal)
    const entry: Making = { job: job.data, cancel, done: done.then(noMatter, noMatter) }
    making.set(jobIdOf(job.data), entry)
    opened.held.running++
    try {
      if (!(await done)) return await giveBack(job, token)
    } finally {
      making.delete(jobIdOf(job.data))
      opened.held.running--
      opened.held.idleSince = Date.now()
      await redis.del(keys.doing(attemptId))
    }
  }

  /** False: it was stopped by this worker's operator and is for another to make. */
  async function makeAndDeliver(
    { campaign }: { campaign: OpenCampaign },
    { runId, attemptId }: AttemptJob,
    cancelled: AbortSignal,
  ): Promise<boolean> {
    const result = await campaign.make(attemptId, AbortSignal.any([cancelled, input.cancelled]))
    if (result === null) throw new Error(`the campaign has no attempt ${attemptId}`)
    const stopped = result.attempt.termination.cause === 'operator'
    if (stopped && input.cancelled.aborted && !cancelled.aborted) return false
    await redis.hsetnx(keysOf(runId).results, attemptId, await packResult(result))
    return true
  }

  async function beat(): Promise<void> {
    if (making.size === 0) return
    const pipeline = redis.pipeline()
    for (const { job } of making.values())
      pipeline.set(keysOf(job.runId).doing(job.attemptId), workerId, 'PX', lockMs)
    await pipeline.exec()
  }

  async function watchCampaigns(): Promise<void> {
    for (const runId of new Set([...making.values()].map(({ job }) => job.runId))) {
      if ((await redis.exists(keysOf(runId).cancelled)) === 0) continue
      for (const { job, cancel } of making.values())
        if (job.runId === runId) cancel.abort(new Error('stopped by the operator'))
    }
    for (const [runId, held] of campaigns) {
      if (held.running > 0 || Date.now() - held.idleSince < idleMs) continue
      campaigns.delete(runId)
      await closeCampaign(held)
    }
  }

  return {
    async run(): Promise<void> {
      const worker = new Worker<AttemptJob>(queueName, takeJob, {
        connection: redis,
        concurrency: input.concurrency,
        name: workerId,
        lockDuration: lockMs,
        stalledInterval: stalledCheckMs,
        maxStalledCount: mostStalls,
        runRetryDelay: 1_000,
        removeOnComplete: { count: 0 },
      })
      worker.on('error', error => {
        if (!isExpected(error)) input.tell(`worker: ${error.message}`)
      })
      const loops = [
        every(beatEveryMs, beat, closing.signal),
        every(watchEveryMs, watchCampaigns, closing.signal),
      ]
      try {
        await aborted(input.stopping, unfit.signal)
        await worker.close()
      } finally {
        closing.abort(new Error('the worker ends'))
        await Promise.all(loops)
        for (const held of campaigns.values()) await closeCampaign(held)
      }
      if (unfit.signal.aborted) throw unfit.signal.reason
    },
  }
}

const noMatter = (): void => undefined

async function giveBack(job: Job<AttemptJob>, token: string): Promise<never> {
  await job.moveToWait(token)
  throw new WaitingError()
}

async function closeCampaign({ opened }: Held): Promise<void> {
  const campaign = await opened.catch(() => null)
  await campaign?.close()
}

/** A lock that ran out while Redis was away, or a connection that broke: both are met, and told, elsewhere. */
function isExpected(error: Error): boolean {
  return /could not renew lock|Missing lock|Missing key|Connection is closed|ECONNREFUSED|ECONNRESET|EPIPE|LOADING/i.test(
    `${error.message} ${'code' in error ? String(error.code) : ''}`,
  )
}

/** Does the work again and again, with that pause, until the signal aborts. */
async function every(ms: number, work: () => Promise<void>, signal: AbortSignal): Promise<void> {
  while (!signal.aborted) {
    await work()
    await systemClock.sleep(ms, signal).catch(noMatter)
  }
}

async function aborted(...signals: readonly AbortSignal[]): Promise<void> {
  const any = AbortSignal.any([...signals])
  if (any.aborted) return
  await new Promise<void>(resolve => any.addEventListener('abort', () => resolve(), { once: true }))
}

/** Folders of workers of this machine that were killed. */
async function sweepDeadWorkers(queueFolder: string): Promise<void> {
  const prefix = `worker-${hostname()}-`
  const names = await readdir(queueFolder).catch(() => [])
  for (const name of names) {
    if (!name.startsWith(prefix) || isAlive(Number(name.slice(prefix.length)))) continue
    await rm(join(queueFolder, name), { recursive: true, force: true })
  }
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return pid !== process.pid
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM'
  }
}
