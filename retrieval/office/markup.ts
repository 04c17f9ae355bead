import type { XmlNode } from '../text/xml-tree.ts'

/** Escapes a text for the HTML that the one reader of HTML turns into text. */
export function escapeText(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')
}

/** How characters stand: raised, lowered or struck. */
export interface CharacterLook {
  readonly raised: boolean
  readonly lowered: boolean
  readonly struck: boolean
}

/** Writes text in its look. */
export function writeLook(html: string, { raised, lowered, struck }: CharacterLook): string {
  if (html === '') return ''
  const placed = raised ? `<sup>${html}</sup>` : lowered ? `<sub>${html}</sub>` : html
  return struck ? `<del>${placed}</del>` : placed
}

/** A cell of a table, with the rows and columns that it spans. */
export interface SpanningCell {
  readonly html: string
  readonly columns: number
  readonly rows: number
}

/** Writes a table. A cell that another one covers is left out by the caller. */
export function writeTable(rows: readonly (readonly SpanningCell[])[]): string {
  const lines = rows.map(cells => {
    const tags = cells.map(({ html, columns, rows: spanned }) => {
      const spans = `${columns > 1 ? ` colspan="${columns}"` : ''}${spanned > 1 ? ` rowspan="${spanned}"` : ''}`
      return `<td${spans}>${html}</td>`
    })
    return `<tr>${tags.join('')}</tr>`
  })
  return `<table>${lines.join('')}</table>`
}

/** Returns a count in an attribute; 1 when it has none. */
export function countIn(node: XmlNode, attribute: string): number {
  const count = Number(node.attributes[attribute] ?? 1)
  return Number.isInteger(count) && count > 0 ? count : 1
}

/** Says how many things of a kind are not read. */
export function describeUnread(place: string, count: number, singular: string, plural: string): string[] {
  if (count === 0) return []
  return [`${place}${count} ${count === 1 ? `${singular} is` : `${plural} are`} not read`]
}
