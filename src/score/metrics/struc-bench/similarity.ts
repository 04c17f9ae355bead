import { sequenceRatio } from '../../fuzzy/difflib.ts'

/** The similarity of two sequences of texts. Two elements are either equal or different. */
export interface SequenceSimilarity {
  /** 1 - edit distance / the longer length, 0 to 1. */
  readonly levenshtein: number
  /** Ratcliff and Obershelp's ratio, 0 to 1. */
  readonly difflib: number
  /**
   * The formula of Struc-Bench's own code: 1 - edit distance / (2 x the gold's length); 0 for an empty gold. It can
   * be negative, a defect that is kept.
   */
  readonly publishedLevenshtein: number
}

/** Compares two sequences element by element. */
export function sequenceSimilarity(
  predicted: readonly string[],
  gold: readonly string[],
): SequenceSimilarity {
  const distance = editDistance(predicted, gold)
  const longer = Math.max(predicted.length, gold.length)
  return {
    levenshtein: longer === 0 ? 1 : 1 - distance / longer,
    difflib: elementRatio(predicted, gold),
    publishedLevenshtein: gold.length === 0 ? 0 : 1 - distance / (2 * gold.length),
  }
}

/** The mean of Levenshtein and Ratcliff/Obershelp, as in the Struc-Bench paper. */
export const meanSimilarity = ({ levenshtein, difflib }: SequenceSimilarity): number =>
  (levenshtein + difflib) / 2

/** Encodes each distinct element as one code point outside the surrogates. */
function elementRatio(predicted: readonly string[], gold: readonly string[]): number {
  const codes = new Map<string, string>()
  const encoded = (items: readonly string[]): string =>
    items
      .map(item => {
        const code =
          codes.get(item) ?? String.fromCodePoint(0xe000 + codes.size + (codes.size >= 0x1900 ? 0x700 : 0))
        codes.set(item, code)
        return code
      })
      .join('')
  return sequenceRatio(encoded(predicted), encoded(gold))
}

function editDistance(left: readonly string[], right: readonly string[]): number {
  let previous = Array.from({ length: right.length + 1 }, (_, j) => j)
  for (const [i, item] of left.entries()) {
    const current = [i + 1]
    for (let j = 1; j <= right.length; j += 1) {
      const replaced = previous[j - 1]! + (item === right[j - 1] ? 0 : 1)
      current.push(Math.min(replaced, previous[j]! + 1, current[j - 1]! + 1))
    }
    previous = current
  }
  return previous[right.length]!
}
