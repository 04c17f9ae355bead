import { z } from 'zod/v4'
import { ConfigError } from '../../src/core/errors.ts'

/** One document of a sealed web. `hint`, `name`, `twinOf` and `nameHidden` stand in the manifest alone, never on a page. */
export const corpusEntrySchema = z.object({
  url: z.string(),
  /** The page that links to the document; null where the document is a page itself. */
  landingUrl: z.string().nullable(),
  /** What a search result points to: one of the two above. */
  resultUrl: z.string(),
  host: z.string(),
  sha256: z.string(),
  bytes: z.int().min(0),
  contentType: z.string(),
  /** The file name (a case's name) under which the document is known to its owner. */
  name: z.string(),
  /** The hint of a task that this document answers; null for distractors. */
  hint: z.string().nullable(),
  /** The name of the document that this one only looks like. */
  twinOf: z.string().nullable(),
  title: z.string(),
  snippet: z.string(),
  /** True: the file name stands in no search result, only its words are in the index. */
  nameHidden: z.boolean(),
  hasText: z.boolean(),
})
export type CorpusEntry = z.infer<typeof corpusEntrySchema>

/** A document of a corpus: its entry, and bytes and text read when they are asked for. */
export interface CorpusItem {
  readonly entry: CorpusEntry
  body(): Promise<Uint8Array>
  /** '' where it has none. `most`: its first so many characters, or more, are enough. */
  text(most?: number): Promise<string>
}

export interface Corpus {
  readonly seed: number
  readonly items: readonly CorpusItem[]
  /**
   * SHA-256 that stands for the corpus: of what it was made of and how, where it was built just now, so that no text that
   * was read otherwise changes it; of its entries, where it was loaded.
   */
  readonly hash: string
}

/** @throws ConfigError for a corpus without a single document */
export function requireDocuments(items: readonly CorpusItem[], where: string): void {
  if (items.length > 0) return
  throw new ConfigError(
    `${where}: no documents in it; name a folder that holds PDF, HTML, Markdown or text files`,
  )
}
