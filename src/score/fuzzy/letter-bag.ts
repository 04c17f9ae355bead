import type { SortedTokens } from './token-sort.ts'

const buckets = 32

/** How often each of 32 groups of characters stands in a text. */
export type LetterBag = Int32Array

export function letterBag(tokens: SortedTokens): LetterBag {
  const bag = new Int32Array(buckets)
  for (const code of tokens) bag[code % buckets]! += 1
  return bag
}

/** No common subsequence of two texts is longer than this. */
export function commonBound(left: LetterBag, right: LetterBag): number {
  let common = 0
  for (let i = 0; i < buckets; i += 1) common += Math.min(left[i]!, right[i]!)
  return common
}
