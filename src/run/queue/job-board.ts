import { Job, Queue, QueueEvents } from 'bullmq'
import { campaignTtlSeconds } from './file-store.ts'
import { createJobId, queueName, type SignedJob } from './keys.ts'
import type { QueueSigner } from './queue-secret.ts'
import type { RedisLink } from './redis.ts'

/** Receives events of a campaign's jobs, by attempt id. Events may be missing while Redis is unreachable. */
export interface JobListener {
  started(attemptId: string): void
  /** Its worker died; it waits for another. */
  stalled(attemptId: string): void
  completed(attemptId: string): void
  failed(attemptId: string, reason: string): void
}

/** The jobs of one campaign on the queue, beside those of others. */
export interface JobBoard {
  /** Adds a job unless it is on the queue already. */
  put(attemptId: string): Promise<void>
  /** Returns the attempts without a job. */
  missing(attemptIds: readonly string[]): Promise<string[]>
  failed(): Promise<{ readonly attemptId: string; readonly reason: string }[]>
  /** Removes a job. Returns false when a worker is processing it. */
  remove(attemptId: string): Promise<boolean>
  countWorkers(): Promise<number>
  close(): Promise<void>
}

/** Opens the jobs of a campaign, and listens to their events. */
export async function openJobBoard(
  link: RedisLink,
  runId: string,
  { signer, ...listener }: JobListener & { readonly signer: QueueSigner },
): Promise<JobBoard> {
  const queue = new Queue<SignedJob>(queueName, { connection: link.client })
  const events = new QueueEvents(queueName, { connection: link.another() })
  // The connection reports an unreachable Redis.
  queue.on('error', () => undefined)
  events.on('error', () => undefined)
  await events.waitUntilReady()
  hear(events, runId, listener)
  const idOf = (attemptId: string): string => createJobId({ runId, attemptId })
  return {
    async put(attemptId) {
      const options = {
        jobId: idOf(attemptId),
        removeOnComplete: true,
        removeOnFail: { age: campaignTtlSeconds },
      }
      const signature = signer.sign('job', [runId, attemptId]).toString('base64')
      await queue.add('attempt', { runId, attemptId, signature }, options)
    },
    async missing(attemptIds) {
      const pipeline = link.client.pipeline()
      for (const attemptId of attemptIds) pipeline.exists(queue.toKey(idOf(attemptId)))
      const replies = (await pipeline.exec()) ?? []
      return attemptIds.filter((_, index) => replies[index]?.[1] === 0)
    },
    async failed() {
      const jobs = await queue.getFailed()
      return jobs
        .filter(job => job.data.runId === runId)
        .map(job => ({ attemptId: job.data.attemptId, reason: explainFailure(job.failedReason) }))
    },
    async remove(attemptId) {
      const job = await Job.fromId(queue, idOf(attemptId))
      if (job === undefined) return true
      // Rejects when a worker has locked the job.
      return await job.remove().then(
        () => true,
        () => false,
      )
    },
    async countWorkers() {
      const connected = await queue.getWorkers()
      const { db: database = 0 } = link.client.options
      // The heartbeat connections have no name. Workers on another database never see these jobs.
      return connected.filter(({ rawname = '', db }) => rawname.includes(':w:') && db === String(database))
        .length
    },
    async close() {
      await Promise.all([events.close(), queue.close()])
    },
  }
}

function explainFailure(said: string): string {
  return /stalled more than allowable limit/.test(said) ? 'several workers died while making it' : said
}

function hear(events: QueueEvents, runId: string, listener: JobListener): void {
  const mine = (jobId: string, tell: (attemptId: string) => void): void => {
    if (jobId.startsWith(`${runId}.`)) tell(jobId.slice(runId.length + 1))
  }
  events.on('active', ({ jobId }) => mine(jobId, listener.started))
  events.on('stalled', ({ jobId }) => mine(jobId, listener.stalled))
  events.on('completed', ({ jobId }) => mine(jobId, listener.completed))
  events.on('failed', ({ jobId, failedReason }) =>
    mine(jobId, id => listener.failed(id, explainFailure(failedReason))),
  )
}
