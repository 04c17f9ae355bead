import { createBm25Ranker } from './bm25-ranker.ts'
import type { DocumentFilter } from './highest.ts'
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
    lengths.push(lengthOf(counts))
  }
  const { words, starts, documents: numbers, counts } = builder.build()
  const rank = createBm25Ranker(lengths)
  const asked = new Map<number, WordPostings>()
  const postingsOf = (word: string): WordPostings | null => {
    const number = words.get(word)
    if (number === undefined) return null
    const known = asked.get(number)
    if (known !== undefined) return known
    const [start, end] = [starts[number]!, starts[number + 1]!]
    const postings = { documents: numbers.subarray(start, end), counts: counts.subarray(start, end) }
    asked.set(number, postings)
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
export function lengthOf(counts: ReadonlyMap<string, number>): number {
  let length = 0
  for (const count of counts.values()) length += count
  return length
}
