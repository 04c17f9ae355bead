import { type DocumentText, joinPages } from '../../src/core/document.ts'
import { ToolError } from '../../src/core/errors.ts'
import type { ToolArtifact, ToolEnvironment } from '../tool.ts'
import { once, storeOf } from './attempt-store.ts'
import { bodyArtifact } from './body-observation.ts'
import type { PageBody } from './body-type.ts'
import { lastPage, pageRange, pagesChars, type ShownPages, showFound, showPages } from './document-pages.ts'

export interface DocumentQuestion {
  /** Such as `3-7`; null: from the start, as many as fit. */
  readonly pages: string | null
  readonly find: readonly string[]
}

/** A body's text by the document reader, once an attempt. */
export async function readDocument(body: PageBody, environment: ToolEnvironment): Promise<DocumentText> {
  return await once(storeOf(environment).documents, body.sha256, () =>
    environment.reader.read(body.bytes, nameOf(body.finalUrl), environment.signal),
  )
}

/** What read_pdf answers: pages, or passages; where nothing can be read, why. Never bytes as text. */
export async function answerFromPdf(
  body: PageBody,
  question: DocumentQuestion,
  environment: ToolEnvironment,
): Promise<[string, ToolArtifact]> {
  const document = await readDocument(body, environment)
  const shown = view(body, document, question)
  const ocr = document.pages.filter(page => page.ocr).map(page => page.number)
  return [
    shown.text,
    bodyArtifact(
      body,
      {
        text: joinPages(document.pages),
        contentType: 'application/pdf',
        shown: shown.shown,
        total: lastPage(document),
        ocr: shown.shown.filter(page => ocr.includes(page)),
        links: [],
        truncated: shown.truncated,
      },
      environment,
    ),
  ]
}

function view(body: PageBody, document: DocumentText, question: DocumentQuestion): ShownPages {
  const total = lastPage(document)
  if (document.pages.every(page => !/\S/.test(page.text))) {
    const why = document.problem ?? 'no text could be read from it'
    return { text: `URL: ${body.finalUrl}\nThis PDF can't be read: ${why}`, truncated: false, shown: [] }
  }
  const range = question.pages === null ? { first: 1, last: total } : pageRange(question.pages, total)
  return question.find.length === 0
    ? showPages(body.finalUrl, document, range)
    : showFound(body.finalUrl, document, range, question.find)
}

/** The pages that part n of a document, as fetch_page counts, holds: windows of as many pages as fit. */
export function pagesOfPart(document: DocumentText, part: number): string {
  const windows: string[] = []
  let first = 0
  while (first < document.pages.length) {
    let last = first
    let chars = document.pages[first]?.text.length ?? 0
    while (
      last + 1 < document.pages.length &&
      chars + (document.pages[last + 1]?.text.length ?? 0) <= pagesChars
    ) {
      last += 1
      chars += document.pages[last]?.text.length ?? 0
    }
    windows.push(`${document.pages[first]!.number}-${document.pages[last]!.number}`)
    first = last + 1
  }
  const window = windows[part - 1]
  if (window !== undefined) return window
  throw new ToolError('bad-input', `the document has ${windows.length} parts: there is no part ${part}`)
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
