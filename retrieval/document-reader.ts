import type { DocumentFormat, DocumentText } from '../src/core/document.ts'
import { sha256 } from '../src/core/hash.ts'
import { untilAborted } from '../src/core/until-aborted.ts'
import { pdfText } from './pdf/pdf-text.ts'
import { createPdfPool, type PdfPool } from './pdf/pool.ts'
import type { PageOcr, Reading } from './reading.ts'
import { decodeText, isText } from './text/decode.ts'
import { docxToText } from './text/docx.ts'
import { sniffFormat } from './text/format.ts'
import { htmlToText } from './text/html.ts'
import { readWorkbook, sheetText } from './text/xlsx.ts'
import { createTextCache } from './text-cache.ts'

/**
 * Turns bytes of any known format into text, by content, not by name; keeps the text on disk by the bytes' hash,
 * so that none is read twice. Never rejects for what the bytes are: DocumentText.problem says why there is no text.
 */
export interface DocumentReader {
  read(bytes: Uint8Array, name: string, signal?: AbortSignal): Promise<DocumentText>
  close(): Promise<void>
}

/** What decides the text that a reader makes of the same bytes. */
export interface ReaderVersion {
  /** Of the formats that are read here. */
  readonly text: string
  /** The program that reads scanned pages, with its version and languages; null: scanned pages have no text. */
  readonly ocr: string | null
}

/** A reader that knows its version. */
export interface VersionedReader extends DocumentReader {
  version(): Promise<ReaderVersion>
}

export interface DocumentReaderOptions {
  /** Where texts are kept. */
  readonly cacheFolder: string
  /** Asked for once, before the first text; where absent or null, pages without a text layer stay without text. */
  readonly ocr?: PageOcr | (() => Promise<PageOcr | null>)
  readonly pdfPool?: PdfPool
}

const pdfThreads = 2

/** Raised whenever the text of any format would come out different, so that kept texts are made anew. */
const textVersion = 'tablehunt-text-6'

/** A reader over a pool of PDF threads and a folder of kept texts; the same bytes asked for at once are read once. */
export function createDocumentReader(options: DocumentReaderOptions): VersionedReader {
  const cache = createTextCache(options.cacheFolder)
  let looking: Promise<PageOcr | null> | null = null
  const findOcr = (): Promise<PageOcr | null> =>
    (looking ??= typeof options.ocr === 'function' ? options.ocr() : Promise.resolve(options.ocr ?? null))
  const underWay = new Map<string, Promise<DocumentText>>()
  let pool = options.pdfPool ?? null

  async function readNew(bytes: Uint8Array, hash: string, name: string): Promise<DocumentText> {
    const ocr = await findOcr()
    const reader = ocr === null ? textVersion : `${textVersion}+${ocr.name}`
    const kept = await cache.get(hash, reader)
    if (kept !== null) return kept
    const sniffed = sniffFormat(bytes, name)
    const format = sniffed.format ?? 'text'
    const reading =
      sniffed.format === null ? nothing(sniffed.problem) : await readAs(sniffed.format, bytes, ocr)
    const text = { sha256: hash, format, ...reading, reader }
    if (reading.lasting) await cache.put(text)
    return text
  }

  async function readAs(format: DocumentFormat, bytes: Uint8Array, ocr: PageOcr | null): Promise<Reading> {
    if (format !== 'pdf') return await readOnePage(format, bytes)
    pool ??= createPdfPool({ workers: pdfThreads })
    return await pdfText(pool, bytes, ocr)
  }

  return {
    async read(bytes, name, signal) {
      signal?.throwIfAborted()
      const hash = sha256(bytes)
      let work = underWay.get(hash)
      if (work === undefined) {
        work = readNew(bytes, hash, name).finally(() => underWay.delete(hash))
        underWay.set(hash, work)
      }
      return signal === undefined ? await work : await untilAborted(work, signal)
    },
    version: async () => ({ text: textVersion, ocr: (await findOcr())?.name ?? null }),
    close: async () => await pool?.close(),
  }
}

async function readOnePage(format: DocumentFormat, bytes: Uint8Array): Promise<Reading> {
  if (format === 'xlsx') return readXlsx(bytes)
  if (format === 'docx') return await readDocx(bytes)
  if (!isText(bytes)) return nothing('unreadable: neither text nor a known document format')
  const plain = decodeText(bytes).replaceAll('\r\n', '\n').replaceAll('\0', '')
  return onePage(format === 'html' ? await htmlToText(plain) : plain)
}

async function readDocx(bytes: Uint8Array): Promise<Reading> {
  try {
    return onePage(await docxToText(bytes))
  } catch (error) {
    return nothing(
      `damaged: not a readable Word document (${error instanceof Error ? error.message : error})`,
    )
  }
}

function readXlsx(bytes: Uint8Array): Reading {
  try {
    const sheets = readWorkbook(bytes)
    if (sheets.every(sheet => sheet.rows.length === 0)) return nothing('empty: no cells in the workbook')
    const pages = sheets.map((sheet, at) => ({
      number: at + 1,
      text: `# ${sheet.name}\n${sheetText(sheet)}`,
      ocr: false,
    }))
    return { pages, problem: null, lasting: true }
  } catch (error) {
    return nothing(
      `damaged: not a readable Excel workbook (${error instanceof Error ? error.message : error})`,
    )
  }
}

function onePage(text: string): Reading {
  if (text.trim() === '') return nothing('empty: no text in the document')
  return { pages: [{ number: 1, text, ocr: false }], problem: null, lasting: true }
}

function nothing(problem: string): Reading {
  return { pages: [], problem, lasting: true }
}
