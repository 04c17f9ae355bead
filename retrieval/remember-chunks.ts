import type { ContextDocument } from '../src/core/document.ts'
import { sha256 } from '../src/core/hash.ts'
import { lruCache } from '../src/core/lru-cache.ts'
import { type ChunkedDocument, chunkDocument, type Splitter } from './chunk.ts'

/** Characters of text of the documents whose chunks are kept. */
const rememberedChars = 64_000_000

export type DocumentChunker = (document: ContextDocument) => Promise<ChunkedDocument>

/** Cuts documents, each once while it is remembered: they recur in task after task. */
export function rememberChunks(splitter: Splitter): DocumentChunker {
  const remembered = lruCache<Promise<ChunkedDocument>>(rememberedChars)
  return document => {
    const key = JSON.stringify([document.hint, document.sha256, sha256(document.text)])
    return remembered(key, () => chunkDocument(document, splitter), document.text.length)
  }
}
