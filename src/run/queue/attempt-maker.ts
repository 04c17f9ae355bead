import { DelayedError, type Job, WaitingError } from 'bullmq'
import type { Redis } from 'ioredis'
import type { Clock } from '../../core/runtime.ts'
import { isFatalToRun } from '../../system/system-errors.ts'
import { firstLineOf } from '../../text/plain-text.ts'
import type { Campaigns } from './campaigns.ts'
import { keptAfterSeconds, keptSeconds } from './file-store.ts'
import { type AttemptJob, jobIdOf, keysOf } from './keys.ts'
import type { LifeSigns } from './life-signs.ts'
import { packResult } from './result.ts'
import type { OpenCampaign } from './worker-campaign.ts'

/** What another worker is making is looked at again after that. */
const lookAgainMs = 3_000
const deliverAgainMs = 2_000

export interface MakerInput {
  readonly redis: Redis
  readonly clock: Clock
  readonly workerId: string
  /** A worker that does not say that it lives for that long is taken for dead. */
  readonly lifeMs: number
  readonly lifeSigns: LifeSigns
  readonly campaigns: Campaigns
  /** Aborts: running attempts go back to the queue. */
  readonly cancelled: AbortSignal
  /** Aborts: nothing more is tried. */
  readonly closing: AbortSignal
  tell(line: string): void
}

interface Making {
  readonly job: AttemptJob
  readonly cancel: AbortController
  readonly done: Promise<unknown>
}

/** Makes the attempts of a worker's jobs and delivers what came of them. */
export class AttemptMaker {
  readonly #input: MakerInput
  readonly #making = new Map<string, Making>()
  readonly #unfit = new AbortController()
  /** Runs that were not there any more. */
  readonly #gone = new Set<string>()

  constructor(input: MakerInput) {
    this.#input = input
  }

  /** Aborts where this machine can't make the attempts of a campaign, with the reason. */
  get unfit(): AbortSignal {
    return this.#unfit.signal
  }

  /** Takes one job to its end. Rejects as BullMQ wants it for a job that goes back, and for bugs. */
  readonly take = async (job: Job<AttemptJob>, token = ''): Promise<void> => {
    const { lifeSigns } = this.#input
    const jobId = jobIdOf(job.data)
    // Redis was away for longer than a lock lasts: the attempt is being made here all the while.
    await this.#making.get(jobId)?.done
    lifeSigns.alive({ jobId, token, doing: null })
    try {
      await this.#takeAlive(job, token)
    } finally {
      lifeSigns.ended(jobId)
    }
  }

  async #takeAlive(job: Job<AttemptJob>, token: string): Promise<void> {
    const { redis, campaigns, cancelled } = this.#input
    const { runId, attemptId } = job.data
    const keys = keysOf(runId)
    if ((await redis.exists(keys.cancelled)) === 1) return
    if ((await redis.hexists(keys.results, attemptId)) === 1) return
    if (!(await this.#isWanted(runId))) return
    if (this.unfit.aborted || cancelled.aborted) return await giveBack(job, token)
    let isOpen = false
    try {
      // Null: the campaign is over; a coordinator that lives puts it, and the job, again.
      await campaigns.use(runId, async campaign => {
        isOpen = true
        await this.#makeAlone(campaign, job, token)
      })
    } catch (error) {
      if (isOpen && !isFatalToRun(error)) throw error
      await this.#leaveToOthers(runId, error)
      await giveBack(job, token)
    }
  }

  /** A run that was killed and comes back puts its attempts, and takes what was made, again. */
  async #isWanted(runId: string): Promise<boolean> {
    const isThere = (await this.#input.redis.exists(keysOf(runId).wanted)) === 1
    if (isThere) this.#gone.delete(runId)
    else if (!this.#gone.has(runId)) {
      this.#gone.add(runId)
      this.#input.tell(`run ${runId} was not heard of for a while: its attempts wait until it comes back`)
    }
    return isThere
  }

  /** Ends the attempts of runs that were stopped. */
  readonly endCancelled = async (): Promise<void> => {
    for (const runId of new Set([...this.#making.values()].map(({ job }) => job.runId))) {
      if ((await this.#input.redis.exists(keysOf(runId).cancelled)) === 0) continue
      for (const { job, cancel } of this.#making.values())
        if (job.runId === runId) cancel.abort(new Error('stopped by the operator'))
    }
  }

  /** What this machine can't do another may. */
  async #leaveToOthers(runId: string, error: unknown): Promise<void> {
    if (this.unfit.aborted || this.#input.closing.aborted) return
    this.#unfit.abort(error)
    const line = `worker ${this.#input.workerId} takes no part: ${firstLineOf(error)}`
    await this.#input.redis.publish(keysOf(runId).notices, line)
  }

  /** Makes the attempt unless another worker, which lives, is at it. */
  async #makeAlone(campaign: OpenCampaign, job: Job<AttemptJob>, token: string): Promise<void> {
    const { redis, workerId, lifeMs, lifeSigns } = this.#input
    const jobId = jobIdOf(job.data)
    const doing = keysOf(job.data.runId).doing(job.data.attemptId)
    if ((await redis.set(doing, workerId, 'PX', lifeMs, 'NX')) === null) {
      await job.moveToDelayed(Date.now() + lookAgainMs, token)
      throw new DelayedError()
    }
    lifeSigns.alive({ jobId, token, doing })
    const cancel = new AbortController()
    const delivered = this.#makeAndDeliver(campaign, job.data, cancel.signal)
    const done = delivered.catch(() => undefined)
    this.#making.set(jobId, { job: job.data, cancel, done })
    try {
      if (!(await delivered)) await giveBack(job, token)
    } finally {
      this.#making.delete(jobId)
    }
  }

  /** False: it was stopped by this worker's operator and is for another to make. */
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
    await this.#deliver(runId, attemptId, await packResult(result))
    return true
  }

  /** A Redis without memory to spare has some when the coordinator has recorded more. */
  async #deliver(runId: string, attemptId: string, packed: Buffer): Promise<void> {
    const { redis, clock, closing, tell } = this.#input
    const { results, campaign } = keysOf(runId)
    for (let tries = 0; ; tries++) {
      try {
        await redis.hsetnx(results, attemptId, packed)
        const isThere = (await redis.exists(campaign)) === 1
        await redis.expire(results, isThere ? keptSeconds : keptAfterSeconds)
        return
      } catch (error) {
        if (closing.aborted) throw error
        if (tries === 0) tell(`${attemptId}: Redis does not take its result yet: ${firstLineOf(error)}`)
        await clock.sleep(deliverAgainMs, closing)
      }
    }
  }
}

async function giveBack(job: Job<AttemptJob>, token: string): Promise<never> {
  await job.moveToWait(token)
  throw new WaitingError()
}
