import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { ProviderError } from '../../src/core/errors.ts'
import { sha256 } from '../../src/core/hash.ts'
import { writeAtomically } from '../text-cache.ts'
import type { Embedder } from './embedder.ts'

/** Called after each batch with how many of the texts have their vectors. */
export type EmbeddingProgress = (done: number, total: number) => void

/**
 * The texts' vectors, a batch at a time; batches of an embedder worth keeping are kept on disk by the hash of their
 * texts and the embedder's name, so that indexing goes on where it was stopped.
 */
export async function embedInBatches(
  embedder: Embedder,
  folder: string,
  texts: readonly string[],
  signal: AbortSignal,
  progress: EmbeddingProgress,
): Promise<Float32Array[]> {
  const vectors: Float32Array[] = []
  for (let start = 0; start < texts.length; start += embedder.batchSize) {
    signal.throwIfAborted()
    const batch = texts.slice(start, start + embedder.batchSize)
    const made = embedder.worthKeeping
      ? await keptBatch(embedder, folder, batch, signal)
      : await embedder.embedChunks(batch, signal)
    const expected = vectors[0]?.length ?? made[0]?.length ?? 0
    for (const vector of made) {
      if (vector.length !== expected) throw mixedDimensions(embedder.name, expected, vector.length)
      vectors.push(vector)
    }
    progress(vectors.length, texts.length)
  }
  return vectors
}

function mixedDimensions(name: string, expected: number, got: number): ProviderError {
  const message = `${name}: vectors of ${expected} and of ${got} dimensions in one document`
  return new ProviderError('bad-response', message, { retryable: false })
}

async function keptBatch(
  embedder: Embedder,
  folder: string,
  batch: readonly string[],
  signal: AbortSignal,
): Promise<Float32Array[]> {
  const key = sha256(JSON.stringify([embedder.name, batch]))
  const file = join(folder, 'vectors', key.slice(0, 2), `${key}.f32`)
  const kept = await readFile(file).catch(ifMissing)
  const known = kept === null ? null : splitVectors(kept, batch.length)
  if (known !== null) return known
  const vectors = await embedder.embedChunks(batch, signal)
  await writeAtomically(file, joinVectors(vectors))
  return vectors
}

/** Null where the file does not hold that many vectors of one length. */
function splitVectors(file: Buffer, count: number): Float32Array[] | null {
  const dimensions = file.length / 4 / count
  if (!Number.isInteger(dimensions) || dimensions === 0) return null
  const values = new Float32Array(file.buffer.slice(file.byteOffset, file.byteOffset + file.length))
  return Array.from({ length: count }, (_, index) =>
    values.slice(index * dimensions, (index + 1) * dimensions),
  )
}

function joinVectors(vectors: readonly Float32Array[]): Buffer {
  return Buffer.concat(
    vectors.map(vector => Buffer.from(vector.buffer, vector.byteOffset, vector.byteLength)),
  )
}

function ifMissing(error: unknown): null {
  if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return null
  throw error
}
