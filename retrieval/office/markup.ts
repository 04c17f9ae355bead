import type { XmlNode } from './xml-tree.ts'

/** The text of a document in parts, such as its slides or sheets, and what was not read of it. */
export interface PartedText {
  readonly parts: readonly string[]
  readonly notices: readonly string[]
}

/** The text of a slide. */
export interface Slide {
  readonly text: string
  /** Whether the presentation leaves it out. */
  readonly isHidden: boolean
}

/** Returns the slides of a presentation as parts. Hidden slides with text follow the others, with a heading and a notice. */
export function orderSlides(slides: readonly Slide[], notices: readonly string[]): PartedText {
  const hidden = [...slides.entries()].filter(([, { text, isHidden }]) => isHidden && text.trim() !== '')
  return {
    parts: [
      ...slides.filter(({ isHidden }) => !isHidden).map(({ text }) => text),
      ...hidden.map(([at, { text }]) => `# Not visible in the presentation: slide ${at + 1}\n\n${text}`),
    ],
    notices: [...hidden.map(([at]) => `slide ${at + 1} is hidden`), ...notices],
  }
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
  return `<table role="table">${lines.join('')}</table>`
}

/** Returns a count in an attribute; 1 when it has none. */
export function countIn(node: XmlNode, attribute: string): number {
  const count = Number(node.attributes[attribute] ?? 1)
  return Number.isInteger(count) && count > 0 ? count : 1
}

/** Returns whether HTML shows any text. */
export function showsText(html: string): boolean {
  return /\S/.test(html.replace(/<[^>]*>/g, ''))
}
