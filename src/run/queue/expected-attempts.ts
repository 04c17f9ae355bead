import type { Redis } from 'ioredis'
import { isUnfinished } from '../../core/termination.ts'
import { readFirstLine } from '../../text/plain-text.ts'
import type { JobBoard } from './job-board.ts'
import type { QueueSigner } from './queue-secret.ts'
import { isRefusal } from './redis.ts'
import { type AttemptResult, unpackResult } from './result.ts'

/** The result of an attempt that was put on the queue. */
export type QueuedOutcome =
  | { readonly kind: 'made'; readonly result: AttemptResult }
  /** No worker could finish it. */
  | { readonly kind: 'crashed'; readonly reason: string }
  /** The run was stopped before a worker had made it. */
  | { readonly kind: 'withdrawn' }

interface Expected {
  started(): void
  settle(outcome: QueuedOutcome): void
}

/** Where the results of a campaign are. */
interface ResultStore {
  readonly redis: Redis
  readonly runId: string
  /** The key of the hash of results. */
  readonly results: string
  readonly signer: QueueSigner
  tell(line: string): void
}

/** The attempts that a coordinator waits for, compared with the jobs and the results in Redis. */
export class ExpectedAttempts {
  readonly #store: ResultStore
  readonly #expected = new Map<string, Expected>()
  /** Attempts with a result that was not signed, each reported once. */
  readonly #foreign = new Set<string>()
  #board: JobBoard | null = null

  constructor(store: ResultStore) {
    this.#store = store
  }

  /** The jobs of the campaign; set it before an attempt is put on the queue. */
  set board(board: JobBoard) {
    this.#board = board
  }

  get size(): number {
    return this.#expected.size
  }

  has(attemptId: string): boolean {
    return this.#expected.has(attemptId)
  }

  /** Waits for the outcome of an attempt. @param started called whenever a worker begins it */
  wait(attemptId: string, started: () => void): Promise<QueuedOutcome> {
    return new Promise(settle => {
      this.#expected.set(attemptId, { started, settle })
    })
  }

  started(attemptId: string): void {
    this.#expected.get(attemptId)?.started()
  }

  /** Puts an attempt on the queue, unless its result is already there. */
  async put(attemptId: string): Promise<void> {
    // A worker may have made it while no coordinator was running.
    if (await this.collect(attemptId)) return
    const board = this.#board!
    const failedBefore = (await board.failed()).some(job => job.attemptId === attemptId)
    if (failedBefore) await board.remove(attemptId)
    if (this.has(attemptId)) await board.put(attemptId)
  }

  /**
   * Takes the result of an attempt from Redis. Returns whether there was one. One that no worker with the run's secret has
   * signed for this attempt is removed, and the attempt is made again.
   */
  async collect(attemptId: string): Promise<boolean> {
    const { redis, runId, results, signer } = this.#store
    const packed = this.has(attemptId) ? await redis.hgetBuffer(results, attemptId) : null
    if (packed === null || !this.has(attemptId)) return false
    try {
      const result = await unpackResult(packed, { runId, attemptId }, signer)
      if (result === null) return await this.#removeForeign(attemptId)
      this.#take(attemptId)({ kind: 'made', result })
    } catch (error) {
      this.#take(attemptId)({ kind: 'crashed', reason: `its result cannot be read: ${readFirstLine(error)}` })
    }
    return true
  }

  async #removeForeign(attemptId: string): Promise<false> {
    const { redis, results, tell } = this.#store
    await redis.hdel(results, attemptId)
    if (!this.#foreign.has(attemptId))
      tell(
        `${attemptId}: removed a result from Redis that no worker with this run's --queue-secret has signed for this attempt. It is made again. [queue-signature]`,
      )
    this.#foreign.add(attemptId)
    return false
  }

  /** Ends an attempt whose job failed. A job that Redis refused is put on the queue again. */
  async fail(attemptId: string, reason: string): Promise<void> {
    if (await this.collect(attemptId)) return
    if (isRefusal(reason)) {
      this.#store.tell(
        `${attemptId}: Redis refused what its worker wrote, so the attempt is made again: ${reason}`,
      )
      await this.#board!.remove(attemptId)
    } else this.#take(attemptId)({ kind: 'crashed', reason })
  }

  /** Collects missed results, and puts lost jobs on the queue again unless the run is being stopped. */
  async reconcile(stopping: AbortSignal): Promise<void> {
    const { redis, results } = this.#store
    const board = this.#board!
    for (const attemptId of await redis.hkeys(results)) await this.collect(attemptId)
    // A worker removes a job after it has written the result, so the result is looked for once more.
    for (const attemptId of await board.missing([...this.#expected.keys()])) {
      if ((await this.collect(attemptId)) || !this.has(attemptId) || stopping.aborted) continue
      await board.put(attemptId)
    }
    for (const { attemptId, reason } of await board.failed()) await this.fail(attemptId, reason)
  }

  /** Removes the named attempts that no worker has begun from the queue. */
  async withdraw(isNamed: (attemptId: string) => boolean): Promise<void> {
    for (const attemptId of [...this.#expected.keys()].filter(isNamed)) {
      if (!(await this.#board!.remove(attemptId)) || (await this.collect(attemptId))) continue
      this.#take(attemptId)({ kind: 'withdrawn' })
    }
  }

  /** Ends all attempts because no worker can make them. */
  endAll(reason: string): void {
    for (const attemptId of [...this.#expected.keys()]) this.#take(attemptId)({ kind: 'crashed', reason })
  }

  /** Withdraws all attempts without asking Redis. Returns whether there were any. */
  giveUp(): boolean {
    const hadAny = this.size > 0
    for (const attemptId of [...this.#expected.keys()]) this.#take(attemptId)({ kind: 'withdrawn' })
    return hadAny
  }

  #take(attemptId: string): Expected['settle'] {
    const expected = this.#expected.get(attemptId)
    this.#expected.delete(attemptId)
    return outcome => expected?.settle(outcome)
  }
}

/** Removes results that are made again: of cancelled attempts, and of failures that the operator had to fix. */
export async function removeUnfinishedResults({ redis, runId, results, signer }: ResultStore): Promise<void> {
  for (const attemptId of await redis.hkeys(results)) {
    const packed = await redis.hgetBuffer(results, attemptId)
    const result =
      packed === null ? null : await unpackResult(packed, { runId, attemptId }, signer).catch(() => null)
    if (result === null || isUnfinished(result.attempt.termination)) await redis.hdel(results, attemptId)
  }
}
