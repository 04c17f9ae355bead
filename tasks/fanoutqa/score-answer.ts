import type { ScoredCell, ScoredItem } from '../../src/core/scored-item.ts'
import type { TableGold } from '../../src/core/task.ts'
import { answerLimits } from '../../src/score/answer/limits.ts'
import { recordedText, type Scored, type ScoringInput } from '../../src/score/contract/scorer.ts'
import { explainText } from '../../src/score/explain/explain-text.ts'
import { createTally } from '../../src/score/judge/tally.ts'
import { readGoldTable, rowsWithHeader } from '../../src/score/table/gold-table.ts'
import { containsPhrase, normalise } from './normalise.ts'
import { computeRouge } from './rouge.ts'
import { type FanOutGold, listReferences, writtenGold } from './writing.ts'

/**
 * Scores the text of an answer as the model wrote it: the share of the reference texts that it contains, and ROUGE. An answer
 * that is too large scores 0.
 */
export function scoreFanOutAnswer({ gold, answerText, termination }: ScoringInput<FanOutGold>): Scored {
  const answer = answerText === null || answerText.length > answerLimits.chars ? '' : answerText
  const normal = normalise(answer)
  const isInAnswer = (text: string): boolean => answer !== '' && containsPhrase(normal, normalise(text))
  const references = listReferences(gold)
  const matched = references.filter(isInAnswer).length
  const loose = references.length === 0 ? 0 : matched / references.length
  const { rouge1, rouge2, rougeL } = computeRouge(writtenGold(gold), answer)
  const items = gold.kind === 'table' ? scoreCells(gold, isInAnswer) : scoreItems(references, isInAnswer)
  const isAnswered = answer.trim() !== ''
  return {
    status: 'scored',
    answered: isAnswered,
    metrics: { looseAccuracy: loose, strictAccuracy: Number(loose === 1), rouge1, rouge2, rougeL },
    items,
    success: loose === 1,
    explanation:
      gold.kind === 'text'
        ? explainText({ items: items as ScoredItem[], isList: true, note: null, termination })
        : [
            isAnswered
              ? `The answer contains ${matched} of ${references.length} keys and values.`
              : 'There is no answer.',
          ],
    counts: { goldItems: references.length },
    judgeUsage: createTally().usage(),
  }
}

function scoreCells(
  { rows, targetColumns, numericColumns }: TableGold,
  isInAnswer: (text: string) => boolean,
): ScoredCell[] {
  return rows.flatMap((row, goldRow) =>
    targetColumns.map(column => {
      const [, [text = ''] = []] = rowsWithHeader(
        readGoldTable({ keyColumns: [], targetColumns: [column], numericColumns, rows: [row] }),
      )
      const isFound = isInAnswer(text)
      return {
        ...{ goldRow, column, gold: recordedText(text), predicted: isFound ? recordedText(text) : null },
        ...{ score: Number(isFound), rule: isFound ? 'in-text' : 'not-in-text', class: null },
        matched: null,
      }
    }),
  )
}

function scoreItems(references: readonly string[], isInAnswer: (text: string) => boolean): ScoredItem[] {
  return references.map((text, index) => {
    const isFound = isInAnswer(text)
    return {
      ...{ id: String(index), index, gold: recordedText(text) },
      ...{ predicted: isFound ? recordedText(text) : null, score: Number(isFound) },
      ...{ rule: isFound ? 'in-text' : 'not-in-text', class: null },
    }
  })
}
