import type { Postings } from '../postings.ts'
import { type ByteReader, createByteWriter, numberAt, openByteReader, putNumber } from './byte-files.ts'

/**
 * The list of a word: pairs of numbers for each document, namely the distance of its number from that of the document before
 * (for the first, the number itself) and how often it contains the word.
 */
export interface WordList {
  readonly word: string
  /** How many documents the list has. */
  readonly size: number
  /** The number of the last document. */
  readonly last: number
  readonly bytes: Buffer
}

/** Writes the lists of some documents to a file, sorted by word. */
export function writeRun(postings: Postings, path: string): void {
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
export function* mergeRuns(paths: readonly string[]): Generator<WordList> {
  const readers = paths.map(openByteReader)
  const heads = readers.map(nextWord)
  for (;;) {
    const word = smallest(heads)
    if (word === null) break
    const lists: WordList[] = []
    for (const [at, head] of heads.entries()) {
      if (head !== word) continue
      lists.push(readList(word, readers[at]!))
      heads[at] = null
    }
    yield joined(lists)
    for (const [at, reader] of readers.entries()) heads[at] ??= nextWord(reader)
  }
  for (const reader of readers) reader.close()
}

function nextWord(reader: ByteReader): string | null {
  return reader.isAtEnd() ? null : reader.bytes(reader.number()).toString()
}

function smallest(words: readonly (string | null)[]): string | null {
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
function joined(lists: readonly WordList[]): WordList {
  const [first, ...others] = lists
  if (others.length === 0) return first!
  const parts: Buffer[] = [first!.bytes]
  let { size, last } = first!
  for (const list of others) {
    const { value, next } = numberAt(list.bytes, 0)
    const distance = Buffer.alloc(8)
    parts.push(distance.subarray(0, putNumber(distance, 0, value - last)), list.bytes.subarray(next))
    size += list.size
    last = list.last
  }
  return { word: first!.word, size, last, bytes: Buffer.concat(parts) }
}
