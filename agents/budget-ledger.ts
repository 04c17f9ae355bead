import type { BudgetCaps, BudgetKind } from '../src/core/budget.ts'
import { BudgetRefusedError } from '../src/core/errors.ts'

/** Kinds that are counted; wall time is a timer (attempt-run.ts). */
export type MeteredKind = Exclude<BudgetKind, 'wallMs'>

/** Whole amounts by kind; usd in picodollars, so that sums are exact. */
export type Amounts = Record<MeteredKind, number>

export type BudgetEvent =
  | { type: 'charged'; kind: MeteredKind; amount: number; what: string }
  | { type: 'refused'; kind: MeteredKind; asked: number; left: number; what: string }
  | { type: 'overrun'; kind: MeteredKind; reserved: number; billed: number }

/** What is capped, spent and held. `spent`, `left` and events give dollars, all else picodollars. */
export interface Ledger {
  /** Null: no cap. */
  cap(kind: MeteredKind): number | null
  /** Neither spent nor held; infinite without a cap. */
  free(kind: MeteredKind): number
  /** The first kind of which less is free than is asked; null: all is there. */
  lacking(asked: Amounts): MeteredKind | null
  /** Spends all of it, or throws BudgetRefusedError and spends nothing. */
  spendIfFree(asked: Amounts, what: string): void
  /** Sets tokens and money aside; throws BudgetRefusedError where anything asked is not free. */
  hold(asked: Amounts, what: string): void
  giveBack(held: Amounts): void
  book(kind: MeteredKind, amount: number, what: string): void
  /** Books what a call was billed; gives the first kind billed beyond what was held for it, or null. */
  settle(billed: Amounts, held: Amounts, what: string): MeteredKind | null
  spent(kind: MeteredKind): number
  left(kind: MeteredKind): number | null
}

const picoPerUsd = 1e12
const kinds: readonly MeteredKind[] = ['tokens', 'modelCalls', 'searchCalls', 'fetchCalls', 'usd']
const heldKinds = ['tokens', 'usd'] as const

export function noAmounts(): Amounts {
  return { tokens: 0, modelCalls: 0, searchCalls: 0, fetchCalls: 0, usd: 0 }
}

export function picodollars(usd: number): number {
  return Math.round(usd * picoPerUsd)
}

export function createLedger(givenCaps: BudgetCaps, emit: (event: BudgetEvent) => void): Ledger {
  const caps = wholeCaps(givenCaps)
  const spent = noAmounts()
  const held = noAmounts()
  const free = (kind: MeteredKind): number =>
    (caps[kind] ?? Number.POSITIVE_INFINITY) - spent[kind] - held[kind]
  const lacking = (asked: Amounts): MeteredKind | null =>
    kinds.find(kind => asked[kind] > 0 && asked[kind] > free(kind)) ?? null
  const demand = (asked: Amounts, what: string): void => {
    const kind = lacking(asked)
    if (kind === null) return
    const left = Math.max(0, outward(kind, free(kind)))
    emit({ type: 'refused', kind, asked: outward(kind, asked[kind]), left, what })
    throw new BudgetRefusedError(kind, `the budget of ${kind} does not cover ${what}`)
  }
  const book = (kind: MeteredKind, amount: number, what: string): void => {
    if (amount === 0) return
    spent[kind] += amount
    emit({ type: 'charged', kind, amount: outward(kind, amount), what })
  }
  return {
    cap: kind => caps[kind],
    free,
    lacking,
    book,
    spendIfFree(asked, what) {
      demand(asked, what)
      for (const kind of kinds) book(kind, asked[kind], what)
    },
    hold(asked, what) {
      demand(asked, what)
      for (const kind of heldKinds) held[kind] += asked[kind]
    },
    giveBack(amounts) {
      for (const kind of heldKinds) held[kind] -= amounts[kind]
    },
    settle(billed, reserved, what) {
      let overrun: MeteredKind | null = null
      for (const kind of heldKinds) {
        book(kind, billed[kind], what)
        if (caps[kind] === null || billed[kind] <= reserved[kind]) continue
        overrun ??= kind
        const [before, after] = [outward(kind, reserved[kind]), outward(kind, billed[kind])]
        emit({ type: 'overrun', kind, reserved: before, billed: after })
      }
      return overrun
    },
    spent: kind => outward(kind, spent[kind]),
    left: kind => (caps[kind] === null ? null : Math.max(0, outward(kind, free(kind)))),
  }
}

function outward(kind: MeteredKind, amount: number): number {
  return kind === 'usd' ? amount / picoPerUsd : amount
}

function wholeCaps(caps: BudgetCaps): Record<MeteredKind, number | null> {
  const whole = (kind: MeteredKind): number | null => {
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
