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
export class JobBoard {
  readonly #redis: RedisLink['client']
  readonly #runId: string
  readonly #signer: QueueSigner
  readonly #queue: Queue<SignedJob>
  readonly #events: QueueEvents

  private constructor(link: RedisLink, runId: string, signer: QueueSigner) {
    this.#redis = link.client
    this.#runId = runId
    this.#signer = signer
    this.#queue = new Queue<SignedJob>(queueName, { connection: link.client })
    this.#events = new QueueEvents(queueName, { connection: link.another() })
    // The connection reports an unreachable Redis.
    this.#queue.on('error', () => undefined)
    this.#events.on('error', () => undefined)
  }

  /** Opens the jobs of a campaign, and listens to their events. */
  static async open(
    link: RedisLink,
    runId: string,
    { signer, ...listener }: JobListener & { readonly signer: QueueSigner },
  ): Promise<JobBoard> {
    const board = new JobBoard(link, runId, signer)
    await board.#events.waitUntilReady()
    hear(board.#events, runId, listener)
    return board
  }

  #createId(attemptId: string): string {
    return createJobId({ runId: this.#runId, attemptId })
  }

  /** Adds a job unless it is on the queue already. */
  async put(attemptId: string): Promise<void> {
    const signature = this.#signer.sign('job', [this.#runId, attemptId]).toString('base64')
    await this.#queue.add(
      'attempt',
      { runId: this.#runId, attemptId, signature },
      {
        jobId: this.#createId(attemptId),
        removeOnComplete: true,
        removeOnFail: { age: campaignTtlSeconds },
      },
    )
  }

  /** Returns the attempts without a job. */
  async missing(attemptIds: readonly string[]): Promise<string[]> {
    const pipeline = this.#redis.pipeline()
    for (const attemptId of attemptIds) pipeline.exists(this.#queue.toKey(this.#createId(attemptId)))
    const replies = (await pipeline.exec()) ?? []
    return attemptIds.filter((_, index) => replies[index]?.[1] === 0)
  }

  async failed(): Promise<{ readonly attemptId: string; readonly reason: string }[]> {
    const jobs = await this.#queue.getFailed()
    return jobs
      .filter(job => job.data.runId === this.#runId)
      .map(job => ({ attemptId: job.data.attemptId, reason: explainFailure(job.failedReason) }))
  }

  /** Removes a job. Returns false when a worker is processing it. */
  async remove(attemptId: string): Promise<boolean> {
    const job = await Job.fromId(this.#queue, this.#createId(attemptId))
    if (job === undefined) return true
    // Rejects when a worker has locked the job.
    return await job.remove().then(
      () => true,
      () => false,
    )
  }

  async countWorkers(): Promise<number> {
    const connected = await this.#queue.getWorkers()
    const { db: database = 0 } = this.#redis.options
    // The heartbeat connections have no name. Workers on another database never see these jobs.
    return connected.filter(({ rawname = '', db }) => rawname.includes(':w:') && db === String(database))
      .length
  }

  async close(): Promise<void> {
    await Promise.all([this.#events.close(), this.#queue.close()])
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
