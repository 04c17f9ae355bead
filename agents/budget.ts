import type { BudgetCaps } from '../src/core/budget.ts'
import type { TokenPrice } from '../src/core/model.ts'
import { smallerCap } from '../src/models/call-limits.ts'
import {
  type Amounts,
  type BudgetEvent,
  createLedger,
  type Ledger,
  type MeteredKind,
  noAmounts,
} from './budget-ledger.ts'
import { createTariff, type Tariff, type TokenWeights } from './budget-tariff.ts'

export type { BudgetEvent, MeteredKind } from './budget-ledger.ts'

export interface BudgetOptions {
  readonly caps: BudgetCaps
  /** Null: unknown; then nothing is charged in dollars for model calls. */
  readonly price: TokenPrice | null
  /** US dollars a search and a fetch; null: unknown. */
  readonly searchUsd: number | null
  readonly fetchUsd: number | null
  readonly weights?: TokenWeights
  /** Hears of everything the meter does, in order. */
  readonly onEvent?: (event: BudgetEvent) => void
}

/** Tokens as a provider billed one call; null where it did not say. */
export interface BilledTokens {
  readonly inputTokens: number | null
  readonly cachedInputTokens: number | null
  readonly outputTokens: number | null
}

export interface ReserveRequest {
  /** The request's tokens by the local count. */
  readonly localInputTokens: number
  /** A cap on the output beside what the budget leaves; null: none. */
  readonly maxOutputTokens: number | null
  /** True where no other call runs beside it: all that is left is held for it, so that only a bill beyond the cap overruns. */
  readonly exclusive: boolean
  readonly what: string
}

/** What is held for one model call until it is settled or released. */
export interface Reservation {
  readonly inputTokens: number
  /** What the call may put out; null: no cap. */
  readonly maxOutputTokens: number | null
  /** Books what was billed (or, where the provider did not say, the local estimate); the kind that was overrun, or null. */
  settle(billed: BilledTokens | null, localOutputTokens: number): MeteredKind | null
  /** The request was refused, or never went out: tokens and money go back, the call stays counted. */
  release(): void
}

/** What a token of input and output takes from a capped amount, in whole units. */
export interface Lane {
  readonly kind: 'tokens' | 'usd'
  readonly cap: number
  readonly left: number
  readonly inputUnit: number
  readonly outputUnit: number
}

/** Counts what one attempt spends; nothing is spent that was not reserved. All amounts are whole, dollars inside as picodollars. */
export interface BudgetMeter {
  /** Throws BudgetRefusedError where the budget does not cover one more; else books it. */
  charge(kind: 'searchCalls' | 'fetchCalls', what: string): void
  /** Holds tokens and money for a model call and books the call; throws BudgetRefusedError where they do not suffice. */
  reserve(request: ReserveRequest): Reservation
  /** Whether `reserve` would go through. */
  affords(request: ReserveRequest): boolean
  /** Input tokens to reserve for a local count: x max(1.1, the largest billed / local ratio so far). */
  inputFor(localInputTokens: number): number
  /** The capped amounts that tokens take from. */
  lanes(): Lane[]
  /** Spent and settled; usd in dollars. */
  spent(kind: MeteredKind): number
  /** Neither spent nor held; null: no cap. */
  left(kind: MeteredKind): number | null
}

/** A provider's tokenizer is never assumed to be closer to ours than this. */
const leastRatio = 1.1

export function createBudgetMeter(options: BudgetOptions): BudgetMeter {
  const ledger = createLedger(options.caps, options.onEvent ?? (() => undefined))
  const tariff = createTariff(options)
  let ratio = leastRatio
  // 100 x 1.1 is 110.00000000000001 in floating point, and must not become 111.
  const scaled = (tokens: number): number => Math.ceil(tokens * ratio - 1e-9)
  return {
    charge(kind, what) {
      const usd = tariff.callPrice(kind)
      ledger.spendIfFree({ ...noAmounts(), [kind]: 1, usd }, what)
    },
    reserve(request) {
      const plan = planCall(ledger, tariff, request, scaled(request.localInputTokens))
      ledger.hold(plan.hold, request.what)
      ledger.book('modelCalls', 1, request.what)
      return reservationOf(ledger, tariff, plan, request, {
        estimate: scaled,
        learn(billedInput) {
          if (request.localInputTokens > 0) ratio = Math.max(ratio, billedInput / request.localInputTokens)
        },
      })
    },
    affords: request =>
      ledger.lacking(planCall(ledger, tariff, request, scaled(request.localInputTokens)).hold) === null,
    inputFor: scaled,
    lanes: () => lanesOf(ledger, tariff),
    spent: ledger.spent,
    left: ledger.left,
  }
}

interface CallPlan {
  readonly inputTokens: number
  readonly maxOutputTokens: number | null
  readonly hold: Amounts
}

function planCall(ledger: Ledger, tariff: Tariff, request: ReserveRequest, inputTokens: number): CallPlan {
  const room = outputRoom(lanesOf(ledger, tariff), inputTokens)
  const maxOutputTokens = smallerCap(room, request.maxOutputTokens)
  const heldOutput = request.exclusive ? room : maxOutputTokens
  // A call that may not put out a single token is no call.
  const hold = noAmounts()
  hold.modelCalls = 1
  for (const lane of lanesOf(ledger, tariff))
    hold[lane.kind] = Math.ceil(inputTokens * lane.inputUnit + Math.max(1, heldOutput ?? 1) * lane.outputUnit)
  return { inputTokens, maxOutputTokens, hold }
}

/** Output that what is left pays for beside the input; null: no cap. */
function outputRoom(lanes: readonly Lane[], inputTokens: number): number | null {
  let room: number | null = null
  for (const lane of lanes) {
    if (lane.outputUnit === 0) continue
    room = smallerCap(room, Math.floor((lane.left - inputTokens * lane.inputUnit) / lane.outputUnit))
  }
  return room
}

function lanesOf(ledger: Ledger, tariff: Tariff): Lane[] {
  const lanes: Lane[] = []
  for (const kind of ['tokens', 'usd'] as const) {
    const cap = ledger.cap(kind)
    if (cap !== null) lanes.push({ kind, cap, left: ledger.free(kind), ...tariff.units(kind) })
  }
  return lanes
}

function reservationOf(
  ledger: Ledger,
  tariff: Tariff,
  plan: CallPlan,
  request: ReserveRequest,
  counts: { estimate(localTokens: number): number; learn(billedInput: number): void },
): Reservation {
  const { inputTokens, maxOutputTokens, hold } = plan
  let open = true
  const giveBack = (): void => {
    if (!open) throw new Error('a reservation was settled twice')
    open = false
    ledger.giveBack(hold)
  }
  return {
    inputTokens,
    maxOutputTokens,
    release: giveBack,
    settle(billed, localOutputTokens) {
      giveBack()
      const input = billed?.inputTokens ?? inputTokens
      const output =
        billed?.outputTokens ?? estimatedOutput(plan, request, localOutputTokens, counts.estimate)
      const amounts = tariff.amounts(input, billed?.cachedInputTokens ?? 0, output)
      const told = billed?.inputTokens ?? null
      if (told !== null) counts.learn(told)
      return ledger.settle(amounts, hold, request.what)
    },
  }
}

/**
 * The output of a call whose provider did not say. Beside other calls the margin of the estimate takes nothing from them:
 * it stays within what was reserved, unless the output is larger than counts can differ.
 */
function estimatedOutput(
  { maxOutputTokens }: CallPlan,
  { exclusive }: ReserveRequest,
  localTokens: number,
  estimate: (localTokens: number) => number,
): number {
  if (exclusive || maxOutputTokens === null) return estimate(localTokens)
  const isWithinMargin = localTokens <= estimate(maxOutputTokens)
  return isWithinMargin ? Math.min(estimate(localTokens), maxOutputTokens) : localTokens
}
