import { readFile, stat } from 'node:fs/promises'
import { join } from 'node:path'
import type { Embedder } from '../../../retrieval/embeddings/embedder.ts'
import { pickHighest } from '../../../retrieval/highest.ts'
import { openWordIndex } from '../../../retrieval/word-index/open.ts'
import { ProviderError } from '../../../src/core/errors.ts'
import { sha256 } from '../../../src/system/hash.ts'
import { readBytes } from '../../../src/system/read-bytes.ts'
import type { Corpus, CorpusEntry, CorpusItem, CorpusRanker, CorpusRankers } from '../corpus.ts'
import { corpusFiles, type StoredDocument, storedDocument, type TextCorpusManifest } from './format.ts'

/**
 * Opens a corpus of texts. Its entries are in memory. Texts, lists of words and vectors are read when they are needed.
 *
 * @throws Error that says what is damaged, also of the file system
 */
export async function openTextCorpus(
  folder: string,
  manifest: TextCorpusManifest,
  openEmbedder: OpenEmbedder,
): Promise<Corpus> {
  const bytes = await readFile(join(folder, corpusFiles.documents))
  if (sha256(bytes) !== manifest.sha256) throw new Error(`${corpusFiles.documents} has been changed`)
  const { size } = await stat(join(folder, corpusFiles.texts))
  if (size !== manifest.textBytes) throw new Error(`${corpusFiles.texts} is incomplete`)
  const index = await openWordIndex(join(folder, corpusFiles.index))
  if (index.size !== manifest.documents) throw new Error(`${corpusFiles.index} is incomplete`)
  const items = readDocuments(bytes).map(document => readCorpusItem(document, folder))
  const { vectors } = manifest
  const rankers: CorpusRankers = {
    bm25: (query, limit, accepts) => index.search(query, limit, accepts),
    ...(vectors !== null && {
      dense: await createDenseRanker(folder, { ...vectors, size: items.length }, openEmbedder),
    }),
  }
  return { seed: 0, items, hash: manifest.sha256, rankers }
}

function readDocuments(bytes: Buffer): StoredDocument[] {
  const lines = bytes.toString().split('\n').slice(0, -1)
  return lines.map(line => storedDocument.parse(JSON.parse(line)))
}

function readCorpusItem(document: StoredDocument, folder: string): CorpusItem {
  const { docid, url, title, snippet, start, bytes } = document
  const entry: CorpusEntry = {
    ...{ url, landingUrl: null, resultUrl: url, host: new URL(url).hostname, sha256: document.sha256, bytes },
    contentType: 'text/plain; charset=utf-8',
    ...{ name: docid, hint: null, twinOf: null, title, snippet, nameHidden: false, hasText: bytes > 0 },
  }
  const readText = (most: number): Promise<Buffer> =>
    readBytes(join(folder, corpusFiles.texts), start, start + Math.min(bytes, most))
  return {
    entry,
    body: () => readText(bytes),
    text: async most =>
      (await readText(most === undefined ? bytes : (most + 1) * maxBytesPerChar)).toString(),
  }
}

const maxBytesPerChar = 3

/** Opens an embedder by its name. */
export type OpenEmbedder = (name: string) => Promise<Embedder>

/**
 * Creates a ranker that compares a query with the vectors of all documents. Vectors and embedder are opened by the first search.
 *
 * @throws Error when the file of vectors is incomplete
 */
async function createDenseRanker(
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
    return pickHighest(products(vectors, vector), limit, { above: -Infinity, ...(accepts && { accepts }) })
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
