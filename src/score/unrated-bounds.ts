import { isBlankValue } from '../core/blank-value.ts'
import { hallucinationMetric, type MetricDefinition, successMetric } from '../core/metric.ts'
import type { MetricBounds } from '../core/score.ts'
import type { CountedItem } from '../core/value-counts.ts'
import type { NotScored, Scored } from './contract/scorer.ts'

type Metrics = readonly MetricDefinition[]

/**
 * Bounds the metrics of an answer of which a judge did not rate every item: the values if all of these items were
 * wrong, and if all were right. A scorer's own bounds take precedence.
 *
 * @returns bounds by the keys of the metrics; null when every item is rated
 */
export function boundUnratedMetrics(scored: Scored, metrics: Metrics): MetricBounds | null {
  const { items } = scored
  const unrated = items.filter(({ score }) => score === null)
  if (unrated.length === 0 && scored.bounds === undefined) return null
  const share = items.length === 0 ? 0 : unrated.length / items.length
  const bounds: Record<string, { low: number; high: number }> = {}
  for (const { key, unit, role } of metrics) {
    const value = scored.metrics[key] ?? null
    // The mean over the rated items is taken as known, which holds for every share of items.
    if (unit === 'share' && role === 'score' && value !== null)
      bounds[key] = { low: value * (1 - share), high: value * (1 - share) + share }
  }
  const mayBeAllRight = items.every(({ score }) => score === null || score === 1)
  return {
    ...bounds,
    [successMetric.key]: { low: 0, high: mayBeAllRight && scored.success !== true ? 1 : 0 },
    ...boundHallucinations(items),
    ...scored.bounds,
  }
}

/**
 * Bounds the share of wrong values among the values of an answer. Values for a blank gold that are in the documents are left
 * out, as in the rate itself; their class is known only after the evidence was looked up.
 */
export function boundHallucinations(items: readonly CountedItem[]): MetricBounds {
  const values = items.filter(item => !isBlankValue(item.predicted) && item.class !== 'gold-blank')
  if (values.length === 0) return {}
  const wrong = values.filter(({ score }) => score !== null && score < 1).length
  const unrated = values.filter(({ score }) => score === null).length
  const bounds = { low: wrong / values.length, high: (wrong + unrated) / values.length }
  return { [hallucinationMetric.key]: bounds }
}

/**
 * Bounds the means over the turns of a conversation. A turn that a judge did not rate counts as the worst and as the best
 * value of each metric.
 *
 * @returns null when every item of every turn is rated
 */
export function boundConversation(
  turns: readonly (Scored | NotScored)[],
  metrics: Metrics,
): MetricBounds | null {
  const ofTurns = turns.map(turn => (turn.status === 'scored' ? boundUnratedMetrics(turn, metrics) : null))
  if (turns.every((turn, at) => turn.status === 'scored' && ofTurns[at] === null)) return null
  const bounds: Record<string, { low: number; high: number }> = {}
  for (const { key, range } of metrics) {
    const [least, most] = range
    const turnBounds = turns.flatMap((turn, at) => {
      const value = turn.status === 'scored' ? (turn.metrics[key] ?? null) : null
      const turnBound = ofTurns[at]?.[key] ?? (value === null ? null : { low: value, high: value })
      if (turnBound !== null) return [turnBound]
      return turn.status === 'unscored' && least !== null && most !== null ? [{ low: least, high: most }] : []
    })
    if (turnBounds.length === 0) continue
    const mean = (side: 'high' | 'low') =>
      turnBounds.reduce((sum, bound) => sum + bound[side], 0) / turnBounds.length
    bounds[key] = { low: mean('low'), high: mean('high') }
  }
  const mayBeAllRight = turns.every(
    (turn, at) =>
      turn.status === 'unscored' ||
      ofTurns[at]?.[successMetric.key]?.high === 1 ||
      (ofTurns[at] === null && (turn.success ?? turn.items.every(({ score }) => score === 1))),
  )
  return { ...bounds, [successMetric.key]: { low: 0, high: mayBeAllRight ? 1 : 0 } }
}
