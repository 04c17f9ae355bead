import type { DocumentFormat } from '../src/core/document.ts'
import { checkLimit, readingLimits, TooLargeError } from '../src/system/reading-limits.ts'
import { htmlToText } from './html/html-text.ts'
import {
  MissingReaderError,
  readOlderSlides,
  readOlderWord,
  readOlderWorkbook,
} from './office/older-files.ts'
import { type PartedText, readOpenDocument } from './office/open-document.ts'
import { readSlides } from './office/slides.ts'
import type { Reading } from './reading.ts'
import { decodeOrGuess, guessNotice, isText } from './text/decode.ts'
import { readWord } from './text/docx.ts'
import { readWorkbookParts, sheetText } from './text/xlsx.ts'

/** A document of any format but PDF. */
export interface DocumentSource {
  readonly format: Exclude<DocumentFormat, 'pdf'>
  readonly bytes: Uint8Array
}

/**
 * Reads a document. Damaged bytes yield a `problem`.
 *
 * @throws TooLargeError when the document exceeds one of `readingLimits`
 */
export async function readDocument({ format, bytes }: DocumentSource): Promise<Reading> {
  if (format === 'xlsx') return readXlsx(bytes)
  if (format === 'docx') return await readDocx(bytes)
  if (format in otherReaders) return await readOther(format as OtherFormat, bytes)
  if (!isText(bytes)) return withoutText('unreadable: neither text nor a known document format')
  const decoded = decodeOrGuess(bytes)
  const plain = decoded.text.replaceAll('\r\n', '\n').replaceAll('\0', '')
  const notice = guessNotice(decoded)
  return onePage(format === 'html' ? htmlToText(plain) : plain, notice === null ? [] : [notice])
}

/** How the formats are read that are neither .docx nor .xlsx, and what they are called. */
const otherReaders = {
  pptx: { name: 'PowerPoint presentation', read: readSlides },
  odt: { name: 'OpenDocument file', read: readOpenDocument },
  doc: { name: 'Word 97 document', read: readOlderWord },
  ppt: { name: 'PowerPoint 97 presentation', read: readOlderSlides },
  xls: { name: 'workbook', read: readOlderWorkbook },
} satisfies Partial<
  Record<DocumentFormat, { name: string; read: (bytes: Uint8Array) => PartedText | Promise<PartedText> }>
>

type OtherFormat = keyof typeof otherReaders

async function readOther(format: OtherFormat, bytes: Uint8Array): Promise<Reading> {
  const { name, read } = otherReaders[format]
  try {
    const { parts, notices } = await read(bytes)
    checkLimit(
      parts.reduce((sum, part) => sum + part.length, 0),
      readingLimits.textChars,
      'characters of text',
    )
    const said = notices.length === 0 ? {} : { notices }
    if (parts.every(part => part.trim() === ''))
      return { ...withoutText('empty: no text in the document'), ...said }
    const pages = parts.map((text, index) => ({ number: index + 1, text, ocr: false }))
    return { pages, problem: null, lasting: true, ...said }
  } catch (error) {
    if (error instanceof TooLargeError) throw error
    const reason = error instanceof Error ? error.message : String(error)
    if (error instanceof MissingReaderError)
      return { ...withoutText(`unreadable: ${reason}`), lasting: false }
    return withoutText(`damaged: not a readable ${name} (${reason})`)
  }
}

async function readDocx(bytes: Uint8Array): Promise<Reading> {
  try {
    const { text, notices } = await readWord(bytes)
    return onePage(text, notices)
  } catch (error) {
    if (error instanceof TooLargeError) throw error
    return withoutText(
      `damaged: not a readable Word document (${error instanceof Error ? error.message : error})`,
    )
  }
}

function readXlsx(bytes: Uint8Array): Reading {
  try {
    const { sheets, notices } = readWorkbookParts(bytes)
    if (sheets.every(sheet => sheet.rows.length === 0)) return withoutText('empty: no cells in the workbook')
    const pages = sheets.map((sheet, index) => ({
      number: index + 1,
      text: `# ${sheet.name}\n${sheetText(sheet)}`,
      ocr: false,
    }))
    return { pages, problem: null, lasting: true, ...(notices.length === 0 ? {} : { notices }) }
  } catch (error) {
    if (error instanceof TooLargeError) throw error
    return withoutText(
      `damaged: not a readable Excel workbook (${error instanceof Error ? error.message : error})`,
    )
  }
}

function onePage(text: string, notices: readonly string[]): Reading {
  checkLimit(text.length, readingLimits.textChars, 'characters of text')
  const said = notices.length === 0 ? {} : { notices }
  if (text.trim() === '') return { ...withoutText('empty: no text in the document'), ...said }
  return { pages: [{ number: 1, text, ocr: false }], problem: null, lasting: true, ...said }
}

/** Returns a reading without text. */
export function withoutText(problem: string): Reading {
  return { pages: [], problem, lasting: true }
}
