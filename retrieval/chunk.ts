import type { Chunk, ContextDocument } from '../src/core/document.ts'
import { sha256 } from '../src/system/hash.ts'
import { lruCache } from '../src/system/lru-cache.ts'

/** A piece of a text, given by its UTF-16 offsets. */
export interface Span {
  readonly start: number
  readonly end: number
  /** Text to put before the piece, such as a table's header before rows further down. */
  readonly lead?: string
}

/** Cuts a text into pieces. */
export interface Splitter {
  /** Contains the splitter's sizes. Part of the identity of an index. */
  readonly name: string
  split(text: string): Promise<Span[]>
}

/** A document with its chunks. */
export interface ChunkedDocument {
  readonly hint: string
  /** Identifies the index of the chunks: a hash of the text and the splitter, without the document's name. */
  readonly key: string
  readonly chunks: readonly Chunk[]
}

/** Cuts a document into chunks. A document without text has no chunks. */
export async function chunkDocument(document: ContextDocument, splitter: Splitter): Promise<ChunkedDocument> {
  const textHash = sha256(document.text)
  const id = document.sha256 ?? textHash
  const spans = document.text.trim() === '' ? [] : await splitter.split(document.text)
  const chunks = spans
    .map(span => includeSurrogatePairs(document.text, span))
    .map(({ start, end, lead = '' }, index) => ({
      id: `${id}:${index}`,
      hint: document.hint,
      index,
      start,
      end,
      text: lead + document.text.slice(start, end),
    }))
  return { hint: document.hint, key: sha256(`${textHash}\n${splitter.name}`), chunks }
}

/** Characters of text of the documents whose chunks are kept in memory. */
const cachedChars = 64_000_000

/** Returns the chunks of a document. */
export type DocumentChunker = (document: ContextDocument) => Promise<ChunkedDocument>

/** Creates a chunker that caches its results, because the same documents recur in many tasks. */
export function createDocumentChunker(splitter: Splitter): DocumentChunker {
  const cached = lruCache<Promise<ChunkedDocument>>(cachedChars)
  return document => {
    const key = JSON.stringify([document.hint, document.sha256, sha256(document.text)])
    return cached(key, () => chunkDocument(document, splitter), document.text.length)
  }
}

/** Extends a span that begins or ends inside a surrogate pair, so that both neighbours contain the whole character. */
function includeSurrogatePairs(text: string, span: Span): Span {
  const start = splitsPair(text, span.start) ? span.start - 1 : span.start
  const end = splitsPair(text, span.end) ? span.end + 1 : span.end
  return { ...span, start, end }
}

function splitsPair(text: string, offset: number): boolean {
  return offset > 0 && /^[\uD800-\uDBFF][\uDC00-\uDFFF]$/.test(text.slice(offset - 1, offset + 1))
}
