import { tokenize } from './tokenize.ts'

export interface Bm25Document {
  readonly id: string
  readonly text: string
  /** Its words count three times. */
  readonly title?: string
}

export interface Bm25Hit {
  readonly id: string
  /** Above 0; higher is better. */
  readonly score: number
}

export interface Bm25Index {
  /** At most `limit` documents that share a word with the query, best first, ties in the order they were given. */
  search(query: string, limit: number): Bm25Hit[]
}

interface Postings {
  readonly documents: number[]
  readonly counts: number[]
}

const saturation = 1.2
const lengthWeight = 0.75
const titleWeight = 3

/** An in-memory inverted index scored by Okapi BM25 (k1 1.2, b 0.75), for Latin and CJK text alike. */
export function createBm25Index(documents: Iterable<Bm25Document>): Bm25Index {
  const postings = new Map<string, Postings>()
  const ids: string[] = []
  const lengths: number[] = []
  for (const document of documents) {
    const counts = countWords(document)
    let length = 0
    for (const [word, count] of counts) {
      length += count
      let entry = postings.get(word)
      if (entry === undefined) postings.set(word, (entry = { documents: [], counts: [] }))
      entry.documents.push(ids.length)
      entry.counts.push(count)
    }
    ids.push(document.id)
    lengths.push(length)
  }
  const meanLength = lengths.reduce((sum, length) => sum + length, 0) / Math.max(1, lengths.length)
  const penalties = Float64Array.from(
    lengths,
    length => saturation * (1 - lengthWeight + (lengthWeight * length) / Math.max(1, meanLength)),
  )
  return {
    search: (query, limit) => rank(scoreAll(query, postings, penalties), limit).map(hit => toHit(hit, ids)),
  }
}

function countWords(document: Bm25Document): Map<string, number> {
  const counts = new Map<string, number>()
  for (const word of tokenize(document.text)) counts.set(word, (counts.get(word) ?? 0) + 1)
  for (const word of tokenize(document.title ?? '')) counts.set(word, (counts.get(word) ?? 0) + titleWeight)
  return counts
}

function scoreAll(query: string, postings: ReadonlyMap<string, Postings>, penalties: Float64Array) {
  const scores = new Float64Array(penalties.length)
  for (const word of tokenize(query)) {
    const entry = postings.get(word)
    if (entry === undefined) continue
    const having = entry.documents.length
    const rarity = Math.log(1 + (penalties.length - having + 0.5) / (having + 0.5))
    for (let i = 0; i < having; i++) {
      const document = entry.documents[i]!
      const count = entry.counts[i]!
      scores[document]! += (rarity * count * (saturation + 1)) / (count + penalties[document]!)
    }
  }
  return scores
}

/** Only what reaches the score of the last hit is sorted with its ties: a common word matches nearly every document. */
function rank(scores: Float64Array, limit: number): { document: number; score: number }[] {
  const least = leastRanked(scores, limit)
  const found: { document: number; score: number }[] = []
  for (let document = 0; document < scores.length; document++) {
    const score = scores[document]!
    if (score > 0 && score >= least) found.push({ document, score })
  }
  return found.sort((a, b) => b.score - a.score || a.document - b.document).slice(0, limit)
}

/** The score of the hit in the place `limit`; 0 where there are no more than that many. */
function leastRanked(scores: Float64Array, limit: number): number {
  if (limit <= 0) return Number.POSITIVE_INFINITY
  if (scores.length <= limit) return 0
  const rising = Float64Array.from(scores).sort()
  return rising[rising.length - limit] ?? 0
}

function toHit(hit: { document: number; score: number }, ids: readonly string[]): Bm25Hit {
  return { id: ids[hit.document]!, score: hit.score }
}
