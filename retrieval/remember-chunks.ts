import type { ContextDocument } from '../src/core/document.ts'
import { sha256 } from '../src/core/hash.ts'
import { type ChunkedDocument, chunkDocument, type Splitter } from './chunk.ts'

/** Chunks of documents beyond this many characters of text are forgotten, least recently used first. */
const rememberedChars = 64_000_000

export type DocumentChunker = (document: ContextDocument) => Promise<ChunkedDocument>

/** Cuts documents, each once while it is remembered: they recur in task after task. */
export function rememberChunks(splitter: Splitter): DocumentChunker {
  const known = new Map<string, { chars: number; chunked: Promise<ChunkedDocument> }>()
  let chars = 0
  return async document => {
    const key = JSON.stringify([document.hint, document.sha256, sha256(document.text)])
    const found = known.get(key)
    const entry = found ?? {
      chars: document.text.length,
      chunked: chunkDocument(document, splitter),
    }
    if (found === undefined) chars += entry.chars
    known.delete(key)
    known.set(key, entry)
    for (const [oldest, { chars: freed }] of known) {
      if (chars <= rememberedChars || oldest === key) break
      known.delete(oldest)
      chars -= freed
    }
    return await entry.chunked
  }
}
