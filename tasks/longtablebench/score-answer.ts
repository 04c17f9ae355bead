import type { TextGold } from '../../src/core/gold.ts'
import type { ScoredItem } from '../../src/core/scored-item.ts'
import { readText } from '../../src/score/answer/read-text.ts'
import { clipRecordedText, type Scored, type ScoringInput } from '../../src/score/contract/scorer.ts'
import { explainText } from '../../src/score/explain/explain-text.ts'
import { createTally } from '../../src/score/judge/tally.ts'
import { type GoldAnswer, readGoldAnswer } from './gold-answer.ts'
import { scoreLongTable } from './metric.ts'

/** Scores the answer to one question of LongTableBench. The published steps read the text as the model wrote it. */
export function scoreLongTableAnswer(input: ScoringInput<TextGold>): Scored {
  const { gold, answerText, termination } = input
  const answer = readGold(input)
  const targets = answer.kind === 'list' ? answer.items : gold.references.slice(0, 1)
  const reading = readText(answerText ?? '')
  const isAnswered = reading.status === 'text'
  const comparison = answerText === null || !isAnswered ? null : scoreLongTable(answer, answerText)
  const items = targets.map((target, at): ScoredItem => {
    const predicted = comparison?.matched[at] ?? null
    return {
      id: String(at),
      index: at,
      gold: clipRecordedText(target),
      predicted: predicted === null ? null : clipRecordedText(predicted),
      score: Number(predicted !== null),
      rule: isAnswered ? (answer.kind === 'list' ? 'list-item' : 'whole-row') : 'no-answer',
      class: null,
    }
  })
  const { precision = 0, recall = 0, f1 = 0 } = comparison ?? {}
  const note = isAnswered || answerText === null ? null : reading.note
  return {
    status: 'scored',
    answered: isAnswered,
    metrics: { longTableF1: f1, longTablePrecision: precision, longTableRecall: recall },
    items,
    success: f1 === 1,
    explanation: [
      ...explainText({ items, isList: true, note, termination }),
      ...(isAnswered ? explainWrongItems(precision, answer) : []),
    ],
    counts: { goldItems: items.length },
    judgeUsage: createTally().usage(),
  }
}

/** A task of another benchmark has no JSON text of the gold. */
function readGold({ gold, configuration }: ScoringInput<TextGold>): GoldAnswer {
  const goldText = (configuration as { readonly answer: string } | undefined)?.answer
  if (goldText !== undefined) return readGoldAnswer(goldText)
  return gold.items === undefined
    ? readGoldAnswer(gold.references[0] ?? '')
    : { kind: 'list', items: gold.items }
}

function explainWrongItems(precision: number, { kind }: GoldAnswer): string[] {
  return kind === 'list' && precision < 1
    ? [`${((1 - precision) * 100).toFixed(0)}% of the items of the answer match no gold item.`]
    : []
}
