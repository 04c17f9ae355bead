import type { PageText } from '../../src/core/document.ts'

export interface Passage {
  readonly page: number
  /** Whole lines, so that table rows stay whole. */
  readonly text: string
}

export interface FoundTerm {
  readonly term: string
  /** 'phrase': the term stands there; 'words': only all its words within three lines; 'none': nowhere. */
  readonly how: 'phrase' | 'words' | 'none'
  /** Every page with a hit, ascending. */
  readonly pages: readonly number[]
  readonly lines: ReadonlyMap<number, readonly number[]>
}

const linesAround = 2

/** Where a term stands: case, width, spaces and thousands separators aside; it may run over a line's end. */
export function findTerm(pages: readonly PageText[], term: string): FoundTerm {
  const phrase = searchable(term)
  const words = searchableWords(term)
  const search = (match: (lines: readonly string[], index: number) => boolean): Map<number, number[]> => {
    const found = new Map<number, number[]>()
    for (const page of pages) {
      const lines = linesOf(page.text)
      const hits = lines.flatMap((_, index) => (match(lines, index) ? [index] : []))
      if (hits.length > 0) found.set(page.number, hits)
    }
    return found
  }
  const phrases =
    phrase === '' ? new Map<number, number[]>() : search((lines, index) => holdsPhrase(lines, index, phrase))
  if (phrases.size > 0) return { term, how: 'phrase', pages: [...phrases.keys()], lines: phrases }
  const scattered =
    words.length < 2 ? new Map<number, number[]>() : search((lines, index) => holdsWords(lines, index, words))
  return { term, how: scattered.size > 0 ? 'words' : 'none', pages: [...scattered.keys()], lines: scattered }
}

/** The passages around found lines, overlapping ones as one, in page order. */
export function passagesOf(pages: readonly PageText[], found: readonly FoundTerm[]): Passage[] {
  return pages.flatMap(page => {
    const hits = [...new Set(found.flatMap(term => term.lines.get(page.number) ?? []))].sort((a, b) => a - b)
    const lines = linesOf(page.text)
    const ranges: [number, number][] = []
    for (const hit of hits) {
      const start = Math.max(0, hit - linesAround)
      const end = Math.min(lines.length, hit + linesAround + 1)
      const last = ranges.at(-1)
      if (last !== undefined && start <= last[1]) last[1] = end
      else ranges.push([start, end])
    }
    return ranges.map(([start, end]) => ({ page: page.number, text: lines.slice(start, end).join('\n') }))
  })
}

/** Lines with something on them; a very long one (text without line ends) by its sentences. */
function linesOf(text: string): string[] {
  return text
    .split(/\r?\n/)
    .filter(line => /\S/.test(line))
    .flatMap(line =>
      line.length > 1_500 && !/[|\t]/.test(line) ? line.split(/(?<=[.!?。!?;;])\s*/) : [line],
    )
}

function holdsPhrase(lines: readonly string[], index: number, phrase: string): boolean {
  const here = searchable(lines[index] ?? '')
  if (here.includes(phrase)) return true
  const next = searchable(lines[index + 1] ?? '')
  return !next.includes(phrase) && (here + next).includes(phrase)
}

function holdsWords(lines: readonly string[], index: number, words: readonly string[]): boolean {
  const here = searchable(lines[index] ?? '')
  if (!words.some(word => here.includes(word))) return false
  const near = searchable(lines.slice(Math.max(0, index - 1), index + 2).join(' '))
  return words.every(word => near.includes(word))
}

/** NFKC, lower case, no spaces, no thousands separators: PDFs put spaces between CJK characters and into words. */
function searchable(text: string): string {
  return text
    .normalize('NFKC')
    .toLowerCase()
    .replace(/(?<=\d),(?=\d{3})/g, '')
    .replace(/[\s|]+/g, '')
}

function searchableWords(term: string): string[] {
  return [
    ...new Set(
      term
        .split(/[\s,;:()（）、，；：]+/)
        .map(searchable)
        .filter(word => word !== ''),
    ),
  ]
}
