import { type DocumentText, joinPages } from '../../src/core/document.ts'
import { ToolError } from '../../src/core/errors.ts'
import type { ToolArtifact, ToolEnvironment } from '../tool.ts'
import { computeOnce, storeOf } from './attempt-store.ts'
import { bodyArtifact, withBodyRecord } from './body-observation.ts'
import type { PageBody } from './body-type.ts'
import { lastPage, pageRange, searchedPages, showPages } from './document-pages.ts'
import { maxAnswerChars, type ShownPages, showPassages } from './show-passages.ts'

/** The part of a PDF that a call asks for. */
export interface DocumentQuestion {
  /**
   * A range such as `3-7`, or a part with as many pages as fit into one answer. With null, as many pages as
   * fit from the start are shown.
   */
  readonly pages: string | { readonly part: number } | null
  readonly find: readonly string[]
}

/** Reads the text of a body with the document reader, once per attempt. */
export async function readDocument(body: PageBody, environment: ToolEnvironment): Promise<DocumentText> {
  return await computeOnce(storeOf(environment).documents, body.sha256, () =>
    environment.reader.read(body.bytes, nameOf(body.finalUrl), environment.signal),
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
    total: lastPage(document),
    notices: [document.problem ?? [], document.notices ?? []].flat(),
  }
  const shown = withBodyRecord(body, whole, environment, () => view(body, document, question))
  const ocr = document.pages.filter(page => page.ocr).map(page => page.number)
  return [
    shown.text,
    bodyArtifact(
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
  const total = lastPage(document)
  if (document.pages.every(page => !/\S/.test(page.text))) {
    const why = document.problem ?? 'no text could be read from it'
    return { text: `URL: ${body.finalUrl}\nThis PDF can't be read: ${why}`, truncated: false, shown: [] }
  }
  const asked = typeof pages === 'object' && pages !== null ? pagesOfPart(document, pages.part) : pages
  const range = asked === null ? { first: 1, last: total } : pageRange(asked, total)
  return find.length === 0
    ? showPages(body.finalUrl, document, range)
    : showPassages(searchedPages(body.finalUrl, document, range), find)
}

/** Returns the page range of part n of a document, as fetch_page counts parts: windows with as many pages as fit. */
function pagesOfPart(document: DocumentText, part: number): string {
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

function nameOf(url: string): string {
  const last = new URL(url).pathname.split('/').at(-1) ?? ''
  try {
    return decodeURIComponent(last)
  } catch (error) {
    if (error instanceof URIError) return last
    throw error
  }
}
