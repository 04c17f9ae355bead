import { sequenceRatio } from '../../fuzzy/difflib.ts'

/** How alike two sequences of texts are, an element alike or not at all. */
export interface SequenceSimilarity {
  /** 1 - edit distance / the longer length, 0..1. */
  readonly levenshtein: number
  /** Ratcliff and Obershelp's ratio, 0..1. */
  readonly difflib: number
  /** Struc-Bench's own code: 1 - edit distance / (2 x gold's length); 0 for an empty gold; may be negative. */
  readonly publishedLevenshtein: number
}

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

/** The mean of Levenshtein and Ratcliff/Obershelp, as the paper has it. */
export const meanSimilarity = ({ levenshtein, difflib }: SequenceSimilarity): number =>
  (levenshtein + difflib) / 2

/** Each distinct element becomes one code point, beyond the surrogates. */
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
