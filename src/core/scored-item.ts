import { z } from 'zod/v4'
import { cellClasses } from './cell-classes.ts'

const count = z.int().min(0)

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

/** How an item was rated. */
const ratedFields = {
  /** 0 to 1; null when a judge failed. */
  score: z.number().nullable(),
  /** The rule that decided, such as `numeric`, `equal` or `unmatched-row`. */
  rule: z.string(),
  /** The loss class; null when it is not known. */
  class: z.enum(cellClasses).nullable(),
}

/** Where the evidence of an item is. */
const placedFields = {
  /**
   * True for a right value whose evidence the attempt was never shown. Absent otherwise, and when that is not
   * known.
   */
  unseen: z.literal(true).optional(),
  /** Where its value is written. Absent when no document contains it, when that is not known. */
  evidence: itemEvidenceSchema.optional(),
}

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
  ...ratedFields,
  /**
   * The row of the answer that the gold row was compared with; null when no row matches. Absent when nothing was compared.
   */
  matched: matchedRowSchema.nullable().optional(),
  ...placedFields,
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
  ...ratedFields,
  ...placedFields,
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
