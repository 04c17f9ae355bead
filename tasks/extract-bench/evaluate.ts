import {
  isJsonEqual,
  isJsonList,
  type JsonValue,
  missing,
  type PresentOrMissing,
} from '../../src/score/python/json-value.ts'
import { RefusedError } from './errors.ts'
import { type ItemMatches, type Metric, MetricError, type MetricInput, type MetricOutcome } from './metric.ts'
import { nodeMetrics } from './metrics/all-metrics.ts'
import { listChildren, type MetricChoice, type MetricNode } from './schema-node.ts'
import { readValues, type ValuePair, type ValuesByPath } from './walk-values.ts'

/** Which side has a value at a node, in the words of the published package. */
type Presence =
  | 'both_present'
  | 'both_missing'
  | 'both_null'
  | 'both_empty_array'
  | 'both_absent'
  | 'gold_missing'
  | 'gold_null'
  | 'gold_empty_array'
  | 'extracted_missing'
  | 'extracted_null'
  | 'extracted_empty_array'

type Absence = 'missing' | 'null' | 'empty_array'

/**
 * Determines which side has a value. A missing key, null, and an empty list at an array node are absent; "", 0, false
 * and {} are values.
 */
function findPresence(kind: MetricNode['kind'], { gold, predicted }: ValuePair): Presence {
  const left = findAbsence(kind, gold)
  const right = findAbsence(kind, predicted)
  if (left !== null && right !== null) return left === right ? `both_${left}` : 'both_absent'
  if (left !== null) return `gold_${left}`
  return right !== null ? `extracted_${right}` : 'both_present'
}

function findAbsence(kind: MetricNode['kind'], value: PresentOrMissing): Absence | null {
  if (value === missing) return 'missing'
  if (value === null) return 'null'
  return kind === 'array' && isJsonList(value) && value.length === 0 ? 'empty_array' : null
}

/** One metric's result at one node. */
export interface NodeResult {
  readonly path: string
  readonly values: ValuePair
  /** The metric's id; `error` when the metric failed. */
  readonly metric: string
  readonly score: number
  readonly passed: boolean
  readonly presence: Presence | 'error'
  /** The published package asks its judge model here. */
  readonly judged: boolean
  readonly matches: ItemMatches | null
  /** Items of a list that one side lacks completely. The published package does not count them. */
  readonly unpaired: ItemMatches | null
  readonly errorType: string | null
  /** The node is below an anyOf: the published package evaluates it but does not count it. */
  readonly internal: boolean
}

/** The results of a whole document. */
export interface DocumentResults {
  readonly results: readonly NodeResult[]
  /** Calls that the published package would make. */
  readonly judgeCalls: number
}

/**
 * Decides one judged comparison.
 *
 * @returns the outcome; null when the judge failed; undefined when the judge has not been asked yet
 */
type JudgedOutcome = (
  path: string,
  metric: MetricChoice,
  input: MetricInput,
) => MetricOutcome | null | undefined

/**
 * Scores every node of a schema's tree without a language model.
 *
 * @throws RefusedError when a value does not fit the schema
 */
export function evaluateByRules(
  root: MetricNode,
  gold: PresentOrMissing,
  predicted: PresentOrMissing,
): DocumentResults {
  const reading = readValues(root, gold, predicted)
  if (reading.refusal !== null) throw new RefusedError(reading.refusal)
  return evaluateWith(root, reading.values, null)
}

/**
 * Scores every node of a schema's tree.
 *
 * @param decide decides the judged comparisons; null when they are decided without a language model
 */
export function evaluateWith(
  root: MetricNode,
  values: ValuesByPath,
  decide: JudgedOutcome | null,
): DocumentResults {
  const results: NodeResult[] = []
  let judgeCalls = 0
  visitNodes(root, values, decide, node => {
    results.push(...node.results)
    judgeCalls += node.judgeCalls
    return true
  })
  return { results, judgeCalls }
}

interface VisitedNode {
  readonly results: readonly NodeResult[]
  readonly judgeCalls: number
}

/**
 * Visits the nodes of a tree in order.
 *
 * @param take receives the results of a node; returns false to stop
 * @returns false when `take` stopped the visit
 */
function visitNodes(
  root: MetricNode,
  values: ValuesByPath,
  decide: JudgedOutcome | null,
  take: (node: VisitedNode) => boolean,
): boolean {
  const visit = (node: MetricNode, path: string, internal: boolean): boolean => {
    const pair = values.get(path) ?? { gold: null, predicted: null }
    const visited = evaluateNode({ node, path, pair, internal }, decide)
    if (!take(visited)) return false
    if (visited.isJudged) return true
    for (const [step, child] of listChildren(node))
      if (!visit(child, path + step, internal || step.includes('anyOf['))) return false
    return true
  }
  return visit(root, '$', false)
}

interface NodeValues {
  readonly node: MetricNode
  readonly path: string
  readonly pair: ValuePair
  readonly internal: boolean
}

/** The results of one node. `isJudged`: a judge metric decided, and the published package does not look below the node. */
function evaluateNode(
  place: NodeValues,
  decide: JudgedOutcome | null,
): VisitedNode & { readonly isJudged: boolean } {
  const { node, path } = place
  const results = new Map<string, NodeResult>()
  let judgeCalls = 0
  let isJudged = false
  for (const choice of node.metrics) {
    const result = evaluateMetric(place, choice, decide)
    // The published package scores a root object twice.
    if (result.judged) judgeCalls += path === '$' && node.kind === 'object' ? 2 : 1
    // It also runs the metrics listed after a judge metric, but drops their results.
    if (isJudged) continue
    results.set(result.metric === 'error' ? `error ${results.size}` : result.metric, result)
    isJudged = findMetric(result.metric)?.judged === true
  }
  return { results: [...results.values()], judgeCalls, isJudged }
}

const findMetric = (id: string): Metric | undefined =>
  Object.hasOwn(nodeMetrics, id) ? nodeMetrics[id as keyof typeof nodeMetrics] : undefined

function evaluateMetric(place: NodeValues, choice: MetricChoice, decide: JudgedOutcome | null): NodeResult {
  const { node, path, pair } = place
  const { metricId, params } = choice
  const metric = findMetric(metricId)
  if (metric === undefined) return makeFailedResult(place, 'KeyError')
  const presence = findPresence(node.kind, pair)
  if (presence !== 'both_present') {
    const passed = presence.startsWith('both_')
    const unpaired = metricId === 'array_llm' ? countUnpairedItems(pair) : null
    const score = passed ? 1 : 0
    return makeResult(place, { metric: metricId, score, passed, presence, judged: false, unpaired })
  }
  const input = { node, gold: requirePresent(pair.gold), predicted: requirePresent(pair.predicted), params }
  try {
    const outcome =
      metric.judged && decide !== null ? decide(path, choice, input) : metric.compare(input, areItemsEqual)
    if (outcome === null) return makeFailedResult(place, 'JudgeError')
    // The judge has not been asked yet. The evaluation is repeated once its reply is known.
    const { score, passed, matches = null } = outcome ?? { score: 0, passed: false }
    return makeResult(place, { metric: metricId, score, passed, presence, judged: metric.judged, matches })
  } catch (error) {
    if (error instanceof MetricError) return makeFailedResult(place, error.type)
    throw error
  }
}

type ResultFields = Pick<NodeResult, 'metric' | 'score' | 'passed' | 'presence' | 'judged'> &
  Partial<Pick<NodeResult, 'matches' | 'unpaired' | 'errorType'>>

/** Every result has the same fields in the same order, without spreads: a list makes thousands of them. */
function makeResult({ path, pair, internal }: NodeValues, fields: ResultFields): NodeResult {
  const { metric, score, passed, presence, judged } = fields
  const { matches = null, unpaired = null, errorType = null } = fields
  return {
    path,
    values: pair,
    metric,
    score,
    passed,
    presence,
    judged,
    matches,
    unpaired,
    errorType,
    internal,
  }
}

const makeFailedResult = (place: NodeValues, errorType: string): NodeResult =>
  makeResult(place, {
    metric: 'error',
    score: 0,
    passed: false,
    presence: 'error',
    judged: false,
    errorType,
  })

function countUnpairedItems({ gold, predicted }: ValuePair): ItemMatches {
  const lengthOf = (value: PresentOrMissing): number => (Array.isArray(value) ? value.length : 0)
  return { matched: 0, missedGold: lengthOf(gold), spuriousPredicted: lengthOf(predicted) }
}

/**
 * Whether two items of a list agree. Each item is evaluated like a document of its own, and every counted node must pass.
 * Stops at the first node that fails, because a list of n items is compared with n x m pairs.
 */
function areItemsEqual(item: MetricNode | null, gold: JsonValue, predicted: JsonValue): boolean {
  if (item === null) return isJsonEqual(gold, predicted)
  const { values, refusal } = readValues(item, gold, predicted)
  if (refusal !== null) return false
  let isAnyCounted = false
  const allPass = visitNodes(item, values, null, ({ results }) => {
    const counted = results.filter(result => !result.internal)
    isAnyCounted ||= counted.length > 0
    return counted.every(result => result.passed)
  })
  return isAnyCounted ? allPass : isJsonEqual(gold, predicted)
}

function requirePresent(value: PresentOrMissing): JsonValue {
  if (value === missing) throw new TypeError('a missing value has no comparison')
  return value
}
