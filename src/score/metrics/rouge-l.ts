import { commonSubsequenceLength } from '../fuzzy/common-subsequence.ts'
import { scored, type TextMetric, tooLarge } from './metric.ts'

/**
 * ROUGE-L (Lin 2004): F1 of the longest common subsequence of words. Words are separated by spaces and compared in
 * lower case; each CJK character is a word. StrucText-Eval reports ROUGE-L, and counts values below 0.75 as 0 in its
 * accuracy.
 */
export const rougeL: TextMetric = {
  async score({ reference, prediction }) {
    // The comparison takes 32 words at a time, so the limit is higher than for other metrics.
    const refused = tooLarge(wordsOf(reference).length, wordsOf(prediction).length, 10_000_000_000)
    if (refused !== null) return refused
    const { precision, recall, f1 } = rougeOf(reference, prediction)
    return scored(f1, { precision, recall, accuracyAt75: f1 < 0.75 ? 0 : f1 })
  },
}

/** Precision, recall and F1. Two empty texts are equal. */
function rougeOf(reference: string, prediction: string): { precision: number; recall: number; f1: number } {
  const numbers = new Map<string, number>()
  const numbered = (text: string): number[] =>
    wordsOf(text).map(word => {
      const number = numbers.get(word) ?? numbers.size
      numbers.set(word, number)
      return number
    })
  const left = numbered(reference)
  const right = numbered(prediction)
  if (left.length === 0 && right.length === 0) return { precision: 1, recall: 1, f1: 1 }
  const common = commonSubsequenceLength(left, right)
  const precision = right.length === 0 ? 0 : common / right.length
  const recall = left.length === 0 ? 0 : common / left.length
  return { precision, recall, f1: common === 0 ? 0 : (2 * precision * recall) / (precision + recall) }
}

const wordsOf = (text: string): string[] =>
  text
    .toLowerCase()
    .match(
      /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]|[^\s\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]+/gu,
    ) ?? []
