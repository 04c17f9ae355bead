import type { DocumentFormat, PageText } from '../src/core/document.ts'
import { ConfigError } from '../src/core/errors.ts'
import { checkLimit, readingLimits, TooLargeError } from '../src/system/reading-limits.ts'
import { readHtmlDocument } from './html/html-text.ts'
import { readWord, type WordText } from './office/docx.ts'
import type { PartedText } from './office/markup.ts'
import { readOlderSlides, readOlderWord, readOlderWorkbook } from './office/older-files.ts'
import { readOpenDocument } from './office/open-document.ts'
import { writeWorkbook } from './office/sheet.ts'
import { readSlides } from './office/slides.ts'
import { readWorkbookParts } from './office/xlsx.ts'
import { decodeOrGuess, guessNotice, isText } from './text/decode.ts'

/** The result of optical character recognition. A page that is in neither list contains no text that can be read. */
interface OcrReading {
  /** The recognised texts by page number. */
  readonly texts: ReadonlyMap<number, string>
  /** Pages that took too long or whose process was killed. Reading them another time may succeed. */
  readonly late: readonly number[]
}

/** Recognises the text on images of a PDF's pages. */
export interface PageOcr {
  /** Name, version and languages. Part of the document reader's version. */
  readonly name: string
  /** Reads the given pages, numbered from 1. */
  read(bytes: Uint8Array, pages: readonly number[]): Promise<OcrReading>
}

/** The text of a document, as one format's reader returns it. */
export interface Reading {
  readonly pages: readonly PageText[]
  /** Why the document or some of its pages have no text; null when everything was read. */
  readonly problem: string | null
  /** What of the document may be wrong or is left out, each with its place. Absent when there is nothing to say. */
  readonly notices?: readonly string[]
  /** False when another attempt may read more, for example after a crash. Such a reading is not cached. */
  readonly lasting: boolean
}

/** A document of any format but PDF. */
export interface DocumentSource {
  readonly format: Exclude<DocumentFormat, 'pdf'>
  readonly bytes: Uint8Array
}

/** How the Office formats are read, and what they are called. */
const officeReaders = {
  docx: { name: 'Word document', read: async bytes => makePartedText(await readWord(bytes)) },
  xlsx: { name: 'Excel workbook', read: bytes => writeWorkbook(readWorkbookParts(bytes)) },
  pptx: { name: 'PowerPoint presentation', read: readSlides },
  odt: { name: 'OpenDocument file', read: readOpenDocument },
  doc: { name: 'Word 97 document', read: readOlderWord },
  ppt: { name: 'PowerPoint 97 presentation', read: readOlderSlides },
  xls: { name: 'Excel 97 or binary workbook', read: bytes => writeWorkbook(readOlderWorkbook(bytes)) },
} satisfies Partial<Record<DocumentFormat, OfficeReader>>

interface OfficeReader {
  readonly name: string
  readonly read: (bytes: Uint8Array) => PartedText | Promise<PartedText>
}

function makePartedText({ text, notices }: WordText): PartedText {
  return { parts: [text], notices }
}

/** The first header of an e-mail, or of a page that a browser saved as one (MHTML). */
const mailStart = /^(?:[\w-]+:.*\n(?:[ \t].*\n)*)*?MIME-Version:/i
const encodedPart = /^Content-Transfer-Encoding:[ \t]*(?:base64|quoted-printable)/im

function describeMail(text: string): string[] {
  return mailStart.test(text) && encodedPart.test(text)
    ? ['it is an e-mail or a saved page with encoded parts, which are not decoded']
    : []
}

/**
 * Reads a document. Damaged bytes yield a `problem`.
 *
 * @throws TooLargeError when the document exceeds one of `readingLimits`
 */
export async function readDocument({ format, bytes }: DocumentSource): Promise<Reading> {
  if (format in officeReaders)
    return await readOffice(officeReaders[format as keyof typeof officeReaders], bytes)
  if (!isText(bytes)) return withoutText('unreadable: neither text nor a known document format')
  const decoded = decodeOrGuess(bytes)
  const plain = decoded.text.replaceAll('\r\n', '\n').replaceAll('\0', '')
  const { parts, notices } =
    format === 'html' ? readHtmlDocument(plain) : { parts: [plain], notices: describeMail(plain) }
  return createReading({ parts, notices: [guessNotice(decoded) ?? [], notices].flat() })
}

async function readOffice({ name, read }: OfficeReader, bytes: Uint8Array): Promise<Reading> {
  try {
    return createReading(await read(bytes))
  } catch (error) {
    if (error instanceof TooLargeError) throw error
    const reason = error instanceof Error ? error.message : String(error)
    // Whoever installs the package reads the document again.
    if (error instanceof ConfigError) return { ...withoutText(`unreadable: ${reason}`), lasting: false }
    return withoutText(`damaged: not a readable ${name} (${reason})`)
  }
}

/** Returns a reading with a page for each part. */
function createReading({ parts, notices }: PartedText): Reading {
  const chars = parts.reduce((sum, part) => sum + part.length, 0)
  checkLimit(chars, readingLimits.textChars, 'characters of text')
  const remarks = notices.length === 0 ? {} : { notices }
  if (parts.every(part => part.trim() === ''))
    return { ...withoutText('empty: no text in the document'), ...remarks }
  const pages = parts.map((text, index) => ({ number: index + 1, text, ocr: false }))
  return { pages, problem: null, lasting: true, ...remarks }
}

/** Returns a reading without text. */
export function withoutText(problem: string): Reading {
  return { pages: [], problem, lasting: true }
}
