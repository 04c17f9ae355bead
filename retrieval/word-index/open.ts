import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { readBytes } from '../../src/system/read-bytes.ts'
import { createBm25Ranker } from '../bm25.ts'
import type { DocumentFilter } from '../highest.ts'
import type { WordPostings } from '../postings.ts'
import { tokenize } from '../tokenize.ts'
import { indexFiles, type WordBlock } from './build.ts'
import { numberAt } from './byte-files.ts'

/** An index of words on disk. */
export interface WordIndex {
  /** How many documents it has. */
  readonly size: number
  /** As `Bm25Index.search`, with the same scores. */
  search(query: string, limit: number, accepts?: DocumentFilter): Promise<number[]>
}

/**
 * Opens an index that `buildWordIndex` wrote. A search reads the lists of its words; the first words of all blocks are in memory.
 *
 * @throws Error of the file system when a file is missing
 */
export async function openWordIndex(folder: string): Promise<WordIndex> {
  const blocks = JSON.parse(await readFile(join(folder, indexFiles.blocks), 'utf8')) as WordBlock[]
  const lengths = await readFile(join(folder, indexFiles.lengths))
  const numbers = new Uint32Array(
    lengths.buffer.slice(lengths.byteOffset, lengths.byteOffset + lengths.length),
  )
  const rank = createBm25Ranker(numbers)
  const listOf = createListCache(word => readPostings(word, blocks, folder))
  return {
    size: numbers.length,
    async search(query, limit, accepts) {
      const words = tokenize(query)
      const lists = new Map<string, WordPostings | null>()
      await Promise.all([...new Set(words)].map(async word => lists.set(word, await listOf(word))))
      return rank(
        words.map(word => lists.get(word)!),
        limit,
        accepts,
      )
    },
  }
}

async function readPostings(
  word: string,
  blocks: readonly WordBlock[],
  folder: string,
): Promise<WordPostings | null> {
  const at = findBlock(word, blocks)
  if (at < 0) return null
  const [, wordsAt, listsAt] = blocks[at]!
  const bytes = await readBytes(join(folder, indexFiles.words), wordsAt, blocks[at + 1]?.[1] ?? null)
  const place = placeIn(bytes, word)
  if (place === null) return null
  const start = listsAt + place.offset
  return decodePostings(
    await readBytes(join(folder, indexFiles.lists), start, start + place.bytes),
    place.size,
  )
}

/** Returns the number of the last block whose first word is not after the word; -1 when there is none. */
function findBlock(word: string, blocks: readonly WordBlock[]): number {
  let [low, high] = [0, blocks.length]
  while (low < high) {
    const middle = (low + high) >> 1
    if (blocks[middle]![0] <= word) low = middle + 1
    else high = middle
  }
  return low - 1
}

/** Finds a word in a block: how many documents its list has, where the list begins after that of the block, and its length. */
function placeIn(block: Buffer, word: string): { size: number; offset: number; bytes: number } | null {
  const name = Buffer.from(word)
  let [at, offset] = [0, 0]
  const number = (): number => {
    const { value, next } = numberAt(block, at)
    at = next
    return value
  }
  while (at < block.length) {
    const length = number()
    const isWanted = block.subarray(at, at + length).equals(name)
    at += length
    const size = number()
    const bytes = number()
    if (isWanted) return { size, offset, bytes }
    offset += bytes
  }
  return null
}

function decodePostings(list: Buffer, size: number): WordPostings {
  const documents = new Uint32Array(size)
  const counts = new Uint32Array(size)
  let [at, document] = [0, 0]
  for (let i = 0; i < size; i++) {
    let byte = list[at++]!
    let distance = byte & 127
    for (let shift = 7; byte >= 128; shift += 7) {
      byte = list[at++]!
      distance |= (byte & 127) << shift
    }
    byte = list[at++]!
    let count = byte & 127
    for (let shift = 7; byte >= 128; shift += 7) {
      byte = list[at++]!
      count |= (byte & 127) << shift
    }
    document += distance
    documents[i] = document
    counts[i] = count
  }
  return { documents, counts }
}

/** The most pairs of word and document that are kept; 8 bytes each. */
const mostKept = 8_000_000

/** Creates a cache of the lists of words, which keeps the most recently used. Common words have the longest lists. */
function createListCache(
  readList: (word: string) => Promise<WordPostings | null>,
): (word: string) => Promise<WordPostings | null> {
  const cache = new Map<string, WordPostings>()
  let pairs = 0
  return async word => {
    const cached = cache.get(word)
    const list = cached ?? (await readList(word))
    if (list === null) return null
    if (!cache.delete(word)) pairs += list.documents.length
    cache.set(word, list)
    for (const [oldest, { documents }] of cache) {
      if (pairs <= mostKept) break
      cache.delete(oldest)
      pairs -= documents.length
    }
    return list
  }
}
