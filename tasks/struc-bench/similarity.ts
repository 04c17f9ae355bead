import { ratioOfElements } from '../../src/score/fuzzy/difflib.ts'
import { numberElements } from '../../src/score/fuzzy/overlap.ts'

/** The two similarities that Struc-Bench adds up. */
export interface PublishedSimilarity {
  /** 1 - edit distance / (2 x the gold's length); 0 for an empty gold, and below 0 for a long answer. */
  readonly levenshtein: number
  /** The ratio of Python's difflib.SequenceMatcher; 1 for two empty sequences. */
  readonly difflib: number
}

/** The most pairs of elements that are compared. More would take minutes. */
const mostPairs = 1_000_000_000

/**
 * Compares two sequences element by element, as Struc-Bench's code does. A text is a sequence of characters.
 *
 * @throws RangeError when there are more than `mostPairs` pairs of elements
 */
export function publishedSimilarity(
  predicted: readonly string[],
  gold: readonly string[],
): PublishedSimilarity {
  if (predicted.length * gold.length > mostPairs)
    throw new RangeError(
      `too large: ${gold.length} parts beside ${predicted.length}, at most ${mostPairs} pairs`,
    )
  const [left, right] = numberElements(predicted, gold)
  return {
    levenshtein: right.length === 0 ? 0 : 1 - editDistance(left, right) / (2 * right.length),
    difflib: ratioOfElements(left, right),
  }
}

function editDistance(left: readonly number[], right: readonly number[]): number {
  let start = 0
  while (start < left.length && start < right.length && left[start] === right[start]) start += 1
  const column = Int32Array.from({ length: right.length - start + 1 }, (_, j) => j)
  for (let i = start; i < left.length; i += 1) {
    let diagonal = column[0]!
    column[0] = i - start + 1
    for (let j = 1; j < column.length; j += 1) {
      const above = column[j]!
      const replaced = diagonal + (left[i] === right[start + j - 1] ? 0 : 1)
      column[j] = Math.min(replaced, above + 1, column[j - 1]! + 1)
      diagonal = above
    }
  }
  return column.at(-1)!
}
