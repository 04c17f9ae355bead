import { commonSubsequenceLength } from '../../src/score/fuzzy/common-subsequence.ts'
import { porterStem } from './porter-stem.ts'

/** F1 of words (`rouge1`), pairs of words (`rouge2`) and the longest common subsequence of words (`rougeL`). */
export interface Rouge {
  readonly rouge1: number
  readonly rouge2: number
  readonly rougeL: number
}

/** ROUGE as the Python package rouge-score 0.1.2 computes it with a stemmer. Words are runs of a-z and 0-9. */
export function rougeOf(reference: string, answer: string): Rouge {
  const [left, right] = [wordsOf(reference), wordsOf(answer)]
  const common = left.length === 0 || right.length === 0 ? 0 : longestCommon(left, right)
  return {
    rouge1: overlap(left, right),
    rouge2: overlap(pairsOf(left), pairsOf(right)),
    rougeL: f1(common, left.length, right.length),
  }
}

function wordsOf(text: string): string[] {
  const words = text.toLowerCase().match(/[a-z0-9]+/g) ?? []
  return words.map(word => (word.length > 3 ? porterStem(word) : word))
}

const pairsOf = (words: readonly string[]): string[] =>
  words.slice(1).map((word, at) => `${words[at]} ${word}`)

function overlap(left: readonly string[], right: readonly string[]): number {
  const counts = new Map<string, number>()
  for (const part of left) counts.set(part, (counts.get(part) ?? 0) + 1)
  let common = 0
  for (const part of right) {
    const count = counts.get(part) ?? 0
    if (count === 0) continue
    common += 1
    counts.set(part, count - 1)
  }
  return f1(common, left.length, right.length)
}

function f1(common: number, left: number, right: number): number {
  if (common === 0) return 0
  const [precision, recall] = [common / right, common / left]
  return (2 * precision * recall) / (precision + recall)
}

function longestCommon(left: readonly string[], right: readonly string[]): number {
  const numbers = new Map<string, number>()
  const numbered = (words: readonly string[]): number[] =>
    words.map(word => {
      const number = numbers.get(word) ?? numbers.size
      numbers.set(word, number)
      return number
    })
  return commonSubsequenceLength(numbered(left), numbered(right))
}
