import type { PageText } from '../src/core/document.ts'

/** The result of optical character recognition. A page that is in neither list contains no text that can be read. */
export interface OcrReading {
  /** The recognised texts by page number. */
  readonly texts: ReadonlyMap<number, string>
  /** Pages that took too long or whose process was killed. Reading them another time may succeed. */
  readonly late: readonly number[]
}

/** Recognises the text on images of a PDF's pages. */
export interface PageOcr {
  /** Name, version and languages. Part of the document reader's version. */
  readonly name: string
  /** Reads the given pages, numbered from 1. */
  read(bytes: Uint8Array, pages: readonly number[]): Promise<OcrReading>
}

/** The text of a document, as one format's reader returns it. */
export interface Reading {
  readonly pages: readonly PageText[]
  /** Why the document or some of its pages have no text; null when everything was read. */
  readonly problem: string | null
  /** What of the document may be wrong or is left out, each with its place. Absent when there is nothing to say. */
  readonly notices?: readonly string[]
  /** False when another attempt may read more, for example after a crash. Such a reading is not cached. */
  readonly lasting: boolean
}
