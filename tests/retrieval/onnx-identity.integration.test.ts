import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, it, vi } from 'vitest'
import { embedInBatches } from '../../retrieval/embeddings/vector-cache.ts'
import { findEmbedder } from '../../retrieval/registry.ts'
import { systemClock } from '../../src/core/runtime.ts'

/** Replaces the package, which users install. The weights of a folder are the one vector that its model returns. */
vi.mock('@huggingface/transformers', () => {
  const env = { allowRemoteModels: true, localModelPath: '' }
  const pipeline = async (_task: string, model: string) => {
    const vector = JSON.parse(readFileSync(join(env.localModelPath, model, 'weights.json'), 'utf8'))
    return async (texts: readonly string[]) => ({ tolist: () => texts.map(() => vector) })
  }
  return { env, pipeline }
})

const folder = mkdtempSync(join(tmpdir(), 'onnx-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

async function vectorOf(parent: string, weights: readonly number[]): Promise<number[]> {
  const model = join(folder, parent, 'model')
  mkdirSync(model, { recursive: true })
  writeFileSync(join(model, 'weights.json'), JSON.stringify(weights))
  const { entry, ...named } = findEmbedder(`onnx:${model}`)
  const embedder = await entry.load({ ...named, environment: {}, clock: systemClock })
  expect(embedder.name).toBe('onnx:model')
  const { signal } = new AbortController()
  const [made] = await embedInBatches(embedder, ['a text'], { cacheFolder: folder, signal })
  return [...made!]
}

it('separates the vectors of two folders with the same name', async () => {
  expect([await vectorOf('first', [1, 0]), await vectorOf('second', [0, 1])]).toEqual([
    [1, 0],
    [0, 1],
  ])
})

it('makes new vectors when the weights in a folder have changed', async () => {
  expect(await vectorOf('first', [1, 0])).toEqual([1, 0])
  expect(await vectorOf('first', [0, 1])).toEqual([0, 1])
})
