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

/**
 * Tracks caps, spent amounts and held amounts. `spent`, `left` and events are in US dollars, all other methods in
 * picodollars.
 */
export interface Ledger {
  /** Returns the cap of a kind; null for no cap. */
  cap(kind: MeteredKind): number | null
  /** Returns the amount that is neither spent nor held; Infinity without a cap. */
  free(kind: MeteredKind): number
  /**
   * Returns the first kind whose free amount is smaller than the requested amount; null when all are
   * sufficient.
   */
  firstShortage(amounts: Amounts): MeteredKind | null
  /**
   * Spends all amounts.
   *
   * @throws BudgetRefusedError when one is not free; nothing is spent then.
   */
  spendIfFree(amounts: Amounts, what: string): void
  /**
   * Holds tokens and money.
   *
   * @throws BudgetRefusedError when an amount is not free; nothing is held then.
   */
  hold(amounts: Amounts, what: string): void
  /** Releases held tokens and money. */
  release(held: Amounts): void
  /** Spends an amount without a check. */
  book(kind: MeteredKind, amount: number, what: string): void
  /** Spends the billed amounts. Returns the first kind billed beyond the held amount; null when there is none. */
  settle(billed: Amounts, held: Amounts, what: string): MeteredKind | null
  spent(kind: MeteredKind): number
  left(kind: MeteredKind): number | null
}

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
 * Creates a ledger with these caps, in US dollars for `usd`. A fork changes its caps while the attempt runs. `emit` receives
 * every event in order.
 */
export function createLedger(caps: BudgetCaps, emit: (event: BudgetEvent) => void): Ledger {
  const findCap = (kind: MeteredKind): number | null => capInLedgerUnits(kind, caps[kind])
  const spent = noAmounts()
  const held = noAmounts()
  const free = (kind: MeteredKind): number =>
    (findCap(kind) ?? Number.POSITIVE_INFINITY) - spent[kind] - held[kind]
  const findShortage = (amounts: Amounts): MeteredKind | null =>
    kinds.find(kind => amounts[kind] > 0 && amounts[kind] > free(kind)) ?? null
  const demand = (amounts: Amounts, what: string): void => {
    const kind = findShortage(amounts)
    if (kind === null) return
    const left = Math.max(0, reportedAmount(kind, free(kind)))
    emit({ type: 'refused', kind, asked: reportedAmount(kind, amounts[kind]), left, what })
    throw new BudgetRefusedError(kind, `the budget of ${kind} does not cover ${what}`)
  }
  const book = (kind: MeteredKind, amount: number, what: string): void => {
    if (amount === 0) return
    spent[kind] += amount
    emit({ type: 'charged', kind, amount: reportedAmount(kind, amount), what })
  }
  return {
    cap: findCap,
    free,
    firstShortage: findShortage,
    book,
    spendIfFree(amounts, what) {
      demand(amounts, what)
      for (const kind of kinds) book(kind, amounts[kind], what)
    },
    hold(amounts, what) {
      demand(amounts, what)
      for (const kind of heldKinds) held[kind] += amounts[kind]
    },
    release(amounts) {
      for (const kind of heldKinds) held[kind] -= amounts[kind]
    },
    settle(billed, reserved, what) {
      let overrun: MeteredKind | null = null
      for (const kind of heldKinds) {
        book(kind, billed[kind], what)
        if (findCap(kind) === null || billed[kind] <= reserved[kind]) continue
        overrun ??= kind
        const [before, after] = [reportedAmount(kind, reserved[kind]), reportedAmount(kind, billed[kind])]
        emit({ type: 'overrun', kind, reserved: before, billed: after })
      }
      return overrun
    },
    spent: kind => reportedAmount(kind, spent[kind]),
    left: kind => (findCap(kind) === null ? null : Math.max(0, reportedAmount(kind, free(kind)))),
  }
}

function reportedAmount(kind: MeteredKind, amount: number): number {
  return kind === 'usd' ? amount / picoPerUsd : amount
}

function capInLedgerUnits(kind: MeteredKind, cap: number | undefined): number | null {
  return cap === undefined ? null : Math.floor(kind === 'usd' ? cap * picoPerUsd : cap)
}
