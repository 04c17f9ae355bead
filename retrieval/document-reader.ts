import { readFile, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { z } from 'zod/v4'
import { type DocumentFormat, type DocumentText, documentFormats } from '../src/core/document.ts'
import { CodedError } from '../src/core/errors.ts'
import { replaceFileAtomically } from '../src/system/atomic-write.ts'
import { ifMissing, makeFolder } from '../src/system/files.ts'
import { sha256 } from '../src/system/hash.ts'
import { readInThread } from '../src/system/read-thread.ts'
import { TooLargeError } from '../src/system/reading-limits.ts'
import { untilAborted } from '../src/system/retry.ts'
import { parseJsonOrNull } from '../src/text/json.ts'
import { readFirstLine } from '../src/text/plain-text.ts'
import { pdfText } from './pdf/pdf-text.ts'
import { createPdfPool, type PdfPool } from './pdf/pool.ts'
import { type PageOcr, type Reading, readDocument, withoutText } from './read-document.ts'
import { type Sniffed, sniffFormat } from './text/format.ts'

/** Turns documents of any known format into text and caches the text on disk. */
export interface DocumentReader {
  /**
   * Returns the text of a document. The content decides the format. The name distinguishes Markdown and plain text
   * from each other and from parts of a web page. Bad bytes never make it reject: `DocumentText.problem` says why there
   * is no text.
   */
  read(bytes: Uint8Array, name: string, signal?: AbortSignal): Promise<DocumentText>
  /** Stops the threads that read PDFs. */
  close(): Promise<void>
}

/** Everything that decides which text a reader returns for the same bytes. */
export interface ReaderVersion {
  /** The version of the code that extracts text. */
  readonly text: string
  /** The program that reads scanned pages, with its version and languages. Null when scanned pages have no text. */
  readonly ocr: string | null
}

/** A document reader that reports its version. */
export interface VersionedReader extends DocumentReader {
  version(): Promise<ReaderVersion>
}

/** Settings of `createDocumentReader`. */
export interface DocumentReaderOptions {
  /** The folder in which texts are cached. */
  readonly cacheFolder: string
  /**
   * Reads scanned pages. A function is called once, before the first document is read. When this is absent or null,
   * pages without a text layer have no text.
   */
  readonly ocr?: PageOcr | (() => Promise<PageOcr | null>)
  /** Reads PDFs; the default is a pool of two threads, created for the first PDF. */
  readonly pdfPool?: PdfPool
}

const pdfThreads = 2

/**
 * The version of each format's text. Whenever the text of a format changes, set its number above all others. Then cached
 * texts are extracted again, and sealed webs with documents of this format have another hash.
 */
const formatVersions: Readonly<Record<DocumentFormat, number>> = {
  ...{ pdf: 21, html: 21, docx: 13, xlsx: 19 },
  markdown: 19,
  text: 19,
  ...{ pptx: 19, odt: 19, doc: 12, ppt: 12, xls: 19 },
}

/** The version of a reader of all formats. */
const textVersion = versionName(Math.max(...Object.values(formatVersions)))

function versionName(version: number): string {
  return `tablehunt-text-${version}`
}

/** Creates a document reader. Documents with the same bytes and format that are requested at the same time are read once. */
export function createDocumentReader(options: DocumentReaderOptions): VersionedReader {
  const cache = createTextCache(options.cacheFolder)
  let foundOcr: Promise<PageOcr | null> | null = null
  const findOcr = () =>
    (foundOcr ??= typeof options.ocr === 'function' ? options.ocr() : Promise.resolve(options.ocr ?? null))
  const pendingReads = new Map<string, Promise<DocumentText>>()
  let pool = options.pdfPool ?? null

  async function readCached(bytes: Uint8Array, hash: string, sniffed: Sniffed): Promise<DocumentText> {
    const ocr = await findOcr()
    const format = sniffed.format ?? 'text'
    const version = versionName(formatVersions[format])
    const key = { sha256: hash, format, reader: ocr === null ? version : `${version}+${ocr.name}` }
    if (sniffed.format === null) return { ...key, ...withoutText(sniffed.problem) }
    const cached = await cache.get(key)
    if (cached !== null) return cached
    const reading =
      format === 'pdf'
        ? await pdfText((pool ??= createPdfPool({ workers: pdfThreads })), bytes, ocr)
        : await readOther(format, bytes)
    const text = { ...key, ...reading }
    if (reading.lasting) await cache.put(text)
    return text
  }

  return {
    async read(bytes, name, signal) {
      signal?.throwIfAborted()
      const hash = sha256(bytes)
      const sniffed = sniffFormat(bytes, name)
      const key = `${hash}.${sniffed.format}`
      let pending = pendingReads.get(key)
      if (pending === undefined) {
        pending = readCached(bytes, hash, sniffed).finally(() => pendingReads.delete(key))
        pendingReads.set(key, pending)
      }
      return signal === undefined ? await pending : await untilAborted(pending, signal)
    },
    version: async () => ({ text: textVersion, ocr: (await findOcr())?.name ?? null }),
    close: async () => await pool?.close(),
  }
}

/** Longer texts are decoded in a thread. Decoding takes time in proportion to the length and nothing else. */
const maxBytesHere = 256 * 1024

/** Reads a document that is not a PDF. */
async function readOther(format: Exclude<DocumentFormat, 'pdf'>, bytes: Uint8Array): Promise<Reading> {
  const isPlain = format === 'text' || format === 'markdown'
  if (isPlain && bytes.length <= maxBytesHere) return await readDocument({ format, bytes })
  try {
    return await readInThread<Reading>('document', { format, bytes })
  } catch (error) {
    if (error instanceof CodedError) throw error
    if (error instanceof TooLargeError) return { ...withoutText(error.message), lasting: error.lasting }
    return { ...withoutText(`unreadable: ${readFirstLine(error)}`), lasting: false }
  }
}

const documentTextSchema = z.object({
  sha256: z.string(),
  format: z.enum(documentFormats),
  pages: z.array(z.object({ number: z.int(), text: z.string(), ocr: z.boolean() })),
  problem: z.string().nullable(),
  notices: z.array(z.string()).optional(),
  reader: z.string(),
})

/** What a cached text depends on. The format is a part, because the same bytes may be a text or a web page by their name. */
type TextKey = Pick<DocumentText, 'sha256' | 'format' | 'reader'>

/** Texts cached on disk by their key. Several processes may use one folder at the same time. */
interface TextCache {
  /** Returns null when there is no valid entry. */
  get(key: TextKey): Promise<DocumentText | null>
  put(text: DocumentText): Promise<void>
}

/** Creates a cache in a folder, which is created when the first text is written. */
function createTextCache(folder: string): TextCache {
  const fileOf = ({ sha256, format, reader }: TextKey): string =>
    join(folder, sha256.slice(0, 2), `${sha256}.${format}.${reader.replace(/[^\w.-]+/g, '-')}.json`)
  return {
    async get(key) {
      const content = await readFile(fileOf(key), 'utf8').catch(ifMissing)
      // A file that is incomplete or was changed counts as missing. The document is read and written again.
      const parsed = content === null ? null : documentTextSchema.safeParse(parseJsonOrNull(content))
      if (parsed?.success !== true || !hasKey(parsed.data, key)) return null
      const { notices, ...text } = parsed.data
      return { ...text, ...(notices === undefined ? {} : { notices }), lasting: true }
    },
    async put(text) {
      const file = fileOf(text)
      await makeFolder(dirname(file))
      await replaceFileAtomically(file, part => writeFile(part, writeInParts(text)))
    },
  }
}

function hasKey(text: TextKey, { sha256, format, reader }: TextKey): boolean {
  return text.sha256 === sha256 && text.format === format && text.reader === reader
}

/** The length from which a part of an entry is written. */
const partLength = 256_000

/** Writes an entry as JSON in parts. The JSON of a long document would need several times the memory of its text. */
function* writeInParts({ sha256, format, pages, problem, notices, reader }: DocumentText): Generator<string> {
  let part = `${JSON.stringify({ sha256, format }).slice(0, -1)},"pages":[`
  for (const [at, page] of pages.entries()) {
    part += `${at === 0 ? '' : ','}${JSON.stringify(page)}`
    if (part.length < partLength) continue
    yield part
    part = ''
  }
  yield `${part}],${JSON.stringify({ problem, notices, reader }).slice(1)}`
}
