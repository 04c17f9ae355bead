import type { ScoredItem } from '../../core/scored-item.ts'
import type { Termination } from '../../core/termination.ts'
import { formatShortList } from '../../text/plain-text.ts'
import { explainEarlyEnd, explainNoAnswer } from './explain-ending.ts'
import { formatCount, pickVerb, quoteValue, shortenText } from './wording.ts'

/** A scored text or list. */
interface TextToExplain {
  readonly items: readonly ScoredItem[]
  /** The gold is a list. */
  readonly isList: boolean
  /** Why there is no value; null when there is one or when there was no answer. */
  readonly note: string | null
  readonly termination: Termination
}

/** Explains the score of a text or a list: the closest reference, or which elements are missing. */
export function explainText({ items, isList, note, termination }: TextToExplain): string[] {
  const isEmpty = items.every(({ rule }) => rule === 'no-answer')
  if (isEmpty && note === null) return explainNoAnswer(termination)
  const early = explainEarlyEnd(termination)
  if (note !== null) return [...early, `The answer could not be scored: ${shortenText(note, 200)}.`]
  return [...early, ...(isList ? explainList(items) : items.flatMap(explainItem))]
}

function explainItem({ gold, predicted, score }: ScoredItem): string[] {
  if (score === 1) return ['The answer is right.']
  return [`The closest reference is ${quoteValue(gold)}, the answer ${quoteValue(predicted ?? '')}.`]
}

function explainList(items: readonly ScoredItem[]): string[] {
  const right = items.filter(({ score }) => score === 1).length
  const rightSentence = `${right} of ${formatCount(items.length, 'element')} of the gold list ${pickVerb(right, 'is', 'are')} in the answer.`
  const missing = items.filter(({ score }) => score === 0)
  const partial = items.filter(({ score }) => score !== null && score > 0 && score < 1)
  return [
    rightSentence,
    ...(missing.length === 0
      ? []
      : [`Missing: ${formatShortList(missing, ({ gold }) => quoteValue(gold))}.`]),
    ...(partial.length === 0
      ? []
      : [`Only similar: ${formatShortList(partial, ({ gold }) => quoteValue(gold))}.`]),
  ]
}
