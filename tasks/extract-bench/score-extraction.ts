import type { JudgeUsage } from '../../src/core/score.ts'
import { type Judge, noJudge } from '../../src/score/contract/judge.ts'
import { estimatePublishedTokens } from '../../src/score/judge/published-tokens.ts'
import { createTally } from '../../src/score/judge/tally.ts'
import type { JsonValue } from '../../src/score/python/json-value.ts'
import { compareCoverage } from './coverage.ts'
import { type Refusal, RefusedError } from './errors.ts'
import { type DocumentResults, evaluateWith, type NodeResult } from './evaluate.ts'
import type { MetricInput, MetricOutcome } from './metric.ts'
import { nodeMetrics } from './metrics/all-metrics.ts'
import { readSchema } from './read-schema.ts'
import { countOutcomes } from './report.ts'
import type { MetricNode } from './schema-node.ts'
import { countSchemaShape, countValueShape } from './shape-stats.ts'
import { walkValues } from './walk-values.ts'

/** The score of one document, in the terms of the published package. */
export interface ExtractionScore {
  readonly valid: boolean
  readonly error: Refusal | null
  /** The counted results; empty when the document was refused. */
  readonly nodes: readonly NodeResult[]
  /** The counted results, including those on which our judge failed. */
  readonly results: readonly NodeResult[]
  /** Results below an anyOf. They do not count. */
  readonly internal: readonly NodeResult[]
  /** The published report; null when the document was refused. */
  readonly summary: { readonly [key: string]: JsonValue } | null
  /** Calls that the published package would have made. */
  readonly judgeCalls: number
  /** The number of results on which our judge failed. They are not among `nodes`. */
  readonly unscored: number
  readonly judgeUsage: JudgeUsage
}

/**
 * Scores one extraction like ExtractBench's published package (0.1.0). Without a judge model, judged metrics use the
 * rule that needs no judge.
 */
export async function scoreExtraction(
  schema: JsonValue,
  gold: JsonValue,
  predicted: JsonValue,
  judge: Judge = noJudge,
): Promise<ExtractionScore> {
  const tally = createTally()
  try {
    const root = readSchema(schema)
    const values = walkValues(root, gold, predicted)
    const evaluation =
      judge.kind === 'model'
        ? await evaluateJudged(root, values, judge, tally)
        : evaluateByFixedRules(root, values, judge, tally)
    return { ...summarise(root, { gold, predicted }, evaluation), judgeUsage: tally.usage() }
  } catch (error) {
    if (!(error instanceof RefusedError)) throw error
    const nothing = { nodes: [], results: [], internal: [], summary: null, judgeCalls: 0, unscored: 0 }
    return { valid: false, error: error.refusal, ...nothing, judgeUsage: tally.usage() }
  }
}

function evaluateByFixedRules(
  root: MetricNode,
  values: ReturnType<typeof walkValues>,
  judge: Judge,
  tally: ReturnType<typeof createTally>,
): DocumentResults {
  const evaluation = evaluateWith(root, values, null)
  if (judge.kind === 'rules')
    tally.wouldCall(evaluation.judgeCalls, evaluation.judgeCalls * estimatePublishedTokens())
  return evaluation
}

/** Repeats the evaluation until every judged comparison that it reaches has an outcome. */
async function evaluateJudged(
  root: MetricNode,
  values: ReturnType<typeof walkValues>,
  judge: Extract<Judge, { kind: 'model' }>,
  tally: ReturnType<typeof createTally>,
): Promise<DocumentResults> {
  const answers = new Map<string, MetricOutcome | null>()
  for (;;) {
    const open = new Map<string, { metricId: string; input: MetricInput }>()
    const evaluation = evaluateWith(root, values, (path, choice, input) => {
      const key = JSON.stringify([path, choice.metricId])
      const answer = answers.get(key)
      if (answer === undefined) open.set(key, { metricId: choice.metricId, input })
      return answer
    })
    if (open.size === 0) {
      tally.wouldCall(evaluation.judgeCalls, evaluation.judgeCalls * estimatePublishedTokens())
      return evaluation
    }
    await Promise.all(
      [...open].map(async ([key, { metricId, input }]) => {
        const request = nodeMetrics[metricId as keyof typeof nodeMetrics].ask?.(input)
        answers.set(key, request === undefined ? null : await tally.ask(judge, request))
      }),
    )
  }
}

function summarise(
  root: MetricNode,
  { gold, predicted }: { readonly gold: JsonValue; readonly predicted: JsonValue },
  { results, judgeCalls }: DocumentResults,
): Omit<ExtractionScore, 'judgeUsage'> {
  const scored = results.filter(result => result.errorType !== 'JudgeError')
  const nodes = scored.filter(result => !result.internal)
  const sum = nodes.reduce((total, result) => total + result.score, 0)
  const outcomes = countOutcomes(nodes)
  return {
    valid: true,
    error: null,
    nodes,
    results: results.filter(result => !result.internal),
    internal: scored.filter(result => result.internal),
    summary: {
      overall_score: nodes.length === 0 ? 0 : sum / nodes.length,
      overall_pass_rate: outcomes.pass_rate,
      outcomes: outcomes as unknown as JsonValue,
      coverage: compareCoverage(root, gold, predicted) as unknown as JsonValue,
      schema_stats: countSchemaShape(root),
      gold_stats: countValueShape(gold),
      extracted_stats: countValueShape(predicted),
    },
    judgeCalls,
    unscored: results.length - scored.length,
  }
}
