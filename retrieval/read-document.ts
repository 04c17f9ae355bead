import type { DocumentFormat } from '../src/core/document.ts'
import { checkLimit, readingLimits, TooLargeError } from '../src/system/reading-limits.ts'
import { readHtmlDocument } from './html/html-text.ts'
import type { PartedText } from './office/markup.ts'
import {
  MissingReaderError,
  readOlderSlides,
  readOlderWord,
  readOlderWorkbook,
} from './office/older-files.ts'
import { readOpenDocument } from './office/open-document.ts'
import { readSlides } from './office/slides.ts'
import type { Reading } from './reading.ts'
import { decodeOrGuess, guessNotice, isText } from './text/decode.ts'
import { readWord, type WordText } from './text/docx.ts'
import { workbookText } from './text/sheet.ts'
import { readWorkbookParts } from './text/xlsx.ts'

/** A document of any format but PDF. */
export interface DocumentSource {
  readonly format: Exclude<DocumentFormat, 'pdf'>
  readonly bytes: Uint8Array
}

/** How the Office formats are read, and what they are called. */
const officeReaders = {
  docx: { name: 'Word document', read: async bytes => onePart(await readWord(bytes)) },
  xlsx: { name: 'Excel workbook', read: bytes => workbookText(readWorkbookParts(bytes)) },
  pptx: { name: 'PowerPoint presentation', read: readSlides },
  odt: { name: 'OpenDocument file', read: readOpenDocument },
  doc: { name: 'Word 97 document', read: readOlderWord },
  ppt: { name: 'PowerPoint 97 presentation', read: readOlderSlides },
  xls: { name: 'Excel 97 or binary workbook', read: bytes => workbookText(readOlderWorkbook(bytes)) },
} satisfies Partial<Record<DocumentFormat, OfficeReader>>

interface OfficeReader {
  readonly name: string
  readonly read: (bytes: Uint8Array) => PartedText | Promise<PartedText>
}

function onePart({ text, notices }: WordText): PartedText {
  return { parts: [text], notices }
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
  const { parts, notices } = format === 'html' ? readHtmlDocument(plain) : { parts: [plain], notices: [] }
  return readingOf({ parts, notices: [guessNotice(decoded) ?? [], notices].flat() })
}

async function readOffice({ name, read }: OfficeReader, bytes: Uint8Array): Promise<Reading> {
  try {
    return readingOf(await read(bytes))
  } catch (error) {
    if (error instanceof TooLargeError) throw error
    const reason = error instanceof Error ? error.message : String(error)
    // Whoever installs the package reads the document again.
    if (error instanceof MissingReaderError)
      return { ...withoutText(`unreadable: ${reason}`), lasting: false }
    return withoutText(`damaged: not a readable ${name} (${reason})`)
  }
}

/** Returns a reading with a page for each part. */
function readingOf({ parts, notices }: PartedText): Reading {
  const chars = parts.reduce((sum, part) => sum + part.length, 0)
  checkLimit(chars, readingLimits.textChars, 'characters of text')
  const said = notices.length === 0 ? {} : { notices }
  if (parts.every(part => part.trim() === ''))
    return { ...withoutText('empty: no text in the document'), ...said }
  const pages = parts.map((text, index) => ({ number: index + 1, text, ocr: false }))
  return { pages, problem: null, lasting: true, ...said }
}

/** Returns a reading without text. */
export function withoutText(problem: string): Reading {
  return { pages: [], problem, lasting: true }
}
