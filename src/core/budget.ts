/** What the budget of an attempt can cap. */
export const budgetKinds = ['tokens', 'modelCalls', 'searchCalls', 'fetchCalls', 'wallMs', 'usd'] as const
export type BudgetKind = (typeof budgetKinds)[number]

/** The hard caps of one attempt. A kind that is absent has no cap. */
export type BudgetCaps = Readonly<Partial<Record<BudgetKind, number>>>

/** The default caps of an online attempt. Offline and RAG attempts have none by default. */
export const defaultOnlineCaps: BudgetCaps = {
  tokens: 4_000_000,
  modelCalls: 100,
  searchCalls: 60,
  fetchCalls: 100,
  wallMs: 30 * 60_000,
}

/** What the budget of a whole run can cap. */
export const runBudgetKinds = ['tokens', 'usd', 'searchCalls'] as const
export type RunBudgetKind = (typeof runBudgetKinds)[number]
/** What a run has spent. */
export type RunAmounts = Readonly<Record<RunBudgetKind, number>>
/** The hard caps of a run. A kind that is absent has no cap. */
export type RunCaps = Readonly<Partial<Record<RunBudgetKind, number>>>
