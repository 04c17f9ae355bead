import type { DocumentText, PageText } from '../../src/core/document.ts'
import { ToolError } from '../../src/core/errors.ts'
import { longestPageChars, maxAnswerChars, type SearchedText, type ShownPages } from './show-passages.ts'

/** A range of pages, 1-based and inclusive. */
export interface PageRange {
  readonly first: number
  readonly last: number
}

/** Returns the number of the last page. Pages that could not be read are missing from a document's pages. */
export function lastPage({ pages }: DocumentText): number {
  return pages.at(-1)?.number ?? 0
}

/**
 * Parses `3-7`, `3`, `3-` or `-7` within the existing pages.
 *
 * @throws ToolError `bad-input` for any other text
 */
export function pageRange(asked: string, total: number): PageRange {
  const match = /^\s*(\d*)\s*(-|–|—|to)?\s*(\d*)\s*$/.exec(asked)
  const [, from = '', dash, to = ''] = match ?? []
  if (match === null || (from === '' && to === '')) {
    throw new ToolError(
      'bad-input',
      `pages "${asked}" is not a page or a range of pages: write it as "3" or "3-7"`,
    )
  }
  const first = from === '' ? 1 : Number(from)
  const last = to === '' ? (dash === undefined ? first : total) : Number(to)
  if (last >= 1 && last < first) {
    throw new ToolError('bad-input', `pages "${asked}": write the first page first, as in "${last}-${first}"`)
  }
  if (first < 1 || first > total) {
    throw new ToolError('bad-input', `pages "${asked}": the document has pages 1 to ${total}`)
  }
  return { first, last: Math.min(last, total) }
}

/** Returns as many of the requested pages as fit, each under its number. */
export function showPages(url: string, document: DocumentText, range: PageRange): ShownPages {
  const total = lastPage(document)
  const wanted = document.pages.filter(page => page.number >= range.first && page.number <= range.last)
  const fitting = pagesThatFit(wanted)
  const shortened = fitting.filter(page => page.text.length > longestPageChars)
  const last = fitting.at(-1)?.number ?? range.first
  const sections = [
    [`URL: ${url}`, `Pages ${range.first}-${last} of ${total}`, ...notesOf(document)].join('\n'),
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

function pagesThatFit(pages: readonly PageText[]): PageText[] {
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
  const mark = `--- page ${page.number}${page.ocr ? ' (read by OCR)' : ''} ---`
  if (!/\S/.test(page.text)) return `${mark}\n(no text on this page)`
  if (page.text.length <= longestPageChars) return `${mark}\n${page.text.trim()}`
  const left = page.text.length - longestPageChars
  return `${mark}\n${page.text.slice(0, longestPageChars)}\n[${left} more characters of this page left out: use find to read them]`
}

function notesOf({ problem, notices = [] }: DocumentText): string[] {
  return [problem ?? [], notices].flat().map(note => `Note: ${note}`)
}

/** Returns the pages of a range, ready to be searched for terms. */
export function searchedPages(url: string, document: DocumentText, range: PageRange): SearchedText {
  return {
    head: [`URL: ${url}`],
    notes: notesOf(document),
    pages: document.pages.filter(page => page.number >= range.first && page.number <= range.last),
    range,
    total: lastPage(document),
    unit: 'page',
    links: [],
    readMore: 'call read_pdf with these pages',
  }
}
