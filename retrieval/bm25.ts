import { createPostings, type Postings } from './postings.ts'
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
  search(query: string, limit: number): number[]
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
    let length = 0
    for (const count of counts.values()) length += count
    builder.add(counts)
    lengths.push(length)
  }
  const meanLength = lengths.reduce((sum, length) => sum + length, 0) / Math.max(1, lengths.length)
  const penalties = Float64Array.from(
    lengths,
    length => saturation * (1 - lengthWeight + (lengthWeight * length) / Math.max(1, meanLength)),
  )
  const postings = builder.build()
  const scores = new Float64Array(lengths.length)
  return {
    search(query, limit) {
      scoreAll(query, postings, penalties, scores)
      return rank(scores, limit)
    },
  }
}

function countWords(document: Bm25Document): Map<string, number> {
  const counts = new Map<string, number>()
  for (const word of tokenize(document.text)) counts.set(word, (counts.get(word) ?? 0) + 1)
  for (const word of tokenize(document.title ?? '')) counts.set(word, (counts.get(word) ?? 0) + titleWeight)
  return counts
}

function scoreAll(query: string, postings: Postings, penalties: Float64Array, scores: Float64Array): void {
  const { words, starts, documents, counts } = postings
  scores.fill(0)
  for (const text of tokenize(query)) {
    const word = words.get(text)
    if (word === undefined) continue
    const end = starts[word + 1]!
    const matching = end - starts[word]!
    const rarity = Math.log(1 + (penalties.length - matching + 0.5) / (matching + 0.5))
    for (let i = starts[word]!; i < end; i++) {
      const document = documents[i]!
      const count = counts[i]!
      scores[document]! += (rarity * count * (saturation + 1)) / (count + penalties[document]!)
    }
  }
}

/**
 * Returns the best documents, best first. Documents with equal scores keep their order. A common word matches nearly
 * every document, so the function checks all scores but sorts only the highest.
 */
function rank(scores: Float64Array, limit: number): number[] {
  if (limit <= 0) return []
  const byScore = (a: number, b: number): number => scores[b]! - scores[a]! || a - b
  let kept: number[] = []
  let lowestKept = 0
  for (let document = 0; document < scores.length; document++) {
    if (scores[document]! <= lowestKept) continue
    kept.push(document)
    if (kept.length < 2 * limit) continue
    kept = kept.sort(byScore).slice(0, limit)
    lowestKept = scores[kept[limit - 1]!]!
  }
  return kept.sort(byScore).slice(0, limit)
}
