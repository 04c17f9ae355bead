import { z } from 'zod/v4'

const columnSchema = z.object({
  preprocess: z.array(z.string()).default([]),
  metric: z.array(z.string()).default([]),
  criterion: z.union([z.string(), z.number()]).nullish(),
})

/** A task's `evaluation`: the columns of the table, its keys, and how each column is compared. */
export const evaluationSchema = z.object({
  required: z.array(z.string()).min(1),
  unique_columns: z.array(z.string()).min(1),
  eval_pipeline: z.record(z.string(), columnSchema),
})

/** How one column is compared. */
export type ColumnSettings = z.infer<typeof columnSchema>

/** A task's settings, as published. */
export type Evaluation = z.infer<typeof evaluationSchema>

/** What the scorers need from a task: its settings and the gold table as it is published. */
export const wideSearchGoldSchema = z.object({
  evaluation: evaluationSchema,
  goldCsv: z.string(),
  /** The names of the hidden subject of a DeepWideSearch task. */
  entity: z.array(z.string()).min(1).optional(),
})

/** What the scorers need from a task. */
export type WideSearchGold = z.infer<typeof wideSearchGoldSchema>
