import type { PageText } from '../../src/core/document.ts'
import { citedLinks, type PageLink, showLinkNumbers } from './links.ts'
import { type FoundTerm, findTerm, passagesOf, searchPages } from './passages.ts'

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
  const found = terms.map(term => findTerm(pages, term))
  const sections: string[] = []
  const shown = new Set<number>()
  const left = new Set<number>()
  let chars = 0
  for (const passage of passagesOf(pages, found)) {
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
  const head = [...searched.head, line, ...searched.notes, ...found.map(term => summaryOf(term, unit))]
  const text = [
    head.join('\n'),
    ...sections.map(showLinkNumbers),
    ...citedLinks(sections.join('\n'), searched.links),
  ]
  if (left.size > 0) text.push(`[more passages on ${unit}s ${[...left].join(', ')}: ${searched.readMore}]`)
  return { text: text.join('\n\n'), truncated: left.size > 0, shown: [...shown] }
}

function summaryOf(found: FoundTerm, unit: SearchedText['unit']): string {
  const where = `${unit}s ${[...found.lines.keys()].join(', ')}`
  if (found.how === 'none') return `"${found.term}": not found`
  return found.how === 'phrase'
    ? `"${found.term}": ${where}`
    : `"${found.term}": not found as written; all its words occur close together on ${where}`
}
