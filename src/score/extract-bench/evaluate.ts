import { RefusedError } from './errors.ts'
import { type JsonValue, jsonEqual, missing, type Value } from './json-value.ts'
import { type ItemMatches, type Metric, MetricError, type MetricInput, type MetricOutcome } from './metric.ts'
import { nodeMetrics } from './metrics/registry.ts'
import { type Presence, presenceOf } from './presence.ts'
import { childrenOf, type MetricChoice, type SchemaNode } from './schema-node.ts'
import { type ValuePair, type ValuesByPath, walkValues } from './walk-values.ts'

/** One metric's result at one node. */
export interface NodeResult {
  readonly path: string
  readonly values: ValuePair
  /** The metric's id, `error` where it could not be carried out. */
  readonly metric: string
  readonly score: number
  readonly passed: boolean
  readonly presence: Presence | 'error'
  /** The published package would have asked its judge here. */
  readonly judged: boolean
  readonly matches: ItemMatches | null
  /** Items of a list of which one side has none: the published package counts them nowhere. */
  readonly unpaired: ItemMatches | null
  readonly errorType: string | null
  /** Below an anyOf: walked, but counted nowhere. */
  readonly internal: boolean
}

export interface Evaluation {
  readonly results: readonly NodeResult[]
  /** Calls that the published package would make. */
  readonly judgeCalls: number
}

/** Decides one judged comparison: an outcome, null where a judge failed, undefined where it is still to be asked. */
export type JudgedOutcome = (
  path: string,
  metric: MetricChoice,
  input: MetricInput,
) => MetricOutcome | null | undefined

/**
 * Gold and prediction walked along a schema's tree, every node scored, without a language model.
 * @throws RefusedError where a value does not fit the schema
 */
export function evaluateByRules(root: SchemaNode, gold: Value, predicted: Value): Evaluation {
  return evaluateWith(root, walkValues(root, gold, predicted), null)
}

/** As evaluateByRules, with judged comparisons decided from outside. */
export function evaluateWith(
  root: SchemaNode,
  values: ValuesByPath,
  decide: JudgedOutcome | null,
): Evaluation {
  const results: NodeResult[] = []
  let judgeCalls = 0
  const visit = (node: SchemaNode, path: string): void => {
    const pair = values.get(path) ?? { gold: null, predicted: null }
    const own = new Map<string, NodeResult>()
    let isJudged = false
    for (const choice of node.metrics) {
      const result = resultOf(node, path, pair, choice, decide)
      // The published package scores a root object twice.
      if (result.judged) judgeCalls += path === '$' && node.kind === 'object' ? 2 : 1
      // It carries out what is listed after a judge metric, too, but keeps no result of it.
      if (isJudged) continue
      own.set(result.metric === 'error' ? `error ${own.size}` : result.metric, result)
      isJudged = metricNamed(result.metric)?.judged === true
    }
    results.push(...own.values())
    if (isJudged) return
    for (const [step, child] of childrenOf(node)) visit(child, path + step)
  }
  visit(root, '$')
  return { results, judgeCalls }
}

const metricNamed = (id: string): Metric | undefined =>
  Object.hasOwn(nodeMetrics, id) ? nodeMetrics[id as keyof typeof nodeMetrics] : undefined

function resultOf(
  node: SchemaNode,
  path: string,
  pair: ValuePair,
  choice: MetricChoice,
  decide: JudgedOutcome | null,
): NodeResult {
  const base = {
    path,
    values: pair,
    metric: choice.metricId,
    matches: null,
    unpaired: null,
    errorType: null,
    internal: path.includes('anyOf['),
  }
  const metric = metricNamed(choice.metricId)
  if (metric === undefined) return { ...base, ...failed('KeyError') }
  const presence = presenceOf(node.kind, pair)
  if (presence !== 'both_present') {
    const passed = presence.startsWith('both_')
    const unpaired = choice.metricId === 'array_llm' ? unpairedItems(pair) : null
    return { ...base, score: passed ? 1 : 0, passed, presence, judged: false, unpaired }
  }
  const input = { node, gold: present(pair.gold), predicted: present(pair.predicted), params: choice.params }
  try {
    const outcome =
      metric.judged && decide !== null ? decide(path, choice, input) : metric.compare(input, itemsAgree)
    if (outcome === null) return { ...base, ...failed('JudgeError') }
    // Still to be asked: the walk stops here, and is done again with the answer.
    const { score, passed, matches = null } = outcome ?? { score: 0, passed: false }
    return { ...base, score, passed, presence, judged: metric.judged, matches }
  } catch (error) {
    if (error instanceof MetricError) return { ...base, ...failed(error.type) }
    throw error
  }
}

function unpairedItems({ gold, predicted }: ValuePair): ItemMatches {
  const lengthOf = (value: Value): number => (Array.isArray(value) ? value.length : 0)
  return { matched: 0, missedGold: lengthOf(gold), spuriousPredicted: lengthOf(predicted) }
}

/** Items of a list are documents of their own: walked and scored by the same rules. */
function itemsAgree(item: SchemaNode | null, gold: JsonValue, predicted: JsonValue): boolean {
  if (item === null) return jsonEqual(gold, predicted)
  try {
    const counted = evaluateByRules(item, gold, predicted).results.filter(result => !result.internal)
    return counted.length === 0 ? jsonEqual(gold, predicted) : counted.every(result => result.passed)
  } catch (error) {
    if (error instanceof RefusedError) return false
    throw error
  }
}

const failed = (errorType: string) =>
  ({ metric: 'error', score: 0, passed: false, presence: 'error', judged: false, errorType }) as const

function present(value: Value): JsonValue {
  if (value === missing) throw new TypeError('a missing value has no comparison')
  return value
}
