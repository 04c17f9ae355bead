import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { ProviderError } from '../../src/core/errors.ts'
import { writeFileAtomically } from '../../src/system/atomic-write.ts'
import { ifMissing } from '../../src/system/files.ts'
import { sha256 } from '../../src/system/hash.ts'
import type { Embedder } from './embedder.ts'

/** Settings of `embedInBatches`. */
export interface EmbeddingOptions {
  /** The folder in which vectors are cached. */
  readonly cacheFolder: string
  readonly signal: AbortSignal
  /** Called after each batch with the number of distinct texts that have a vector, and the number of all. */
  readonly progress?: (done: number, total: number) => void
}

/**
 * Returns the vectors of the texts, in order. Unless computing a vector is faster than reading it, vectors are cached
 * on disk by the hash of text and embedder. A text is therefore embedded once, and an interrupted indexing continues
 * where it stopped.
 *
 * @throws ProviderError when the embedding service fails or returns vectors of different dimensions
 */
export async function embedInBatches(
  embedder: Embedder,
  texts: readonly string[],
  { cacheFolder, signal, progress }: EmbeddingOptions,
): Promise<Float32Array[]> {
  const distinct = [...new Set(texts)]
  const fileOf = (text: string): string => {
    const key = sha256(JSON.stringify([embedder.identity ?? embedder.name, text]))
    return join(cacheFolder, 'vectors', key.slice(0, 2), `${key}.f32`)
  }
  const vectors = new Map<string, Float32Array>()
  const add = (text: string, vector: Float32Array): void => {
    const expected = vectors.values().next().value?.length ?? vector.length
    if (vector.length !== expected) throw mixedDimensions(embedder.name, expected, vector.length)
    vectors.set(text, vector)
  }
  if (embedder.worthKeeping) {
    for (const text of distinct) {
      const kept = await readVector(fileOf(text))
      if (kept !== null) add(text, kept)
    }
  }
  const missing = distinct.filter(text => !vectors.has(text))
  for (let start = 0; start < missing.length; start += embedder.batchSize) {
    signal.throwIfAborted()
    const batch = missing.slice(start, start + embedder.batchSize)
    const made = await embedder.embedChunks(batch, signal)
    for (const [index, text] of batch.entries()) {
      const vector = made[index]!
      add(text, vector)
      if (embedder.worthKeeping) await writeFileAtomically(fileOf(text), bytesOf(vector))
    }
    progress?.(vectors.size, distinct.length)
  }
  return texts.map(text => vectors.get(text)!)
}

function mixedDimensions(name: string, expected: number, got: number): ProviderError {
  const message = `${name}: vectors of ${expected} and of ${got} dimensions in one document`
  return new ProviderError('bad-response', message, { retryable: false })
}

/** Returns null when the file is missing or incomplete. */
async function readVector(file: string): Promise<Float32Array | null> {
  const kept = await readFile(file).catch(ifMissing)
  if (kept === null || kept.length === 0 || kept.length % 4 !== 0) return null
  return new Float32Array(kept.buffer.slice(kept.byteOffset, kept.byteOffset + kept.length))
}

function bytesOf(vector: Float32Array): Uint8Array {
  return new Uint8Array(vector.buffer, vector.byteOffset, vector.byteLength)
}
