import type { z } from 'zod/v4'
import { DataError } from '../../core/errors.ts'
import type { Gold } from '../../core/gold.ts'
import type { MetricDefinition } from '../../core/metric.ts'
import { scoreSchema } from '../../core/score.ts'
import { scoredCellSchema, scoredItemSchema } from '../../core/scored-item.ts'
import { describeZodProblem } from '../../core/zod-problems.ts'
import { isObject } from '../../text/json.ts'
import type { Scorer } from './scorer.ts'

/** Values may exceed a metric's range by this much, because sums of rounded numbers do. */
const rangeTolerance = 1e-6

/**
 * Checks the result of a scorer before it is recorded, so that reports can read every record.
 *
 * @param place the scorer and the task, for messages
 * @throws DataError [invalid-score] naming the wrong member
 */
export function checkScored(
  result: unknown,
  scorer: Scorer,
  place: { scorer: string; taskId: string; gold?: Gold },
): void {
  const problem = findProblem(result, scorer, place.gold)
  if (problem === null) return
  const { scorer: name, taskId } = place
  throw new DataError(
    `scorer ${name}, task ${taskId}: the result of score() is invalid: ${problem}. Correct the scorer, then run \`score\`; finished attempts are kept.`,
    { code: 'invalid-score', cause: new Error(`the result of score() is invalid: ${problem}`) },
  )
}

function findProblem(result: unknown, scorer: Scorer, gold: Gold | undefined): string | null {
  if (!isObject(result)) return 'an object is expected'
  const {
    status,
    answered,
    judgeUsage,
    explanation,
    counts,
    metrics,
    items,
    bounds,
    overall,
    extract,
    success,
  } = result
  if (status !== 'scored' && status !== 'unscored') return "`status` is neither 'scored' nor 'unscored'"
  if (typeof answered !== 'boolean') return '`answered` is neither true nor false'
  if (!isObject(judgeUsage)) return '`judgeUsage` is missing'
  const badUsage = usageFields.find(field => !isFiniteNumber(judgeUsage[field]))
  if (badUsage !== undefined) return `\`judgeUsage.${badUsage}\` is not a number`
  if (status === 'unscored') return null
  if (!Array.isArray(explanation) || !explanation.every(isText)) return '`explanation` is not a list of texts'
  if (!isObject(counts) || !Object.values(counts).every(isFiniteNumber))
    return '`counts` is not an object of numbers'
  if (success !== undefined && typeof success !== 'boolean') return '`success` is neither true nor false'
  return (
    findMetricsProblem(metrics, scorer.metrics) ??
    findItemsProblem(items, scorer.kind, gold) ??
    findRecordProblem(recordFields, { judgeUsage, counts, bounds, overall, extract })
  )
}

/** The other fields of a result that records contain. */
const recordFields = scoreSchema
  .pick({ judgeUsage: true, counts: true, bounds: true, extract: true })
  .extend({ overall: scoreSchema.shape.overall.optional() })

/** Describes the first value that a record could not contain. */
function findRecordProblem(schema: z.ZodType, value: unknown, place = ''): string | null {
  const { error } = schema.safeParse(value)
  return error === undefined ? null : `\`${place}${describeZodProblem(error, '').replace(/: /, '` ')}`
}

const usageFields = ['calls', 'callsSaved', 'inputTokens', 'outputTokens']

function findMetricsProblem(metrics: unknown, definitions: readonly MetricDefinition[]): string | null {
  if (!isObject(metrics)) return '`metrics` is missing'
  const unknown = Object.keys(metrics).find(key => definitions.every(definition => definition.key !== key))
  if (unknown !== undefined) return `\`metrics.${unknown}\` is not among the scorer's metrics`
  for (const { key, range } of definitions) {
    const value = Object.hasOwn(metrics, key) ? metrics[key] : undefined
    if (value === null) continue
    if (value === undefined) return `\`metrics.${key}\` is missing; null stands for a value that is not known`
    if (!isFiniteNumber(value))
      return `\`metrics.${key}\` is ${String(value)}; a finite number or null is expected`
    const [low, high] = range
    if (value < (low ?? value) - rangeTolerance || value > (high ?? value) + rangeTolerance)
      return `\`metrics.${key}\` is ${value}, outside its range ${low ?? '-∞'} to ${high ?? '∞'}`
  }
  return null
}

function findItemsProblem(items: unknown, kind: Scorer['kind'], gold: Gold | undefined): string | null {
  if (!Array.isArray(items)) return '`items` is not a list'
  const rows = gold?.kind === 'table' ? gold.rows.length : Number.POSITIVE_INFINITY
  const places = new Map<string, number>()
  for (const [at, item] of items.entries()) {
    if (!isObject(item)) return `\`items[${at}]\` is not an object`
    if (kind === 'table' ? !isText(item.column) : !isText(item.id))
      return `\`items[${at}].${kind === 'table' ? 'column' : 'id'}\` is not a text`
    const { score } = item
    if (score !== null && (!isFiniteNumber(score) || score < -rangeTolerance || score > 1 + rangeTolerance))
      return `\`items[${at}].score\` is ${String(score)}; a number from 0 to 1 is expected`
    if (!isText(item.rule)) return `\`items[${at}].rule\` is not a text`
    const problem = findRecordProblem(
      kind === 'table' ? scoredCellSchema : scoredItemSchema,
      item,
      `items[${at}].`,
    )
    if (problem !== null) return problem
    if (kind === 'table' && Number(item.goldRow) >= rows)
      return `\`items[${at}].goldRow\` is ${String(item.goldRow)}, but the gold has ${rows} ${rows === 1 ? 'row' : 'rows'}`
    const place = JSON.stringify(kind === 'table' ? [item.goldRow, item.column] : [item.id, item.index])
    const earlier = places.get(place)
    if (earlier !== undefined) return `\`items[${at}]\` is the same unit of gold as \`items[${earlier}]\``
    places.set(place, at)
  }
  return null
}

const isText = (value: unknown): value is string => typeof value === 'string'
const isFiniteNumber = (value: unknown): value is number => Number.isFinite(value)
