import { DelayedError, type Job, WaitingError } from 'bullmq'
import type { Redis } from 'ioredis'
import type { Clock } from '../../core/runtime.ts'
import { isFatalToRun } from '../../system/system-errors.ts'
import { readFirstLine } from '../../text/plain-text.ts'
import type { Campaigns } from './campaigns.ts'
import { campaignTtlSeconds, endedCampaignTtlSeconds } from './file-store.ts'
import type { Heartbeat } from './heartbeat.ts'
import { type AttemptJob, createJobId, nameCampaignKeys, type SignedJob } from './keys.ts'
import type { QueueSigner } from './queue-secret.ts'
import { packResult } from './result.ts'
import type { OpenCampaign } from './worker-campaign.ts'

/** A job whose attempt another worker is making is checked again after this time. */
const recheckMs = 3_000
/** A result that Redis refused is delivered again after this time. */
const redeliverMs = 2_000

/** What a maker of attempts needs. */
export interface MakerInput {
  readonly redis: Redis
  readonly clock: Clock
  readonly workerId: string
  readonly signer: QueueSigner
  /** A worker without a heartbeat for this time counts as dead. */
  readonly lifeMs: number
  readonly heartbeat: Heartbeat
  readonly campaigns: Campaigns
  /** Aborts: running attempts return to the queue. */
  readonly cancelled: AbortSignal
  /** Aborts: the worker ends, and nothing is tried again. */
  readonly closing: AbortSignal
  tell(line: string): void
}

interface Making {
  readonly job: AttemptJob
  readonly cancel: AbortController
  readonly done: Promise<unknown>
}

/** Makes the attempts of a worker's jobs and delivers the results. */
export class AttemptMaker {
  readonly #input: MakerInput
  readonly #making = new Map<string, Making>()
  readonly #unfit = new AbortController()
  /** Runs that have sent no sign of life lately, each reported once. */
  readonly #gone = new Set<string>()

  constructor(input: MakerInput) {
    this.#input = input
  }

  /** Aborts, with the reason, when this machine cannot make the attempts of a campaign. */
  get unfit(): AbortSignal {
    return this.#unfit.signal
  }

  /** Processes a job. Rejects with BullMQ's own errors for a job that returns to the queue, and for bugs. */
  readonly take = async (job: Job<SignedJob>, token = ''): Promise<void> => {
    const { heartbeat } = this.#input
    const jobId = createJobId(job.data)
    // Redis was unreachable for longer than a lock lasts, and this worker is still making the attempt.
    await this.#making.get(jobId)?.done
    heartbeat.alive({ jobId, token, doing: null })
    try {
      await this.#process(job, token)
    } finally {
      heartbeat.ended(jobId)
    }
  }

  async #process(job: Job<SignedJob>, token: string): Promise<void> {
    const { redis, campaigns, cancelled, signer } = this.#input
    const { runId, attemptId, signature = '' } = job.data
    // Somebody else put it there. The run puts its own jobs there again.
    const isSigned = signer.isSigned(
      'job',
      [String(runId), String(attemptId)],
      Buffer.from(String(signature), 'base64'),
    )
    const keys = nameCampaignKeys(runId)
    if ((await redis.exists(keys.cancelled)) === 1) return
    if ((await redis.hexists(keys.results, attemptId)) === 1) return
    if (!(await this.#isWanted(runId))) return
    if (!isSigned) return await campaigns.refuse(runId)
    if (this.unfit.aborted || cancelled.aborted) return await giveBack(job, token)
    let isOpen = false
    try {
      // Without its campaign no attempt is made: the campaign has ended, or its coordinator will add it and
      // the job again.
      await campaigns.use(runId, async campaign => {
        isOpen = true
        await this.#makeUnlessTaken(campaign, job, token)
      })
    } catch (error) {
      if (isOpen && !isFatalToRun(error)) throw error
      await this.#leaveToOthers(runId, error)
      await giveBack(job, token)
    }
  }

  /** Whether the run still wants its attempts. A killed run that is resumed puts its attempts on the queue again. */
  async #isWanted(runId: string): Promise<boolean> {
    const isThere = (await this.#input.redis.exists(nameCampaignKeys(runId).wanted)) === 1
    if (isThere) this.#gone.delete(runId)
    else if (!this.#gone.has(runId)) {
      this.#gone.add(runId)
      this.#input.tell(
        `run ${runId} has sent no sign of life for a while. Its attempts wait until it is resumed.`,
      )
    }
    return isThere
  }

  /** Ends the attempts of runs that were stopped. */
  readonly endCancelled = async (): Promise<void> => {
    for (const runId of new Set([...this.#making.values()].map(({ job }) => job.runId))) {
      if ((await this.#input.redis.exists(nameCampaignKeys(runId).cancelled)) === 0) continue
      for (const { job, cancel } of this.#making.values())
        if (job.runId === runId) cancel.abort(new Error('stopped by the operator'))
    }
  }

  /** Reports why this machine makes no attempts. Another worker may make them. */
  async #leaveToOthers(runId: string, error: unknown): Promise<void> {
    if (this.unfit.aborted || this.#input.closing.aborted) return
    this.#unfit.abort(error)
    const line = `worker ${this.#input.workerId} makes no attempts of this run: ${readFirstLine(error)}`
    await this.#input.redis.publish(nameCampaignKeys(runId).notices, line)
  }

  /** Makes the attempt unless another live worker is making it. */
  async #makeUnlessTaken(campaign: OpenCampaign, job: Job<AttemptJob>, token: string): Promise<void> {
    const { redis, workerId, lifeMs, heartbeat } = this.#input
    const jobId = createJobId(job.data)
    const doing = nameCampaignKeys(job.data.runId).doing(job.data.attemptId)
    if ((await redis.set(doing, workerId, 'PX', lifeMs, 'NX')) === null) {
      await job.moveToDelayed(Date.now() + recheckMs, token)
      throw new DelayedError()
    }
    heartbeat.alive({ jobId, token, doing })
    const cancel = new AbortController()
    const delivered = this.#makeAndDeliver(campaign, job.data, cancel.signal)
    const ending = delivered.catch(() => undefined)
    this.#making.set(jobId, { job: job.data, cancel, done: ending })
    try {
      if (!(await delivered)) await giveBack(job, token)
    } finally {
      this.#making.delete(jobId)
    }
  }

  /** Returns false when this worker's operator stopped the attempt, so that another worker has to make it. */
  async #makeAndDeliver(
    campaign: OpenCampaign,
    { runId, attemptId }: AttemptJob,
    cancelled: AbortSignal,
  ): Promise<boolean> {
    const ownEnd = this.#input.cancelled
    const result = await campaign.make(attemptId, AbortSignal.any([cancelled, ownEnd]))
    if (result === null) throw new Error(`the campaign has no attempt ${attemptId}`)
    const stopped = result.attempt.termination.cause === 'operator'
    if (stopped && ownEnd.aborted && !cancelled.aborted) return false
    await this.#deliver(runId, attemptId, await packResult(result, { runId, attemptId }, this.#input.signer))
    return true
  }

  /**
   * Delivers a result, and repeats it while Redis has no free memory. Memory becomes free when the
   * coordinator has recorded more results.
   */
  async #deliver(runId: string, attemptId: string, packed: Buffer): Promise<void> {
    const { redis, clock, closing, tell } = this.#input
    const { results, campaign } = nameCampaignKeys(runId)
    for (let tries = 0; ; tries++) {
      try {
        await redis.hsetnx(results, attemptId, packed)
        const isThere = (await redis.exists(campaign)) === 1
        await redis.expire(results, isThere ? campaignTtlSeconds : endedCampaignTtlSeconds)
        return
      } catch (error) {
        if (closing.aborted) throw error
        if (tries === 0)
          tell(`${attemptId}: Redis refuses its result, which is sent again: ${readFirstLine(error)}`)
        await clock.sleep(redeliverMs, closing)
      }
    }
  }
}

async function giveBack(job: Job<AttemptJob>, token: string): Promise<never> {
  await job.moveToWait(token)
  throw new WaitingError()
}
