import type { BudgetCaps } from '../src/core/budget.ts'
import type { TokenPrice } from '../src/core/model.ts'
import { smallerCap } from '../src/models/call-limits.ts'
import {
  type Amounts,
  type BudgetEvent,
  Ledger,
  type MeteredKind,
  noAmounts,
  picodollars,
} from './budget-ledger.ts'

/** The weights of cached input tokens and output tokens towards the token cap. The default is 1 each. */
export interface TokenWeights {
  readonly cachedInput: number
  readonly output: number
}

/** The prices of tokens and calls, in the integer amounts of the ledger. */
interface Tariff {
  /** Returns the price of an input token (the higher of cached and uncached) and of an output token. */
  units(kind: 'tokens' | 'usd'): { readonly inputUnit: number; readonly outputUnit: number }
  /** Returns the amounts of a billed model call. */
  amounts(inputTokens: number, cachedInputTokens: number, outputTokens: number): Amounts
  /** Returns the price of one search or fetch in picodollars. */
  callPrice(kind: 'searchCalls' | 'fetchCalls'): number
}

/** What one attempt pays, in US dollars. Unknown prices are null. */
interface AttemptPrices {
  /** Per million tokens. When it is unknown, model calls are not charged in dollars. */
  readonly price: TokenPrice | null
  /** Per search and per fetch. */
  readonly searchUsd: number | null
  readonly fetchUsd: number | null
  readonly weights?: TokenWeights
}

/** Creates a tariff. Unknown prices count as 0. */
function createTariff(options: AttemptPrices): Tariff {
  const weights = options.weights ?? { cachedInput: 1, output: 1 }
  const price = {
    input: picodollarsPerToken(options.price?.input),
    cachedInput: picodollarsPerToken(options.price?.cachedInput),
    output: picodollarsPerToken(options.price?.output),
  }
  const calls = {
    searchCalls: picodollars(options.searchUsd ?? 0),
    fetchCalls: picodollars(options.fetchUsd ?? 0),
  }
  return {
    units: kind =>
      kind === 'tokens'
        ? { inputUnit: Math.max(1, weights.cachedInput), outputUnit: weights.output }
        : { inputUnit: Math.max(price.input, price.cachedInput), outputUnit: price.output },
    amounts(input, cachedInput, output) {
      const cached = Math.min(input, cachedInput)
      const amounts = noAmounts()
      amounts.tokens = Math.ceil(input - cached + cached * weights.cachedInput + output * weights.output)
      amounts.usd = (input - cached) * price.input + cached * price.cachedInput + output * price.output
      return amounts
    },
    callPrice: kind => calls[kind],
  }
}

/** Converts US dollars per million tokens to whole picodollars per token. */
function picodollarsPerToken(usdPerMillion: number | undefined): number {
  return picodollars((usdPerMillion ?? 0) / 1e6)
}

export type { BudgetEvent, MeteredKind } from './budget-ledger.ts'

/** The caps and prices of one attempt. */
interface BudgetOptions extends AttemptPrices {
  readonly caps: BudgetCaps
  /** Receives every event of the meter in order. */
  readonly onEvent?: (event: BudgetEvent) => void
}

/** The tokens that a provider billed for one call; null when it did not report them. */
interface BilledTokens {
  readonly inputTokens: number | null
  readonly cachedInputTokens: number | null
  readonly outputTokens: number | null
}

/** A request to reserve the budget of one model call. */
export interface ReserveRequest {
  /** Tokens of the request by the local count. */
  readonly localInputTokens: number
  /** A cap on the output in addition to the budget; null for none. */
  readonly maxOutputTokens: number | null
  /**
   * True when no other call runs at the same time. The call then holds the whole remaining budget, so that
   * only a bill beyond the cap is an overrun.
   */
  readonly exclusive: boolean
  /**
   * The price of a model other than the one under test; null when unknown. Absent: the price of the model under test.
   */
  readonly price?: TokenPrice | null
  readonly what: string
}

/** The amounts held for one model call until it is settled or released. */
export interface Reservation {
  readonly inputTokens: number
  /** The most output tokens that the call may produce; null for no cap. */
  readonly maxOutputTokens: number | null
  /**
   * Charges the billed tokens, or the local estimate when the provider did not report them.
   *
   * @returns the kind of budget that was overrun; null when there is none
   */
  settle(billed: BilledTokens | null, localOutputTokens: number): MeteredKind | null
  /** Releases tokens and money of a request that was refused or never sent. The call stays counted. */
  release(): void
}

/** A capped amount that tokens are charged to, and the price of an input and an output token in its integer units. */
export interface TokenCap {
  readonly kind: 'tokens' | 'usd'
  readonly cap: number
  readonly left: number
  readonly inputUnit: number
  readonly outputUnit: number
}

/**
 * Counts what one attempt spends. Every amount is reserved before it is spent. Amounts are integers, dollars
 * internally picodollars.
 */
export interface BudgetMeter {
  /**
   * Charges one call.
   *
   * @throws BudgetRefusedError when the budget does not cover it
   */
  charge(kind: 'searchCalls' | 'fetchCalls', what: string): void
  /**
   * Holds tokens and money for a model call and counts the call.
   *
   * @throws BudgetRefusedError when the budget does not cover it
   */
  reserve(request: ReserveRequest): Reservation
  /** Returns whether `reserve` would succeed. */
  affords(request: ReserveRequest): boolean
  /**
   * Returns the input tokens to reserve for a local count: count x max(1.1, the largest billed / local ratio so far).
   */
  inputFor(localInputTokens: number): number
  /** Returns the capped amounts that tokens are charged to. */
  tokenCaps(): TokenCap[]
  /** Returns the spent and settled amount; usd in dollars. */
  spent(kind: MeteredKind): number
  /** Returns the amount that is neither spent nor held; null for no cap. */
  left(kind: MeteredKind): number | null
}

/** The smallest assumed ratio of a provider's token count to the local count. */
const minRatio = 1.1

/** Creates the budget meter of one attempt. */
export function createBudgetMeter(options: BudgetOptions): BudgetMeter {
  const ledger = new Ledger(options.caps, options.onEvent ?? (() => undefined))
  const tariff = createTariff(options)
  let ratio = minRatio
  // 100 x 1.1 is 110.00000000000001 in floating point, and must not become 111.
  const estimateTokens = (tokens: number): number => Math.ceil(tokens * ratio - 1e-9)
  const chooseTariff = ({ price }: ReserveRequest): Tariff =>
    price === undefined ? tariff : createTariff({ ...options, price })
  return {
    charge(kind, what) {
      const usd = tariff.callPrice(kind)
      ledger.spendIfFree({ ...noAmounts(), [kind]: 1, usd }, what)
    },
    reserve(request) {
      const tariff = chooseTariff(request)
      const plan = planCall(ledger, tariff, request, estimateTokens(request.localInputTokens))
      ledger.hold(plan.hold, request.what)
      ledger.book('modelCalls', 1, request.what)
      return openReservation(ledger, tariff, {
        ...plan,
        what: request.what,
        exclusive: request.exclusive,
        estimateTokens,
        learnRatio(billedInputTokens) {
          // Another model counts its tokens differently.
          if (request.localInputTokens > 0 && request.price === undefined)
            ratio = Math.max(ratio, billedInputTokens / request.localInputTokens)
        },
      })
    },
    affords: request =>
      ledger.firstShortage(
        planCall(ledger, chooseTariff(request), request, estimateTokens(request.localInputTokens)).hold,
      ) === null,
    inputFor: estimateTokens,
    tokenCaps: () => listTokenCaps(ledger, tariff),
    spent: kind => ledger.spent(kind),
    left: kind => ledger.left(kind),
  }
}

interface CallPlan {
  readonly inputTokens: number
  readonly maxOutputTokens: number | null
  readonly hold: Amounts
}

function planCall(ledger: Ledger, tariff: Tariff, request: ReserveRequest, inputTokens: number): CallPlan {
  const tokenCaps = listTokenCaps(ledger, tariff)
  const room = outputRoom(tokenCaps, inputTokens)
  const maxOutputTokens = smallerCap(room, request.maxOutputTokens)
  const heldOutput = request.exclusive ? room : maxOutputTokens
  // A call must be able to produce at least one token.
  const hold = noAmounts()
  hold.modelCalls = 1
  for (const tokenCap of tokenCaps)
    hold[tokenCap.kind] = Math.ceil(
      inputTokens * tokenCap.inputUnit + Math.max(1, heldOutput ?? 1) * tokenCap.outputUnit,
    )
  return { inputTokens, maxOutputTokens, hold }
}

/** Returns how many output tokens the remaining budget covers besides the input; null for no cap. */
function outputRoom(tokenCaps: readonly TokenCap[], inputTokens: number): number | null {
  let room: number | null = null
  for (const tokenCap of tokenCaps) {
    if (tokenCap.outputUnit === 0) continue
    room = smallerCap(
      room,
      Math.floor((tokenCap.left - inputTokens * tokenCap.inputUnit) / tokenCap.outputUnit),
    )
  }
  return room
}

function listTokenCaps(ledger: Ledger, tariff: Tariff): TokenCap[] {
  const tokenCaps: TokenCap[] = []
  for (const kind of ['tokens', 'usd'] as const) {
    const cap = ledger.cap(kind)
    if (cap !== null) tokenCaps.push({ kind, cap, left: ledger.free(kind), ...tariff.units(kind) })
  }
  return tokenCaps
}

/** A planned call whose amounts are held. */
interface HeldCall extends CallPlan {
  readonly what: string
  readonly exclusive: boolean
  /** Estimates billed tokens from a local count. */
  estimateTokens(localTokens: number): number
  /** Updates the ratio of billed to local tokens. */
  learnRatio(billedInputTokens: number): void
}

function openReservation(ledger: Ledger, tariff: Tariff, call: HeldCall): Reservation {
  const { inputTokens, maxOutputTokens, hold } = call
  let open = true
  const releaseHold = (): void => {
    if (!open) throw new Error('a reservation was settled twice')
    open = false
    ledger.release(hold)
  }
  return {
    inputTokens,
    maxOutputTokens,
    release: releaseHold,
    settle(billed, localOutputTokens) {
      releaseHold()
      const input = billed?.inputTokens ?? inputTokens
      const output = billed?.outputTokens ?? estimateOutput(call, localOutputTokens)
      const amounts = tariff.amounts(input, billed?.cachedInputTokens ?? 0, output)
      const billedInput = billed?.inputTokens ?? null
      if (billedInput !== null) call.learnRatio(billedInput)
      return ledger.settle(amounts, hold, call.what)
    },
  }
}

/**
 * Estimates the output of a call whose provider did not report it. Beside other calls the margin of the estimate takes
 * nothing from them: it stays within what was reserved, unless the output is larger than counts can differ.
 */
function estimateOutput(call: HeldCall, localTokens: number): number {
  const { exclusive, maxOutputTokens } = call
  const estimate = call.estimateTokens(localTokens)
  if (exclusive || maxOutputTokens === null) return estimate
  const isWithinMargin = localTokens <= call.estimateTokens(maxOutputTokens)
  return isWithinMargin ? Math.min(estimate, maxOutputTokens) : localTokens
}
