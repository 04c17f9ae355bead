import { z } from 'zod/v4'
import { answerKindNames } from './metric.ts'

const count = z.int().min(0)
const prf = z.object({ precision: z.number(), recall: z.number(), f1: z.number() })

/** The loss classes. Every gold item of a scored attempt has exactly one, or null before the classes are computed. */
export const cellClasses = [
  'correct',
  'not-surfaced',
  'not-opened',
  'not-parsed',
  'not-in-view',
  'not-retrieved',
  'not-in-answer',
  'wrong',
  'unreadable',
  'budget',
  'no-evidence',
] as const
export type CellClass = (typeof cellClasses)[number]

/** The row of the answer with which a gold cell was compared. */
const matchedRowSchema = z.object({
  /** 0-based data row of the answer. */
  row: count,
  /** How the rows were matched: 'exact key', 'normalised key', 'similarity' or 'judge'. */
  by: z.string(),
  /** 0 to 100; null unless the rows were matched by similarity. */
  similarity: z.number().nullable(),
})

const scoredCellSchema = z.object({
  /** 0-based row of the gold table. */
  goldRow: count,
  column: z.string(),
  gold: z.string(),
  /** The text of the cell in the answer; null when no row of the answer matched or nothing could be read. */
  predicted: z.string().nullable(),
  /** 0 to 1; null when a judge failed. */
  score: z.number().nullable(),
  /** The rule that decided: 'numeric', 'equal', 'unmatched-row', … */
  rule: z.string(),
  class: z.enum(cellClasses).nullable(),
  /** Null when no row of the answer matched the gold row. Absent in records of older versions. */
  matched: matchedRowSchema.nullable().optional(),
  /** True for a right value whose evidence the attempt was never shown. Absent otherwise, and when unknown. */
  unseen: z.literal(true).optional(),
  /** 0-based turn of a conversation. Absent when the task has one question. */
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
  intent: z.number(),
  schema: z.number(),
  content: z.number(),
  format: z.number(),
  mean: z.number(),
})

const judgeUsageSchema = z.object({
  calls: count,
  callsSaved: count,
  /** An estimate of the tokens that the saved calls would have used. Absent in records of older versions. */
  tokensSaved: count.optional(),
  inputTokens: count,
  outputTokens: count,
  usd: z.number().nullable(),
})
/** What a judge used for one score: calls, tokens and US dollars. */
export type JudgeUsage = z.infer<typeof judgeUsageSchema>

/** The score of an extraction by its schema (extract-bench). `row`, `cell` and `cells` are then null or empty. */
const extractSchema = z.object({
  /** The name of the schema, a row in Table 5 of the paper. Absent in records of older versions. */
  schema: z.string().optional(),
  /** Whether the answer is JSON that fits the schema. */
  valid: z.boolean(),
  /** Why it is not valid: `trailing-comma`, `schema-mismatch`, …; null when it is. */
  failure: z.string().nullable(),
  nodes: z.array(
    z.object({
      path: z.string(),
      metric: z.string(),
      score: z.number(),
      passed: z.boolean(),
      presence: z.string(),
    }),
  ),
  /** The published report; null when not valid. */
  summary: z.record(z.string(), z.unknown()).nullable(),
})

const metricValuesSchema = z.record(z.string(), z.number().nullable())

/** The score of the best answer that an attempt had when it had spent so many tokens. */
const checkpointScoreSchema = z.object({
  tokens: count,
  passed: z.boolean().nullable(),
  rowF1: z.number().nullable(),
  cellF1: z.number().nullable(),
  /** By the keys of the scorer's metrics. Absent when nothing was scored, and in records of older versions. */
  metrics: metricValuesSchema.optional(),
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
  if (score === null || score.status === 'unscored')
    return { tokens, passed: null, rowF1: null, cellF1: null }
  const { answered, metrics } = score
  // Older versions read only these two metrics.
  const { rowF1 = null, cellF1 = null } = metrics
  return { tokens, passed: answered, rowF1, cellF1, metrics }
}

/**
 * One unit of gold that is not a cell: a field of a JSON value by its path, or an element of a list by its index. Cells of
 * tables are in `cells`.
 */
const scoredItemSchema = z.object({
  id: z.string(),
  /** A field's place in the JSON value, such as `.lenders.0.name`. */
  path: z.string().optional(),
  /** 0-based place in the list of the gold. */
  index: count.optional(),
  /** 0-based turn of a conversation. Absent when the task has one question. */
  turn: count.optional(),
  gold: z.string(),
  predicted: z.string().nullable(),
  /** 0 to 1; null when a judge failed. */
  score: z.number().nullable(),
  rule: z.string(),
  class: z.enum(cellClasses).nullable(),
  /** True for a right value whose evidence the attempt was never shown. Absent otherwise, and when unknown. */
  unseen: z.literal(true).optional(),
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

const recordSchema = z.object({
  attemptId: z.string(),
  taskId: z.string(),
  setting: z.string(),
  model: z.string(),
  trial: count,
  variant: z.string(),
  profile: z.string(),
  judge: z.string(),
  status: z.enum(['scored', 'unscored']),
  /** Who prevented the score: provider, harness, operator or judge; null when scored. */
  cause: z.string().nullable(),
  passed: z.boolean(),
  infrastructureFailures: count,
  row: prf.nullable(),
  cell: prf.nullable(),
  schemaPrecision: z.number().nullable(),
  /** The share of the gold's target columns that the answer has; null when the gold has none. Absent in older records. */
  columnRecall: z.number().nullable().optional(),
  overall: overallSchema.nullable(),
  counts: z.record(z.string(), z.number()),
  judgeUsage: judgeUsageSchema,
  cells: z.array(scoredCellSchema),
  /** Why the score is what it is, in plain sentences. Absent in records of older versions. */
  explanation: z.array(z.string()).optional(),
  extract: extractSchema.optional(),
  /** Scores at checkpoints, in the order of the trace. Absent without checkpoints. */
  checkpoints: z.array(checkpointScoreSchema).optional(),
  /** The scorer's name. `profile` has the same value, for older versions. */
  scorer: z.string().optional(),
  kind: z.enum(answerKindNames).optional(),
  /** Whether an answer of the right kind could be read. `passed` has the same value, for older versions. */
  answered: z.boolean().optional(),
  /** Whether every item of the gold is right; null when unscored. */
  success: z.boolean().nullable().optional(),
  /** By the keys of the scorer's metrics; empty when unscored. */
  metrics: metricValuesSchema.optional(),
  /** How many items are right although their evidence was never shown. Absent when unknown. */
  unseenItems: count.optional(),
  /** The items of gold that is not a table. Empty for tables, whose items are `cells`. */
  items: z.array(scoredItemSchema).optional(),
  /** The turns of a conversation, in order. Absent when the task has one question. */
  turns: z
    .array(z.object({ answered: z.boolean(), success: z.boolean().nullable(), metrics: metricValuesSchema }))
    .optional(),
})
/** A line of scores.jsonl of any version. Fields that older versions do not write are optional. */
export type ScoreRecord = z.infer<typeof recordSchema>
type AddedFields = 'scorer' | 'kind' | 'answered' | 'success' | 'metrics' | 'items'
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
export type Score = Omit<ScoreRecord, AddedFields> & {
  readonly [Field in AddedFields]-?: Exclude<ScoreRecord[Field], undefined>
}

/** Reads one line of scores.jsonl of any version. `row` to `cells` are null or empty when unscored. */
export const scoreSchema = recordSchema.transform(completeScore)

/**
 * Adds the fields that records of older versions lack. They follow from the other fields.
 *
 * @returns an equal record when nothing is missing
 */
export function completeScore(record: ScoreRecord): Score {
  return {
    ...record,
    scorer: record.scorer ?? record.profile,
    kind: record.kind ?? (record.profile === 'extract-bench' ? 'json' : 'table'),
    answered: record.answered ?? record.passed,
    success: record.success === undefined ? olderSuccess(record) : record.success,
    metrics: record.metrics ?? olderMetrics(record),
    items: record.items ?? [],
    ...(record.checkpoints === undefined ? {} : { checkpoints: record.checkpoints.map(completeCheckpoint) }),
  }
}

function completeCheckpoint(checkpoint: CheckpointScore): CheckpointScore {
  const { passed, rowF1, cellF1, metrics } = checkpoint
  return passed === null || metrics !== undefined ? checkpoint : { ...checkpoint, metrics: { rowF1, cellF1 } }
}

function olderSuccess({ status, extract, passed, counts, cells }: ScoreRecord): boolean | null {
  if (status === 'unscored') return null
  if (extract !== undefined) return passed && counts.passedNodes === counts.nodes
  return cells.length > 0 && cells.every(cell => cell.score === 1)
}

function olderMetrics(record: ScoreRecord): Record<string, number | null> {
  const { status, extract, counts, row, cell, schemaPrecision, columnRecall, overall } = record
  if (status === 'unscored') return {}
  if (extract !== undefined) {
    return { fieldPassRate: counts.nodes ? (counts.passedNodes ?? 0) / counts.nodes : null }
  }
  const { matchedTargets, targets } = counts
  const countedRecall = matchedTargets === undefined || !targets ? null : matchedTargets / targets
  return {
    rowPrecision: row?.precision ?? null,
    rowRecall: row?.recall ?? null,
    rowF1: row?.f1 ?? null,
    cellPrecision: cell?.precision ?? null,
    cellRecall: cell?.recall ?? null,
    cellF1: cell?.f1 ?? null,
    schemaPrecision,
    columnRecall: columnRecall === undefined ? countedRecall : columnRecall,
    overall: overall?.mean ?? null,
  }
}

/** A scored unit of gold of any kind. */
export type Item = ScoredCell | ScoredItem

/** Returns the items of a score. For a table these are its cells. */
export function itemsOf(score: Pick<Score, 'cells' | 'items'>): readonly Item[] {
  return score.cells.length > 0 ? score.cells : score.items
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
