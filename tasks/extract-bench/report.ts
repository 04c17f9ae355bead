import { findMedian } from '../../src/core/median.ts'
import { computeF1 } from '../../src/score/fuzzy/overlap.ts'
import type { JsonValue } from '../../src/score/python/json-value.ts'
import type { NodeResult } from './evaluate.ts'
import { nodeMetrics } from './metrics/all-metrics.ts'

type GroupCounts = Record<string, number>
type PassCounts = Record<string, { passed: number; failed: number }>

/** The `outcomes` of ExtractBench's published report, with its own names. */
interface Outcomes {
  readonly total_evaluated: number
  readonly total_passed: number
  readonly total_failed: number
  readonly pass_rate: number
  readonly pass_by_metric: PassCounts
  readonly pass_by_type: PassCounts
  readonly pass_by_required: PassCounts
  readonly confusion: Readonly<Record<string, number>>
  readonly llm_stats: { readonly [key: string]: JsonValue } | null
  readonly error_breakdown: Readonly<Record<string, GroupCounts>> | null
}

/**
 * Computes the published outcomes. Every result counts once.
 *
 * @param results without those below an anyOf
 */
export function countOutcomes(results: readonly NodeResult[]): Outcomes {
  const passed = results.filter(result => result.passed).length
  return {
    total_evaluated: results.length,
    total_passed: passed,
    total_failed: results.length - passed,
    pass_rate: computeShareOr(passed, results.length, 0),
    pass_by_metric: countPasses(results, result => result.metric),
    pass_by_type: countPasses(results, nameType),
    // A defect of the published code that is kept: it never passes on the required paths, so all fields count as
    // optional.
    pass_by_required: countPasses(results, () => 'optional'),
    confusion: countConfusion(results),
    llm_stats: computeJudgeStats(results),
    error_breakdown: countErrors(results.filter(result => !result.passed)),
  }
}

const computeShareOr = (part: number, whole: number, empty: number): number =>
  whole === 0 ? empty : part / whole

function countPasses(results: readonly NodeResult[], groupOf: (result: NodeResult) => string): PassCounts {
  const counts: PassCounts = {}
  for (const result of results) {
    const group = (counts[groupOf(result)] ??= { passed: 0, failed: 0 })
    group[result.passed ? 'passed' : 'failed'] += 1
  }
  return counts
}

function nameType({ metric }: NodeResult): string {
  const [prefix] = metric.split('_')
  return ['string', 'number', 'integer', 'boolean', 'array'].includes(prefix!) ? prefix! : 'unknown'
}

function countConfusion(results: readonly NodeResult[]): Record<string, number> {
  let truePositive = 0
  let trueNegative = 0
  let falsePositive = 0
  let falseNegative = 0
  for (const { passed, presence } of results) {
    if (passed && presence.startsWith('both_') && presence !== 'both_present') trueNegative += 1
    else if (passed) truePositive += 1
    else if (presence.startsWith('gold_')) falsePositive += 1
    else falseNegative += 1
  }
  const precision = computeShareOr(truePositive, truePositive + falsePositive, 1)
  const recall = computeShareOr(truePositive, truePositive + falseNegative, 1)
  return {
    true_positive: truePositive,
    false_positive: falsePositive,
    false_negative: falseNegative,
    true_negative: trueNegative,
    precision,
    recall,
    f1: computeF1(precision, recall),
  }
}

const isJudgeMetric = (id: string): boolean =>
  Object.hasOwn(nodeMetrics, id) && nodeMetrics[id as keyof typeof nodeMetrics].judged

/** Includes results that were decided by presence, without a call: the published code does the same. */
function computeJudgeStats(results: readonly NodeResult[]): { readonly [key: string]: JsonValue } | null {
  const scores = results.filter(result => isJudgeMetric(result.metric)).map(result => result.score)
  if (scores.length === 0) return null
  const bins = ['0.0-0.2', '0.2-0.4', '0.4-0.6', '0.6-0.8', '0.8-1.0']
  const distribution: GroupCounts = {}
  for (const score of scores) {
    const bin = bins[score >= 0.8 ? 4 : score >= 0.6 ? 3 : score >= 0.4 ? 2 : score >= 0.2 ? 1 : 0]!
    distribution[bin] = (distribution[bin] ?? 0) + 1
  }
  return {
    call_count: scores.length,
    avg_score: scores.reduce((sum, score) => sum + score, 0) / scores.length,
    median_score: findMedian(scores),
    score_distribution: distribution,
  }
}

function countErrors(failures: readonly NodeResult[]): Record<string, GroupCounts> | null {
  if (failures.length === 0) return null
  return {
    by_path_prefix: countBy(failures, ({ path }) => normalisePath(path).split('.')[0]!),
    by_metric_type: countBy(failures, ({ metric }) => metric),
    by_reason: countBy(failures, nameReason),
  }
}

function countBy(results: readonly NodeResult[], groupOf: (result: NodeResult) => string): GroupCounts {
  // A Map, because a field may have the name of an inherited property such as `constructor`.
  const counts = new Map<string, number>()
  for (const result of results) counts.set(groupOf(result), (counts.get(groupOf(result)) ?? 0) + 1)
  return Object.fromEntries(counts)
}

function nameReason({ presence, metric }: NodeResult): string {
  if (presence === 'gold_null' || presence === 'gold_missing') return 'gold_absent'
  if (presence === 'extracted_null' || presence === 'extracted_missing') return 'extracted_absent'
  if (isJudgeMetric(metric)) return 'semantic_mismatch'
  return /number|integer/.test(metric) ? 'numeric_mismatch' : 'value_mismatch'
}

/** Writes a schema path without `$.` and `properties`. Returns `$` when nothing is left. */
export function normalisePath(path: string): string {
  const parts = path
    .replace(/^\$\.?/, '')
    .replace(/\.?properties\.?/g, '.')
    .replace(/\.{2,}/g, '.')
    .replace(/^\.|\.$/g, '')
  return parts === '' ? '$' : parts
}
