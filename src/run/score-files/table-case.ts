import { z } from 'zod/v4'
import { describeZodProblem } from '../../core/zod-problems.ts'
import { isObject } from '../../text/json.ts'

/** A case of a file of tables: a gold table as in AOE's records, and an answer as CSV. */
export const tableCaseSchema = z.object({
  id: z.union([z.string(), z.number()]),
  task: z.object({
    answers: z.custom<Record<string, unknown>[]>(
      value => Array.isArray(value) && value.every(isObject),
      'expected a list of row objects',
    ),
    key_cols: z.array(z.string()).min(1),
    target_value_columns: z.array(z.string()),
    numeric_columns: z.array(z.string()),
  }),
  answer_csv: z.string(),
})
/** A valid case with a table. */
export type TableCase = z.infer<typeof tableCaseSchema>

/** Describes the first member of a value that does not fit a case; null when all do. */
export function describeProblem(value: unknown): string | null {
  const parsed = tableCaseSchema.safeParse(value)
  if (parsed.success) return null
  return describeZodProblem(parsed.error, 'case')
}
