import { randomUUID } from 'node:crypto'
import { readdir, rm } from 'node:fs/promises'
import { hostname } from 'node:os'
import { join } from 'node:path'
import { Worker } from 'bullmq'
import type { Redis } from 'ioredis'
import { systemClock } from '../../core/runtime.ts'
import { ifMissing } from '../../system/files.ts'
import { isProcessAlive } from '../../system/process-status.ts'
import { readFirstLine } from '../../text/plain-text.ts'
import { AttemptMaker } from './attempt-maker.ts'
import { Campaigns } from './campaigns.ts'
import { startHeartbeat } from './heartbeat.ts'
import { queueName, type SignedJob } from './keys.ts'
import { createSigner } from './queue-secret.ts'
import { connectRedis, probeRedis, queueError, readEvictionNotice, writeRefusalMessage } from './redis.ts'
import { sharePauses } from './shared-pauses.ts'
import type { WorkerSetup } from './worker-campaign.ts'

/** A worker without a heartbeat for this time counts as dead. */
const lockMs = 10_000
const stalledCheckMs = 2_000
/** A job whose worker died more often ends as a crash. */
const maxStalls = 4
const watchEveryMs = 1_000
/** How long to wait for a refusal of Redis. A Redis that is not up yet is awaited later. */
const lookMs = 1_000

/** What a worker needs. */
export interface WorkerInput extends WorkerSetup {
  /** redis://… */
  readonly queue: string
  /** What the runs share with their workers; null when Redis is on this machine. */
  readonly queueSecret: string | null
  /** Aborts: no new attempts. */
  readonly stopping: AbortSignal
  /** Aborts: running attempts return to the queue. */
  readonly cancelled: AbortSignal
}

/**
 * Takes attempts from the queue and makes them until it is stopped.
 *
 * @throws ConfigError [queue-unavailable] when Redis refuses the connection; the error of `openCampaign` when this machine
 * cannot make a campaign's attempts. The attempt then returns to the queue
 */
export async function runWorker(input: WorkerInput): Promise<void> {
  const { concurrency, cache, tell } = input
  const signer = createSigner(input.queueSecret)
  await requireNoRefusal(input.queue)
  const workerId = `${hostname()}-${process.pid}-${randomUUID().slice(0, 8)}`
  const folder = await makeOwnFolder(cache)
  const link = connectRedis(input.queue, tell)
  const closing = new AbortController()
  const campaigns = new Campaigns(folder, {
    ...input,
    redis: link.client,
    workerId,
    signer,
    pauses: sharePauses(link, workerId),
    signal: closing.signal,
  })
  const heartbeat = startHeartbeat({ queue: input.queue, workerId, lifeMs: lockMs }, tell)
  const maker = new AttemptMaker({
    redis: link.client,
    clock: systemClock,
    workerId,
    signer,
    lifeMs: lockMs,
    heartbeat,
    campaigns,
    tell,
    cancelled: input.cancelled,
    closing: closing.signal,
  })
  const loops = [maker.endCancelled, campaigns.closeIdle].map(work =>
    repeatEvery(watchEveryMs, work, closing.signal, tell),
  )
  try {
    void readEvictionNotice(link).then(notice => {
      if (notice !== null) tell(notice)
    })
    tell(`worker ${workerId}: ${concurrency} attempts at a time from ${queueName} at ${link.place}`)
    const worker = openBullWorker(input, link.client, workerId, maker)
    await waitForAbort(input.stopping, maker.unfit)
    await worker.close()
  } finally {
    closing.abort(new Error('the worker ends'))
    await Promise.all(loops)
    await heartbeat.close()
    await campaigns.closeAll()
    link.close()
    await rm(folder, { recursive: true, force: true })
  }
  if (maker.unfit.aborted) throw maker.unfit.reason
}

async function requireNoRefusal(queue: string): Promise<void> {
  const probe = await probeRedis(queue, lookMs)
  if ('problem' in probe && writeRefusalMessage(queue, probe.problem) !== null)
    throw queueError(queue, probe.problem)
}

function openBullWorker(input: WorkerInput, redis: Redis, name: string, maker: AttemptMaker) {
  const worker = new Worker<SignedJob>(queueName, maker.take, {
    connection: redis,
    concurrency: input.concurrency,
    name,
    lockDuration: lockMs,
    stalledInterval: stalledCheckMs,
    maxStalledCount: maxStalls,
    runRetryDelay: 1_000,
    removeOnComplete: { count: 0 },
  })
  let reportedError = ''
  worker.on('error', error => {
    // Tried again every second: the same error is reported once.
    if (isExpected(error) || error.message === reportedError) return
    reportedError = error.message
    input.tell(`worker: ${error.message}`)
  })
  return worker
}

/** Expired locks and lost connections. They are handled and reported elsewhere. */
function isExpected(error: Error): boolean {
  return /could not renew lock|Missing lock|Lock mismatch|Missing key|Connection is closed|ECONNREFUSED|ECONNRESET|EPIPE|LOADING/i.test(
    `${error.message} ${'code' in error ? String(error.code) : ''}`,
  )
}

/** Repeats work with a pause until the signal aborts. Reports failures and goes on. */
async function repeatEvery(
  ms: number,
  work: () => Promise<void>,
  signal: AbortSignal,
  tell: (line: string) => void,
): Promise<void> {
  while (!signal.aborted) {
    await work().catch(error => {
      if (!signal.aborted) tell(`worker: ${readFirstLine(error)}`)
    })
    await systemClock.sleep(ms, signal).catch(() => undefined)
  }
}

async function waitForAbort(...signals: readonly AbortSignal[]): Promise<void> {
  const signal = AbortSignal.any([...signals])
  if (signal.aborted) return
  await new Promise<void>(resolve => signal.addEventListener('abort', () => resolve(), { once: true }))
}

const prefix = `worker-${hostname()}-`

/** Returns a folder for this process below the shared cache. Removes the folders of killed workers of this machine. */
async function makeOwnFolder(cache: string): Promise<string> {
  const queueFolder = join(cache, 'queue')
  const names = (await readdir(queueFolder).catch(ifMissing)) ?? []
  for (const name of names) {
    const pid = Number(name.slice(prefix.length))
    // A folder with the id of this process belongs to a dead process with the same id.
    if (!name.startsWith(prefix) || (pid !== process.pid && isProcessAlive(pid))) continue
    await rm(join(queueFolder, name), { recursive: true, force: true })
  }
  return join(queueFolder, `${prefix}${process.pid}`)
}
