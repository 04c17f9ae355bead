import { z } from 'zod/v4'

const metricValues = z.record(z.string(), z.number().nullable()).nullable()

/** What two answers without any work get at a task under a scorer. They are the ends of the scale on which its scores are read. */
export const scoreLimitsSchema = z.object({
  taskId: z.string(),
  scorer: z.string(),
  /** The metrics of an answer with the right keys and empty cells. Null when the gold is no table with keys. */
  floor: metricValues,
  /** The metrics of the gold itself. */
  ceiling: metricValues,
  /** The share of gold rows whose keys the question or the names of its documents contain. Null without keys. */
  keysGiven: z.number().nullable(),
})

/** What two answers without any work get at a task under a scorer. */
export type ScoreLimits = z.infer<typeof scoreLimitsSchema>
