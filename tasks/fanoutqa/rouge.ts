import { commonSubsequenceLength } from '../../src/score/fuzzy/common-subsequence.ts'
import { countCommon, measureOverlap, numberElements } from '../../src/score/fuzzy/overlap.ts'
import { porterStem } from './porter-stem.ts'

/** F1 of words (`rouge1`), pairs of words (`rouge2`) and the longest common subsequence of words (`rougeL`). */
interface Rouge {
  readonly rouge1: number
  readonly rouge2: number
  readonly rougeL: number
}

/** ROUGE as the Python package rouge-score 0.1.2 computes it with a stemmer. Words are runs of a-z and 0-9. */
export function computeRouge(reference: string, answer: string): Rouge {
  const [left, right] = [stemWords(reference), stemWords(answer)]
  const [leftPairs, rightPairs] = [pairWords(left), pairWords(right)]
  const longest = commonSubsequenceLength(...numberElements(left, right))
  return {
    rouge1: measureOverlap(countCommon(left, right), right.length, left.length).f1,
    rouge2: measureOverlap(countCommon(leftPairs, rightPairs), rightPairs.length, leftPairs.length).f1,
    rougeL: measureOverlap(longest, right.length, left.length).f1,
  }
}

function stemWords(text: string): string[] {
  const words = text.toLowerCase().match(/[a-z0-9]+/g) ?? []
  return words.map(word => (word.length > 3 ? porterStem(word) : word))
}

const pairWords = (words: readonly string[]): string[] =>
  words.slice(1).map((word, at) => `${words[at]} ${word}`)
