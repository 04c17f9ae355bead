import { mkdtempSync, rmSync } from 'node:fs'
import { readdir } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, it } from 'vitest'
import { type Bm25Document, createBm25Index } from '../../retrieval/bm25.ts'
import { buildWordIndex } from '../../retrieval/word-index/build.ts'
import { numberAt, putNumber } from '../../retrieval/word-index/byte-files.ts'
import { openWordIndex } from '../../retrieval/word-index/open.ts'
import { seededRandom } from '../../src/core/runtime.ts'

const folder = mkdtempSync(join(tmpdir(), 'tablehunt-corpus-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

/** Documents of words with very different frequencies, among them Chinese ones and empty ones. */
function made(count: number): Bm25Document[] {
  const random = seededRandom(7)
  const word = (): string => `w${Math.floor(900 ** random())}`
  return Array.from({ length: count }, (_, at) => ({
    text:
      at % 50 === 0
        ? ''
        : `${Array.from({ length: 40 }, word).join(' ')}${at % 9 === 0 ? ' 营业收入增长' : ''}`,
    ...(at % 3 === 0 && { title: `Report ${at} ${word()}` }),
  }))
}

const queries = [
  'w1',
  'w1 w1 w2',
  'w850 w3',
  '营业收入',
  'Report 300',
  'nothing-has-this',
  '',
  'w5 w17 w420 w7',
]

it.each([
  ['one part', 6_000_000],
  ['many parts', 1_000],
])('ranks as the index in memory, built in %s', async (name, mostPairs) => {
  const documents = made(1_500)
  const path = join(folder, name)
  const builder = await buildWordIndex(path, mostPairs)
  for (const document of documents) builder.add(document)
  await builder.finish()
  expect((await readdir(path)).sort()).toEqual(['blocks.json', 'lengths.bin', 'lists.bin', 'words.bin'])
  const [onDisk, inMemory] = [await openWordIndex(path), createBm25Index(documents)]
  expect(onDisk.size).toBe(1_500)
  const isEven = (document: number): boolean => document % 2 === 0
  for (const query of queries) {
    expect(await onDisk.search(query, 100), query).toEqual(inMemory.search(query, 100))
    expect(await onDisk.search(query, 5, isEven), query).toEqual(inMemory.search(query, 5, isEven))
  }
  expect(inMemory.search('w1', 5, isEven).every(isEven)).toBe(true)
  expect(inMemory.search('w1', 5, isEven)).toHaveLength(5)
})

it('builds an index without any word', async () => {
  const path = join(folder, 'empty')
  const builder = await buildWordIndex(path)
  builder.add({ text: '' })
  await builder.finish()
  const index = await openWordIndex(path)
  expect([index.size, await index.search('w1', 3)]).toEqual([1, []])
})

it('keeps numbers of all sizes', () => {
  const buffer = Buffer.alloc(16)
  for (const value of [0, 1, 127, 128, 16_383, 16_384, 2 ** 31, 2 ** 32 + 5, 2 ** 45]) {
    const end = putNumber(buffer, 3, value)
    expect(numberAt(buffer, 3)).toEqual({ value, next: end })
  }
})
