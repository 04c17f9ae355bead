import { z } from 'zod/v4'

/** The files of a corpus of texts. The manifest is corpus.json, as of any corpus. */
export const corpusFiles = {
  /** The texts in UTF-8, one after the other. */
  texts: 'texts.bin',
  /** A line of JSON for each document. */
  documents: 'documents.jsonl',
  /** The folder of the index of words. */
  index: 'index',
  /** The vectors, as 32-bit floats in little-endian order, one after the other. */
  vectors: 'vectors.f32',
} as const

/** The manifest of a corpus of texts. */
export const textCorpusManifest = z.object({
  format: z.literal('tablehunt-texts-1'),
  documents: z.int().min(1),
  textBytes: z.int().min(0),
  /** The hash of documents.jsonl. */
  sha256: z.string(),
  /** The embedder of the vectors and their dimensions; null when the corpus has none. */
  vectors: z.object({ embedder: z.string(), dimensions: z.int().min(1) }).nullable(),
})
/** The manifest of a corpus of texts. */
export type TextCorpusManifest = z.infer<typeof textCorpusManifest>

/** A document of a corpus of texts. */
export const storedDocument = z.object({
  docid: z.string(),
  url: z.string(),
  title: z.string(),
  snippet: z.string(),
  /** The hash of its text. */
  sha256: z.string(),
  /** Where its text begins in the file of texts. */
  start: z.int().min(0),
  bytes: z.int().min(0),
})
/** A document of a corpus of texts. */
export type StoredDocument = z.infer<typeof storedDocument>
