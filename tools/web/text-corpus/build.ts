import { createHash } from 'node:crypto'
import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import type { Embedder } from '../../../retrieval/embeddings/embedder.ts'
import { embedInBatches } from '../../../retrieval/embeddings/vector-cache.ts'
import { buildWordIndex } from '../../../retrieval/word-index/build.ts'
import { createByteWriter } from '../../../retrieval/word-index/byte-files.ts'
import { ConfigError, ToolError } from '../../../src/core/errors.ts'
import { writeFileAtomically } from '../../../src/system/atomic-write.ts'
import { sha256 } from '../../../src/system/hash.ts'
import { writeAddressKey } from '../../../src/text/canonical-url.ts'
import { joinToOneLine } from '../../../src/text/plain-text.ts'
import { checkPageUrl } from '../address-guard.ts'
import { makeSiteKey, manifestName } from '../corpus.ts'
import { findTitle, joinFirstLines } from '../corpus-text.ts'
import { corpusFiles, type StoredDocument, type TextCorpusManifest } from './format.ts'
import { type CorpusRecord, readCorpusRecords } from './records.ts'

/** What a corpus of texts is built from. */
interface TextCorpusInput {
  readonly files: readonly string[]
  /** The folder of the corpus, which exists. */
  readonly folder: string
  /** Makes the vectors for dense search; null for none. */
  readonly dense: DenseInput | null
  /** Called after every thousand documents with their number. */
  readonly progress?: (documents: number) => void
}

interface DenseInput {
  /** The embedder as the user named it, to open it again. */
  readonly name: string
  readonly embedder: Embedder
  /** The folder in which vectors are cached. */
  readonly cacheFolder: string
}

/** What a corpus of texts contains. */
interface TextCorpusCounts {
  readonly documents: number
  readonly withoutText: number
  /** Documents at an address made of their id. */
  readonly madeAddresses: number
}

/** Vectors describe so many characters of the beginning of a text. */
const embeddedChars = 2_000
const documentsAtOnce = 1_000

/**
 * Builds a corpus of the documents of JSONL and Parquet files: texts, an index of their words, and vectors of their beginnings.
 * Only a line or a row group is in memory, so that the files may be larger. The manifest is written last: an
 * interrupted build leaves no corpus.
 *
 * @throws ConfigError `invalid-corpus-document`, `unreadable-corpus-file`, `empty-corpus`
 * @throws ProviderError when the embedding service fails
 */
export async function buildTextCorpus(input: TextCorpusInput): Promise<TextCorpusCounts> {
  const { files, folder, dense } = input
  await rm(join(folder, manifestName), { force: true })
  const index = await buildWordIndex(join(folder, corpusFiles.index))
  const texts = createByteWriter(join(folder, corpusFiles.texts))
  const lines = createByteWriter(join(folder, corpusFiles.documents))
  const vectors = dense === null ? null : createVectorFile(dense, folder)
  const hash = createHash('sha256')
  const addressOf = createAddresses()
  const counts = { documents: 0, withoutText: 0, madeAddresses: 0 }
  for await (const record of readCorpusRecords(files)) {
    const bytes = Buffer.from(record.text)
    const title = readOwnTitle(record)
    const document = makeStoredDocument(record, bytes, { title, url: addressOf(record), start: texts.length })
    const line = Buffer.from(`${JSON.stringify(document)}\n`)
    texts.bytes(bytes)
    lines.bytes(line)
    hash.update(line)
    // A title made of the text has no words of its own.
    index.add({ text: record.text, ...(title !== null && { title }) })
    await vectors?.add(record.text.slice(0, embeddedChars))
    counts.documents++
    if (record.text === '') counts.withoutText++
    if (new URL(document.url).hostname === madeHost) counts.madeAddresses++
    if (counts.documents % documentsAtOnce === 0) input.progress?.(counts.documents)
  }
  texts.close()
  lines.close()
  if (counts.documents === 0)
    throw new ConfigError(`${files.join(', ')}: no document. Name a file with documents.`, {
      code: 'empty-corpus',
    })
  await index.finish()
  const manifest: TextCorpusManifest = {
    format: 'tablehunt-texts-1',
    documents: counts.documents,
    textBytes: texts.length,
    sha256: hash.digest('hex'),
    vectors: (await vectors?.finish()) ?? null,
  }
  await writeFileAtomically(join(folder, manifestName), `${JSON.stringify(manifest, null, 1)}\n`)
  return counts
}

/** Describes a document whose text begins at byte `start` of the file of texts. */
function makeStoredDocument(
  { docid, text }: CorpusRecord,
  bytes: Buffer,
  { title, url, start }: { readonly title: string | null; readonly url: string; readonly start: number },
): StoredDocument {
  const snippet = joinFirstLines(text)
  return {
    docid,
    url,
    title: title ?? findTitle(text) ?? (snippet.slice(0, 80) || 'Document'),
    snippet,
    sha256: sha256(bytes),
    start,
    bytes: bytes.length,
  }
}

const mostTitleChars = 200

/** Returns the title that a document gives itself: the field, or a line of the front matter at the beginning of its text. */
function readOwnTitle({ title, text }: CorpusRecord): string | null {
  const header = /^---\r?\n(.{0,4000}?)\r?\n---(?:\r?\n|$)/s.exec(text)?.[1] ?? ''
  const written = title ?? /^title:\s*["']?(.+?)["']?\s*$/im.exec(header)?.[1] ?? ''
  const tidy = joinToOneLine(written).slice(0, mostTitleChars)
  return tidy === '' ? null : tidy
}

interface VectorFile {
  add(text: string): Promise<void>
  finish(): Promise<TextCorpusManifest['vectors']>
}

/** Creates the file of vectors. Texts are embedded many at a time. */
function createVectorFile({ name, embedder, cacheFolder }: DenseInput, folder: string): VectorFile {
  const file = createByteWriter(join(folder, corpusFiles.vectors))
  const { signal } = new AbortController()
  let waiting: string[] = []
  let dimensions = 0
  const embedWaiting = async (): Promise<void> => {
    for (const vector of await embedInBatches(embedder, waiting, { cacheFolder, signal })) {
      dimensions = vector.length
      file.bytes(new Uint8Array(vector.buffer, vector.byteOffset, vector.byteLength))
    }
    waiting = []
  }
  return {
    async add(text) {
      waiting.push(text)
      if (waiting.length === documentsAtOnce) await embedWaiting()
    },
    async finish() {
      await embedWaiting()
      file.close()
      return { embedder: name, dimensions }
    },
  }
}

/** The host of documents without a usable address of their own. */
const madeHost = 'documents.corpus.example'

/**
 * Creates a function that returns the address at which a document is served: its own, or one made of its id when it has none,
 * when another document has the same, or when no page could be fetched there.
 */
function createAddresses(): (record: CorpusRecord) => string {
  const usedKeys = new Set<string>()
  return ({ docid, url }) => {
    const generated = `https://${madeHost}/${encodeURIComponent(docid)}`
    if (url === null || !isFetchable(url)) return generated
    const keys = [writeAddressKey(url), makeSiteKey(url, { withQuery: true })]
    if (keys.some(key => usedKeys.has(key))) return generated
    for (const key of keys) usedKeys.add(key)
    const address = new URL(url)
    address.hash = ''
    return address.href
  }
}

function isFetchable(url: string): boolean {
  try {
    const { hostname, port } = checkPageUrl(url)
    return port === '' && hostname !== madeHost
  } catch (error) {
    if (error instanceof ToolError) return false
    throw error
  }
}
