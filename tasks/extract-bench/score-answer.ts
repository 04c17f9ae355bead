import type { JsonGold } from '../../src/core/gold.ts'
import type { NotScored, Scored, ScoringInput } from '../../src/score/contract/scorer.ts'
import { createTally } from '../../src/score/judge/tally.ts'
import { type JsonValue, parseJsonAsPython } from '../../src/score/python/json-value.ts'
import { isPageLimit } from '../../src/system/service-failures.ts'
import type { NodeResult } from './evaluate.ts'
import { explainExtraction } from './explain-extraction.ts'
import { countFigures, countSchemaKeys, listGoldNodes } from './figures.ts'
import { listMissingItems, listNodeItems } from './items.ts'
import { type ExtractionFailure, parseExtraction } from './parse-extraction.ts'
import { type ExtractionScore, scoreExtraction } from './score-extraction.ts'

/**
 * Scores an answer that should contain JSON of a schema. The nodes and the published report are in the record's
 * `extract`. An answer is valid when it is JSON that fits the schema.
 */
export async function scoreJsonAnswer(input: ScoringInput<JsonGold>): Promise<Scored | NotScored> {
  const { score, failure, note } = await scoreAnswer(input)
  const isValid = score?.valid === true
  if (isValid && score.nodes.length === 0 && score.unscored > 0)
    return { status: 'unscored', answered: true, judgeUsage: score.judgeUsage }
  const { gold, termination } = input
  const ofGold = isValid ? null : (listGoldNodes(readSchemaOfGold(gold), readGoldValue(gold)) ?? [])
  const counts = countForRecord(gold, score, ofGold)
  const { nodes, passedNodes } = counts
  return {
    status: 'scored',
    answered: isValid,
    metrics: { fieldPassRate: nodes === 0 ? null : passedNodes / nodes },
    // A field passes at its metric's threshold, which may be below 1.
    success: isValid && passedNodes === nodes,
    items: isValid ? listNodeItems(score.results) : listMissingItems(ofGold ?? [], failure ?? 'no-answer'),
    explanation: explainExtraction({ score, failure, note, termination }),
    counts: { ...counts },
    judgeUsage: score?.judgeUsage ?? createTally().usage(),
    extract: recordExtract(gold, score, failure),
  }
}

function recordExtract(
  gold: JsonGold,
  score: ExtractionScore | null,
  failure: ExtractionFailure | null,
): Scored['extract'] {
  return {
    schema: gold.schemaName,
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
  }
}

interface ScoredAnswer {
  readonly score: ExtractionScore | null
  readonly failure: ExtractionFailure | null
  /** The parser's message when the answer is not JSON. */
  readonly note: string | null
}

async function scoreAnswer({
  answerText,
  gold,
  judge,
  termination,
}: ScoringInput<JsonGold>): Promise<ScoredAnswer> {
  const answer = parseExtraction(answerText ?? '')
  if (answer.status !== 'json') {
    const ended = termination.reason === 'context-window' && answer.failure === 'empty-response'
    const refusal = isPageLimit(termination.detail ?? '') ? 'page-limit' : 'context-length'
    return { score: null, failure: ended ? refusal : answer.failure, note: answer.note }
  }
  const score = await scoreExtraction(readSchemaOfGold(gold), readGoldValue(gold), answer.value, judge)
  return { score, failure: score.valid ? null : 'schema-mismatch', note: null }
}

const readSchemaOfGold = (gold: JsonGold): JsonValue => gold.schema as JsonValue
const readGoldValue = (gold: JsonGold): JsonValue => parseJsonAsPython(gold.text)

/** The counts behind the metrics. The nodes and keys of an invalid answer count as failed. */
function countForRecord(gold: JsonGold, score: ExtractionScore | null, ofGold: readonly NodeResult[] | null) {
  const nodes = score?.nodes ?? []
  const figures = countFigures(nodes)
  return {
    nodes: ofGold === null ? nodes.length : ofGold.length,
    passedNodes: nodes.filter(node => node.passed).length,
    unscoredNodes: score?.unscored ?? 0,
    schemaKeys: countSchemaKeys(readSchemaOfGold(gold)) ?? 0,
    omissions: figures.omissions,
    hallucinations: figures.hallucinations,
    wrongValues: figures.wrongValues,
    matchedItems: figures.items.matched,
    missedItems: figures.items.missed,
    spuriousItems: figures.items.spurious,
  }
}
