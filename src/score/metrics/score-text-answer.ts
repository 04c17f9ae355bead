import type { TextGold } from '../../core/gold.ts'
import type { MetricValues } from '../../core/metric.ts'
import type { ScoredItem } from '../../core/scored-item.ts'
import { readText } from '../answer/read-text.ts'
import { clipRecordedText, type NotScored, type Scored, type ScoringInput } from '../contract/scorer.ts'
import { explainText } from '../explain/explain-text.ts'
import { createTally } from '../judge/tally.ts'
import { scoreListAnswer } from './list-score.ts'
import type { TextListScore, TextMetricInput, TextMetricScore, TextScorer } from './metric.ts'

/**
 * Scores an answer that should be a text or a list. An empty answer scores 0. An answer is unscored when a judge failed on all of
 * it, or when the metric has no value for it.
 */
export async function scoreTextAnswer(
  scorer: TextScorer,
  input: ScoringInput<TextGold>,
): Promise<Scored | NotScored> {
  const { configuration, gold, question, termination, answerText } = input
  const reading = readText(answerText ?? '')
  if (reading.status !== 'text') return withoutText(scorer, input, reading)
  const tally = createTally()
  const compared = {
    prediction: reading.text,
    question: question.query,
    configuration,
    judge: tally.watch(input.judge),
  }
  const { score, targets } = await scoreReferences(scorer, gold, compared)
  if (score.value === null) {
    const notScored = { status: 'unscored', answered: true, judgeUsage: tally.usage() } as const
    return scorer.needsJudgeModel === true
      ? notScored
      : { ...notScored, undefinedBecause: score.note ?? 'the metric has no value' }
  }
  const items = score.items.map((item, at) => scoreItem(scorer, targets[at]!, item, at))
  return {
    status: 'scored',
    answered: true,
    metrics: nameMetrics(scorer, score),
    items,
    explanation: explainText({ items, isList: gold.items !== undefined, note: score.note, termination }),
    counts: { goldItems: items.length },
    judgeUsage: tally.usage(),
  }
}

interface ComparedText {
  readonly score: TextListScore
  /** The text that each item of the score was compared with. */
  readonly targets: readonly string[]
}

async function scoreReferences(
  scorer: TextScorer,
  { items, references }: TextGold,
  compared: Omit<TextMetricInput, 'reference'>,
): Promise<ComparedText> {
  const metric = await scorer.metric()
  if (items !== undefined) {
    const asWhole = scorer.needsJudgeModel === true
    return {
      score: await scoreListAnswer(metric, { ...compared, references: items, asWhole }),
      targets: items,
    }
  }
  let best: { readonly reference: string; readonly score: TextMetricScore } | null = null
  for (const reference of references) {
    const score = await metric.score({ ...compared, reference })
    const isBetter = best === null || rankScore(score) > rankScore(best.score)
    if (isBetter) best = { reference, score }
  }
  if (best === null) throw new RangeError('a gold text has at least one reference')
  const { score, reference } = best
  const item = { score: score.value, predicted: compared.prediction }
  return { score: { ...score, items: [item] }, targets: [reference] }
}

const rankScore = ({ rank, value }: TextMetricScore): number => rank ?? value ?? -1

function withoutText(
  scorer: TextScorer,
  { gold, termination, answerText }: ScoringInput<TextGold>,
  { status, note }: { readonly status: string; readonly note: string },
): Scored {
  const targets = gold.items ?? gold.references.slice(0, 1)
  const rule = status === 'unreadable' ? 'unreadable-answer' : 'no-answer'
  const items = targets.map((target, at) => ({
    ...scoreItem(scorer, target, { score: 0, predicted: null }, at),
    rule,
  }))
  const isList = gold.items !== undefined
  return {
    status: 'scored',
    answered: false,
    metrics: Object.fromEntries(scorer.metrics.map(({ key }) => [key, 0])),
    items,
    explanation: explainText({ items, isList, note: answerText === null ? null : note, termination }),
    counts: { goldItems: items.length },
    judgeUsage: createTally().usage(),
  }
}

function nameMetrics({ primary, parts }: TextScorer, score: TextMetricScore): MetricValues {
  const values = Object.entries(parts).map(([name, { key }]) => [
    key,
    score.parts[name] ?? (score.value === 0 ? 0 : null),
  ])
  return { [primary.key]: score.value, ...Object.fromEntries(values) }
}

function scoreItem(
  scorer: TextScorer,
  gold: string,
  { score, predicted }: TextListScore['items'][number],
  at: number,
): ScoredItem {
  const byJudge = scorer.needsJudgeModel === true
  const byMetric = predicted !== null && predicted === gold ? 'equal' : scorer.primary.key
  return {
    id: String(at),
    index: at,
    gold: clipRecordedText(gold),
    predicted: predicted === null ? null : clipRecordedText(predicted),
    score,
    rule: score === null ? (byJudge ? 'judge-failed' : 'not-compared') : byJudge ? 'judge' : byMetric,
    class: null,
  }
}
