import { optionOf } from '../../core/option-spec.ts'
import { dollars, duration, optional, positive, weight } from '../../core/option-values.ts'

const option = optionOf('budgets')

/** The caps of one attempt, and of the whole run. */
export const budgetsOptions = {
  budgetTokens: option('N', optional(positive), 'tokens sent and received by an attempt'),
  budgetModelCalls: option('N', optional(positive), 'model calls of an attempt'),
  budgetSearchCalls: option('N', optional(positive), 'searches of an attempt'),
  budgetFetchCalls: option('N', optional(positive), 'pages and PDFs fetched by an attempt'),
  budgetWall: option('TIME', optional(duration), 'wall time of an attempt, such as 10m'),
  budgetUsd: option('N', optional(dollars), 'US dollars of an attempt'),
  weightCachedInput: option('X', weight.default(1), 'what a cached input token counts in budgets of tokens'),
  weightOutput: option('X', weight.default(1), 'what an output token counts in budgets of tokens'),
  runBudgetTokens: option('N', optional(positive), 'tokens of all attempts together'),
  runBudgetUsd: option('N', optional(dollars), 'US dollars of all attempts together'),
  runBudgetSearchCalls: option('N', optional(positive), 'searches of all attempts together'),
} as const
