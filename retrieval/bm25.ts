import { createPostings, type WordPostings } from './postings.ts'
import { tokenize } from './tokenize.ts'

/** A document to index. */
export interface Bm25Document {
  readonly text: string
  /** Each word of the title counts three times. */
  readonly title?: string
}

/** Accepts or leaves out a document by its number. */
export type DocumentFilter = (document: number) => boolean

/** An index over documents that were numbered from 0 in the order they were added. */
export interface Bm25Index {
  /**
   * Returns the numbers of at most `limit` documents that share a word with the query, best first. Documents with
   * equal scores keep their order.
   */
  search(query: string, limit: number, accepts?: DocumentFilter): number[]
}

const saturation = 1.2
const lengthWeight = 0.75
const titleWeight = 3

/** Creates an in-memory inverted index with Okapi BM25 scores (k1 1.2, b 0.75), for Latin and CJK text. */
export function createBm25Index(documents: Iterable<Bm25Document>): Bm25Index {
  const builder = createPostings()
  const lengths: number[] = []
  for (const document of documents) {
    const counts = countWords(document)
    builder.add(counts)
    lengths.push(lengthOf(counts))
  }
  const { words, starts, documents: numbers, counts } = builder.build()
  const rank = createBm25Ranker(lengths)
  const postingsOf = (word: string): WordPostings | null => {
    const number = words.get(word)
    if (number === undefined) return null
    const [start, end] = [starts[number]!, starts[number + 1]!]
    return { documents: numbers.subarray(start, end), counts: counts.subarray(start, end) }
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
export function lengthOf(counts: ReadonlyMap<string, number>): number {
  let length = 0
  for (const count of counts.values()) length += count
  return length
}

/**
 * Ranks documents by the words of a query: the postings of each word, null for a word of no document. A word that the query
 * repeats counts as often.
 */
export type Bm25Ranker = (
  postings: readonly (WordPostings | null)[],
  limit: number,
  accepts?: DocumentFilter,
) => number[]

/** Creates a ranker for documents of the given lengths, in words. */
export function createBm25Ranker(lengths: ArrayLike<number>): Bm25Ranker {
  const penalties = penaltiesOf(lengths)
  const scores = new Float64Array(lengths.length)
  return (postings, limit, accepts) => {
    scores.fill(0)
    for (const one of postings) if (one !== null) addScores(one, penalties, scores)
    return highest(scores, limit, { above: 0, ...(accepts && { accepts }) })
  }
}

function penaltiesOf(lengths: ArrayLike<number>): Float64Array {
  let total = 0
  for (let document = 0; document < lengths.length; document++) total += lengths[document]!
  const mean = Math.max(1, total / Math.max(1, lengths.length))
  return Float64Array.from(
    lengths,
    length => saturation * (1 - lengthWeight + (lengthWeight * length) / mean),
  )
}

function addScores({ documents, counts }: WordPostings, penalties: Float64Array, scores: Float64Array): void {
  const matching = documents.length
  const rarity = Math.log(1 + (penalties.length - matching + 0.5) / (matching + 0.5))
  for (let i = 0; i < matching; i++) {
    const document = documents[i]!
    const count = counts[i]!
    scores[document]! += (rarity * count * (saturation + 1)) / (count + penalties[document]!)
  }
}

/**
 * Returns the numbers of the documents with the highest scores, best first. Documents with equal scores keep their order. A
 * common word matches nearly every document, so the function checks all scores but sorts only the highest.
 */
export function highest(
  scores: Float64Array,
  limit: number,
  { above, accepts }: { readonly above: number; readonly accepts?: DocumentFilter },
): number[] {
  if (limit <= 0) return []
  const byScore = (a: number, b: number): number => scores[b]! - scores[a]! || a - b
  let kept: number[] = []
  let lowestKept = above
  for (let document = 0; document < scores.length; document++) {
    if (scores[document]! <= lowestKept) continue
    if (accepts !== undefined && !accepts(document)) continue
    kept.push(document)
    if (kept.length < 2 * limit) continue
    kept = kept.sort(byScore).slice(0, limit)
    lowestKept = scores[kept[limit - 1]!]!
  }
  return kept.sort(byScore).slice(0, limit)
}
