import type { TokenWeights } from '../../../agents/budget.ts'
import { answersFromWeb } from '../../../agents/registry.ts'
import type { RunConfig } from '../../config.ts'
import {
  type BudgetCaps,
  type RunAmounts,
  type RunBudgetKind,
  type RunCaps,
  runBudgetKinds,
} from '../../core/budget.ts'
import type { ModelHandle } from '../../core/model.ts'
import type { Termination } from '../../core/termination.ts'
import { pickAttemptCaps, readMaxSpending, readTokenWeights, runCaps, withReaderPrice } from '../plan/caps.ts'
import { readEarlierSpending } from '../records/earlier-spending.ts'

/** A part of the run's budget that is reserved for one attempt. */
export interface BudgetReservation {
  /** The attempt's caps, none above the reserved amount. */
  readonly caps: BudgetCaps
  /** The kinds of which less was left than the attempt could use. */
  readonly lowered: ReadonlySet<RunBudgetKind>
  /** Books what the attempt has spent and frees the rest. */
  settle(spent: RunAmounts): void
}

/** What attempts may spend. */
export interface SpendingLimits {
  /** The most that an attempt can spend, requests of --reader-model included. */
  maxSpendingOf(setting: string, model: ModelHandle): ReturnType<typeof readMaxSpending>
  /** Reserves what an attempt may spend from the run's budget. May wait for other attempts. */
  allot(setting: string, model: ModelHandle, signal: AbortSignal): Promise<BudgetReservation>
  readonly tokenWeights: TokenWeights
}

/**
 * Opens the budgets of attempts within the run's budget, of which earlier attempts may have spent a part.
 *
 * @param searchUsd US dollars per search; null when unknown
 * @param reader the model of --reader-model; null without one
 */
export async function openBudget(
  config: RunConfig,
  searchUsd: number | null,
  reader: ModelHandle | null,
): Promise<SpendingLimits> {
  const caps = runCaps(config)
  const isCapped = Object.keys(caps).length > 0
  const budget = createRunBudget(caps, isCapped ? await readEarlierSpending(config) : undefined)
  const maxSpendingOf: SpendingLimits['maxSpendingOf'] = (setting, model) => {
    const priced = answersFromWeb(setting) ? withReaderPrice(model, reader) : model
    return readMaxSpending(config, setting, priced, searchUsd)
  }
  return {
    maxSpendingOf,
    allot: (setting, model, signal) =>
      budget.take(pickAttemptCaps(config, setting), maxSpendingOf(setting, model), signal),
    tokenWeights: readTokenWeights(config),
  }
}

/** A run's budget, which concurrent attempts share. */
export interface RunBudget {
  /**
   * Reserves the most that an attempt may use. When less is left, waits until no other attempt has a reservation, and then
   * reserves all that is left, possibly nothing. So all attempts together never exceed the caps. First come, first served.
   *
   * @param caps the attempt's own caps
   * @param most the most that the attempt can use of kinds without a cap of its own; null without a known
   * bound
   * @param signal aborts the waiting; the reservation is then empty
   */
  take(
    caps: BudgetCaps,
    most: Readonly<Record<RunBudgetKind, number | null>>,
    signal: AbortSignal,
  ): Promise<BudgetReservation>
}

/** An attempt that waits for its reservation. */
interface Waiting {
  amountFor(kind: RunBudgetKind): number
  start(held: RunAmounts): void
}

const nothing: RunAmounts = { tokens: 0, usd: 0, searchCalls: 0 }

/** @param spent what earlier attempts of the same run have spent */
export function createRunBudget(caps: RunCaps, spent: RunAmounts = nothing): RunBudget {
  const capped = runBudgetKinds.filter(kind => caps[kind] !== undefined)
  const reservations = new Reservations(caps, spent)
  return {
    async take(attempt, most, signal) {
      const amountFor = (kind: RunBudgetKind): number =>
        attempt[kind] ?? most[kind] ?? Number.POSITIVE_INFINITY
      const held = await reservations.reserve(amountFor, signal)
      const lowered = capped.filter(kind => (held?.[kind] ?? 0) < amountFor(kind))
      let open = held !== null
      return {
        caps: { ...attempt, ...Object.fromEntries(capped.map(kind => [kind, held?.[kind] ?? 0])) },
        lowered: new Set(lowered),
        settle(spending) {
          if (!open || held === null) return
          open = false
          reservations.settle(held, spending)
        },
      }
    },
  }
}

/** The amounts that are left of a budget, and the attempts that wait for them. */
class Reservations {
  readonly #left: Record<RunBudgetKind, number> = { ...nothing }
  readonly #queue: Waiting[] = []
  #running = 0

  constructor(caps: RunCaps, spent: RunAmounts) {
    for (const kind of runBudgetKinds)
      this.#left[kind] = Math.max(0, (caps[kind] ?? Number.POSITIVE_INFINITY) - spent[kind])
  }

  /** Waits for a reservation. Returns null when the signal aborts first. */
  reserve(amountFor: Waiting['amountFor'], signal: AbortSignal): Promise<RunAmounts | null> {
    return new Promise(resolve => {
      const waiting: Waiting = {
        amountFor,
        start(held) {
          signal.removeEventListener('abort', leave)
          resolve(held)
        },
      }
      const leave = (): void => {
        const at = this.#queue.indexOf(waiting)
        if (at >= 0) this.#queue.splice(at, 1)
        resolve(null)
        this.#startNext()
      }
      if (signal.aborted) return resolve(null)
      signal.addEventListener('abort', leave, { once: true })
      this.#queue.push(waiting)
      this.#startNext()
    })
  }

  settle(held: RunAmounts, spending: RunAmounts): void {
    this.#running -= 1
    for (const kind of runBudgetKinds)
      if (Number.isFinite(this.#left[kind])) this.#left[kind] += held[kind] - spending[kind]
    this.#startNext()
  }

  #startNext(): void {
    for (let next = this.#queue[0]; next !== undefined; next = this.#queue[0]) {
      const { amountFor } = next
      const covered = runBudgetKinds.every(kind => this.#left[kind] >= amountFor(kind))
      if (!covered && this.#running > 0) return
      this.#queue.shift()
      this.#running += 1
      next.start(takeFrom(this.#left, amountFor))
    }
  }
}

/** Takes the requested amounts from what is left, or as much as there is. */
function takeFrom(left: Record<RunBudgetKind, number>, amountFor: Waiting['amountFor']): RunAmounts {
  const held: Record<RunBudgetKind, number> = { ...nothing }
  for (const kind of runBudgetKinds) {
    held[kind] = Math.max(0, Math.min(left[kind], amountFor(kind)))
    // A kind without a cap is infinite and is not counted; Infinity - Infinity is NaN.
    if (Number.isFinite(left[kind])) left[kind] -= held[kind]
  }
  return held
}

const reasons: Readonly<Record<string, RunBudgetKind>> = {
  tokens: 'tokens',
  cost: 'usd',
  'search-calls': 'searchCalls',
}
const flags: Readonly<Record<RunBudgetKind, string>> = {
  tokens: '--run-budget-tokens',
  usd: '--run-budget-usd',
  searchCalls: '--run-budget-search-calls',
}

/** Marks the termination of an attempt that was ended by the run's budget and not by its own. */
export function withRunBudgetDetail(
  termination: Termination,
  lowered: BudgetReservation['lowered'],
): Termination {
  const kind = termination.cause === 'budget' ? reasons[termination.reason] : undefined
  if (kind === undefined || !lowered.has(kind)) return termination
  return {
    ...termination,
    detail: `what ${flags[kind]} left for this attempt is spent`,
    endedByRunBudget: true,
  }
}
