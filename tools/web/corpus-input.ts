import { readFile } from 'node:fs/promises'
import { canonicalJson, sha256 } from '../../src/core/hash.ts'

/** A document from a folder. `text` is what a reader made of it; null where it has none (a scan). */
export interface SourceDocument {
  readonly name: string
  /** The task hint it answers; by default its name. Distractors answer none. */
  readonly hint?: string
  readonly source: { readonly path: string } | { readonly bytes: Uint8Array }
  readonly text: string | null
  /** Which reader made the text, with its version; where it is not told, the text itself counts as what was given. */
  readonly reader?: string
}

/** A document that a benchmark supplies as text: it becomes a page with that title. */
export interface SuppliedText {
  readonly hint: string
  readonly title: string
  readonly text: string
}

export interface CorpusInput {
  readonly documents: readonly SourceDocument[]
  readonly embedded: readonly SuppliedText[]
  readonly distractors?: readonly SourceDocument[]
  /** Look-alikes of each document with text. */
  readonly twins: number
  readonly seed: number
}

/** A document as it came. */
export async function bytesOf({ source }: SourceDocument): Promise<Uint8Array> {
  return 'path' in source ? await readFile(source.path) : source.bytes
}

/** Raised whenever the same documents would make another corpus. */
const builderVersion = 'tablehunt-corpus-builder-2'

/**
 * What stands for a corpus: its documents' bytes, who read them, and the settings. Never what was read: a text that
 * lacks a page for want of time makes no other corpus.
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
