import {
  type BudgetCaps,
  type RunAmounts,
  type RunBudgetKind,
  type RunCaps,
  runBudgetKinds,
} from '../../core/budget.ts'
import type { Termination } from '../../core/termination.ts'

/** A part of the run's budget that is reserved for one attempt. */
export interface BudgetReservation {
  /** The attempt's caps, none above the reserved amount. */
  readonly caps: BudgetCaps
  /** The kinds of which less was left than the attempt could use. */
  readonly lowered: ReadonlySet<RunBudgetKind>
  /** Books what the attempt has spent and frees the rest. */
  settle(spent: RunAmounts): void
}

/** A run's budget, which concurrent attempts share. */
export interface RunBudget {
  /**
   * Reserves the most that an attempt may use. When less is left, waits until no other attempt has a reservation, and then
   * reserves all that is left, possibly nothing. So all attempts together never exceed the caps. First come, first served.
   *
   * @param own the attempt's own caps
   * @param most the most that the attempt can use of kinds without a cap of its own; null without a known
   * bound
   * @param signal aborts the waiting; the reservation is then empty
   */
  take(
    own: BudgetCaps,
    most: Readonly<Record<RunBudgetKind, number | null>>,
    signal: AbortSignal,
  ): Promise<BudgetReservation>
}

/** An attempt that waits for its reservation. */
interface Waiting {
  wanted(kind: RunBudgetKind): number
  start(held: RunAmounts): void
}

const nothing: RunAmounts = { tokens: 0, usd: 0, searchCalls: 0 }

/** @param spent what earlier attempts of the same run have spent */
export function createRunBudget(caps: RunCaps, spent: RunAmounts = nothing): RunBudget {
  const capped = runBudgetKinds.filter(kind => caps[kind] !== undefined)
  const reservations = createReservations(caps, spent)
  return {
    async take(own, most, signal) {
      const wanted = (kind: RunBudgetKind): number => own[kind] ?? most[kind] ?? Number.POSITIVE_INFINITY
      const held = await reservations.reserve(wanted, signal)
      const lowered = capped.filter(kind => (held?.[kind] ?? 0) < wanted(kind))
      let open = held !== null
      return {
        caps: { ...own, ...Object.fromEntries(capped.map(kind => [kind, held?.[kind] ?? 0])) },
        lowered: new Set(lowered),
        settle(used) {
          if (!open || held === null) return
          open = false
          reservations.settle(held, used)
        },
      }
    },
  }
}

interface Reservations {
  /** Waits for a reservation. Returns null when the signal aborts first. */
  reserve(wanted: Waiting['wanted'], signal: AbortSignal): Promise<RunAmounts | null>
  settle(held: RunAmounts, used: RunAmounts): void
}

/** The amounts that are left of a budget, and the attempts that wait for them. */
function createReservations(caps: RunCaps, spent: RunAmounts): Reservations {
  const left: Record<RunBudgetKind, number> = { ...nothing }
  for (const kind of runBudgetKinds)
    left[kind] = Math.max(0, (caps[kind] ?? Number.POSITIVE_INFINITY) - spent[kind])
  const queue: Waiting[] = []
  let running = 0
  const startNext = (): void => {
    for (let next = queue[0]; next !== undefined; next = queue[0]) {
      const { wanted } = next
      const covered = runBudgetKinds.every(kind => left[kind] >= wanted(kind))
      if (!covered && running > 0) return
      queue.shift()
      running += 1
      next.start(takeFrom(left, wanted))
    }
  }
  return {
    reserve: (wanted, signal) =>
      new Promise(resolve => {
        const waiting: Waiting = {
          wanted,
          start(given) {
            signal.removeEventListener('abort', leave)
            resolve(given)
          },
        }
        const leave = (): void => {
          const at = queue.indexOf(waiting)
          if (at >= 0) queue.splice(at, 1)
          resolve(null)
          startNext()
        }
        if (signal.aborted) return resolve(null)
        signal.addEventListener('abort', leave, { once: true })
        queue.push(waiting)
        startNext()
      }),
    settle(held, used) {
      running -= 1
      for (const kind of runBudgetKinds)
        if (Number.isFinite(left[kind])) left[kind] += held[kind] - used[kind]
      startNext()
    },
  }
}

/** Takes the wanted amounts from what is left, or as much as there is. */
function takeFrom(left: Record<RunBudgetKind, number>, wanted: Waiting['wanted']): RunAmounts {
  const held: Record<RunBudgetKind, number> = { ...nothing }
  for (const kind of runBudgetKinds) {
    held[kind] = Math.max(0, Math.min(left[kind], wanted(kind)))
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
  { lowered }: Pick<BudgetReservation, 'lowered'>,
): Termination {
  const kind = termination.cause === 'budget' ? reasons[termination.reason] : undefined
  if (kind === undefined || !lowered.has(kind)) return termination
  return {
    ...termination,
    detail: `what ${flags[kind]} left for this attempt is spent`,
    endedByRunBudget: true,
  }
}
