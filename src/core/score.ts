import { z } from 'zod/v4'
import { attemptIdSchema } from './inner-path.ts'
import { answerKindNames } from './metric.ts'
import { scoredCellSchema, scoredItemSchema } from './scored-item.ts'

const count = z.int().min(0)

const overallSchema = z.object({
  /** How well the answer does what was asked, by a judge model, 0 to 100. */
  intent: z.number(),
  /** How well its columns fit, 0 to 100. */
  schema: z.number(),
  /** How right its values are, 0 to 100. */
  content: z.number(),
  /** How well it is formatted, 0 to 100. */
  format: z.number(),
  /** The mean of the four. */
  mean: z.number(),
})

const judgeUsageSchema = z.object({
  /** Calls of the judge model. */
  calls: count,
  /** Calls that the published scorer would have made, and that were not necessary. */
  callsSaved: count,
  /** Tokens that the saved calls would have used, by estimate. Absent when none was saved. */
  tokensSaved: count.optional(),
  /** Tokens of the prompts. */
  inputTokens: count,
  /** Tokens of the replies. */
  outputTokens: count,
  /** Cost; null when the price is unknown. */
  usd: z.number().nullable(),
})
/** What a judge used for one score: calls, tokens and US dollars. */
export type JudgeUsage = z.infer<typeof judgeUsageSchema>

/** The score of an extraction by its schema (extract-bench). */
const extractSchema = z.object({
  /** The name of the schema. */
  schema: z.string(),
  /** True when the answer is JSON that fits the schema. */
  valid: z.boolean(),
  /** Why it is not valid, such as `trailing-comma` or `schema-mismatch`; null when it is. */
  failure: z.string().nullable(),
  /** Every scored field, with one entry per field and metric. */
  nodes: z.array(
    z.object({
      /** The path of the field, as ExtractBench writes it. */
      path: z.string(),
      /** The metric that the schema names for the field. */
      metric: z.string(),
      /** 0 to 1. */
      score: z.number(),
      /** True when the score reaches the threshold of the metric. */
      passed: z.boolean(),
      /** Whether gold and answer have the field, as ExtractBench names it. */
      presence: z.string(),
    }),
  ),
  /** The report of ExtractBench; null when the answer is not valid. */
  summary: z.record(z.string(), z.unknown()).nullable(),
})

const metricValuesSchema = z.record(z.string(), z.number().nullable())

const boundsSchema = z.record(
  z.string(),
  z.object({
    /** The value when every item without a rating is wrong. */
    low: z.number(),
    /** The value when every item without a rating is right. */
    high: z.number(),
  }),
)
/** The least and the greatest value that each metric can have while some items have no rating. */
export type MetricBounds = Readonly<z.infer<typeof boundsSchema>>

/** The score of the best answer that an attempt had when it had spent so many tokens. */
const checkpointScoreSchema = z.object({
  /** What the attempt had spent at this point. */
  tokens: count,
  /** True when an answer of the asked kind could be read; null when there was no answer, or a judge failed. */
  answered: z.boolean().nullable(),
  /** Values by the keys of the scorer's metrics; null when a judge failed. Empty when nothing was scored. */
  metrics: metricValuesSchema,
})
/** The score of the best answer that an attempt had when it had spent so many tokens. */
export type CheckpointScore = z.infer<typeof checkpointScoreSchema>

/**
 * Makes the record of a score at a checkpoint.
 *
 * @param score null when there was no answer
 */
export function checkpointScore(tokens: number, score: Score | null): CheckpointScore {
  if (score === null || score.status === 'unscored') return { tokens, answered: null, metrics: {} }
  return { tokens, answered: score.answered, metrics: score.metrics }
}

/** One line of scores.jsonl. */
export const scoreSchema = z.object({
  /** The attempt that was scored. */
  attemptId: attemptIdSchema,
  /** Its task. */
  taskId: z.string(),
  /** Its setting. */
  setting: z.string(),
  /** Its model. */
  model: z.string(),
  /** The number of its repetition, from 0. */
  trial: count,
  /** Its options that differ from the defaults, by flag without `--`. */
  options: z.record(z.string(), z.string()),
  /** The name of the scorer. */
  scorer: z.string(),
  /** The kind of gold. */
  kind: z.enum(answerKindNames),
  /** The judge: `rules`, `none` or the name of a model. */
  judge: z.string(),
  /** `scored`, or `unscored` when the attempt says nothing about the agent. */
  status: z.enum(['scored', 'unscored']),
  /**
   * What left it unscored: provider, harness, operator, run-budget, documents (some are missing), judge, scorer or undefined (the
   * metric has no value); null when scored.
   */
  cause: z.string().nullable(),
  /** True when an answer of the asked kind could be read. */
  answered: z.boolean(),
  /** True when every item of the gold is right, or as `successAt` says; null when unscored. */
  success: z.boolean().nullable(),
  /** The value of the primary metric from which an answer is a success (`--success-at`). Absent when every item must be right. */
  successAt: z.number().optional(),
  /** Values by the keys of the scorer's metrics, null when a judge failed; empty when unscored. */
  metrics: metricValuesSchema,
  /** Searches and fetches that failed through no fault of the agent. */
  infrastructureFailures: count,
  /** Ratings of the whole answer by a judge model; null without one. */
  overall: overallSchema.nullable(),
  /** Whole numbers behind the metrics, such as `goldRows` and `spuriousColumns`. */
  counts: z.record(z.string(), z.number()),
  /** What judging cost, added up over all times that this scorer and judge scored the attempt. */
  judgeUsage: judgeUsageSchema,
  /** Every gold cell of a table; empty for other gold. */
  cells: z.array(scoredCellSchema),
  /** Every item of gold that is not a table; empty for tables. */
  items: z.array(scoredItemSchema),
  /** The reasons for the score, one sentence each. */
  explanation: z.array(z.string()),
  /** Scores of an extraction by its schema (scorer `extract-bench`). Absent for other scorers. */
  extract: extractSchema.optional(),
  /**
   * Scores of the answers on the way (`checkpointTokens`), in the order of the trace. Absent without
   * checkpoints.
   */
  checkpoints: z.array(checkpointScoreSchema).optional(),
  /**
   * The least and the greatest value of each metric that the items without a rating could move. Absent when a judge rated
   * every item.
   */
  bounds: boundsSchema.optional(),
  /** How many items are right although their evidence was never shown. Absent when that is not known. */
  unseenItems: count.optional(),
  /** The questions of a conversation, in order. Absent when the task has one question. */
  turns: z
    .array(
      z.object({
        /** True when an answer of the asked kind could be read. */
        answered: z.boolean(),
        /** True when every item of the gold is right; null when unscored. */
        success: z.boolean().nullable(),
        /** Values by the keys of the scorer's metrics; null when a judge failed. */
        metrics: metricValuesSchema,
      }),
    )
    .optional(),
})
/**
 * One line of scores.jsonl: one attempt under one scorer and judge. Shares are 0 to 1.
 *
 * @example
 * import { readRun, type Score } from 'tablehunt'
 *
 * const isWrong = (score: Score): boolean => score.status === 'scored' && score.success === false
 * const { scores } = await readRun('runs/first')
 * console.log(scores.filter(isWrong).map(({ taskId, explanation }) => [taskId, explanation]))
 */
export type Score = z.infer<typeof scoreSchema>
