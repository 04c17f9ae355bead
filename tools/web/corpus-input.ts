import { readFile } from 'node:fs/promises'
import { canonicalJson, sha256 } from '../../src/system/hash.ts'

/** A document from a folder. `text` is the reader's result; null when the document has no text (a scan). */
export interface SourceDocument {
  readonly name: string
  /** The document name in the tasks that this document answers; its own name by default. Distractors have none. */
  readonly hint?: string
  readonly source: { readonly path: string } | { readonly bytes: Uint8Array }
  readonly text: string | null
  /**
   * The reader that produced the text, with its version. When absent, the hash of the corpus covers the text
   * itself.
   */
  readonly reader?: string
}

/** A document that a benchmark supplies as text. It becomes a page with that title. */
export interface SuppliedText {
  readonly hint: string
  readonly title: string
  readonly text: string
}

/** What a corpus is built from. */
export interface CorpusInput {
  readonly documents: readonly SourceDocument[]
  readonly embedded: readonly SuppliedText[]
  readonly distractors?: readonly SourceDocument[]
  /** Number of twins per document with text. */
  readonly twins: number
  readonly seed: number
}

/** Returns the document's bytes. */
export async function bytesOf({ source }: SourceDocument): Promise<Uint8Array> {
  return 'path' in source ? await readFile(source.path) : source.bytes
}

/** Increase this whenever the same documents would build a different corpus. */
const builderVersion = 'tablehunt-corpus-builder-2'

/**
 * Returns the hash that identifies a corpus. It covers the bytes of the documents, the readers and the
 * settings, but not the extracted text. A page that a reader skipped for lack of time does not change the
 * corpus.
 */
export async function hashOfInput(input: CorpusInput): Promise<string> {
  const { seed, twins, embedded, distractors = [] } = input
  return sha256(
    canonicalJson({
      builder: builderVersion,
      seed,
      twins,
      documents: await factsOf(input.documents),
      embedded,
      distractors: await factsOf(distractors),
    }),
  )
}

async function factsOf(documents: readonly SourceDocument[]): Promise<unknown[]> {
  const facts: unknown[] = []
  for (const document of documents) {
    const { name, hint = name, text, reader = { text: sha256(text ?? '') } } = document
    facts.push([name, hint, sha256(await bytesOf(document)), reader])
  }
  return facts
}
