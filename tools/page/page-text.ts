import { ToolError } from '../../src/core/errors.ts'
import { linkNumbersIn, showLinkNumbers } from './links.ts'
import type { ReadPage } from './page-reader.ts'

const maxFurtherLinks = 60
const documentFile = /\.(pdf|docx?|xlsx?|csv|md|txt)([?#]|$)/i

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
  const marked = parts[part - 1]
  if (marked === undefined) {
    throw new ToolError(
      'bad-input',
      `${page.url} has ${parts.length} ${parts.length === 1 ? 'part' : 'parts'}: part ${part} does not exist`,
    )
  }
  const further = part === 1 ? furtherLinks(page) : { lines: [], leftOut: 0 }
  const head = [`URL: ${page.url}`, `Title: ${page.title}`, `Part ${part} of ${parts.length}`]
  if (page.note !== null) head.push(`Note: ${page.note}`)
  const sections = [head.join('\n'), showLinkNumbers(marked)]
  const here = linkNumbersIn(marked)
  const cited = page.links.filter(link => here.has(link.number)).map(link => `[${link.number}] ${link.url}`)
  if (cited.length > 0) sections.push(['Links:', ...cited].join('\n'))
  if (further.lines.length > 0) sections.push(['Other links on the page:', ...further.lines].join('\n'))
  if (part < parts.length) sections.push(`[continues: call fetch_page with part ${part + 1}]`)
  return {
    text: sections.filter(section => section !== '').join('\n\n'),
    truncated: parts.length > 1 || further.leftOut > 0,
    shown: marked === '' ? [] : [part],
    total: parts.length,
  }
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
