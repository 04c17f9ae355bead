import { z } from 'zod/v4'
import { answerKindNames } from './metric.ts'

const count = z.int().min(0)

/**
 * The classes of gold items, in the order in which the loss ledger tests them (docs/measures.md). Every gold item of a
 * scored attempt has exactly one, or null before the classes are computed. `wrong` is also the class of partial credit.
 */
export const cellClasses = [
  'correct',
  'budget',
  'unreadable',
  'invented',
  'not-surfaced',
  'not-opened',
  'not-parsed',
  'not-retrieved',
  'not-in-view',
  'unread',
  'cut-from-window',
  'wrong',
  'missed-row',
  'no-evidence',
  'not-in-answer',
] as const
export type CellClass = (typeof cellClasses)[number]

/** The row of the answer with which a gold cell was compared. */
const matchedRowSchema = z.object({
  /** The row of the answer, from 0. */
  row: count,
  /** What matched the rows: `exact key`, `normalised key`, `similarity` or `judge`. */
  by: z.string(),
  /** Likeness of the keys, 0 to 100; null unless similarity decided. */
  similarity: z.number().nullable(),
  /** The keys are similar but differ in a figure, such as two years. Absent: they do not, or similarity did not decide. */
  figuresDiffer: z.literal(true).optional(),
})

/** The longest line that a record keeps as evidence, in characters. */
export const longestEvidenceChars = 200

const itemEvidenceSchema = z.object({
  /** The document of the task that contains the value, by its name. */
  document: z.string(),
  /** The page, from 1; null when the document has no pages, or its pages are unknown. */
  page: count.nullable(),
  /** The line that contains the value, as the document prints it; the part around the value when it is longer than 200 characters. */
  line: z.string(),
  /**
   * `shown`: the model was shown the line. `cut`: the line was left out of the prompt or removed from the context window.
   * `missed`: the line never reached the model.
   */
  state: z.enum(['shown', 'cut', 'missed']),
  /**
   * The model turn in which the line was shown, or in which the attempt came closest to it, as in the trace; null when no
   * turn did, and when it is unknown.
   */
  step: count.nullable(),
  /** Which tool result of this turn it was, from 0. Absent when no tool result showed the line or another part of the document. */
  result: count.optional(),
})
/** Where the value of a gold item is written, and what the attempt did with that line. */
export type PlacedEvidence = z.infer<typeof itemEvidenceSchema>

/** A gold cell of a table, as records contain it. */
export const scoredCellSchema = z.object({
  /** The row of the gold table, from 0. */
  goldRow: count,
  /** The target column. */
  column: z.string(),
  /** The text of the gold cell. */
  gold: z.string(),
  /** The answer's text in that cell; null when no row of the answer matches, or no table could be read. */
  predicted: z.string().nullable(),
  /** 0 to 1; null when a judge failed. */
  score: z.number().nullable(),
  /** The rule that decided, such as `numeric`, `equal` or `unmatched-row`. */
  rule: z.string(),
  /** The loss class; null when it is not known. */
  class: z.enum(cellClasses).nullable(),
  /**
   * The row of the answer that the gold row was compared with; null when no row matches. Absent when nothing was compared.
   */
  matched: matchedRowSchema.nullable().optional(),
  /**
   * True for a right value whose evidence the attempt was never shown. Absent otherwise, and when that is not
   * known.
   */
  unseen: z.literal(true).optional(),
  /** Where its value is written. Absent when no document contains it, when that is not known. */
  evidence: itemEvidenceSchema.optional(),
  /** The question of a conversation, from 0. Absent when the task has one question. */
  turn: count.optional(),
})
/**
 * A gold cell of a table: the value that was compared with it, its score and its loss class.
 *
 * @example
 * import { readRun, type ScoredCell } from 'tablehunt'
 *
 * const lineOf = ({ column, gold, predicted, rule }: ScoredCell): string => `${column}: ${gold} | ${predicted} (${rule})`
 * const { scores } = await readRun('runs/first')
 * console.log(scores.flatMap(({ cells }) => cells.map(lineOf)))
 */
export type ScoredCell = z.infer<typeof scoredCellSchema>

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
export function checkpointScore(
  tokens: number,
  score: Pick<Score, 'status' | 'answered' | 'metrics'> | null,
): CheckpointScore {
  if (score === null || score.status === 'unscored') return { tokens, answered: null, metrics: {} }
  return { tokens, answered: score.answered, metrics: score.metrics }
}

/**
 * One unit of gold that is not a cell: a field of a JSON value by its path, or an element of a list by its index. Cells of
 * tables are in `cells`.
 */
export const scoredItemSchema = z.object({
  /** The id of the item among those of the attempt. */
  id: z.string(),
  /** The place in the JSON value, such as `.lenders.0.name`. Absent for other gold. */
  path: z.string().optional(),
  /** The place in the list of the gold, from 0. Absent for other gold. */
  index: count.optional(),
  /** The question of a conversation, from 0. Absent when the task has one question. */
  turn: count.optional(),
  /** The gold as text. */
  gold: z.string(),
  /** What the answer has for it; null when it has nothing. */
  predicted: z.string().nullable(),
  /** 0 to 1; null when a judge failed. */
  score: z.number().nullable(),
  /** The rule that decided. */
  rule: z.string(),
  /** The loss class; null when it is not known. */
  class: z.enum(cellClasses).nullable(),
  /**
   * True for a right value whose evidence the attempt was never shown. Absent otherwise, and when that is not
   * known.
   */
  unseen: z.literal(true).optional(),
  /** Where its value is written. Absent when no document contains it, when that is not known. */
  evidence: itemEvidenceSchema.optional(),
})
/**
 * One unit of gold that is not a cell: a field of a JSON value by its path, or an element of a list by its index.
 *
 * @example
 * import { readRun, type ScoredItem } from 'tablehunt'
 *
 * const placeOf = ({ path, index }: ScoredItem): string => path ?? `element ${index}`
 * const { scores } = await readRun('runs/first')
 * console.log(scores.flatMap(({ items }) => items.map(placeOf)))
 */
export type ScoredItem = z.infer<typeof scoredItemSchema>

/** One line of scores.jsonl. */
export const scoreSchema = z.object({
  /** The attempt that was scored. */
  attemptId: z.string(),
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
  /** What judging cost. */
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
   * Scores of the answers on the way (`--checkpoint-tokens`), in the order of the trace. Absent without
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

/** A scored unit of gold of any kind. */
export type Item = ScoredCell | ScoredItem

/** Returns the items of a score. For a table these are its cells. */
export function itemsOf(score: Pick<Score, 'cells' | 'items'>): readonly Item[] {
  return score.cells.length > 0 ? score.cells : score.items
}

/** Returns how many items of a scored attempt have no rating because a judge failed. A turn without a score is one. */
export function unratedItems({
  status,
  counts,
  ...score
}: Pick<Score, 'cells' | 'counts' | 'items' | 'status'>): number {
  if (status === 'unscored') return 0
  return itemsOf(score).filter(item => item.score === null).length + (counts.unscoredTurns ?? 0)
}

/** Returns the id of the gold item that was scored. For a part of a JSON value, it is the beginning of the ids of its values. */
export function goldIdOf(item: Item): string {
  if ('goldRow' in item) return JSON.stringify([item.goldRow, item.column])
  return item.path ?? (item.index === undefined ? item.id : String(item.index))
}

/** Returns how many items of the gold are right in the answer. */
export function correctItems(score: Pick<Score, 'cells' | 'items' | 'counts'>): number {
  // Fields of an extraction pass by rules of their own, so their record contains the count.
  return score.counts.passedNodes ?? itemsOf(score).filter(item => item.score === 1).length
}
