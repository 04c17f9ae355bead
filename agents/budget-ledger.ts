import type { BudgetCaps, BudgetKind } from '../src/core/budget.ts'
import { BudgetRefusedError } from '../src/core/errors.ts'

/** The kinds of budget that are counted. Wall time is measured by a timer in attempt-run.ts instead. */
export type MeteredKind = Exclude<BudgetKind, 'wallMs'>

/** Integer amounts by kind. `usd` is in picodollars, so that sums are exact. */
export type Amounts = Record<MeteredKind, number>

/** An event of the budget, in the units of the trace: `usd` is in US dollars. */
export type BudgetEvent =
  | { type: 'charged'; kind: MeteredKind; amount: number; what: string }
  | { type: 'refused'; kind: MeteredKind; asked: number; left: number; what: string }
  | { type: 'overrun'; kind: MeteredKind; reserved: number; billed: number }

const picoPerUsd = 1e12
const kinds: readonly MeteredKind[] = ['tokens', 'modelCalls', 'searchCalls', 'fetchCalls', 'usd']
const heldKinds = ['tokens', 'usd'] as const

/** Returns zero for every kind. */
export function noAmounts(): Amounts {
  return { tokens: 0, modelCalls: 0, searchCalls: 0, fetchCalls: 0, usd: 0 }
}

/** Converts US dollars to whole picodollars. */
export function picodollars(usd: number): number {
  return Math.round(usd * picoPerUsd)
}

/**
 * Tracks caps, spent amounts and held amounts. `spent`, `left` and events are in US dollars, all other methods in
 * picodollars.
 */
export class Ledger {
  readonly #caps: BudgetCaps
  readonly #emit: (event: BudgetEvent) => void
  readonly #spent = noAmounts()
  readonly #held = noAmounts()

  /**
   * @param caps - in US dollars for `usd`. A fork changes them while the attempt runs
   * @param emit - receives every event in order
   */
  constructor(caps: BudgetCaps, emit: (event: BudgetEvent) => void) {
    this.#caps = caps
    this.#emit = emit
  }

  /** Returns the cap of a kind; null for no cap. */
  cap(kind: MeteredKind): number | null {
    const cap = this.#caps[kind]
    return cap === undefined ? null : Math.floor(kind === 'usd' ? cap * picoPerUsd : cap)
  }

  /** Returns the amount that is neither spent nor held; Infinity without a cap. */
  free(kind: MeteredKind): number {
    return (this.cap(kind) ?? Number.POSITIVE_INFINITY) - this.#spent[kind] - this.#held[kind]
  }

  /** Returns the first kind whose free amount is smaller than the requested amount; null when all are sufficient. */
  firstShortage(amounts: Amounts): MeteredKind | null {
    return kinds.find(kind => amounts[kind] > 0 && amounts[kind] > this.free(kind)) ?? null
  }

  /**
   * Spends all amounts.
   *
   * @throws BudgetRefusedError when one is not free; nothing is spent then.
   */
  spendIfFree(amounts: Amounts, what: string): void {
    this.#demand(amounts, what)
    for (const kind of kinds) this.book(kind, amounts[kind], what)
  }

  /**
   * Holds tokens and money.
   *
   * @throws BudgetRefusedError when an amount is not free; nothing is held then.
   */
  hold(amounts: Amounts, what: string): void {
    this.#demand(amounts, what)
    for (const kind of heldKinds) this.#held[kind] += amounts[kind]
  }

  /** Releases held tokens and money. */
  release(held: Amounts): void {
    for (const kind of heldKinds) this.#held[kind] -= held[kind]
  }

  /** Spends an amount without a check. */
  book(kind: MeteredKind, amount: number, what: string): void {
    if (amount === 0) return
    this.#spent[kind] += amount
    this.#emit({ type: 'charged', kind, amount: reportedAmount(kind, amount), what })
  }

  /** Spends the billed amounts. Returns the first kind billed beyond the held amount; null when there is none. */
  settle(billed: Amounts, held: Amounts, what: string): MeteredKind | null {
    let overrun: MeteredKind | null = null
    for (const kind of heldKinds) {
      this.book(kind, billed[kind], what)
      if (this.cap(kind) === null || billed[kind] <= held[kind]) continue
      overrun ??= kind
      const [before, after] = [reportedAmount(kind, held[kind]), reportedAmount(kind, billed[kind])]
      this.#emit({ type: 'overrun', kind, reserved: before, billed: after })
    }
    return overrun
  }

  spent(kind: MeteredKind): number {
    return reportedAmount(kind, this.#spent[kind])
  }

  /** Returns the free amount; null without a cap. */
  left(kind: MeteredKind): number | null {
    return this.cap(kind) === null ? null : Math.max(0, reportedAmount(kind, this.free(kind)))
  }

  #demand(amounts: Amounts, what: string): void {
    const kind = this.firstShortage(amounts)
    if (kind === null) return
    const left = Math.max(0, reportedAmount(kind, this.free(kind)))
    this.#emit({ type: 'refused', kind, asked: reportedAmount(kind, amounts[kind]), left, what })
    throw new BudgetRefusedError(kind, `the budget of ${kind} does not cover ${what}`)
  }
}

function reportedAmount(kind: MeteredKind, amount: number): number {
  return kind === 'usd' ? amount / picoPerUsd : amount
}
