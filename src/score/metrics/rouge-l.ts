import { measureCommonSubsequence } from '../fuzzy/common-subsequence.ts'
import { measureOverlap, numberElements } from '../fuzzy/overlap.ts'
import { makeScored, refuseLarge, type TextMetric } from './metric.ts'

/**
 * ROUGE-L (Lin 2004): F1 of the longest common subsequence of words. Words are separated by spaces and compared in
 * lower case; each CJK character is a word. Two empty texts are equal. StrucText-Eval reports ROUGE-L, and counts
 * values below 0.75 as 0 in its accuracy.
 */
export const rougeL: TextMetric = {
  async score({ reference, prediction }) {
    // The comparison takes 32 words at a time, so the limit is higher than for other metrics.
    const [left, right] = numberElements(splitWords(reference), splitWords(prediction))
    const refused = refuseLarge(left.length, right.length, 10_000_000_000)
    if (refused !== null) return refused
    const isEmpty = left.length === 0 && right.length === 0
    const { precision, recall, f1 } = isEmpty
      ? { precision: 1, recall: 1, f1: 1 }
      : measureOverlap(measureCommonSubsequence(left, right), right.length, left.length)
    return makeScored(f1, { precision, recall, accuracyAt75: f1 < 0.75 ? 0 : f1 })
  },
}

/** Divides a text at spaces, in lower case. Each CJK character is a word. */
export const splitWords = (text: string): string[] =>
  text
    .toLowerCase()
    .match(
      /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]|[^\s\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]+/gu,
    ) ?? []
