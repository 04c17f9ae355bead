import { measureCommonSubsequence } from './common-subsequence.ts'

const latinSupplement = /[\u0080-\u00ff]/g
const wordRun = /[\p{L}\p{N}]+/gu

/**
 * A text as thefuzz 0.22.1 compares it (token_sort_ratio): lower-case words of letters and digits, sorted, as code
 * points.
 */
export type SortedTokens = readonly number[]

/**
 * Processes a text like thefuzz with force_ascii. It drops U+0080 to U+00FF (a defect of that library that is
 * kept) and lowers the case of each character. It splits at everything except letters and digits, and sorts
 * the words.
 */
export function sortTokens(text: string): SortedTokens {
  const words = lowerEach(text.replace(latinSupplement, '')).match(wordRun) ?? []
  return listCodePoints(words.sort(compareByCodePoint).join(' '))
}

/** RapidFuzz lowers each character on its own, to exactly one character: İ becomes i, and a final Σ becomes σ. */
function lowerEach(text: string): string {
  if (!/[İΣ]/.test(text)) return text.toLowerCase()
  let out = ''
  for (const character of text) {
    out += String.fromCodePoint(character.toLowerCase().codePointAt(0) ?? 0)
  }
  return out
}

const surrogate = /[\ud800-\udfff]/

/** Compares two texts by their code points, as Python sorts them. */
export function compareByCodePoint(left: string, right: string): number {
  if (left === right) return 0
  if (!surrogate.test(left) && !surrogate.test(right)) return left < right ? -1 : 1
  const a = listCodePoints(left)
  const b = listCodePoints(right)
  const shared = Math.min(a.length, b.length)
  for (let i = 0; i < shared; i += 1) if (a[i] !== b[i]) return a[i]! - b[i]!
  return a.length - b.length
}

/** The code points of a text. */
export function listCodePoints(text: string): number[] {
  const codes: number[] = []
  for (let i = 0; i < text.length; i += 1) {
    const code = text.codePointAt(i) ?? 0
    if (code > 0xffff) i += 1
    codes.push(code)
  }
  return codes
}

/** RapidFuzz's ratio, 0 to 100: 200 x LCS / (length a + length b). Two empty texts score 100. */
export function computeTokenSortRatio(left: SortedTokens, right: SortedTokens): number {
  const total = left.length + right.length
  if (total === 0) return 100
  const common = measureCommonSubsequence(left, right)
  return (1 - (total - 2 * common) / total) * 100
}

/** The highest ratio that two texts of these lengths can reach. */
export const computeRatioBound = (left: SortedTokens, right: SortedTokens): number => {
  const total = left.length + right.length
  return total === 0 ? 100 : (200 * Math.min(left.length, right.length)) / total
}

const buckets = 32

/** How often each of 32 groups of characters occurs in a text. */
export type LetterBag = Int32Array

/** Counts the characters of a text by group. */
export function countLetters(tokens: SortedTokens): LetterBag {
  const bag = new Int32Array(buckets)
  for (const code of tokens) bag[code % buckets]! += 1
  return bag
}

/** An upper bound for the length of a common subsequence of two texts. */
export function computeCommonLengthBound(left: LetterBag, right: LetterBag): number {
  let common = 0
  for (let i = 0; i < buckets; i += 1) common += Math.min(left[i]!, right[i]!)
  return common
}
