import type { PageText } from '../../src/core/document.ts'
import { readingLimits } from '../../src/system/reading-limits.ts'
import type { WorkerLoss } from '../../src/system/worker-pool.ts'
import { tesseractHint } from '../ocr/tesseract.ts'
import type { PageOcr, Reading } from '../read-document.ts'
import type { PdfPageState, PdfPool, PdfReading } from './pool.ts'

/** Returns the text of each page of a PDF, and the reason why any printed page has no text. */
export async function pdfText(pool: PdfPool, bytes: Uint8Array, ocr: PageOcr | null): Promise<Reading> {
  const reading = await pool.read(bytes)
  if (reading.refused !== null)
    return { pages: [], problem: describeRefusal(reading.refused, bytes), lasting: true }
  const images = reading.pages.filter(page => page.state === 'image').map(page => page.number)
  const recognised = ocr === null || images.length === 0 ? null : await ocr.read(bytes, images)
  const pages = reading.pages
    .filter(page => page.state !== 'failed' && page.state !== 'too-large')
    .map((page): PageText => {
      const text = recognised?.texts.get(page.number)
      return text === undefined || countWords(text) <= countWords(page.text)
        ? { number: page.number, text: page.text, ocr: false }
        : { number: page.number, text, ocr: true }
    })
  const late = recognised?.late ?? []
  const scanned = images.filter(page => recognised?.texts.has(page) !== true && !late.includes(page))
  const advice = ocr === null ? ` (${tesseractHint})` : ''
  return {
    pages,
    problem: describeProblems(reading, pages, { pages: scanned, advice, late }, bytes),
    lasting: reading.lost.length === 0 && late.length === 0,
  }
}

function countWords(text: string): number {
  return text.match(/[\p{L}\p{N}]+/gu)?.length ?? 0
}

function describeRefusal(problem: string, bytes: Uint8Array): string {
  const cut = problem.startsWith('damaged') && isCutShort(bytes)
  return cut ? 'truncated: the file ends before its end mark, and nothing of it can be read' : problem
}

function describeProblems(
  reading: PdfReading,
  pages: readonly PageText[],
  scanned: { readonly pages: readonly number[]; readonly advice: string; readonly late: readonly number[] },
  bytes: Uint8Array,
): string | null {
  const inState = (state: PdfPageState): number[] =>
    reading.pages.filter(page => page.state === state).map(page => page.number)
  const [failed, tooLarge] = [inState('failed'), inState('too-large')]
  const problems: string[] = []
  if (isCutShort(bytes)) problems.push('truncated: the file ends before its end mark')
  const withText = new Set(pages.filter(page => page.text !== '').map(page => page.number))
  const withoutText = scanned.pages.filter(page => !withText.has(page))
  const withPart = scanned.pages.filter(page => withText.has(page))
  if (withoutText.length > 0)
    problems.push(`scanned: no text on ${describePages(withoutText)}${scanned.advice}`)
  if (withPart.length > 0)
    problems.push(`scanned: only a part of the text on ${describePages(withPart)}${scanned.advice}`)
  if (scanned.late.length > 0)
    problems.push(`scanned: ${describePages(scanned.late)} could not be read in time`)
  if (failed.length > 0) problems.push(`damaged: ${describePages(failed)} could not be read`)
  if (tooLarge.length > 0)
    problems.push(
      `too-large: ${describePages(tooLarge)} with more than ${readingLimits.pageChars} characters`,
    )
  for (const [loss, describe] of Object.entries(losses)) {
    const lost = reading.lost.filter(page => page.loss === loss).map(page => page.number)
    if (lost.length > 0) problems.push(describe(describePages(lost)))
  }
  if (problems.length === 0 && pages.every(page => page.text === ''))
    problems.push('empty: every page is blank')
  return problems.length === 0 ? null : problems.join('; ')
}

const losses: Readonly<Record<WorkerLoss, (pages: string) => string>> = {
  time: pages => `too-large: reading ${pages} took more than ${readingLimits.pdfPageMs / 1000} seconds`,
  memory: pages => `too-large: reading ${pages} needed more than ${readingLimits.pdfMegabytes} MB`,
  crash: pages => `the PDF reader failed on ${pages}`,
}

/** Formats ascending page numbers: `page 3`, `pages 1-4, 7`. */
function describePages(pages: readonly number[]): string {
  const ranges: [number, number][] = []
  for (const page of pages) {
    const last = ranges.at(-1)
    if (last !== undefined && last[1] === page - 1) last[1] = page
    else ranges.push([page, page])
  }
  const text = ranges.map(([first, last]) => (first === last ? `${first}` : `${first}-${last}`)).join(', ')
  return `${pages.length === 1 ? 'page' : 'pages'} ${text}`
}

const tailBytes = 64 * 1024

/** Whether the end of the file is missing. PDFium repairs such a file and does not report the pages that are lost. */
function isCutShort(bytes: Uint8Array): boolean {
  const file = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length)
  if (!file.subarray(-tailBytes).includes('%%EOF')) return true
  const declared = /\/Linearized[^>]*?\/L\s+(\d+)/.exec(file.toString('latin1', 0, 1024))?.[1]
  return declared !== undefined && Number(declared) > bytes.length
}
