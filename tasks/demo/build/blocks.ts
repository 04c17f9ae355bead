/** A block of a document before layout. Blocks are in reading order. */
export type Block =
  | { readonly kind: 'title'; readonly text: string; readonly below: readonly string[] }
  | { readonly kind: 'heading'; readonly text: string }
  | { readonly kind: 'subheading'; readonly text: string }
  | { readonly kind: 'paragraph'; readonly text: string }
  /** Small text at the right margin, such as the unit of a table. */
  | { readonly kind: 'note'; readonly text: string }
  | TableBlock
  | { readonly kind: 'page' }

export interface TableBlock {
  readonly kind: 'table'
  readonly header: readonly string[]
  readonly rows: readonly (readonly string[])[]
  /** Shares of the page width. The first column is left-aligned, the others right-aligned. */
  readonly widths: readonly number[]
  /** The indices of bold rows: sums and captions. */
  readonly bold: readonly number[]
}

/** A document of the demo before layout. */
export interface DemoDocument {
  readonly fileName: string
  readonly title: string
  readonly author: string
  /** Printed small at the top of every page except the first. */
  readonly runningHead: string
  readonly language: 'zh' | 'en'
  readonly blocks: readonly Block[]
}

/** Returns every text of a document, which its font must contain. */
export function textsOf(document: DemoDocument): string[] {
  return [document.runningHead, ...document.blocks.flatMap(textsOfBlock)]
}

function textsOfBlock(block: Block): readonly string[] {
  switch (block.kind) {
    case 'title':
      return [block.text, ...block.below]
    case 'table':
      return [...block.header, ...block.rows.flat()]
    case 'page':
      return []
    default:
      return [block.text]
  }
}

export const heading = (text: string): Block => ({ kind: 'heading', text })
export const subheading = (text: string): Block => ({ kind: 'subheading', text })
export const paragraph = (text: string): Block => ({ kind: 'paragraph', text })
export const note = (text: string): Block => ({ kind: 'note', text })
export const page: Block = { kind: 'page' }

/** Returns a table. A row whose first cell begins with `*` is bold, without the asterisk. */
export function table(
  widths: readonly number[],
  header: readonly string[],
  rows: readonly (readonly string[])[],
): TableBlock {
  const isBold = (row: readonly string[]) => row[0]?.startsWith('*') ?? false
  return {
    kind: 'table',
    header,
    widths,
    rows: rows.map(row => row.map((cell, column) => (column === 0 ? cell.replace(/^\*/, '') : cell))),
    bold: rows.flatMap((row, index) => (isBold(row) ? [index] : [])),
  }
}
