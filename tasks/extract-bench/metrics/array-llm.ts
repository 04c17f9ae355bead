import { findLargestPairing } from '../../../src/score/align/largest-pairing.ts'
import { readJsonObject } from '../../../src/score/judge/read-reply.ts'
import { isJsonList, isJsonObject, type JsonValue } from '../../../src/score/python/json-value.ts'
import type { ItemMatches, Metric, MetricOutcome } from '../metric.ts'
import { makeNodeMetadata, writeArrayPrompt } from '../prompts.ts'
import { readPassThreshold } from '../python-coercion.ts'
import type { MetricNode } from '../schema-node.ts'

/**
 * `array_llm`: matches list items one to one, in any order. The score is recall alone, so spurious items do not lower
 * it: a defect of the published package that is kept. Without a judge, the largest one-to-one pairing counts; a pair
 * matches when every counted node of the item schema passes.
 */
export const arrayLlm: Metric = {
  judged: true,
  compare({ node, gold, predicted, params }, itemsAgree) {
    const left = asList(gold)
    const right = asList(predicted)
    const item = findItemSchema(node)
    const goldOf = findLargestPairing({
      lefts: left.length,
      rights: right.length,
      isAllowed: (i, j) => itemsAgree(item, left[i]!, right[j]!),
    })
    const matched = goldOf.size
    const missedGold = left.length - matched
    const matches = { matched, missedGold, spuriousPredicted: right.length - matched, goldOf }
    return scoreMatches(matches, readPassThreshold(params))
  },
  ask({ node, gold, predicted, params }) {
    const threshold = readPassThreshold(params)
    return {
      prompt: writeArrayPrompt({
        metadata: makeNodeMetadata(node),
        gold,
        predicted,
        metrics: listMetricsBelow(node),
        additional: params.additional_instructions ?? null,
      }),
      maxOutputTokens: 1000,
      parse(text) {
        const matches = readMatches(text)
        return matches === null ? null : scoreMatches(matches, threshold)
      },
    }
  },
}

const scoreMatches = (matches: ItemMatches, threshold: number): MetricOutcome => {
  const score = matches.matched / Math.max(1, matches.matched + matches.missedGold)
  return { score, passed: score >= threshold, matches }
}

const asList = (value: JsonValue): readonly JsonValue[] => (isJsonList(value) ? value : [value])

function findItemSchema(node: MetricNode): MetricNode | null {
  if (node.kind === 'array') return node.items
  if (node.kind !== 'anyof') return null
  for (const branch of node.branches) if (branch.kind === 'array') return branch.items
  return null
}

/** The metrics by which the prompt tells a judge to match items. */
function listMetricsBelow(node: MetricNode): { metric_id: string; params: unknown }[] {
  const item = findItemSchema(node)
  if (item === null) return []
  const metrics = item.metrics.map(metric => ({
    metric_id: metric.metricId,
    params: metric.params as unknown,
  }))
  if (item.kind === 'object') {
    for (const child of item.properties.values()) {
      metrics.push(
        ...child.metrics.map(metric => ({ metric_id: metric.metricId, params: metric.params as unknown })),
      )
    }
  }
  return metrics
}

function readMatches(text: string): ItemMatches | null {
  const answer = readJsonObject(text)
  const summary = answer !== null && isJsonObject(answer.matches_summary) ? answer.matches_summary : answer
  const count = (name: string): number => {
    const value = summary?.[name]
    return typeof value === 'number' && Number.isInteger(value) && value >= 0 ? value : Number.NaN
  }
  const matches = {
    matched: count('matched'),
    missedGold: count('missed_gold'),
    spuriousPredicted: count('spurious_pred'),
  }
  return Object.values(matches).some(Number.isNaN) ? null : matches
}
