import type { GoldProblem } from '../../src/core/answer-kind.ts'
import type { TextGold } from '../../src/core/gold.ts'
import { rulesJudge } from '../../src/score/contract/judge.ts'
import { scoreListAnswer } from '../../src/score/metrics/list-score.ts'
import { splitAnswerItems } from '../../src/score/text/answer-items.ts'
import { findTextScorer } from '../scorers.ts'
import { makeWarning } from '../validate/problem.ts'

/**
 * Scores a gold text as if it were the answer, with scorers that compare texts and need no judge model. It must reach
 * 100.
 */
export async function checkTextGold(
  { references, items }: TextGold,
  scorers: readonly string[],
): Promise<GoldProblem[]> {
  const texts = items ?? references
  const low: string[] = []
  for (const name of scorers) {
    const scorer = findTextScorer(name)
    const metric = await scorer.metric()
    const common = { question: '', judge: rulesJudge }
    const { value } =
      items === undefined
        ? await metric.score({ ...common, reference: texts[0]!, prediction: texts[0]! })
        : await scoreListAnswer(metric, {
            ...common,
            references: items,
            prediction: references[0] ?? items.join('\n'),
            asWhole: false,
          })
    if (value !== scorer.primary.range[1])
      low.push(`${name} ${value === null ? 'none' : (value * 100).toFixed(1)}`)
  }
  if (low.length === 0) return []
  const reading =
    items === undefined ? '' : ` A list is read as ${splitAnswerItems(items.join('\n')).length} elements.`
  return [
    makeWarning(
      'gold-not-100',
      `the gold scored against itself gets less than 100 (${low.join(', ')}).${reading} Write its texts in a simpler form.`,
    ),
  ]
}
