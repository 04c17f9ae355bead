import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, it, vi } from 'vitest'
import { embedInBatches } from '../../retrieval/embeddings/vector-cache.ts'
import { findEmbedder } from '../../retrieval/registry.ts'
import { systemClock } from '../../src/core/runtime.ts'

/** Replaces the package, which users install. Each of two folders contains a different model. */
vi.mock('@huggingface/transformers', () => {
  const env = { allowRemoteModels: true, localModelPath: '' }
  const pipeline = async () => {
    const vector = env.localModelPath.endsWith('first') ? [1, 0] : [0, 1]
    return async (texts: readonly string[]) => ({ tolist: () => texts.map(() => vector) })
  }
  return { env, pipeline }
})

const folder = mkdtempSync(join(tmpdir(), 'onnx-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

it('separates the vectors of two folders with the same name', async () => {
  const vectors: number[][] = []
  for (const parent of ['first', 'second']) {
    const model = join(folder, parent, 'model')
    mkdirSync(model, { recursive: true })
    const { entry, ...named } = findEmbedder(`onnx:${model}`)
    const embedder = await entry.load({ ...named, environment: {}, clock: systemClock })
    expect(embedder.name).toBe('onnx:model')
    const { signal } = new AbortController()
    const made = await embedInBatches(embedder, ['a text'], { cacheFolder: folder, signal })
    vectors.push([...made[0]!])
  }
  expect(vectors).toEqual([
    [1, 0],
    [0, 1],
  ])
})
