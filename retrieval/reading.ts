import type { PageText } from '../src/core/document.ts'

/** Reads the text off images of a PDF's pages; its name and version become part of the reader's. */
export interface PageOcr {
  readonly name: string
  /** Page number to text; a page that could not be read is left out. */
  read(
    bytes: Uint8Array,
    pages: readonly number[],
    signal?: AbortSignal,
  ): Promise<ReadonlyMap<number, string>>
}

/** What was read of a document; one that may read better next time (a reader that crashed) is not kept. */
export interface Reading {
  readonly pages: readonly PageText[]
  readonly problem: string | null
  readonly lasting: boolean
}
