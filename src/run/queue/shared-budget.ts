import { randomUUID } from 'node:crypto'
import type { Redis } from 'ioredis'
import { z } from 'zod/v4'
import { type RunAmounts, type RunCaps, runBudgetKinds } from '../../core/budget.ts'
import type { Clock } from '../../core/runtime.ts'
import { readFirstLine } from '../../text/plain-text.ts'
import type { RunBudget } from '../open-run/run-budget.ts'
import {
  beatScript,
  leaveScript,
  recordScript,
  settleScript,
  setUpScript,
  takeScript,
} from './budget-scripts.ts'
import { nameCampaignKeys } from './keys.ts'

const pollMs = 250
const beatEveryMs = 3_000

const heldSchema = z.object({
  tokens: z.number().default(0),
  usd: z.number().default(0),
  searchCalls: z.number().default(0),
})

/** A run's budget in Redis, which several workers share. Like a local budget, it is never exceeded. */
export interface SharedBudget {
  /**
   * For the coordinator: sets the caps and the spending that is recorded so far.
   *
   * @param restored the amounts that were lost before Redis lost the budget; null for a new budget
   */
  setUp(caps: RunCaps, recorded: RunAmounts, restored: { readonly lost: RunAmounts } | null): Promise<void>
  /** For the coordinator: counts an attempt that is recorded. */
  record(attemptId: string): Promise<void>
  /** Returns the amounts that workers had reserved when they died. They count as spent. */
  lost(): Promise<RunAmounts>
  /** For a worker: returns the budget from which one attempt reserves its amounts. */
  forAttempt(attemptId: string, caps: RunCaps): RunBudget
}

const nothing: RunAmounts = { tokens: 0, usd: 0, searchCalls: 0 }

type Evaluate = (script: string, ...parameters: (string | number)[]) => Promise<unknown>

/** A run's budget in Redis, as its reservations use it. */
interface BudgetLink {
  readonly redis: Redis
  readonly clock: Clock
  /** Runs a script of budget-scripts.ts. */
  readonly evaluate: Evaluate
  tell(line: string): void
}

/** Connects to the budget of a run. */
export function makeSharedBudget(
  redis: Redis,
  runId: string,
  clock: Clock,
  tell: (line: string) => void,
): SharedBudget {
  const keys = nameCampaignKeys(runId)
  const evaluate: Evaluate = async (script, ...parameters) =>
    await redis.eval(script, 4, keys.budget, keys.held, keys.spent, keys.waiting, ...parameters)
  const link = { redis, clock, evaluate, tell }
  return {
    async setUp(caps, recorded, restored) {
      const closedMs = restored === null ? 0 : 3 * beatEveryMs
      const amounts = runBudgetKinds.flatMap(kind => [
        caps[kind] ?? '',
        recorded[kind],
        restored?.lost[kind] ?? 0,
      ])
      await evaluate(setUpScript, closedMs, ...amounts)
    },
    async record(attemptId) {
      await evaluate(recordScript, attemptId)
    },
    async lost() {
      const lostAmounts = await redis.hmget(keys.budget, ...runBudgetKinds.map(kind => `lost:${kind}`))
      return Object.fromEntries(
        runBudgetKinds.map((kind, index) => [kind, Number(lostAmounts[index] ?? 0)]),
      ) as RunAmounts
    },
    forAttempt: (attemptId, caps) => makeAttemptBudget(attemptId, caps, link),
  }
}

/** The budget from which one attempt reserves its amounts. */
function makeAttemptBudget(attemptId: string, caps: RunCaps, link: BudgetLink): RunBudget {
  return {
    async take(attemptCaps, most, signal) {
      const capped = runBudgetKinds.filter(kind => caps[kind] !== undefined)
      const none = { caps: { ...attemptCaps }, lowered: new Set<never>(), settle: () => undefined }
      if (capped.length === 0) return none
      const token = randomUUID()
      const limits = runBudgetKinds.map(kind => attemptCaps[kind] ?? most[kind] ?? Number.POSITIVE_INFINITY)
      const limitTexts = limits.map(amount => (Number.isFinite(amount) ? String(amount) : ''))
      const key = { attemptId, token }
      const held = signal.aborted ? null : await reserve(key, limitTexts, signal, link)
      const amounts: RunAmounts = held === null ? nothing : heldSchema.parse(JSON.parse(held))
      const alive = held === null ? null : keepAlive(key, held, link)
      return {
        caps: { ...attemptCaps, ...Object.fromEntries(capped.map(kind => [kind, amounts[kind]])) },
        lowered: new Set(capped.filter(kind => amounts[kind] < limits[runBudgetKinds.indexOf(kind)]!)),
        settle(spending) {
          if (alive === null || alive.signal.aborted) return
          alive.abort(new Error('settled'))
          book(key, spending, link)
        },
      }
    },
  }
}

interface ReservationKey {
  readonly attemptId: string
  /** Distinguishes the tries of several workers at the same attempt. */
  readonly token: string
}

/** Asks for a reservation until Redis grants it. Returns it as JSON; null when the signal aborted first. */
async function reserve(
  { attemptId, token }: ReservationKey,
  limitTexts: readonly string[],
  signal: AbortSignal,
  { evaluate, clock }: BudgetLink,
): Promise<string | null> {
  for (;;) {
    const held = await evaluate(takeScript, attemptId, token, ...limitTexts)
    if (typeof held === 'string') return held
    try {
      await clock.sleep(pollMs, signal)
    } catch {
      await evaluate(leaveScript, attemptId)
      return null
    }
  }
}

/** Renews a reservation until the returned controller aborts. */
function keepAlive(
  { attemptId, token }: ReservationKey,
  held: string,
  { redis, clock, evaluate }: BudgetLink,
): AbortController {
  const settled = new AbortController()
  const beat = async (): Promise<void> => {
    while (redis.status !== 'end') {
      await clock.sleep(beatEveryMs, settled.signal)
      // The next beat tries again.
      await evaluate(beatScript, attemptId, token, held).catch(() => undefined)
    }
  }
  // Only the sleep rejects: when the attempt is settled.
  beat().catch(() => undefined)
  return settled
}

/** Books spending. It is sent before the result on the same connection, so that it is booked before the result is read. */
function book(
  { attemptId, token }: ReservationKey,
  spending: RunAmounts,
  { evaluate, tell }: BudgetLink,
): void {
  const amounts = runBudgetKinds.map(kind => spending[kind])
  evaluate(settleScript, attemptId, token, ...amounts).catch((error: unknown) =>
    tell(
      `${attemptId}: Redis did not book its spending, so all that it had reserved counts: ${readFirstLine(error)}`,
    ),
  )
}
