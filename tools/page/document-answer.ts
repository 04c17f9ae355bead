import { type DocumentText, joinPages, type PageText } from '../../src/core/document.ts'
import { ToolError } from '../../src/core/errors.ts'
import { decodePercents } from '../../src/text/canonical-url.ts'
import { writePageMark } from '../../src/text/page-marks.ts'
import type { ToolArtifact, ToolEnvironment } from '../tool.ts'
import { computeOnce, findAttemptStore } from './attempt-store.ts'
import { makeBodyArtifact, withBodyRecord } from './body-observation.ts'
import type { PageBody } from './body-type.ts'
import {
  longestPageChars,
  maxAnswerChars,
  type SearchedText,
  type ShownPages,
  showPassages,
} from './passages.ts'

/** The part of a PDF that a call asks for. */
interface DocumentQuestion {
  /**
   * A range such as `3-7`, or a part with as many pages as fit into one answer. With null, as many pages as
   * fit from the start are shown.
   */
  readonly pages: string | { readonly part: number } | null
  readonly find: readonly string[]
}

/** Reads the text of a body with the document reader, once per attempt. */
export async function readDocument(body: PageBody, environment: ToolEnvironment): Promise<DocumentText> {
  return await computeOnce(findAttemptStore(environment).documents, body.sha256, () =>
    environment.reader.read(body.bytes, readFileName(body.finalUrl), environment.signal),
  )
}

/**
 * Returns the answer of read_pdf: pages, passages, or the reason why nothing can be read. Bytes are never returned
 * as text.
 */
export async function answerFromPdf(
  body: PageBody,
  question: DocumentQuestion,
  environment: ToolEnvironment,
): Promise<[string, ToolArtifact]> {
  const document = await readDocument(body, environment)
  const whole = {
    text: joinPages(document.pages),
    contentType: 'application/pdf',
    total: findLastPage(document),
    notices: [document.problem ?? [], document.notices ?? []].flat(),
  }
  const shown = withBodyRecord(body, whole, environment, () => view(body, document, question))
  const ocr = document.pages.filter(page => page.ocr).map(page => page.number)
  return [
    shown.text,
    makeBodyArtifact(
      body,
      {
        ...whole,
        shown: shown.shown,
        ocr: shown.shown.filter(page => ocr.includes(page)),
        links: [],
        truncated: shown.truncated,
      },
      environment,
    ),
  ]
}

function view(body: PageBody, document: DocumentText, { pages, find }: DocumentQuestion): ShownPages {
  const total = findLastPage(document)
  if (document.pages.every(page => !/\S/.test(page.text))) {
    const why = document.problem ?? 'no text could be read from it'
    return { text: `URL: ${body.finalUrl}\nThis PDF can't be read: ${why}`, truncated: false, shown: [] }
  }
  const pageNumbers =
    typeof pages === 'object' && pages !== null ? listPagesOfPart(document, pages.part) : pages
  const range = pageNumbers === null ? { first: 1, last: total } : readPageRange(pageNumbers, total)
  return find.length === 0
    ? showPages(body.finalUrl, document, range)
    : showPassages(searchPages(body.finalUrl, document, range), find)
}

/** Returns the page range of part n of a document, as fetch_page counts parts: windows with as many pages as fit. */
function listPagesOfPart(document: DocumentText, part: number): string {
  const windows: string[] = []
  let first = 0
  while (first < document.pages.length) {
    let last = first
    let chars = document.pages[first]?.text.length ?? 0
    while (
      last + 1 < document.pages.length &&
      chars + (document.pages[last + 1]?.text.length ?? 0) <= maxAnswerChars
    ) {
      last += 1
      chars += document.pages[last]?.text.length ?? 0
    }
    windows.push(`${document.pages[first]!.number}-${document.pages[last]!.number}`)
    first = last + 1
  }
  const window = windows[part - 1]
  if (window !== undefined) return window
  throw new ToolError('bad-input', `the document has ${windows.length} parts: part ${part} does not exist`)
}

function readFileName(url: string): string {
  return decodePercents(new URL(url).pathname.split('/').at(-1) ?? '')
}

/** A range of pages, 1-based and inclusive. */
interface PageRange {
  readonly first: number
  readonly last: number
}

/** Returns the number of the last page. Pages that could not be read are missing from a document's pages. */
export function findLastPage({ pages }: DocumentText): number {
  return pages.at(-1)?.number ?? 0
}

/**
 * Parses `3-7`, `3`, `3-` or `-7` within the existing pages.
 *
 * @throws ToolError `bad-input` for any other text
 */
function readPageRange(written: string, total: number): PageRange {
  const match = /^\s*(\d*)\s*(-|–|—|to)?\s*(\d*)\s*$/.exec(written)
  const [, from = '', dash, to = ''] = match ?? []
  if (match === null || (from === '' && to === '')) {
    throw new ToolError(
      'bad-input',
      `pages "${written}" is not a page or a range of pages: write it as "3" or "3-7"`,
    )
  }
  const first = from === '' ? 1 : Number(from)
  const last = to === '' ? (dash === undefined ? first : total) : Number(to)
  if (last >= 1 && last < first) {
    throw new ToolError(
      'bad-input',
      `pages "${written}": write the first page first, as in "${last}-${first}"`,
    )
  }
  if (first < 1 || first > total) {
    throw new ToolError('bad-input', `pages "${written}": the document has pages 1 to ${total}`)
  }
  return { first, last: Math.min(last, total) }
}

/** Returns as many of the requested pages as fit, each under its number. */
function showPages(url: string, document: DocumentText, range: PageRange): ShownPages {
  const total = findLastPage(document)
  const requested = document.pages.filter(page => page.number >= range.first && page.number <= range.last)
  const fitting = listPagesThatFit(requested)
  const shortened = fitting.filter(page => page.text.length > longestPageChars)
  const last = fitting.at(-1)?.number ?? range.first
  const sections = [
    [`URL: ${url}`, `Pages ${range.first}-${last} of ${total}`, ...listDocumentNotes(document)].join('\n'),
    ...fitting.map(page => printPage(page)),
  ]
  if (last < range.last) sections.push(`[continues: call read_pdf with pages "${last + 1}-${range.last}"]`)
  else if (last < total) sections.push(`[the document continues to page ${total}]`)
  return {
    text: sections.join('\n\n'),
    truncated: last < range.last || shortened.length > 0,
    shown: fitting.filter(page => /\S/.test(page.text)).map(page => page.number),
  }
}

function listPagesThatFit(pages: readonly PageText[]): PageText[] {
  const fitting: PageText[] = []
  let chars = 0
  for (const page of pages) {
    chars += page.text.length
    if (fitting.length > 0 && chars > maxAnswerChars) break
    fitting.push(page)
  }
  return fitting
}

function printPage(page: PageText): string {
  const mark = writePageMark(page.number, page.ocr ? 'read by OCR' : '')
  if (!/\S/.test(page.text)) return `${mark}\n(no text on this page)`
  if (page.text.length <= longestPageChars) return `${mark}\n${page.text.trim()}`
  const left = page.text.length - longestPageChars
  return `${mark}\n${page.text.slice(0, longestPageChars)}\n[${left} more characters of this page left out: use find to read them]`
}

function listDocumentNotes({ problem, notices = [] }: DocumentText): string[] {
  return [problem ?? [], notices].flat().map(note => `Note: ${note}`)
}

/** Returns the pages of a range, ready to be searched for terms. */
function searchPages(url: string, document: DocumentText, range: PageRange): SearchedText {
  return {
    head: [`URL: ${url}`],
    notes: listDocumentNotes(document),
    pages: document.pages.filter(page => page.number >= range.first && page.number <= range.last),
    range,
    total: findLastPage(document),
    unit: 'page',
    links: [],
    readMore: 'call read_pdf with these pages',
  }
}
