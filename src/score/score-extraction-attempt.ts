import { type Attempt, isUnscoredCause } from '../core/attempt.ts'
import { completeScore, type Score } from '../core/score.ts'
import type { JsonGold } from '../core/task.ts'
import { explainUnscored } from './explain/explain-ending.ts'
import { explainExtraction } from './explain/explain-extraction.ts'
import { figuresOf, schemaKeys, scorableNodes } from './extract-bench/figures.ts'
import { type JsonValue, parseJsonAsPython } from './extract-bench/json-value.ts'
import { type ExtractionFailure, parseExtraction } from './extract-bench/parse-extraction.ts'
import { type ExtractionScore, scoreExtraction } from './extract-bench/score-extraction.ts'
import type { Judge } from './judge/judge.ts'
import { createTally } from './judge/tally.ts'

export interface ExtractionToScore {
  readonly attempt: Attempt
  /** The final text as the model wrote it; null when there is none. */
  readonly answerText: string | null
  readonly gold: JsonGold
  readonly judge: Judge
  readonly infrastructureFailures: number
}

/**
 * Scores one attempt at an extraction, as scoreAttempt does for tables: profile `extract-bench`, passed where the answer
 * is JSON that fits the schema, the nodes and the published report under `extract`.
 */
export async function scoreExtractionAttempt(input: ExtractionToScore): Promise<Score> {
  const { attempt, judge } = input
  const base = {
    attemptId: attempt.attemptId,
    taskId: attempt.taskId,
    setting: attempt.setting,
    model: attempt.model,
    trial: attempt.trial,
    variant: attempt.variant,
    profile: 'extract-bench',
    judge: judge.name,
    infrastructureFailures: input.infrastructureFailures,
    row: null,
    cell: null,
    schemaPrecision: null,
    overall: null,
    cells: [],
  }
  const { cause } = attempt.termination
  if (isUnscoredCause(cause)) {
    return completeScore({
      ...base,
      status: 'unscored',
      cause,
      passed: false,
      counts: {},
      judgeUsage: createTally().usage(),
      explanation: explainUnscored(cause, judge.name, attempt.termination),
    })
  }
  const { score, failure, note } = await scoreAnswer(input)
  if (score?.valid && score.nodes.length === 0 && score.unscored > 0) {
    return completeScore({
      ...base,
      status: 'unscored',
      cause: 'judge',
      passed: true,
      counts: {},
      judgeUsage: score.judgeUsage,
      explanation: explainUnscored('judge', judge.name, attempt.termination),
    })
  }
  return completeScore({
    ...base,
    status: 'scored',
    cause: null,
    passed: score?.valid === true,
    counts: countsOf(input.gold, score),
    judgeUsage: score?.judgeUsage ?? createTally().usage(),
    explanation: explainExtraction({ score, failure, note, termination: attempt.termination }),
    extract: {
      schema: input.gold.schemaName,
      valid: score?.valid === true,
      failure,
      nodes: (score?.nodes ?? []).map(({ path, metric, score: value, passed, presence }) => ({
        path,
        metric,
        score: value,
        passed,
        presence,
      })),
      summary: score?.summary ?? null,
    },
  })
}

interface ScoredAnswer {
  readonly score: ExtractionScore | null
  readonly failure: ExtractionFailure | null
  /** The parser's message when the answer is not JSON. */
  readonly note: string | null
}

async function scoreAnswer(input: ExtractionToScore): Promise<ScoredAnswer> {
  const answer = parseExtraction(input.answerText ?? '')
  if (answer.status !== 'json') {
    const ended = input.attempt.termination.reason === 'context-window' && answer.failure === 'empty-response'
    return { score: null, failure: ended ? 'context-length' : answer.failure, note: answer.note }
  }
  const score = await scoreExtraction(schemaOf(input.gold), goldOf(input.gold), answer.value, input.judge)
  return { score, failure: score.valid ? null : 'schema-mismatch', note: null }
}

const schemaOf = (gold: JsonGold): JsonValue => gold.schema as JsonValue
const goldOf = (gold: JsonGold): JsonValue => parseJsonAsPython(gold.text)

/** Nodes and keys of an invalid answer stand in the denominators, none of them passed. */
function countsOf(gold: JsonGold, score: ExtractionScore | null): Record<string, number> {
  const nodes = score?.nodes ?? []
  const figures = figuresOf(nodes)
  return {
    nodes: score?.valid === true ? nodes.length : (scorableNodes(schemaOf(gold), goldOf(gold)) ?? 0),
    passedNodes: nodes.filter(node => node.passed).length,
    unscoredNodes: score?.unscored ?? 0,
    schemaKeys: schemaKeys(schemaOf(gold)) ?? 0,
    omissions: figures.omissions,
    hallucinations: figures.hallucinations,
    wrongValues: figures.wrongValues,
    matchedItems: figures.items.matched,
    missedItems: figures.items.missed,
    spuriousItems: figures.items.spurious,
  }
}
