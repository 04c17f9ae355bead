import { z } from 'zod/v4'
import { zodProblemOf } from '../core/zod-problems.ts'
import { isObject } from '../text/json.ts'

/** A case of score-table: a gold table as AOE's records hold it, and an answer as CSV. */
export const tableCaseSchema = z.object({
  id: z.union([z.string(), z.number()]),
  task: z.object({
    answers: z.custom<Record<string, unknown>[]>(
      value => Array.isArray(value) && value.every(isObject),
      'a list of row objects is wanted',
    ),
    key_cols: z.array(z.string()).min(1),
    target_value_columns: z.array(z.string()),
    numeric_columns: z.array(z.string()),
  }),
  answer_csv: z.string(),
})
export type TableCase = z.infer<typeof tableCaseSchema>

/** What is wrong with a value that is no case: the first member that does not fit; null where all do. */
export function problemOf(value: unknown): string | null {
  const parsed = tableCaseSchema.safeParse(value)
  if (parsed.success) return null
  return zodProblemOf(parsed.error, 'case')
}
