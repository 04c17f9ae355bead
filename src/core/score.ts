import { z } from 'zod/v4'
import { answerKindNames } from './metric.ts'

const count = z.int().min(0)
const prf = z.object({ precision: z.number(), recall: z.number(), f1: z.number() })

/** The loss ledger's classes; every gold cell of a scored attempt has exactly one (null until the ledger ran). */
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

/** The answer row that a gold cell was compared with. */
const matchedRowSchema = z.object({
  /** 0-based data row of the answer. */
  row: count,
  /** What matched the rows: 'exact key', 'normalised key', 'similarity' or 'judge'. */
  by: z.string(),
  /** 0 to 100; null unless similarity decided. */
  similarity: z.number().nullable(),
})

const scoredCellSchema = z.object({
  /** 0-based row of the gold table. */
  goldRow: count,
  column: z.string(),
  gold: z.string(),
  /** The answer's text in that cell; null where no predicted row matched or nothing could be read. */
  predicted: z.string().nullable(),
  /** 0..1; null where a judge failed. */
  score: z.number().nullable(),
  /** Which rule decided: 'numeric', 'equal', 'unmatched-row', … */
  rule: z.string(),
  class: z.enum(cellClasses).nullable(),
  /** Null when no row of the answer matched the gold row. Absent in records of older versions. */
  matched: matchedRowSchema.nullable().optional(),
  /** True on a right value whose evidence the attempt was never shown. Absent otherwise, and where that is not known. */
  unseen: z.literal(true).optional(),
  /** 0-based turn of a conversation; absent where the task has one question. */
  turn: count.optional(),
})
/**
 * A gold cell of a table with what was compared with it, its score and its loss class.
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
  /** Tokens that the saved calls would have taken, by estimate; absent in records of older versions. */
  tokensSaved: count.optional(),
  inputTokens: count,
  outputTokens: count,
  usd: z.number().nullable(),
})
export type JudgeUsage = z.infer<typeof judgeUsageSchema>

/** An extraction's score by schema (extract-bench); `row`, `cell` and `cells` are then null or empty. */
const extractSchema = z.object({
  /** Whose schema it is: the rows of the paper's Table 5. Absent in records of older versions. */
  schema: z.string().optional(),
  /** The answer is JSON that fits the schema. */
  valid: z.boolean(),
  /** Why it is not: `trailing-comma`, `schema-mismatch`, …; null when it is. */
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

/** What the best answer of an attempt was worth when it had spent so many tokens. */
const checkpointScoreSchema = z.object({
  tokens: count,
  passed: z.boolean().nullable(),
  rowF1: z.number().nullable(),
  cellF1: z.number().nullable(),
  /** By the keys of the scorer's metrics. Absent where nothing was scored, and in records of older versions. */
  metrics: metricValuesSchema.optional(),
})
export type CheckpointScore = z.infer<typeof checkpointScoreSchema>

/**
 * What a shadow answer was worth.
 *
 * @param score null where there was no answer
 */
export function checkpointScore(
  tokens: number,
  score: Pick<Score, 'status' | 'answered' | 'metrics'> | null,
): CheckpointScore {
  if (score === null || score.status === 'unscored')
    return { tokens, passed: null, rowF1: null, cellF1: null }
  const { answered, metrics } = score
  // Older readers know these two.
  const { rowF1 = null, cellF1 = null } = metrics
  return { tokens, passed: answered, rowF1, cellF1, metrics }
}

/**
 * One unit of gold that is not a cell: a field of a JSON value by its path, an element of a list answer by its index.
 * Cells of tables are in `cells`.
 */
const scoredItemSchema = z.object({
  id: z.string(),
  /** A field's place in the JSON value, such as `.lenders.0.name`. */
  path: z.string().optional(),
  /** 0-based place in the gold's list. */
  index: count.optional(),
  /** 0-based turn of a conversation; absent where the task has one question. */
  turn: count.optional(),
  gold: z.string(),
  predicted: z.string().nullable(),
  /** 0..1; null where a judge failed. */
  score: z.number().nullable(),
  rule: z.string(),
  class: z.enum(cellClasses).nullable(),
  /** True on a right value whose evidence the attempt was never shown. Absent otherwise, and where that is not known. */
  unseen: z.literal(true).optional(),
})
/**
 * One unit of gold that is no cell: a field of a JSON value by its path, an element of a list by its index.
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
  /** What left it unscored: provider, harness, operator, judge or scorer; null when scored. */
  cause: z.string().nullable(),
  passed: z.boolean(),
  infrastructureFailures: count,
  row: prf.nullable(),
  cell: prf.nullable(),
  schemaPrecision: z.number().nullable(),
  /** Share of the gold target columns that the answer has; null when the gold has none. Absent in older records. */
  columnRecall: z.number().nullable().optional(),
  overall: overallSchema.nullable(),
  counts: z.record(z.string(), z.number()),
  judgeUsage: judgeUsageSchema,
  cells: z.array(scoredCellSchema),
  /** Why the score is what it is, in plain sentences. Absent in records of older versions. */
  explanation: z.array(z.string()).optional(),
  extract: extractSchema.optional(),
  /** Shadow answers in the trace's order; a score is null where none came or a judge failed. Absent without checkpoints. */
  checkpoints: z.array(checkpointScoreSchema).optional(),
  /** The scorer's name. The same as `profile`, which older readers know. */
  scorer: z.string().optional(),
  kind: z.enum(answerKindNames).optional(),
  /** An answer of the asked kind could be read. The same as `passed`. */
  answered: z.boolean().optional(),
  /** Every item of the gold is right; null when unscored. */
  success: z.boolean().nullable().optional(),
  /** By the keys of the scorer's metrics; empty when unscored. */
  metrics: metricValuesSchema.optional(),
  /** How many items are right though their evidence was never shown. Absent where that is not known. */
  unseenItems: count.optional(),
  /** The items of gold that is no table. Empty for tables, whose items are `cells`. */
  items: z.array(scoredItemSchema).optional(),
  /** The turns of a conversation, in order. Absent where the task has one question. */
  turns: z
    .array(z.object({ answered: z.boolean(), success: z.boolean().nullable(), metrics: metricValuesSchema }))
    .optional(),
})
/** A score as older versions wrote it, too: the fields that they lack are optional. */
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

/** One line of scores.jsonl: one attempt under one scorer. `row` … `cells` are null or empty when unscored. */
export const scoreSchema = recordSchema.transform(completeScore)

/**
 * A score with the fields that records of older versions lack, derived from those that they have.
 *
 * @returns the same record where nothing is missing
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

/** A scored unit of gold, whatever its kind. */
export type Item = ScoredCell | ScoredItem

/** The items of a score: its cells where the gold is a table. */
export function itemsOf(score: Pick<Score, 'cells' | 'items'>): readonly Item[] {
  return score.cells.length > 0 ? score.cells : score.items
}

/** The id of the gold item that a scored item is about, or below which the values are that it is about. */
export function goldIdOf(item: Item): string {
  if ('goldRow' in item) return JSON.stringify([item.goldRow, item.column])
  return item.path ?? (item.index === undefined ? item.id : String(item.index))
}

/** How many items of the gold the answer has right. */
export function correctItems(score: Pick<Score, 'cells' | 'items' | 'counts'>): number {
  // Fields of an extraction pass by rules of their own; records count them.
  return score.counts.passedNodes ?? itemsOf(score).filter(item => item.score === 1).length
}
