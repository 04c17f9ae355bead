import type { DocumentFormat, DocumentText } from '../src/core/document.ts'
import { sha256 } from '../src/system/hash.ts'
import { untilAborted } from '../src/system/retry.ts'
import { pdfText } from './pdf/pdf-text.ts'
import { createPdfPool, type PdfPool } from './pdf/pool.ts'
import type { PageOcr, Reading } from './reading.ts'
import { decodeText, isText } from './text/decode.ts'
import { docxToText } from './text/docx.ts'
import { type Sniffed, sniffFormat } from './text/format.ts'
import { htmlToText } from './text/html.ts'
import { readWorkbook, sheetText } from './text/xlsx.ts'
import { createTextCache } from './text-cache.ts'

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
  ...{ pdf: 7, html: 7, docx: 7, xlsx: 7 },
  ...{ markdown: 8, text: 8 },
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
    const readPdf = () => pdfText((pool ??= createPdfPool({ workers: pdfThreads })), bytes, ocr)
    const reading = await readAs(format, bytes, readPdf)
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

async function readAs(
  format: DocumentFormat,
  bytes: Uint8Array,
  readPdf: () => Promise<Reading>,
): Promise<Reading> {
  if (format === 'pdf') return await readPdf()
  if (format === 'xlsx') return readXlsx(bytes)
  if (format === 'docx') return await readDocx(bytes)
  if (!isText(bytes)) return withoutText('unreadable: neither text nor a known document format')
  const plain = decodeText(bytes).replaceAll('\r\n', '\n').replaceAll('\0', '')
  return onePage(format === 'html' ? await htmlToText(plain) : plain)
}

async function readDocx(bytes: Uint8Array): Promise<Reading> {
  try {
    return onePage(await docxToText(bytes))
  } catch (error) {
    return withoutText(
      `damaged: not a readable Word document (${error instanceof Error ? error.message : error})`,
    )
  }
}

function readXlsx(bytes: Uint8Array): Reading {
  try {
    const sheets = readWorkbook(bytes)
    if (sheets.every(sheet => sheet.rows.length === 0)) return withoutText('empty: no cells in the workbook')
    const pages = sheets.map((sheet, index) => ({
      number: index + 1,
      text: `# ${sheet.name}\n${sheetText(sheet)}`,
      ocr: false,
    }))
    return { pages, problem: null, lasting: true }
  } catch (error) {
    return withoutText(
      `damaged: not a readable Excel workbook (${error instanceof Error ? error.message : error})`,
    )
  }
}

function onePage(text: string): Reading {
  if (text.trim() === '') return withoutText('empty: no text in the document')
  return { pages: [{ number: 1, text, ocr: false }], problem: null, lasting: true }
}

function withoutText(problem: string): Reading {
  return { pages: [], problem, lasting: true }
}
