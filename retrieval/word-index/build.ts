import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { writeFileAtomically } from '../../src/system/atomic-write.ts'
import { makeFolder } from '../../src/system/files.ts'
import { type Bm25Document, countAllWords, countWords } from '../bm25.ts'
import { createPostings, type Postings } from '../postings.ts'
import { type ByteReader, createByteWriter, numberAt, openByteReader, putNumber } from './byte-files.ts'

/** The files of an index. */
export const indexFiles = {
  /** The lists of all words, one after the other. */
  lists: 'lists.bin',
  /** For each word in order: its length in bytes, its bytes, the number of its documents, the bytes of its list. */
  words: 'words.bin',
  /** The first word of each block of words, and where the block begins in both files. */
  blocks: 'blocks.json',
  /** The length of each document in words, as unsigned 32-bit numbers in little-endian order. */
  lengths: 'lengths.bin',
} as const

/** The first word of a block, and the positions at which the block begins in the files of words and of lists. */
export type WordBlock = readonly [word: string, wordsAt: number, listsAt: number]

const wordsABlock = 128

/** Builds an index of words on disk. */
export interface WordIndexBuilder {
  /** Adds a document. Documents are numbered from 0 in the order they are added. */
  add(document: Bm25Document): void
  /** Completes the files of the index. */
  finish(): Promise<void>
}

/**
 * Creates an index of words in a folder, which `openWordIndex` reads. The memory it needs does not grow with the documents:
 * pairs of word and document are collected up to a number, written in order of their words, and merged at the end.
 *
 * @param mostPairs - how many pairs are collected; 12 bytes each
 */
export async function buildWordIndex(folder: string, mostPairs = 6_000_000): Promise<WordIndexBuilder> {
  await makeFolder(folder)
  const lengths: number[] = []
  const runs: string[] = []
  let postings = createPostings()
  let first = 0
  const writeCollected = (): void => {
    const path = join(folder, `run-${runs.length}.tmp`)
    const collected = postings.build()
    // Numbers within the builder begin at 0.
    for (let i = 0; i < collected.documents.length; i++) collected.documents[i]! += first
    writeRun(collected, path)
    runs.push(path)
    first = lengths.length
    postings = createPostings()
  }
  return {
    add(document) {
      const counts = countWords(document)
      postings.add(counts)
      lengths.push(countAllWords(counts))
      if (postings.size >= mostPairs) writeCollected()
    },
    async finish() {
      if (postings.size > 0) writeCollected()
      await writeMerged(runs, folder)
      for (const path of runs) rmSync(path)
      await writeFileAtomically(join(folder, indexFiles.lengths), encodeBytes(Uint32Array.from(lengths)))
    },
  }
}

async function writeMerged(runs: readonly string[], folder: string): Promise<void> {
  const words = createByteWriter(join(folder, indexFiles.words))
  const lists = createByteWriter(join(folder, indexFiles.lists))
  const blocks: WordBlock[] = []
  let count = 0
  for (const { word, size, bytes } of mergeRuns(runs)) {
    if (count++ % wordsABlock === 0) blocks.push([word, words.length, lists.length])
    const name = Buffer.from(word)
    words.number(name.length)
    words.bytes(name)
    words.number(size)
    words.number(bytes.length)
    lists.bytes(bytes)
  }
  words.close()
  lists.close()
  await writeFileAtomically(join(folder, indexFiles.blocks), JSON.stringify(blocks))
}

const encodeBytes = (numbers: Uint32Array): Uint8Array => new Uint8Array(numbers.buffer)

/**
 * The list of a word: pairs of numbers for each document, namely the distance of its number from that of the document before
 * (for the first, the number itself) and how often it contains the word.
 */
interface WordList {
  readonly word: string
  /** How many documents the list has. */
  readonly size: number
  /** The number of the last document. */
  readonly last: number
  readonly bytes: Buffer
}

/** Writes the lists of some documents to a file, sorted by word. */
function writeRun(postings: Postings, path: string): void {
  const file = createByteWriter(path)
  const { words, starts, documents, counts } = postings
  let buffer = Buffer.alloc(1 << 16)
  for (const word of [...words.keys()].sort()) {
    const number = words.get(word)!
    const [start, end] = [starts[number]!, starts[number + 1]!]
    if (buffer.length < (end - start) * 10) buffer = Buffer.alloc((end - start) * 10)
    let [length, previous] = [0, 0]
    for (let i = start; i < end; i++) {
      length = putNumber(buffer, length, documents[i]! - previous)
      length = putNumber(buffer, length, counts[i]!)
      previous = documents[i]!
    }
    const name = Buffer.from(word)
    file.number(name.length)
    file.bytes(name)
    file.number(end - start)
    file.number(previous)
    file.number(length)
    file.bytes(buffer.subarray(0, length))
  }
  file.close()
}

/**
 * Merges the lists of files that `writeRun` wrote, whose documents have ascending numbers from file to file. Yields each word
 * once, in order. A list is valid until the next one.
 */
function* mergeRuns(paths: readonly string[]): Generator<WordList> {
  const readers = paths.map(openByteReader)
  const heads = readers.map(nextWord)
  for (;;) {
    const word = pickSmallest(heads)
    if (word === null) break
    const lists: WordList[] = []
    for (const [at, head] of heads.entries()) {
      if (head !== word) continue
      lists.push(readList(word, readers[at]!))
      heads[at] = null
    }
    yield joinLists(lists)
    for (const [at, reader] of readers.entries()) heads[at] ??= nextWord(reader)
  }
  for (const reader of readers) reader.close()
}

function nextWord(reader: ByteReader): string | null {
  return reader.isAtEnd() ? null : reader.bytes(reader.number()).toString()
}

function pickSmallest(words: readonly (string | null)[]): string | null {
  let least: string | null = null
  for (const word of words) if (word !== null && (least === null || word < least)) least = word
  return least
}

function readList(word: string, reader: ByteReader): WordList {
  const size = reader.number()
  const last = reader.number()
  return { word, size, last, bytes: reader.bytes(reader.number()) }
}

/** Joins lists of one word. The first number of each list becomes the distance from the list before. */
function joinLists(lists: readonly WordList[]): WordList {
  const [first, ...rest] = lists
  if (rest.length === 0) return first!
  const parts: Buffer[] = [first!.bytes]
  let { size, last } = first!
  for (const list of rest) {
    const { value, next } = numberAt(list.bytes, 0)
    const distance = Buffer.alloc(8)
    parts.push(distance.subarray(0, putNumber(distance, 0, value - last)), list.bytes.subarray(next))
    size += list.size
    last = list.last
  }
  return { word: first!.word, size, last, bytes: Buffer.concat(parts) }
}
