import { pairGreedily } from '../../core/pair-greedily.ts'
import { countCommon } from '../fuzzy/overlap.ts'
import { type HeaderFeatures, readHeaderFeatures } from './header-features.ts'

const leastScore = 0.1

/** For each gold column the position of its column in the answer, or null. One to one. */
export type Alignment = readonly (number | null)[]

/** Aligns columns whose names are equal to the letter, as the published scorer without a language model does. */
export function alignByName(goldNames: readonly string[], header: readonly string[]): Alignment {
  return goldNames.map(name => {
    const position = header.indexOf(name)
    return position < 0 ? null : position
  })
}

/**
 * Aligns columns by their names. Equal names come first, then names that differ only in case, punctuation,
 * units in brackets and plurals, then synonyms, then names with common words. One to one, best pair first, in
 * gold order on ties.
 *
 * @param least pairs with a lower similarity stay unaligned
 */
export function alignByRules(
  goldNames: readonly string[],
  header: readonly string[],
  least: number = leastScore,
): Alignment {
  const goldFeatures = goldNames.map(readHeaderFeatures)
  const predictedFeatures = header.map(readHeaderFeatures)
  const pairs: { gold: number; predicted: number; score: number }[] = []
  for (const [gold, left] of goldFeatures.entries()) {
    for (const [predicted, right] of predictedFeatures.entries()) {
      const score = computeHeaderSimilarity(left, right)
      if (score >= least) pairs.push({ gold, predicted, score })
    }
  }
  pairs.sort((a, b) => b.score - a.score || a.gold - b.gold || a.predicted - b.predicted)
  const alignment = new Array<number | null>(goldNames.length).fill(null)
  for (const { gold, predicted } of pairGreedily(pairs, pair => [pair.gold, pair.predicted]))
    alignment[gold] = predicted
  return alignment
}

/** A concept counts as much as this many words. */
const conceptWeight = 3
const leastOverlap = 0.6

/** The similarity of two column names: near 0 for different fields, 1 for equal names. */
function computeHeaderSimilarity(left: HeaderFeatures, right: HeaderFeatures): number {
  if (left.exact === right.exact) return 1
  if (left.plain === right.plain && left.plain !== '') return 0.99
  const unit = left.unit === right.unit ? 0.01 : left.unit === '' || right.unit === '' ? 0.005 : 0
  if (left.bare === right.bare && left.bare !== '') return 0.95 + unit
  if (haveSameConcepts(left, right)) return computeConceptSimilarity(left, right) + unit
  return haveDifferentConcepts(left, right) ? 0 : computeWordSimilarity(left, right) + unit
}

const haveSameConcepts = (left: HeaderFeatures, right: HeaderFeatures): boolean =>
  left.concepts.length > 0 && [...left.concepts].sort().join() === [...right.concepts].sort().join()

/**
 * Whether two names mean different known fields. They do when only one of them has an additional field
 * (liabilities; liabilities and equity). They also do when each has both a field and a word of its own (asset
 * growth; revenue growth).
 */
function haveDifferentConcepts(left: HeaderFeatures, right: HeaderFeatures): boolean {
  if (left.concepts.length === 0 || right.concepts.length === 0) return false
  const hasLeftConcept = hasOther(left.concepts, right.concepts)
  const rightHasOwn = hasOther(right.concepts, left.concepts)
  if (hasLeftConcept !== rightHasOwn) return true
  return hasLeftConcept && hasOther(left.allWords, right.allWords) && hasOther(right.allWords, left.allWords)
}

const hasOther = (words: readonly string[], others: readonly string[]): boolean =>
  words.some(word => !others.includes(word))

/** The similarity of two names of one concept. When both have further words, these must agree too. */
function computeConceptSimilarity(left: HeaderFeatures, right: HeaderFeatures): number {
  if (left.qualifiers !== right.qualifiers) return 0
  const words = left.words.length + right.words.length
  if (words === 0) return 0.9
  const common = countCommon(left.words, right.words)
  if (left.words.length > 0 && right.words.length > 0 && (2 * common) / words < leastOverlap) return 0
  const weight = conceptWeight * left.concepts.length
  return (0.85 * 2 * (weight + common)) / (2 * weight + words)
}

/** Dice's coefficient of the words. */
function computeWordSimilarity(left: HeaderFeatures, right: HeaderFeatures): number {
  if (left.allQualifiers !== right.allQualifiers) return 0
  const total = left.allWords.length + right.allWords.length
  const shared = total === 0 ? 0 : (2 * countCommon(left.allWords, right.allWords)) / total
  return shared >= leastOverlap ? 0.8 * shared : 0
}
