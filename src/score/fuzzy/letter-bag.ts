import type { SortedTokens } from './token-sort.ts'

const buckets = 32

/** How often each of 32 groups of characters occurs in a text. */
export type LetterBag = Int32Array

/** Counts the characters of a text by group. */
export function letterBag(tokens: SortedTokens): LetterBag {
  const bag = new Int32Array(buckets)
  for (const code of tokens) bag[code % buckets]! += 1
  return bag
}

/** An upper bound for the length of a common subsequence of two texts. */
export function commonLengthBound(left: LetterBag, right: LetterBag): number {
  let common = 0
  for (let i = 0; i < buckets; i += 1) common += Math.min(left[i]!, right[i]!)
  return common
}
