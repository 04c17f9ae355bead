import { z } from 'zod/v4'
import { ConfigError } from '../../src/core/errors.ts'

/**
 * One document of a sealed web. `hint`, `name`, `twinOf` and `nameHidden` exist only in the manifest, never on a
 * page.
 */
export const corpusEntrySchema = z.object({
  url: z.string(),
  /** The page that links to the document; null when the document itself is a page. */
  landingUrl: z.string().nullable(),
  /** The target of search results: one of the two addresses above. */
  resultUrl: z.string(),
  host: z.string(),
  sha256: z.string(),
  bytes: z.int().min(0),
  contentType: z.string(),
  /** The file name (or the name of a case) by which the owner knows the document. */
  name: z.string(),
  /** The document name in a task that this document answers; null for distractors. */
  hint: z.string().nullable(),
  /** The name of the document that this twin imitates. */
  twinOf: z.string().nullable(),
  title: z.string(),
  snippet: z.string(),
  /** True when no search result shows the file name. Its words are still in the index. */
  nameHidden: z.boolean(),
  hasText: z.boolean(),
})
/** The manifest entry of one document. */
export type CorpusEntry = z.infer<typeof corpusEntrySchema>

/** A document of a corpus: its entry, with bytes and text read on demand. */
export interface CorpusItem {
  readonly entry: CorpusEntry
  body(): Promise<Uint8Array>
  /**
   * Returns the text; '' when the document has none.
   *
   * @param most - the number of characters needed; the result may be longer
   */
  text(most?: number): Promise<string>
}

/**
 * Ranks the documents of a corpus for a query. Returns the places of at most `limit` of them in `items`, best first.
 *
 * @param accepts - leaves documents out by their place
 */
export type CorpusRanker = (
  query: string,
  limit: number,
  accepts?: (place: number) => boolean,
) => Promise<number[]>

/** The ways in which a corpus can be searched: by words, and by vectors if it has them. */
export interface CorpusRankers {
  readonly bm25: CorpusRanker
  readonly dense?: CorpusRanker
}

/** The file in a corpus's folder that says what it contains. */
export const manifestName = 'corpus.json'

/** The documents of a sealed web. */
export interface Corpus {
  readonly seed: number
  readonly items: readonly CorpusItem[]
  /**
   * SHA-256 that identifies the corpus. For a corpus just built it covers the input and settings, so that
   * differences in extracted text do not change it. For a loaded corpus it covers the entries.
   */
  readonly hash: string
  /** What was built to search it. Absent: it is searched by words, with an index in memory. */
  readonly rankers?: CorpusRankers
}

/** @throws ConfigError `empty-corpus` when a corpus has no documents */
export function requireDocuments(items: readonly CorpusItem[], where: string): void {
  if (items.length > 0) return
  throw new ConfigError(
    `${where}: contains no documents; choose a folder with PDF, HTML, Markdown or text files`,
    { code: 'empty-corpus' },
  )
}

/** The parts of an address that a sealed web compares: host and path, with or without the query. */
export function makeSiteKey(url: string, { withQuery }: { readonly withQuery: boolean }): string {
  if (!URL.canParse(url)) return url
  const parsed = new URL(url)
  const path = parsed.pathname.replace(/\/+$/, '')
  const place = `${parsed.hostname}${/%(?![0-9a-f]{2})/i.test(path) ? path : decodePath(path)}`
  return withQuery ? `${place}${parsed.search}` : place
}

// Decodes bytes, because a path may contain escapes that are not UTF-8.
function decodePath(path: string): string {
  return path.replace(/(?:%[0-9a-f]{2})+/gi, run => Buffer.from(run.replaceAll('%', ''), 'hex').toString())
}
