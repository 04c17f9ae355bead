import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import type { ChunkedDocument } from '../../retrieval/chunk.ts'
import type { Embedder } from '../../retrieval/embeddings/embedder.ts'
import { createDenseSearch } from '../../retrieval/retrieval.ts'
import type { VectorStore } from '../../retrieval/stores/vector-store.ts'

const signal = new AbortController().signal
const options = { cacheFolder: join(tmpdir(), 'unused') }

function documentOf(hint: string): ChunkedDocument {
  const chunk = { id: `${hint}:0`, hint, index: 0, start: 0, end: hint.length, text: hint }
  return { hint, key: hint, chunks: [chunk] }
}

/** Counts how much of some work happens at the same time. */
function counted() {
  let now = 0
  let most = 0
  return {
    most: () => most,
    async during<T>(work: () => Promise<T>): Promise<T> {
      most = Math.max(most, ++now)
      await nextTurn()
      return await work().finally(() => now--)
    },
  }
}

/** A store that embeds each document and then writes it, and an embedder that fails for one text. */
function setUp(failing = '') {
  const [opened, embedded] = [counted(), counted()]
  const texts: string[] = []
  const embedder: Embedder = {
    name: 'fake',
    worthKeeping: false,
    batchSize: 8,
    embedChunks: batch =>
      embedded.during(async () => {
        texts.push(...batch)
        if (batch.includes(failing)) throw new Error('no vector')
        return batch.map(() => new Float32Array(1))
      }),
    embedQuery: async () => new Float32Array(1),
  }
  const store: VectorStore = {
    nearest: collection =>
      opened.during(async () => {
        const [vector] = await collection.vectors(signal)
        for (let turn = 0; turn < 3; turn++) await nextTurn()
        return [{ index: 0, distance: 0, vector: vector! }]
      }),
    close: async () => undefined,
  }
  const search = createDenseSearch(store, embedder, options)('a query', signal)
  return { search, opened, embedded, texts }
}

describe('dense search', () => {
  const documents = ['a', 'b', 'c', 'd', 'e'].map(documentOf)

  it('embeds one document at a time, while it writes another', async () => {
    const { search, opened, embedded } = setUp()
    const hits = await search(documents, 10)
    expect(hits.map(hit => hit.chunk.hint)).toEqual(['a', 'b', 'c', 'd', 'e'])
    expect([opened.most(), embedded.most()]).toEqual([2, 1])
  })

  it('searches documents that are indexed at the same time', async () => {
    const { search, opened } = setUp()
    await search(documents, 10)
    await search(documents, 10)
    expect(opened.most()).toBe(5)
  })

  it('begins with no further document when one cannot be embedded', async () => {
    const { search, texts } = setUp('b')
    await expect(search(documents, 10)).rejects.toThrow('no vector')
    for (let turn = 0; turn < 50; turn++) await nextTurn()
    expect(texts).not.toContain('e')
  })
})
