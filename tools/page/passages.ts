import type { PageText } from '../../src/core/document.ts'
import { composeUnicode } from '../../src/text/numbers.ts'
import { countFurtherHeadRows, isPipeRule } from '../../src/text/pipe-table.ts'
import { foldCase, joinLines, withoutInvisible } from '../../src/text/plain-text.ts'
import { type PageLink, showLinkNumbers, withoutLinkNumbers, writeCitedLinks } from './links.ts'

/**
 * The most text of a document that one answer shows, in characters. A single longer page is shown up to three times
 * this length.
 */
export const maxAnswerChars = 30_000
export const longestPageChars = 90_000

/** Pages, parts or passages as one answer shows them. */
export interface ShownPages {
  readonly text: string
  readonly truncated: boolean
  readonly shown: readonly number[]
}

/** The pages of a document, or the parts of a web page, in which terms are looked up. */
export interface SearchedText {
  /** The first lines of the answer, such as the URL. */
  readonly head: readonly string[]
  /** Lines below the one that names the searched pages. */
  readonly notes: readonly string[]
  readonly pages: readonly PageText[]
  /** The first and the last number of `pages`, and the last number of the whole document. */
  readonly range: { readonly first: number; readonly last: number }
  readonly total: number
  readonly unit: 'page' | 'part'
  /** The links whose marks the text contains. */
  readonly links: readonly PageLink[]
  /** How to read passages that are left out. */
  readonly readMore: string
}

/** Returns as many passages around the terms as fit, in page order. It also reports the terms that were not found. */
export function showPassages(searched: SearchedText, terms: readonly string[]): ShownPages {
  const { unit, range, total } = searched
  const pages = searchPages(searched.pages)
  const searches = terms.map(term => findTerm(pages, term))
  const sections: string[] = []
  const shown = new Set<number>()
  const left = new Set<number>()
  let chars = 0
  for (const passage of collectPassages(pages, searches)) {
    chars += passage.text.length
    if (sections.length > 0 && chars > maxAnswerChars) {
      left.add(passage.page)
      continue
    }
    const mark = shown.has(passage.page) ? '…' : `--- ${unit} ${passage.page} ---`
    shown.add(passage.page)
    sections.push(`${mark}\n${passage.text.slice(0, longestPageChars)}`)
  }
  const line = `Found in ${unit}s ${range.first}-${range.last} of ${total}:`
  const head = [
    ...searched.head,
    line,
    ...searched.notes,
    ...searches.map(term => describeSearch(term, unit)),
  ]
  const text = [
    head.join('\n'),
    ...sections.map(showLinkNumbers),
    ...writeCitedLinks(sections.join('\n'), searched.links),
  ]
  if (left.size > 0) text.push(`[more passages on ${unit}s ${[...left].join(', ')}: ${searched.readMore}]`)
  return { text: text.join('\n\n'), truncated: left.size > 0, shown: [...shown] }
}

function describeSearch(search: FoundTerm, unit: SearchedText['unit']): string {
  const where = `${unit}s ${[...search.lines.keys()].join(', ')}`
  if (search.how === 'none') return `"${search.term}": not found`
  return search.how === 'phrase'
    ? `"${search.term}": ${where}`
    : `"${search.term}": not found as written; all its words occur close together on ${where}`
}

/** An excerpt of a page. */
interface Passage {
  readonly page: number
  /** Whole lines, so that table rows stay complete. */
  readonly text: string
}

/** Where a search term was found. */
interface FoundTerm {
  readonly term: string
  /** 'phrase': the term occurs as written; 'words': all its words occur within three lines; 'none': not found. */
  readonly how: 'phrase' | 'words' | 'none'
  /** Matching lines by page number, pages in ascending order. */
  readonly lines: ReadonlyMap<number, readonly number[]>
}

/** A page split into lines, with the normalised text that terms are compared with. */
interface PageLines {
  readonly number: number
  readonly lines: readonly string[]
  readonly plain: readonly string[]
}

const linesAround = 2
/** Number of lines without cells, such as the row label `REVENUE:`, allowed between two rows of a table. */
const gapInTable = 2
const linesAboveTable = 3
const firstRows = 2

/** Prepares pages for searches. */
export function searchPages(pages: readonly PageText[]): PageLines[] {
  return pages.map(page => {
    const lines = listTextLines(page.text)
    return { number: page.number, lines, plain: lines.map(normaliseText) }
  })
}

/**
 * Finds a term. Case, character width, spaces and thousands separators are ignored. A match may continue on the
 * next line.
 */
export function findTerm(pages: readonly PageLines[], term: string): FoundTerm {
  const phrase = normaliseText(term)
  const words = normaliseWords(term)
  const phrases =
    phrase === '' ? new Map() : listHitLines(pages, (plain, index) => containsPhrase(plain, index, phrase))
  if (phrases.size > 0) return { term, how: 'phrase', lines: phrases }
  const scattered =
    words.length < 2 ? new Map() : listHitLines(pages, (plain, index) => containsWords(plain, index, words))
  return { term, how: scattered.size > 0 ? 'words' : 'none', lines: scattered }
}

/**
 * Returns the passages around the matching lines in page order. Overlapping passages are merged. A table row is
 * shown with the top of its table, because figures mean nothing without their column headings.
 */
export function collectPassages(pages: readonly PageLines[], searches: readonly FoundTerm[]): Passage[] {
  return pages.flatMap(page => {
    const hits = new Set(searches.flatMap(term => term.lines.get(page.number) ?? []))
    const ranges = [...hits].flatMap(hit => [
      { start: hit - linesAround, end: hit + linesAround + 1 },
      ...findTableTop(page.lines, hit),
    ])
    return mergeRanges(ranges, page.lines.length).map(({ start, end }) => ({
      page: page.number,
      text: page.lines.slice(start, end).join('\n'),
    }))
  })
}

interface LineRange {
  readonly start: number
  readonly end: number
}

function findTableTop(lines: readonly string[], hit: number): LineRange[] {
  if (!isRow(lines[hit])) return []
  let top = hit
  for (let line = hit - 1; line >= 0 && top - line <= gapInTable + 1; line -= 1) {
    if (isRow(lines[line])) top = line
  }
  const rows = lines.slice(top + firstRows)
  const further = isPipeRule(lines[top + firstRows - 1]!) ? countFurtherHeadRows(rows) : 0
  return [{ start: top - linesAboveTable, end: top + firstRows + further }]
}

function isRow(line: string | undefined): boolean {
  return line !== undefined && /\t| \| /.test(line)
}

function mergeRanges(ranges: readonly LineRange[], lineCount: number): LineRange[] {
  const joined: { start: number; end: number }[] = []
  for (const range of [...ranges].sort((a, b) => a.start - b.start)) {
    const start = Math.max(0, range.start)
    const end = Math.min(lineCount, range.end)
    const last = joined.at(-1)
    if (last !== undefined && start <= last.end) last.end = Math.max(last.end, end)
    else joined.push({ start, end })
  }
  return joined
}

function listHitLines(
  pages: readonly PageLines[],
  match: (plain: readonly string[], index: number) => boolean,
): Map<number, number[]> {
  const lines = new Map<number, number[]>()
  for (const page of pages) {
    const hits = page.plain.flatMap((_, index) => (match(page.plain, index) ? [index] : []))
    if (hits.length > 0) lines.set(page.number, hits)
  }
  return lines
}

/** Returns the non-empty lines. A very long line (text without line ends) is split into sentences. */
function listTextLines(text: string): string[] {
  return text
    .split(/\r?\n/)
    .filter(line => /\S/.test(line))
    .flatMap(line => (line.length > 1_500 && !isRow(line) ? line.split(/(?<=[.!?。！？；])\s*/) : [line]))
}

function containsPhrase(plain: readonly string[], index: number, phrase: string): boolean {
  const here = plain[index] ?? ''
  if (here.includes(phrase)) return true
  const next = plain[index + 1] ?? ''
  return !next.includes(phrase) && joinLines(here, next).includes(phrase)
}

function containsWords(plain: readonly string[], index: number, words: readonly string[]): boolean {
  const here = plain[index] ?? ''
  if (!words.some(word => here.includes(word))) return false
  const near = `${plain[index - 1] ?? ''} ${here} ${plain[index + 1] ?? ''}`
  return words.every(word => near.includes(word))
}

/** Signs that a print sets in several ways, each with the one that people type. */
const typedSigns: readonly (readonly [RegExp, string])[] = [
  [/[\u2010-\u2015\u2212]/g, '-'],
  [/[\u2018-\u201b\u2032\u02bc\u00b4`]/g, "'"],
  [/[\u201c-\u201f\u2033\u00ab\u00bb]/g, '"'],
]

/**
 * Normalises text for the search: NFKC, case folded, with typed dashes and quotation marks, without marks of struck text, invisible characters, spaces, thousands separators, and hyphens
 * between letters, which may come from a line end of the print. PDFs insert spaces between CJK characters and inside
 * words. Link marks of web pages are left out.
 */
function normaliseText(text: string): string {
  const folded = foldCase(composeUnicode(withoutInvisible(withoutLinkNumbers(text))))
  return typedSigns
    .reduce((plain, [signs, typed]) => plain.replace(signs, typed), folded)
    .replaceAll('~~', '')
    .replace(/(?<=\d),(?=\d{3})/g, '')
    .replace(/[\s|]+/g, '')
    .replace(/(?<=\p{L})-(?=\p{L})/gu, '')
}

function normaliseWords(term: string): string[] {
  return [
    ...new Set(
      term
        .split(/[\s,;:()（）、，；：]+/)
        .map(normaliseText)
        .filter(word => word !== ''),
    ),
  ]
}
