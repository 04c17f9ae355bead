import { ReplyError } from 'ioredis'
import { type RunAmounts, type RunCaps, runBudgetKinds } from '../../core/budget.ts'
import { RunError } from '../../core/errors.ts'
import { type Clock, systemClock } from '../../core/runtime.ts'
import { formatCount, pickVerb } from '../../score/explain/wording.ts'
import { readFirstLine } from '../../text/plain-text.ts'
import { ExpectedAttempts, type QueuedOutcome, removeUnfinishedResults } from './expected-attempts.ts'
import { JobBoard } from './job-board.ts'
import { type CampaignKeys, nameCampaignKeys } from './keys.ts'
import { type HashedCampaign, putCampaign, removeCampaign, renewCampaign } from './put-campaign.ts'
import type { QueueSigner } from './queue-secret.ts'
import { connectRedis, fixForRefusedWrites, type RedisLink, readEvictionNotice } from './redis.ts'
import { makeSharedBudget, type SharedBudget } from './shared-budget.ts'

/** What a coordinator needs. */
export interface CoordinatorInput {
  /** redis://… */
  readonly queue: string
  readonly signer: QueueSigner
  readonly campaign: HashedCampaign
  readonly caps: RunCaps
  /** Returns what the attempts in the run's folder have spent so far. */
  recorded(): Promise<RunAmounts>
  tell(line: string): void
  /** Aborts: attempts that no worker has begun are withdrawn. */
  readonly stopping: AbortSignal
  /** Aborts: workers end their attempts as operator / cancelled. */
  readonly cancelled: AbortSignal
  /** The default is the clock of the system. */
  readonly clock?: Clock
}

const reconcileEveryMs = 2_000
/** Workers begin no attempts of a run without a sign of life for this time. */
const wantedMs = 600_000
const renewEveryMs = 600_000
/** So often a run is put into Redis again before its attempts end. */
const mostLosses = 5
/** How long cancelled attempts may take to return, and Redis to answer at the end. */
const graceMs = 8_000

/**
 * Connects to Redis, and puts the campaign and its budget there.
 *
 * @throws RunError [queue-refuses-writes]
 */
export async function openCoordinator(input: CoordinatorInput): Promise<Coordinator> {
  const link = connectRedis(input.queue, input.tell)
  try {
    const coordinator = new Coordinator(input, link, input.clock ?? systemClock)
    await coordinator.open()
    return coordinator
  } catch (error) {
    link.close()
    if (!(error instanceof ReplyError)) throw error
    const problem = readFirstLine(error)
    throw new RunError(
      `--queue: Redis at ${link.place} refuses to store the run (${problem}). ${fixForRefusedWrites(problem)}, then run the same command again.`,
      { cause: error, code: 'queue-refuses-writes' },
    )
  }
}

/** Has workers make attempts. The caller records the results. */
class Coordinator {
  readonly #input: CoordinatorInput
  readonly #link: RedisLink
  readonly #clock: Clock
  readonly #keys: CampaignKeys
  readonly #budget: SharedBudget
  readonly #expected: ExpectedAttempts
  readonly #store: ConstructorParameters<typeof ExpectedAttempts>[0]
  /** Recorded attempts that are being removed from Redis. */
  readonly #leaving = new Set<Promise<unknown>>()
  readonly #closing = new AbortController()
  readonly #reportWorkers: (count: number) => void
  #board: JobBoard | null = null
  #lost: RunAmounts = { tokens: 0, usd: 0, searchCalls: 0 }
  #gaveUp = false
  /** How often Redis has lost parts in a row, while this number of attempts was expected. */
  #losses = { expected: -1, n: 0 }
  #reconciling: Promise<void> = Promise.resolve()
  #renewedAt: number

  constructor(input: CoordinatorInput, link: RedisLink, clock: Clock) {
    this.#input = input
    this.#link = link
    this.#clock = clock
    this.#renewedAt = clock.now()
    const { runId } = input.campaign.campaign
    this.#keys = nameCampaignKeys(runId)
    this.#budget = makeSharedBudget(link.client, runId, clock, input.tell)
    this.#reportWorkers = makeWorkerCountReporter(
      `${new URL(input.queue).protocol}//${link.place}`,
      input.tell,
    )
    const { signer, tell } = input
    this.#store = { redis: link.client, runId, results: this.#keys.results, signer, tell }
    this.#expected = new ExpectedAttempts(this.#store)
  }

  async open(): Promise<void> {
    const { campaign, signer, caps, tell, stopping, cancelled } = this.#input
    const redis = this.#link.client
    const notice = await readEvictionNotice(this.#link)
    if (notice !== null) tell(notice)
    await redis.del(this.#keys.cancelled)
    await this.#signalLife()
    await removeUnfinishedResults(this.#store)
    await putCampaign(redis, campaign, signer)
    await this.#budget.setUp(caps, await this.#input.recorded(), null)
    this.#board = await JobBoard.open(this.#link, campaign.campaign.runId, {
      signer,
      started: attemptId => this.#expected.started(attemptId),
      stalled: attemptId => {
        if (this.#expected.has(attemptId)) tell(`${attemptId}: its worker is gone; another worker makes it`)
      },
      completed: attemptId => void this.#expected.collect(attemptId).catch(this.#reportProblem),
      failed: (attemptId, reason) => void this.#expected.fail(attemptId, reason).catch(this.#reportProblem),
    })
    this.#expected.board = this.#board
    const listener = this.#link.another()
    await listener.subscribe(this.#keys.notices)
    listener.on('message', (_channel, text) => tell(text))
    stopping.addEventListener('abort', this.#withdrawAll, { once: true })
    cancelled.addEventListener('abort', this.#cancel, { once: true })
    this.#reconciling = this.#keepReconciling()
  }

  /** @param started called when a worker begins the attempt, and again when another worker takes it over */
  async make(attemptId: string, started: () => void): Promise<QueuedOutcome> {
    if (this.#input.stopping.aborted) return { kind: 'withdrawn' }
    const outcome = this.#expected.wait(attemptId, started)
    // Not awaited: a failure is corrected in the next round, and an unreachable Redis must not delay a stopped run.
    this.#expected.put(attemptId).catch(this.#reportProblem)
    return await outcome
  }

  /** Removes a recorded attempt from Redis, without waiting for it. */
  recorded(attemptId: string): void {
    const parts = [
      this.#budget.record(attemptId),
      this.#link.client.hdel(this.#keys.results, attemptId),
      this.#board!.remove(attemptId),
    ]
    const leaving = Promise.all(parts.map(part => part.catch(this.#reportProblem)))
    this.#leaving.add(leaving)
    void leaving.then(() => this.#leaving.delete(leaving))
  }

  /** @param complete all attempts are recorded, so the campaign is removed from Redis */
  async close(complete: boolean): Promise<void> {
    this.#input.stopping.removeEventListener('abort', this.#withdrawAll)
    this.#input.cancelled.removeEventListener('abort', this.#cancel)
    this.#closing.abort(new Error('the coordinator ends'))
    if (!this.#gaveUp) await this.#within(graceMs, this.#leave(complete))
    await this.#within(1_000, this.#board?.close() ?? Promise.resolve())
    this.#link.close()
    await this.#reconciling
  }

  async #leave(complete: boolean): Promise<void> {
    await Promise.all(this.#leaving)
    if (complete) await removeCampaign(this.#link.client, this.#input.campaign.campaign.runId)
  }

  /** Waits a limited time, because an unreachable Redis must not keep a stopped run from ending. */
  async #within(ms: number, work: Promise<void>): Promise<void> {
    const enough = new AbortController()
    const late = this.#clock.sleep(ms, enough.signal).catch(() => undefined)
    await Promise.race([work.catch(this.#reportProblem), late])
    enough.abort()
  }

  async #keepReconciling(): Promise<void> {
    const { signal } = this.#closing
    while (!signal.aborted) {
      try {
        await this.#clock.sleep(reconcileEveryMs, signal)
        await this.#signalLife()
        if (this.#expected.size === 0) continue
        await this.#reconcile()
        this.#reportWorkers(await this.#board!.countWorkers())
      } catch (error) {
        this.#reportProblem(error)
      }
    }
  }

  /** Sends the run's sign of life. */
  async #signalLife(): Promise<void> {
    const redis = this.#link.client
    await redis.set(this.#keys.wanted, '1', 'PX', wantedMs)
    if (this.#clock.now() - this.#renewedAt < renewEveryMs) return
    await renewCampaign(redis, this.#input.campaign)
    this.#renewedAt = this.#clock.now()
  }

  /** Reports a failure, such as a Redis without free memory. The next round tries again. */
  readonly #reportProblem = (error: unknown): void => {
    if (!this.#closing.signal.aborted) this.#input.tell(`--queue: ${readFirstLine(error)}`)
  }

  /** Compares Redis with the expected attempts, and corrects what was missed or lost. */
  async #reconcile(): Promise<void> {
    const redis = this.#link.client
    const { campaign, signer, caps, recorded, stopping, tell } = this.#input
    const files = [...campaign.paths.keys()].map(this.#keys.file)
    const budgets = Object.keys(caps).length === 0 ? [] : [this.#keys.budget]
    const isWhole = (await redis.exists(this.#keys.campaign)) === 1
    const parts = [...files, ...budgets]
    const lost = parts.length === 0 ? 0 : parts.length - (await redis.exists(...parts))
    if (!isWhole || lost > 0) {
      const what = isWhole ? `${formatCount(lost, 'part')} of the run` : 'the run'
      if (this.#endAfterLosses(what)) return
      tell(`Redis has lost ${what}, which is put there again`)
      await putCampaign(redis, campaign, signer)
      if (!isWhole || budgets.length > (await redis.exists(this.#keys.budget)))
        await this.#budget.setUp(caps, await recorded(), { lost: this.#lost })
    }
    await this.#reportLost()
    await this.#expected.reconcile(stopping)
  }

  /**
   * Ends the attempts with the cause when Redis has lost parts of the run many times, and no attempt has ended meanwhile.
   * Returns whether it did.
   */
  #endAfterLosses(what: string): boolean {
    const isStuck = this.#expected.size === this.#losses.expected
    this.#losses = { expected: this.#expected.size, n: isStuck ? this.#losses.n + 1 : 1 }
    if (this.#losses.n <= mostLosses) return false
    const reason = `Redis at ${this.#link.place} has lost ${what} ${mostLosses} times. Give it more memory (maxmemory), set maxmemory-policy noeviction, and run the same command again with --retry unscored`
    this.#input.tell(reason)
    this.#expected.endAll(reason)
    return true
  }

  async #reportLost(): Promise<void> {
    if (Object.keys(this.#input.caps).length === 0) return
    const lost = await this.#budget.lost()
    const more = runBudgetKinds.filter(kind => lost[kind] > this.#lost[kind])
    this.#lost = lost
    if (more.length === 0) return
    const amounts = more.map(kind => `${lost[kind]} ${kind}`).join(', ')
    this.#input.tell(`run budget: amounts reserved by workers that died count as spent: ${amounts} in all`)
  }

  readonly #withdrawAll = (): void => this.withdraw()

  /**
   * Removes the named attempts that no worker has begun from the queue. The default is all attempts that no
   * worker has begun.
   */
  withdraw(isNamed: (attemptId: string) => boolean = () => true): void {
    this.#expected.withdraw(isNamed).catch(this.#reportProblem)
  }

  readonly #cancel = (): void => {
    this.#link.client.set(this.#keys.cancelled, '1', 'EX', 3600).catch(this.#reportProblem)
    const giveUp = (): void => {
      this.#gaveUp ||= this.#expected.giveUp()
    }
    this.#clock.sleep(graceMs, this.#closing.signal).then(giveUp, () => undefined)
  }
}

/** Returns a function that reports the number of workers when it changes, and how to start one when there is none. */
function makeWorkerCountReporter(address: string, tell: (line: string) => void): (count: number) => void {
  let last: number | null = null
  return count => {
    if (count === last) return
    last = count
    if (count === 0) tell(`no worker is running: start one with: tablehunt worker --queue ${address}`)
    else tell(`${formatCount(count, 'worker')} ${pickVerb(count, 'is', 'are')} running`)
  }
}
