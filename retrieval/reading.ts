import type { PageText } from '../src/core/document.ts'

/** What a recogniser made of the pages it was asked for; a page in neither holds nothing that it can read. */
export interface OcrReading {
  /** By page number. */
  readonly texts: ReadonlyMap<number, string>
  /** Pages that were given up for want of time, or whose reader was killed: another time may bring them. */
  readonly late: readonly number[]
}

/** Reads the text off images of a PDF's pages; its name and version become part of the reader's. */
export interface PageOcr {
  readonly name: string
  read(bytes: Uint8Array, pages: readonly number[]): Promise<OcrReading>
}

/** What was read of a document; one that may read better next time (a reader that crashed) is not kept. */
export interface Reading {
  readonly pages: readonly PageText[]
  readonly problem: string | null
  readonly lasting: boolean
}
