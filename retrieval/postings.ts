/** Which documents hold which word how often, packed: word `w` has the entries from starts[w] to starts[w + 1]. */
export interface Postings {
  /** The number of a word; absent: nobody holds it. */
  readonly words: ReadonlyMap<string, number>
  readonly starts: Uint32Array
  /** Ascending within a word. */
  readonly documents: Uint32Array
  readonly counts: Uint32Array
}

export interface PostingsBuilder {
  /** Documents are numbered in the order they come. */
  add(counts: ReadonlyMap<string, number>): void
  build(): Postings
}

const entry = 3

/** Collects word, document and count as they come, and sorts them by word at the end: no list a word, of which there may be a million. */
export function createPostings(): PostingsBuilder {
  const words = new Map<string, number>()
  let log = new Uint32Array(entry * 1024)
  let length = 0
  let documents = 0
  return {
    add(counts) {
      const needed = length + entry * counts.size
      if (needed > log.length) log = grown(log, needed)
      for (const [word, count] of counts) {
        let number = words.get(word)
        if (number === undefined) words.set(word, (number = words.size))
        log[length] = number
        log[length + 1] = documents
        log[length + 2] = count
        length += entry
      }
      documents++
    },
    build: () => packed(words, log.subarray(0, length)),
  }
}

function grown(log: Uint32Array, needed: number): Uint32Array<ArrayBuffer> {
  const larger = new Uint32Array(Math.max(needed, Math.ceil(log.length * 1.6)))
  larger.set(log)
  return larger
}

/** A counting sort: entries of a word keep their order. */
function packed(words: ReadonlyMap<string, number>, log: Uint32Array): Postings {
  const starts = new Uint32Array(words.size + 1)
  for (let i = 0; i < log.length; i += entry) starts[log[i]! + 1]!++
  for (let word = 0; word < words.size; word++) starts[word + 1]! += starts[word]!
  const next = starts.slice()
  const documents = new Uint32Array(log.length / entry)
  const counts = new Uint32Array(log.length / entry)
  for (let i = 0; i < log.length; i += entry) {
    const at = next[log[i]!]!++
    documents[at] = log[i + 1]!
    counts[at] = log[i + 2]!
  }
  return { words, starts, documents, counts }
}
