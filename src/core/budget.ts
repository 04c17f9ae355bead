export const budgetKinds = ['tokens', 'modelCalls', 'searchCalls', 'fetchCalls', 'wallMs', 'usd'] as const
export type BudgetKind = (typeof budgetKinds)[number]

/** Hard caps of one attempt; an absent kind has none. */
export type BudgetCaps = Readonly<Partial<Record<BudgetKind, number>>>

/** What an online attempt may spend unless told otherwise; offline and RAG have no caps by default. */
export const defaultOnlineCaps: BudgetCaps = {
  tokens: 4_000_000,
  modelCalls: 100,
  searchCalls: 60,
  fetchCalls: 100,
  wallMs: 30 * 60_000,
}

/** What can be capped for a whole run. */
export const runBudgetKinds = ['tokens', 'usd', 'searchCalls'] as const
export type RunBudgetKind = (typeof runBudgetKinds)[number]
export type RunAmounts = Readonly<Record<RunBudgetKind, number>>
export type RunCaps = Readonly<Partial<Record<RunBudgetKind, number>>>
