import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { writeFileAtomically } from '../../src/system/atomic-write.ts'
import { makeFolder } from '../../src/system/files.ts'
import { type Bm25Document, countWords, lengthOf } from '../bm25.ts'
import { createPostings } from '../postings.ts'
import { createByteWriter } from './byte-files.ts'
import { mergeRuns, writeRun } from './runs.ts'

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
      lengths.push(lengthOf(counts))
      if (postings.size >= mostPairs) writeCollected()
    },
    async finish() {
      if (postings.size > 0) writeCollected()
      await writeMerged(runs, folder)
      for (const path of runs) rmSync(path)
      await writeFileAtomically(join(folder, indexFiles.lengths), bytesOf(Uint32Array.from(lengths)))
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

const bytesOf = (numbers: Uint32Array): Uint8Array => new Uint8Array(numbers.buffer)
