import type { BudgetCaps, BudgetKind } from '../src/core/budget.ts'
import { BudgetRefusedError } from '../src/core/errors.ts'
import type { TokenPrice } from '../src/core/model.ts'

/** Kinds that a meter counts; wall time is a timer (attempt-run.ts). */
export type MeteredKind = Exclude<BudgetKind, 'wallMs'>

/** What a token of each sort counts towards the cap in tokens; 1 unless told otherwise. */
export interface TokenWeights {
  readonly cachedInput: number
  readonly output: number
}

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

export type BudgetEvent =
  | { type: 'charged'; kind: MeteredKind; amount: number; what: string }
  | { type: 'refused'; kind: MeteredKind; asked: number; left: number; what: string }
  | { type: 'overrun'; kind: MeteredKind; reserved: number; billed: number }

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
  /** The request failed and nothing was billed: tokens and money go back, the call stays counted. */
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
const picoPerUsd = 1e12
const picoPerToken = 1e6
const kinds: readonly MeteredKind[] = ['tokens', 'modelCalls', 'searchCalls', 'fetchCalls', 'usd']

type Amounts = Record<MeteredKind, number>
const none = (): Amounts => ({ tokens: 0, modelCalls: 0, searchCalls: 0, fetchCalls: 0, usd: 0 })

export function createBudgetMeter(options: BudgetOptions): BudgetMeter {
  const weights = options.weights ?? { cachedInput: 1, output: 1 }
  const prices = {
    input: picoOf(options.price?.input ?? 0),
    cachedInput: picoOf(options.price?.cachedInput ?? 0),
    output: picoOf(options.price?.output ?? 0),
    searchCalls: Math.round((options.searchUsd ?? 0) * picoPerUsd),
    fetchCalls: Math.round((options.fetchUsd ?? 0) * picoPerUsd),
  }
  const caps = capsOf(options.caps)
  const spent = none()
  const held = none()
  let ratio = leastRatio
  // 100 x 1.1 is 110.00000000000001 in floating point, and must not become 111.
  const scaled = (tokens: number): number => Math.ceil(tokens * ratio - 1e-9)

  const emit = (event: BudgetEvent): void => options.onEvent?.(event)
  const outward = (kind: MeteredKind, amount: number) => (kind === 'usd' ? amount / picoPerUsd : amount)
  const free = (kind: MeteredKind): number => {
    const cap = caps[kind]
    return cap === null ? Number.POSITIVE_INFINITY : cap - spent[kind] - held[kind]
  }
  const book = (kind: MeteredKind, amount: number, what: string): void => {
    if (amount === 0) return
    spent[kind] += amount
    emit({ type: 'charged', kind, amount: outward(kind, amount), what })
  }
  const firstLacking = (asked: Amounts): MeteredKind | null =>
    kinds.find(kind => asked[kind] > 0 && asked[kind] > free(kind)) ?? null
  const refuse = (kind: MeteredKind, asked: number, what: string): never => {
    const left = Math.max(0, outward(kind, free(kind)))
    emit({ type: 'refused', kind, asked: outward(kind, asked), left, what })
    throw new BudgetRefusedError(kind, `the budget of ${kind} does not cover ${what}`)
  }

  const lanes = (): Lane[] => {
    const found: Lane[] = []
    if (caps.tokens !== null) {
      const units = { inputUnit: Math.max(1, weights.cachedInput), outputUnit: weights.output }
      found.push({ kind: 'tokens', cap: caps.tokens, left: free('tokens'), ...units })
    }
    if (caps.usd !== null) {
      const units = { inputUnit: Math.max(prices.input, prices.cachedInput), outputUnit: prices.output }
      found.push({ kind: 'usd', cap: caps.usd, left: free('usd'), ...units })
    }
    return found
  }
  const costOf = (inputTokens: number, outputTokens: number): Amounts => {
    const asked = none()
    for (const lane of lanes())
      asked[lane.kind] = Math.ceil(inputTokens * lane.inputUnit + outputTokens * lane.outputUnit)
    asked.modelCalls = 1
    return asked
  }
  /** Output that what is left pays for beside the input; null: no cap. */
  const roomFor = (inputTokens: number): number | null => {
    let room: number | null = null
    for (const lane of lanes()) {
      if (lane.outputUnit === 0) continue
      const most = Math.floor((lane.left - inputTokens * lane.inputUnit) / lane.outputUnit)
      room = room === null ? most : Math.min(room, most)
    }
    return room
  }
  const plan = (request: ReserveRequest) => {
    const inputTokens = scaled(request.localInputTokens)
    const room = roomFor(inputTokens)
    const maxOutputTokens = smaller(room, request.maxOutputTokens)
    const heldOutput = request.exclusive ? room : maxOutputTokens
    // A call that may not put out a single token is no call.
    const hold = costOf(inputTokens, Math.max(1, heldOutput ?? 1))
    return { inputTokens, maxOutputTokens, hold, lacking: firstLacking(hold) }
  }
  const billedAmounts = (billed: BilledTokens | null, inputTokens: number, localOutput: number): Amounts => {
    const input = billed?.inputTokens ?? inputTokens
    const cached = Math.min(input, billed?.cachedInputTokens ?? 0)
    const output = billed?.outputTokens ?? scaled(localOutput)
    const amounts = none()
    amounts.tokens = Math.ceil(input - cached + cached * weights.cachedInput + output * weights.output)
    amounts.usd = (input - cached) * prices.input + cached * prices.cachedInput + output * prices.output
    return amounts
  }

  return {
    charge(kind, what) {
      const asked = { ...none(), [kind]: 1, usd: prices[kind] }
      const lacking = firstLacking(asked)
      if (lacking !== null) refuse(lacking, asked[lacking], what)
      book(kind, 1, what)
      book('usd', prices[kind], what)
    },
    reserve(request) {
      const { inputTokens, maxOutputTokens, hold, lacking } = plan(request)
      if (lacking !== null) refuse(lacking, hold[lacking], request.what)
      book('modelCalls', 1, request.what)
      held.tokens += hold.tokens
      held.usd += hold.usd
      let open = true
      const giveBack = (): void => {
        if (!open) throw new Error('a reservation was settled twice')
        open = false
        held.tokens -= hold.tokens
        held.usd -= hold.usd
      }
      return {
        inputTokens,
        maxOutputTokens,
        release: giveBack,
        settle(billed, localOutputTokens) {
          giveBack()
          const amounts = billedAmounts(billed, inputTokens, localOutputTokens)
          const billedInput = billed?.inputTokens ?? null
          if (billedInput !== null && request.localInputTokens > 0)
            ratio = Math.max(ratio, billedInput / request.localInputTokens)
          let overrun: MeteredKind | null = null
          for (const kind of ['tokens', 'usd'] as const) {
            book(kind, amounts[kind], request.what)
            if (caps[kind] === null || amounts[kind] <= hold[kind]) continue
            overrun ??= kind
            const [reserved, sum] = [outward(kind, hold[kind]), outward(kind, amounts[kind])]
            emit({ type: 'overrun', kind, reserved, billed: sum })
          }
          return overrun
        },
      }
    },
    affords: request => plan(request).lacking === null,
    inputFor: scaled,
    lanes,
    spent: kind => outward(kind, spent[kind]),
    left: kind => (caps[kind] === null ? null : Math.max(0, outward(kind, free(kind)))),
  }
}

function capsOf(caps: BudgetCaps): Record<MeteredKind, number | null> {
  const whole = (kind: MeteredKind) => {
    const cap = caps[kind]
    return cap === undefined ? null : Math.floor(kind === 'usd' ? cap * picoPerUsd : cap)
  }
  return {
    tokens: whole('tokens'),
    modelCalls: whole('modelCalls'),
    searchCalls: whole('searchCalls'),
    fetchCalls: whole('fetchCalls'),
    usd: whole('usd'),
  }
}

/** Dollars a million tokens as whole picodollars a token. */
function picoOf(usdPerMillion: number): number {
  return Math.round(usdPerMillion * picoPerToken)
}

function smaller(a: number | null, b: number | null): number | null {
  if (a === null) return b
  return b === null ? a : Math.min(a, b)
}
