import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { ProviderError } from '../../src/core/errors.ts'
import { writeFileAtomically } from '../../src/system/atomic-write.ts'
import { ifMissing } from '../../src/system/files.ts'
import { sha256 } from '../../src/system/hash.ts'
import type { Embedder } from './embedder.ts'
import { RequestRefused } from './service.ts'

/** Settings of `embedInBatches`. */
export interface EmbeddingOptions {
  /** The folder in which vectors are cached. */
  readonly cacheFolder: string
  /** The dimensions of the embedder's vectors. Absent: unknown before the first text is embedded. */
  readonly dimensions?: number
  readonly signal: AbortSignal
  /** Called after each batch with the number of distinct texts that have a vector, and the number of all. */
  readonly progress?: (done: number, total: number) => void
}

/**
 * Returns the vectors of the texts, in order. Unless computing a vector is faster than reading it, vectors are cached
 * on disk by the hash of text, embedder and dimensions. A text is therefore embedded once, and an interrupted indexing continues
 * where it stopped.
 *
 * @throws ProviderError when the embedding service fails or returns vectors of different dimensions
 */
export async function embedInBatches(
  embedder: Embedder,
  texts: readonly string[],
  { cacheFolder, dimensions, signal, progress }: EmbeddingOptions,
): Promise<Float32Array[]> {
  const distinct = [...new Set(texts)]
  const fileOf = (text: string): string => {
    const key = sha256(JSON.stringify([embedder.identity ?? embedder.name, dimensions ?? null, text]))
    return join(cacheFolder, 'vectors', key.slice(0, 2), `${key}.f32`)
  }
  const vectors = new Map<string, Float32Array>()
  const add = (text: string, vector: Float32Array): void => {
    const expected = vectors.values().next().value?.length ?? vector.length
    if (vector.length !== expected) throw createDimensionsError(embedder.name, expected, vector.length)
    vectors.set(text, vector)
  }
  if (embedder.worthKeeping) {
    for (const text of distinct) {
      const vector = await readVector(fileOf(text))
      if (vector !== null && vector.length === (dimensions ?? vector.length)) add(text, vector)
    }
  }
  const embed = async (missing: readonly string[]): Promise<void> => {
    for await (const [text, vector] of embedAdaptively(embedder, missing, signal)) {
      // The server has another model now, so that the kept vectors are of no use.
      const dimensionsSoFar = vectors.values().next().value?.length ?? vector.length
      if (vector.length !== dimensionsSoFar && embedded.size === 0) vectors.clear()
      add(text, vector)
      embedded.add(text)
      if (embedder.worthKeeping) await writeFileAtomically(fileOf(text), encodeVector(vector))
      progress?.(vectors.size, distinct.length)
    }
  }
  const embedded = new Set<string>()
  const withoutVector = () => distinct.filter(text => !vectors.has(text))
  await embed(withoutVector())
  await embed(withoutVector())
  return texts.map(text => vectors.get(text)!)
}

/** The number of texts that a request may have, after a server has refused more. */
const allowedTexts = new WeakMap<Embedder, number>()

/**
 * Embeds texts in requests of the embedder's size. A request that the server refuses is repeated with half of its texts,
 * and later requests are not larger than what the server took.
 *
 * @throws ProviderError when the server refuses a single text, and for every other failure
 */
async function* embedAdaptively(
  embedder: Embedder,
  texts: readonly string[],
  signal: AbortSignal,
): AsyncGenerator<[text: string, vector: Float32Array]> {
  for (let start = 0; start < texts.length; ) {
    signal.throwIfAborted()
    const batch = texts.slice(start, start + (allowedTexts.get(embedder) ?? embedder.batchSize))
    try {
      const vectors = await embedder.embedChunks(batch, signal)
      yield* batch.map((text, index): [string, Float32Array] => [text, vectors[index]!])
      start += batch.length
    } catch (error) {
      if (!(error instanceof RequestRefused) || batch.length === 1) throw error
      allowedTexts.set(embedder, Math.ceil(batch.length / 2))
    }
  }
}

function createDimensionsError(name: string, expected: number, got: number): ProviderError {
  const message = `${name}: vectors of ${expected} and of ${got} dimensions in one document`
  return new ProviderError('bad-response', message, { retryable: false })
}

/** Returns null when the file is missing or incomplete. */
async function readVector(file: string): Promise<Float32Array | null> {
  const bytes = await readFile(file).catch(ifMissing)
  if (bytes === null || bytes.length === 0 || bytes.length % 4 !== 0) return null
  return new Float32Array(bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.length))
}

function encodeVector(vector: Float32Array): Uint8Array {
  return new Uint8Array(vector.buffer, vector.byteOffset, vector.byteLength)
}
