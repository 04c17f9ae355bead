import type { GoldProblem } from '../../src/core/answer-kind.ts'
import type { JsonGold } from '../../src/core/gold.ts'
import { rulesJudge } from '../../src/score/contract/judge.ts'
import { type JsonValue, parseJsonAsPython } from '../../src/score/python/json-value.ts'
import { formatShortList } from '../../src/text/plain-text.ts'
import { formatPercentBelow, makeNotFullProblem } from '../validate/problem.ts'
import type { NodeResult } from './evaluate.ts'
import { scoreExtraction } from './score-extraction.ts'

const mostNamed = 3

/** Scores a gold JSON value as if it were the answer. Every scored value must pass. */
export async function checkJsonGold(gold: JsonGold): Promise<GoldProblem[]> {
  const value = parseJsonAsPython(gold.text)
  const { valid, error, nodes } = await scoreExtraction(gold.schema as JsonValue, value, value, rulesJudge)
  if (!valid) {
    const what = error?.stage === 'schema' ? 'the schema is refused' : 'the gold does not fit its schema'
    return [
      makeNotFullProblem(`${what}: ${error?.message ?? 'no reason given'}. Correct the schema or the gold.`),
    ]
  }
  const lost = nodes.filter(({ score, passed }) => !passed || score < 1)
  if (nodes.length === 0)
    return [makeNotFullProblem('the schema asks for nothing that is scored. Add metrics to it.')]
  if (lost.length === 0) return []
  const rate = formatPercentBelow(nodes.filter(({ passed }) => passed).length / nodes.length)
  const named = formatShortList(lost, describeNode, mostNamed)
  return [
    makeNotFullProblem(
      `the gold scored against itself gets less than 100 (pass rate ${rate}). Of ${nodes.length} scored values these lose points: ${named}. An item that does not fit the schema of its list matches nothing: correct the gold or the schema there.`,
    ),
  ]
}

function describeNode({ path, metric, matches }: NodeResult): string {
  const items = matches === null ? 0 : matches.matched + matches.missedGold
  if (matches === null || matches.missedGold === 0) return `${path} (${metric})`
  return `${path} (${metric}: ${matches.missedGold} of ${items} items match nothing)`
}
