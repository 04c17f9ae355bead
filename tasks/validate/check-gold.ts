import type { GoldProblem } from '../../src/core/answer-kind.ts'
import type { Gold } from '../../src/core/gold.ts'
import type { Question } from '../../src/core/task.ts'
import type { Scored } from '../../src/score/contract/scorer.ts'
import { findAnswerKind } from '../kinds/answer-kinds.ts'
import { scorers } from '../registry.ts'
import { formatPercentBelow, makeNotFullProblem } from './problem.ts'
import { scoreGoldAs } from './score-limits.ts'

/** Items of a gold that are named when they lose points. */
const mostNamed = 3

/**
 * Scores a gold as if it were the answer, with each scorer that takes its kind and needs no judge model. Every metric
 * that is a share to be maximised must reach 100.
 *
 * @param names scorers, such as those of the gold's benchmark
 */
export async function checkGold(
  gold: Gold,
  question: Question,
  names: readonly string[],
): Promise<GoldProblem[]> {
  const fitting = names.filter(name => {
    const { kind, needsJudgeModel } = scorers.get(name)
    return kind === gold.kind && needsJudgeModel !== true
  })
  const checkable = fitting.filter(name => scorers.get(name).hasGoldCheck === true)
  const problems = checkable.length === 0 ? [] : [...(await findAnswerKind(gold).check(gold, checkable))]
  for (const name of fitting)
    if (!checkable.includes(name)) problems.push(...(await findLowScores(name, gold, question)))
  return problems
}

async function findLowScores(name: string, gold: Gold, question: Question): Promise<GoldProblem[]> {
  const scored = await scoreGoldAs(gold, name, { question, gold })
  if (scored.status === 'unscored') return []
  const shares = scorers
    .get(name)
    .metrics.filter(({ unit, better, role }) => unit === 'share' && better === 'higher' && role === 'score')
  const low = shares.flatMap(({ key, label }) => {
    const value = scored.metrics[key] ?? null
    return value === null || value >= 1 ? [] : [`${label} ${formatPercentBelow(value)}`]
  })
  if (low.length === 0) return []
  const message = [
    `the gold scored against itself by ${name} gets less than 100 (${low.join(', ')}).`,
    ...describeLostItems(scored),
    'Correct the gold or its configuration for the scorer.',
  ].join(' ')
  return [makeNotFullProblem(message)]
}

/** Names the first items that lose points, or says why the whole answer has none. */
function describeLostItems({ items, explanation }: Scored): string[] {
  const lost = items.filter(({ score }) => score !== null && score < 1)
  if (lost.length === 0) return []
  if (lost.every(({ predicted }) => predicted === null)) return [...explanation]
  const named = lost.slice(0, mostNamed).map(item => {
    const where =
      'column' in item ? `Gold row ${item.goldRow + 1}, column '${item.column}'` : `Item ${item.id}`
    return `${where}: ${JSON.stringify(item.gold)} was compared with ${JSON.stringify(item.predicted)}.`
  })
  return [`${lost.length} of ${items.length} items lose points. ${named.join(' ')}`]
}
