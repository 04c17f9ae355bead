import { documentEndings } from '../../src/core/document.ts'
import { ToolError } from '../../src/core/errors.ts'
import { citedLinks, linkNumbersIn, showLinkNumbers } from './links.ts'
import type { ReadPage } from './page-reader.ts'
import type { SearchedText } from './show-passages.ts'

const maxFurtherLinks = 60
const documentFile = new RegExp(`\\.(?!html?\\b)(?:${documentEndings})(?:[?#]|$)`, 'i')

/** One part of a page as the agent sees it. */
export interface ShownPart {
  readonly text: string
  /** True when other parts contain more of the page, or links were left out. */
  readonly truncated: boolean
  readonly shown: readonly number[]
  readonly total: number
}

/**
 * Shows one part of a page: `URL`, `Title`, `Part n of m`, the text and its links. The first part also lists the
 * other links of the page, files first.
 *
 * @param parts - the marked text of the page, split into parts
 * @throws ToolError `bad-input` when the part does not exist
 */
export function showPart(page: Omit<ReadPage, 'text'>, parts: readonly string[], part: number): ShownPart {
  const marked = partOf(page, parts, part)
  const further = part === 1 ? furtherLinks(page) : { lines: [], leftOut: 0 }
  const head = [`URL: ${page.url}`, `Title: ${page.title}`, `Part ${part} of ${parts.length}`]
  if (page.note !== null) head.push(`Note: ${page.note}`)
  const sections = [head.join('\n'), showLinkNumbers(marked), ...citedLinks(marked, page.links)]
  if (further.lines.length > 0) sections.push(['Other links on the page:', ...further.lines].join('\n'))
  if (part < parts.length) sections.push(`[continues: call fetch_page with part ${part + 1}]`)
  return {
    text: sections.filter(section => section !== '').join('\n\n'),
    truncated: parts.length > 1 || further.leftOut > 0,
    shown: marked === '' ? [] : [part],
    total: parts.length,
  }
}

/**
 * Returns the parts of a page, or one of them, ready to be searched for terms.
 *
 * @throws ToolError `bad-input` when the part does not exist
 */
export function searchedParts(
  page: Omit<ReadPage, 'text'>,
  parts: readonly string[],
  part: number | null,
): SearchedText {
  if (part !== null) partOf(page, parts, part)
  const first = part ?? 1
  const searched = withTableTops(parts).slice(first - 1, part ?? parts.length)
  return {
    head: [`URL: ${page.url}`, `Title: ${page.title}`],
    notes: page.note === null ? [] : [`Note: ${page.note}`],
    pages: searched.map((text, at) => ({ number: first + at, text, ocr: false })),
    range: { first, last: part ?? parts.length },
    total: parts.length,
    unit: 'part',
    links: page.links,
    readMore: 'call fetch_page with one of these parts',
  }
}

/** Puts the headings of a table that began in an earlier part above its rows. */
function withTableTops(parts: readonly string[]): string[] {
  // The lines of the table that a part ends in, from its heading on, and the line before them.
  let top: string[] = []
  return parts.map(text => {
    const continued = text.startsWith('|') ? top : []
    const lines = text.trimEnd().split('\n')
    const start = lines.findLastIndex(line => !line.startsWith('|')) + 1
    if (text.trim() !== '') top = start > 0 ? lines.slice(start, start + 2) : [...top, ...lines].slice(0, 2)
    return [...continued.slice(0, 2), text].join('\n')
  })
}

function partOf({ url }: Omit<ReadPage, 'text'>, parts: readonly string[], part: number): string {
  const text = parts[part - 1]
  if (text !== undefined) return text
  const has = `${parts.length} ${parts.length === 1 ? 'part' : 'parts'}`
  throw new ToolError('bad-input', `${url} has ${has}: part ${part} does not exist`)
}

function furtherLinks(page: Omit<ReadPage, 'text'>): { lines: string[]; leftOut: number } {
  const cited = linkNumbersIn(page.marked)
  const others = page.links.filter(link => !cited.has(link.number))
  const ordered = [
    ...others.filter(link => documentFile.test(link.url)),
    ...others.filter(link => !documentFile.test(link.url)),
  ]
  const lines = ordered
    .slice(0, maxFurtherLinks)
    .map(link => `[${link.number}] ${link.url}${link.text === '' ? '' : ` ${link.text}`}`)
  const leftOut = Math.max(0, ordered.length - maxFurtherLinks)
  if (leftOut > 0) lines.push(`[${leftOut} more links left out]`)
  return { lines, leftOut }
}
