import type { GoldProblem } from '../../src/core/answer-kind.ts'
import { systemClock } from '../../src/core/runtime.ts'
import type { Gold, Question } from '../../src/core/task.ts'
import { rulesJudge } from '../../src/score/contract/judge.ts'
import type { Scored, Scorer } from '../../src/score/contract/scorer.ts'
import { readConfiguration } from '../../src/score/contract/scoring-configuration.ts'
import { findAnswerKind } from '../kinds/answer-kinds.ts'
import { scorers } from '../registry.ts'
import { notFull, percentBelow } from './problem.ts'

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
    if (!checkable.includes(name))
      problems.push(...(await lowScores(name, scorers.get(name), gold, question)))
  return problems
}

async function lowScores(
  name: string,
  scorer: Scorer,
  gold: Gold,
  question: Question,
): Promise<GoldProblem[]> {
  const scored = await scorer.score({
    answerText: goldAsText(scorer, gold),
    question,
    gold,
    configuration: readConfiguration(scorer, name, gold, question.taskId),
    judge: rulesJudge,
    clock: systemClock,
    termination: goldAsAnswer,
  })
  if (scored.status === 'unscored') return []
  const shares = scorer.metrics.filter(
    ({ unit, better, role }) => unit === 'share' && better === 'higher' && role === 'score',
  )
  const low = shares.flatMap(({ key, label }) => {
    const value = scored.metrics[key] ?? null
    return value === null || value >= 1 ? [] : [`${label} ${percentBelow(value)}`]
  })
  if (low.length === 0) return []
  const message = [
    `the gold scored against itself by ${name} gets less than 100 (${low.join(', ')}).`,
    ...lostItems(scored),
    'Correct the gold or its configuration for the scorer.',
  ].join(' ')
  return [notFull(message)]
}

/** Names the first items that lose points, or says why the whole answer has none. */
function lostItems({ items, explanation }: Scored): string[] {
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

/** Writes a gold as an answer in a form that the scorer reads. */
export function goldAsText({ writeGold }: Scorer, gold: Gold): string {
  return writeGold === undefined ? findAnswerKind(gold).write(gold) : writeGold(gold)
}

/** The termination of an attempt that answers with the gold. */
const goldAsAnswer = {
  cause: 'agent',
  reason: 'answered',
  answerProduced: true,
  forcedFinal: false,
  lastHealthyStep: 0,
  detail: null,
} as const
