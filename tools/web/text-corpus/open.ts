import { readFile, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { openWordIndex } from '../../../retrieval/word-index/open.ts'
import { sha256 } from '../../../src/system/hash.ts'
import { readBytes } from '../../../src/system/read-bytes.ts'
import type { Corpus, CorpusEntry, CorpusItem, CorpusRankers } from '../corpus.ts'
import { createDenseRanker, type OpenEmbedder } from './dense.ts'
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
  const items = documentsOf(bytes).map(document => itemOf(document, folder))
  const { vectors } = manifest
  const rankers: CorpusRankers = {
    bm25: (query, limit, accepts) => index.search(query, limit, accepts),
    ...(vectors !== null && {
      dense: await createDenseRanker(folder, { ...vectors, size: items.length }, openEmbedder),
    }),
  }
  return { seed: 0, items, hash: manifest.sha256, rankers }
}

function documentsOf(bytes: Buffer): StoredDocument[] {
  const lines = bytes.toString().split('\n').slice(0, -1)
  return lines.map(line => storedDocument.parse(JSON.parse(line)))
}

function itemOf(document: StoredDocument, folder: string): CorpusItem {
  const { docid, url, title, snippet, start, bytes } = document
  const entry: CorpusEntry = {
    ...{ url, landingUrl: null, resultUrl: url, host: new URL(url).hostname, sha256: document.sha256, bytes },
    contentType: 'text/plain; charset=utf-8',
    ...{ name: docid, hint: null, twinOf: null, title, snippet, nameHidden: false, hasText: bytes > 0 },
  }
  const read = (most: number): Promise<Buffer> =>
    readBytes(join(folder, corpusFiles.texts), start, start + Math.min(bytes, most))
  return {
    entry,
    body: () => read(bytes),
    text: async most => (await read(most === undefined ? bytes : (most + 1) * maxBytesPerChar)).toString(),
  }
}

const maxBytesPerChar = 3
