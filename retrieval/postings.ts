/**
 * Packed lists of the documents that contain each word. The entries of word `w` are those from `starts[w]` to
 * `starts[w + 1]` in `documents` and `counts`.
 */
export interface Postings {
  /** The number of each word that occurs in a document. */
  readonly words: ReadonlyMap<string, number>
  readonly starts: Uint32Array
  /** Document numbers, ascending within a word. */
  readonly documents: Uint32Array
  /** How often the document contains the word. */
  readonly counts: Uint32Array
}

/** The documents that contain a word. */
export interface WordPostings {
  /** Document numbers, ascending. */
  readonly documents: Uint32Array
  /** How often each of the documents contains the word. */
  readonly counts: Uint32Array
}

/** Collects the words of documents. */
export interface PostingsBuilder {
  /** Adds a document by the counts of its words. Documents are numbered from 0 in the order they are added. */
  add(counts: ReadonlyMap<string, number>): void
  /** How many pairs of a word and a document were added. */
  readonly size: number
  build(): Postings
}

/** Numbers in the log for one entry: word, document, count. */
const entryLength = 3

/**
 * Creates a builder that logs word, document and count and sorts the log by word at the end. A separate list for each
 * of a million words would need far more memory.
 */
export function createPostings(): PostingsBuilder {
  const words = new Map<string, number>()
  let log = new Uint32Array(entryLength * 1024)
  let length = 0
  let documents = 0
  return {
    add(counts) {
      const newLength = length + entryLength * counts.size
      if (newLength > log.length) log = growLog(log, newLength)
      for (const [word, count] of counts) {
        let number = words.get(word)
        if (number === undefined) words.set(word, (number = words.size))
        log[length] = number
        log[length + 1] = documents
        log[length + 2] = count
        length += entryLength
      }
      documents++
    },
    get size() {
      return length / entryLength
    },
    build: () => packLog(words, log.subarray(0, length)),
  }
}

function growLog(log: Uint32Array, minLength: number): Uint32Array<ArrayBuffer> {
  const larger = new Uint32Array(Math.max(minLength, Math.ceil(log.length * 1.6)))
  larger.set(log)
  return larger
}

/** Sorts the log by word with a counting sort, which keeps the order of the entries of a word. */
function packLog(words: ReadonlyMap<string, number>, log: Uint32Array): Postings {
  const starts = new Uint32Array(words.size + 1)
  for (let i = 0; i < log.length; i += entryLength) starts[log[i]! + 1]!++
  for (let word = 0; word < words.size; word++) starts[word + 1]! += starts[word]!
  const next = starts.slice()
  const documents = new Uint32Array(log.length / entryLength)
  const counts = new Uint32Array(log.length / entryLength)
  for (let i = 0; i < log.length; i += entryLength) {
    const at = next[log[i]!]!++
    documents[at] = log[i + 1]!
    counts[at] = log[i + 2]!
  }
  return { words, starts, documents, counts }
}
