import { optionOf } from '../../core/option-spec.ts'
import { absent, dollars, duration, positive, weight } from '../../core/option-values.ts'

const option = optionOf('budgets')

/** The caps of one attempt, and of the whole run. */
export const budgetsOptions = {
  budgetTokens: option('N', absent(positive), 'tokens sent and received by an attempt'),
  budgetModelCalls: option('N', absent(positive), 'model calls of an attempt'),
  budgetSearchCalls: option('N', absent(positive), 'searches of an attempt'),
  budgetFetchCalls: option('N', absent(positive), 'pages and PDFs fetched by an attempt'),
  budgetWall: option('TIME', absent(duration), 'wall time of an attempt, such as 10m'),
  budgetUsd: option('N', absent(dollars), 'US dollars of an attempt'),
  weightCachedInput: option('X', weight.default(1), 'what a cached input token counts in budgets of tokens'),
  weightOutput: option('X', weight.default(1), 'what an output token counts in budgets of tokens'),
  runBudgetTokens: option('N', absent(positive), 'tokens of all attempts together'),
  runBudgetUsd: option('N', absent(dollars), 'US dollars of all attempts together'),
  runBudgetSearchCalls: option('N', absent(positive), 'searches of all attempts together'),
} as const
