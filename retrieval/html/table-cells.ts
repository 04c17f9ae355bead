import { isElement, type PageElement, writeOnLine } from './dom.ts'

/** Selects HTML tables and ARIA tables. Grids made by scripts often consist of blocks with ARIA roles. */
export const tableSelector = 'table, [role="table"], [role="grid"], [role="treegrid"]'

type TablePart = 'cell' | 'row' | 'group'

const partOfTag: Readonly<Record<string, TablePart>> = {
  td: 'cell',
  th: 'cell',
  tr: 'row',
  thead: 'group',
  tbody: 'group',
  tfoot: 'group',
}
const partOfRole: Readonly<Record<string, TablePart>> = {
  cell: 'cell',
  gridcell: 'cell',
  columnheader: 'cell',
  rowheader: 'cell',
  row: 'row',
  rowgroup: 'group',
}

/** Selects the cells of HTML and ARIA tables, with those of headings. */
export const cellSelector = [
  ...Object.keys(partOfTag).filter(tag => partOfTag[tag] === 'cell'),
  ...Object.keys(partOfRole).flatMap(role => (partOfRole[role] === 'cell' ? [`[role="${role}"]`] : [])),
].join(', ')
/** Selects the cells of tables that are no headings. */
export const dataCellSelector = 'td, [role="cell"], [role="gridcell"]'

/** A cell of a table. */
export interface TableCell {
  readonly cell: PageElement
  readonly text: string
}

/**
 * Returns the cells of a table by group and row, in page order. Nested tables must have been removed. Adjacent
 * cells without a row form one row. Other elements between table, row and cell, such as a form, are ignored. A cell
 * inside an unclosed cell becomes the next cell.
 */
export function readTableGroups(table: PageElement): TableCell[][][] {
  const groups: { at: PageElement; rows: { at: PageElement; cells: PageElement[] }[] }[] = []
  const add = (cell: PageElement, row: PageElement, group: PageElement): void => {
    if (groups.at(-1)?.at !== group) groups.push({ at: group, rows: [] })
    const rows = groups.at(-1)?.rows ?? []
    if (rows.at(-1)?.at !== row) rows.push({ at: row, cells: [] })
    rows.at(-1)?.cells.push(cell)
  }
  const visit = (inside: PageElement, row: PageElement | null, group: PageElement, inCell: boolean): void => {
    for (const child of [...inside.childNodes].filter(isElement)) {
      const part = inCell ? partOfTag[child.tagName.toLowerCase()] : findTablePart(child)
      if (part === 'cell') {
        if (inCell) child.remove()
        add(child, row ?? inside, group)
        visit(child, row ?? inside, group, true)
      } else {
        visit(child, part === 'row' ? child : row, part === 'group' ? child : group, inCell)
      }
    }
  }
  visit(table, null, table, false)
  // A browser shows the first head above and the first foot below the other rows, wherever they are written.
  const find = (tag: string) => groups.find(({ at }) => at.tagName === tag)
  const [head, foot] = [find('THEAD'), find('TFOOT')]
  const body = groups.filter(group => group !== head && group !== foot)
  const ordered = [head ?? [], body, foot ?? []].flat()
  return ordered.map(({ rows }) =>
    rows.map(({ cells }) => cells.map(cell => ({ cell, text: writeOnLine(cell) }))),
  )
}

/** Returns what part of a table an element is; null for other elements. */
export function findTablePart(element: PageElement): TablePart | null {
  return partOfTag[element.tagName.toLowerCase()] ?? partOfRole[element.getAttribute('role') ?? ''] ?? null
}
