import { defineOption } from '../../core/option-spec.ts'
import { dollars, duration, optional, positive, weight } from '../../core/option-values.ts'

const option = defineOption('Budgets of one attempt, and of the whole run')

/** The options for the budgets of one attempt and of the whole run. */
export const budgetsOptions = {
  budgetTokens: option('N', optional(positive), 'most tokens that an attempt sends and receives'),
  budgetModelCalls: option('N', optional(positive), 'most model calls of an attempt'),
  budgetSearchCalls: option('N', optional(positive), 'most searches of an attempt', {
    separates: ['online'],
  }),
  budgetFetchCalls: option('N', optional(positive), 'most pages and PDFs that an attempt fetches', {
    separates: ['online'],
  }),
  budgetWall: option('TIME', optional(duration), 'longest time of an attempt, such as 10m'),
  budgetUsd: option('N', optional(dollars), 'most US dollars of an attempt'),
  weightCachedInput: option('X', weight.default(1), 'weight of a cached input token in budgets of tokens', {
    flag: 'none',
  }),
  weightOutput: option('X', weight.default(1), 'weight of an output token in budgets of tokens', {
    flag: 'none',
  }),
  runBudgetTokens: option('N', optional(positive), 'most tokens of all attempts together', {
    changes: 'course',
  }),
  runBudgetUsd: option('N', optional(dollars), 'most US dollars of all attempts together', {
    changes: 'course',
  }),
  runBudgetSearchCalls: option('N', optional(positive), 'most searches of all attempts together', {
    changes: 'course',
  }),
} as const
