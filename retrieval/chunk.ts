import type { Chunk, ContextDocument } from '../src/core/document.ts'
import { sha256 } from '../src/core/hash.ts'

/** A piece of a text by its UTF-16 offsets. */
export interface Span {
  readonly start: number
  readonly end: number
  /** Text that goes before the piece without standing there: a table's header over rows further down. */
  readonly lead?: string
}

/** How a text is cut into pieces; the name, with its sizes, is part of an index's identity. */
export interface Splitter {
  readonly name: string
  split(text: string): Promise<Span[]>
}

/** A document with its chunks, and the key its index goes by: text and splitter, whatever it is called. */
export interface ChunkedDocument {
  readonly hint: string
  readonly key: string
  readonly chunks: readonly Chunk[]
}

/** Cuts a document; one without text has no chunks. */
export async function chunkDocument(document: ContextDocument, splitter: Splitter): Promise<ChunkedDocument> {
  const textHash = sha256(document.text)
  const id = document.sha256 ?? textHash
  const spans = document.text.trim() === '' ? [] : await splitter.split(document.text)
  const chunks = spans
    .map(span => wholePairs(document.text, span))
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

/** A splitter by length may cut inside a surrogate pair: such a pair goes whole with both pieces. */
function wholePairs(text: string, span: Span): Span {
  const start = splitsPair(text, span.start) ? span.start - 1 : span.start
  const end = splitsPair(text, span.end) ? span.end + 1 : span.end
  return { ...span, start, end }
}

function splitsPair(text: string, place: number): boolean {
  return place > 0 && /^[\uD800-\uDBFF][\uDC00-\uDFFF]$/.test(text.slice(place - 1, place + 1))
}
