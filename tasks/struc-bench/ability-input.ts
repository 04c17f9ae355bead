import { z } from 'zod/v4'

/** What the benchmark tells the judge of the abilities. */
export const abilityInputSchema = z.object({
  /** The text that the table is made of. Absent when the question contains it. */
  input: z.string().optional(),
})
