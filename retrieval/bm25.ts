import { type DocumentFilter, pickHighest } from './highest.ts'
import { createPostings, type WordPostings } from './postings.ts'
import { tokenize } from './tokenize.ts'

/** A document to index. */
export interface Bm25Document {
  readonly text: string
  /** Each word of the title counts three times. */
  readonly title?: string
}

/** An index over documents that were numbered from 0 in the order they were added. */
export interface Bm25Index {
  /**
   * Returns the numbers of at most `limit` documents that share a word with the query, best first. Documents with
   * equal scores keep their order.
   */
  search(query: string, limit: number, accepts?: DocumentFilter): number[]
}

const titleWeight = 3

/** Creates an in-memory inverted index with Okapi BM25 scores (k1 1.2, b 0.75), for Latin and CJK text. */
export function createBm25Index(documents: Iterable<Bm25Document>): Bm25Index {
  const builder = createPostings()
  const lengths: number[] = []
  for (const document of documents) {
    const counts = countWords(document)
    builder.add(counts)
    lengths.push(countAllWords(counts))
  }
  const { words, starts, documents: numbers, counts } = builder.build()
  const rank = createBm25Ranker(lengths)
  const postingsByWord = new Map<number, WordPostings>()
  const postingsOf = (word: string): WordPostings | null => {
    const number = words.get(word)
    if (number === undefined) return null
    const cachedPostings = postingsByWord.get(number)
    if (cachedPostings !== undefined) return cachedPostings
    const [start, end] = [starts[number]!, starts[number + 1]!]
    const postings = { documents: numbers.subarray(start, end), counts: counts.subarray(start, end) }
    postingsByWord.set(number, postings)
    return postings
  }
  return { search: (query, limit, accepts) => rank(tokenize(query).map(postingsOf), limit, accepts) }
}

/** Counts the words of a document. */
export function countWords(document: Bm25Document): Map<string, number> {
  const counts = new Map<string, number>()
  for (const word of tokenize(document.text)) counts.set(word, (counts.get(word) ?? 0) + 1)
  for (const word of tokenize(document.title ?? '')) counts.set(word, (counts.get(word) ?? 0) + titleWeight)
  return counts
}

/** Returns the number of words of a document. */
export function countAllWords(counts: ReadonlyMap<string, number>): number {
  let length = 0
  for (const count of counts.values()) length += count
  return length
}

const saturation = 1.2
const lengthWeight = 0.75

/**
 * Ranks documents by the words of a query: the postings of each word, null for a word of no document. A word that the query
 * repeats counts as often. Postings of the same word should be the same object in every query.
 */
type Bm25Ranker = (
  postings: readonly (WordPostings | null)[],
  limit: number,
  accepts?: DocumentFilter,
) => number[]

/** In smaller collections, and for longer rankings, scoring all documents is as fast. */
const [fewDocuments, fewPerResult] = [4_000, 20]

/** Creates a ranker for documents of the given lengths, in words. */
export function createBm25Ranker(lengths: ArrayLike<number>): Bm25Ranker {
  const collection: WordWeights = {
    penalties: computeLengthPenalties(lengths),
    scores: new Float64Array(lengths.length),
    largestShares: new WeakMap(),
  }
  return (postings, limit, accepts) => {
    const terms = postings.flatMap(list => (list === null ? [] : [weighTerm(list, collection)]))
    const isLarge = lengths.length >= Math.max(fewDocuments, limit * fewPerResult)
    return isLarge && accepts === undefined && limit > 0
      ? rankCandidates(terms, limit, collection)
      : rankAll(terms, limit, collection, accepts)
  }
}

interface WordWeights {
  /** For each document, what its length subtracts from the weight of a word. */
  readonly penalties: Float64Array
  /** Scores of the present query. They are 0 between queries. */
  readonly scores: Float64Array
  /** The largest value of count / (count + penalty) of each word. */
  readonly largestShares: WeakMap<WordPostings, number>
}

/** A word of a query. */
interface Term extends WordPostings {
  readonly rarity: number
  /** The most that the word adds to the score of a document. */
  readonly most: number
}

function computeLengthPenalties(lengths: ArrayLike<number>): Float64Array {
  let total = 0
  for (let document = 0; document < lengths.length; document++) total += lengths[document]!
  const mean = Math.max(1, total / Math.max(1, lengths.length))
  return Float64Array.from(
    lengths,
    length => saturation * (1 - lengthWeight + (lengthWeight * length) / mean),
  )
}

function weighTerm(postings: WordPostings, { penalties, largestShares }: WordWeights): Term {
  const { documents, counts } = postings
  const rarity = Math.log(1 + (penalties.length - documents.length + 0.5) / (documents.length + 0.5))
  let largest = largestShares.get(postings)
  if (largest === undefined) {
    largest = 0
    for (let at = 0; at < documents.length; at++)
      largest = Math.max(largest, counts[at]! / (counts[at]! + penalties[documents[at]!]!))
    largestShares.set(postings, largest)
  }
  return { documents, counts, rarity, most: rarity * largest * (saturation + 1) }
}

/** What a word adds to the score of a document that contains it `count` times. */
function computeWeight(rarity: number, count: number, penalty: number): number {
  return (rarity * count * (saturation + 1)) / (count + penalty)
}

/** Scores every document that has a word of the query. */
function rankAll(
  terms: readonly Term[],
  limit: number,
  { penalties, scores }: WordWeights,
  accepts?: DocumentFilter,
): number[] {
  for (const { documents, counts, rarity } of terms) {
    for (let at = 0; at < documents.length; at++) {
      const document = documents[at]!
      scores[document]! += computeWeight(rarity, counts[at]!, penalties[document]!)
    }
  }
  const ranked = pickHighest(scores, limit, { above: 0, ...(accepts && { accepts }) })
  scores.fill(0)
  return ranked
}

/** Sums in another order differ in their last digits. Bounds are therefore compared with this share of tolerance. */
const tolerance = 1e-9

/**
 * Returns the same ranking as `rankAll`, but reads the long lists of common words only for documents that can still be among
 * the first (MaxScore, Turtle and Flood 1995). Words that can add the most come first. As soon as the words that are left
 * cannot lift a new document among the first, only documents found so far are candidates.
 */
function rankCandidates(terms: readonly Term[], limit: number, collection: WordWeights): number[] {
  const { scores } = collection
  const inOrder = [...terms].sort((a, b) => b.most - a.most)
  const rests = computeHighestRests(inOrder)
  const matches: number[] = []
  let [next, lowest] = [0, 0]
  while (next < inOrder.length && rests[next]! >= lowest) {
    addAll(inOrder[next++]!, matches, collection)
    if (next < inOrder.length) lowest = findLowestOfFirst(matches, scores, limit)
  }
  let candidates = Uint32Array.from(matches).sort()
  for (; next < inOrder.length; next++) {
    candidates = candidates.filter(document => scores[document]! + rests[next]! >= lowest)
    addTo(candidates, inOrder[next]!, collection)
    lowest = findLowestOfFirst(candidates, scores, limit)
  }
  candidates = candidates.filter(document => scores[document]! >= lowest)
  for (const document of matches) scores[document] = 0
  // In the order of the query, so that the sums are the same to the last digit.
  for (const term of terms) addTo(candidates, term, collection)
  const ranked = [...candidates].sort((a, b) => scores[b]! - scores[a]! || a - b).slice(0, limit)
  for (const document of candidates) scores[document] = 0
  return ranked
}

/** Returns for each word the most that it and the words after it add to a score. */
function computeHighestRests(terms: readonly Term[]): Float64Array {
  const rests = new Float64Array(terms.length)
  let rest = 0
  for (let at = terms.length - 1; at >= 0; at--) {
    rest += terms[at]!.most
    rests[at] = rest
  }
  return rests
}

/** Adds a word to the scores of all documents that contain it. Appends those that had no score to `found`. */
function addAll(
  { documents, counts, rarity }: Term,
  matches: number[],
  { penalties, scores }: WordWeights,
): void {
  for (let at = 0; at < documents.length; at++) {
    const document = documents[at]!
    if (scores[document] === 0) matches.push(document)
    scores[document]! += computeWeight(rarity, counts[at]!, penalties[document]!)
  }
}

/** Adds a word to the scores of the candidates that contain it. Both lists are ascending. */
function addTo(
  candidates: Uint32Array,
  { documents, counts, rarity }: Term,
  { penalties, scores }: WordWeights,
): void {
  let at = 0
  for (const document of candidates) {
    at = findDocument(document, documents, at)
    if (documents[at] === document)
      scores[document]! += computeWeight(rarity, counts[at]!, penalties[document]!)
  }
}

/** Returns the first place from `from` on whose number is not below the wanted one. The steps of the search double. */
function findDocument(document: number, documents: Uint32Array, from: number): number {
  let [low, high, step] = [from, from, 1]
  while (high < documents.length && documents[high]! < document) {
    low = high + 1
    high += step
    step *= 2
  }
  high = Math.min(high, documents.length)
  while (low < high) {
    const middle = (low + high) >> 1
    if (documents[middle]! < document) low = middle + 1
    else high = middle
  }
  return low
}

/**
 * Returns a number just below the lowest of the `limit` highest scores; 0 when there are fewer documents. The highest scores
 * are in a heap whose first element is the lowest of them.
 */
function findLowestOfFirst(documents: ArrayLike<number>, scores: Float64Array, limit: number): number {
  const heap = new Float64Array(limit)
  for (let i = 0; i < documents.length; i++) {
    const score = scores[documents[i]!]!
    if (score > heap[0]!) replaceFirst(heap, score)
  }
  return heap[0]! * (1 - tolerance)
}

function replaceFirst(heap: Float64Array, score: number): void {
  let at = 0
  for (;;) {
    let child = 2 * at + 1
    if (child + 1 < heap.length && heap[child + 1]! < heap[child]!) child++
    if (child >= heap.length || heap[child]! >= score) break
    heap[at] = heap[child]!
    at = child
  }
  heap[at] = score
}
