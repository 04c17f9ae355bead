import { pairGreedily } from '../../core/pair-greedily.ts'
import { splitAnswerItems } from '../text/answer-items.ts'
import type { TextListInput, TextListScore, TextMetric, TextMetricScore } from './metric.ts'
import { makeNotScored, refuseLarge } from './metric.ts'

/** A list answer with how its elements are compared. */
interface ListToScore extends TextListInput {
  /** Compare each element of the gold with the whole answer, instead of with an element of it. */
  readonly asWhole: boolean
}

/**
 * Scores a list answer with the metric's own rule if it has one. Otherwise each element of the gold is scored with
 * the most similar element of the answer, one to one. The value is the mean over the longer of the two lists, so an
 * element without a counterpart scores 0 on either side.
 */
export async function scoreListAnswer(metric: TextMetric, list: ListToScore): Promise<TextListScore> {
  if (metric.scoreList !== undefined) return await metric.scoreList(list)
  return list.asWhole ? await scoreAgainstWhole(metric, list) : await scorePairwise(metric, list)
}

async function scoreAgainstWhole(metric: TextMetric, list: ListToScore): Promise<TextListScore> {
  const { references, ...rest } = list
  const scores: TextMetricScore[] = []
  for (const reference of references) scores.push(await metric.score({ ...rest, reference }))
  const valued = scores.filter(({ value }) => value !== null)
  const items = scores.map(({ value }) => ({ score: value, predicted: value === 0 ? null : list.prediction }))
  return { ...averageScores(valued, valued.length), items }
}

const mostPairs = 10_000

async function scorePairwise(metric: TextMetric, list: ListToScore): Promise<TextListScore> {
  const { references, ...rest } = list
  const answers = splitAnswerItems(list.prediction)
  const refused = refuseLarge(references.length, answers.length, mostPairs)
  if (refused !== null) return { ...refused, items: references.map(() => ({ score: null, predicted: null })) }
  const pairs: { readonly gold: number; readonly answer: number; readonly score: TextMetricScore }[] = []
  for (const [gold, reference] of references.entries()) {
    for (const [answer, prediction] of answers.entries()) {
      const score = await metric.score({ ...rest, reference, prediction })
      if ((score.value ?? 0) > 0) pairs.push({ gold, answer, score })
    }
  }
  pairs.sort((a, b) => b.score.value! - a.score.value! || a.gold - b.gold || a.answer - b.answer)
  const partners = new Map(
    pairGreedily(pairs, ({ gold, answer }) => [gold, answer]).map(pair => [pair.gold, pair]),
  )
  const scores = [...partners.values()].map(pair => pair.score)
  const items = references.map((_, at) => {
    const partner = partners.get(at)
    return partner === undefined
      ? { score: 0, predicted: null }
      : { score: partner.score.value, predicted: answers[partner.answer]! }
  })
  return { ...averageScores(scores, Math.max(references.length, answers.length)), items }
}

/** The means of the values and their parts over `count` elements. Elements without a score count 0. */
function averageScores(scores: readonly TextMetricScore[], count: number): TextMetricScore {
  if (count === 0) return makeNotScored('nothing to score')
  const mean = (of: (score: TextMetricScore) => number): number =>
    scores.reduce((sum, score) => sum + of(score), 0) / count
  const names = [...new Set(scores.flatMap(({ parts }) => Object.keys(parts)))]
  return {
    value: mean(({ value }) => value ?? 0),
    parts: Object.fromEntries(names.map(name => [name, mean(({ parts }) => parts[name] ?? 0)])),
    note: null,
  }
}
