import { readFile, stat } from 'node:fs/promises'
import { join } from 'node:path'
import type { Embedder } from '../../../retrieval/embeddings/embedder.ts'
import { highest } from '../../../retrieval/highest.ts'
import { ProviderError } from '../../../src/core/errors.ts'
import type { CorpusRanker } from '../corpus.ts'
import { corpusFiles } from './format.ts'

/** Opens an embedder by its name. */
export type OpenEmbedder = (name: string) => Promise<Embedder>

/**
 * Creates a ranker that compares a query with the vectors of all documents. Vectors and embedder are opened by the first search.
 *
 * @throws Error when the file of vectors is incomplete
 */
export async function createDenseRanker(
  folder: string,
  {
    embedder: name,
    dimensions,
    size,
  }: { readonly embedder: string; readonly dimensions: number; readonly size: number },
  openEmbedder: OpenEmbedder,
): Promise<CorpusRanker> {
  const path = join(folder, corpusFiles.vectors)
  if ((await stat(path)).size !== size * dimensions * 4)
    throw new Error(`${corpusFiles.vectors} is incomplete`)
  const { signal } = new AbortController()
  let opened: Promise<readonly [Embedder, Float32Array]> | null = null
  const open = async (): Promise<readonly [Embedder, Float32Array]> => {
    const bytes = await readFile(path)
    return [await openEmbedder(name), new Float32Array(bytes.buffer, bytes.byteOffset, size * dimensions)]
  }
  return async (query, limit, accepts) => {
    opened ??= open()
    const [embedder, vectors] = await opened
    const vector = await embedder.embedQuery(query, signal)
    if (vector.length !== dimensions) throw otherDimensions(name, vector.length, dimensions)
    return highest(products(vectors, vector), limit, { above: -Infinity, ...(accepts && { accepts }) })
  }
}

function otherDimensions(name: string, got: number, expected: number): ProviderError {
  const message = `${name}: the vector of the query has ${got} dimensions, those of the corpus ${expected}`
  return new ProviderError('bad-response', message, { retryable: false })
}

/** Returns the scalar product of each vector with that of the query. */
function products(vectors: Float32Array, query: Float32Array): Float64Array {
  const dimensions = query.length
  const scores = new Float64Array(vectors.length / dimensions)
  for (let document = 0, at = 0; document < scores.length; document++) {
    let sum = 0
    for (let i = 0; i < dimensions; i++, at++) sum += vectors[at]! * query[i]!
    scores[document] = sum
  }
  return scores
}
