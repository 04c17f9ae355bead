import { isElement, lineOf, type PageElement } from './dom.ts'

/** Tables of HTML, and what ARIA says is one: grids of scripts are often made of blocks. */
export const tableSelector = 'table, [role="table"], [role="grid"], [role="treegrid"]'

type Part = 'cell' | 'row' | 'group'

const partOfTag: Readonly<Record<string, Part>> = {
  td: 'cell',
  th: 'cell',
  tr: 'row',
  thead: 'group',
  tbody: 'group',
  tfoot: 'group',
}
const partOfRole: Readonly<Record<string, Part>> = {
  cell: 'cell',
  gridcell: 'cell',
  columnheader: 'cell',
  rowheader: 'cell',
  row: 'row',
  rowgroup: 'group',
}

export interface TableCell {
  readonly cell: PageElement
  readonly text: string
}

/**
 * A table's cells by group and row, in the order of the page. Cells without a row of their own make one together with
 * their neighbours; whatever else stands between table, row and cell (a form, a centring) is looked through, and a cell
 * inside another one, left open, is taken out of it and comes behind. Tables inside must have been taken out.
 */
export function groupsOf(table: PageElement): TableCell[][][] {
  const groups: { at: PageElement; rows: { at: PageElement; cells: PageElement[] }[] }[] = []
  const add = (cell: PageElement, row: PageElement, group: PageElement): void => {
    if (groups.at(-1)?.at !== group) groups.push({ at: group, rows: [] })
    const rows = groups.at(-1)?.rows ?? []
    if (rows.at(-1)?.at !== row) rows.push({ at: row, cells: [] })
    rows.at(-1)?.cells.push(cell)
  }
  const visit = (inside: PageElement, row: PageElement | null, group: PageElement, inCell: boolean): void => {
    for (const child of [...inside.childNodes].filter(isElement)) {
      const part = inCell ? partOfTag[child.tagName.toLowerCase()] : partOf(child)
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
  return groups.map(({ rows }) => rows.map(({ cells }) => cells.map(cell => ({ cell, text: lineOf(cell) }))))
}

export function partOf(element: PageElement): Part | null {
  return partOfTag[element.tagName.toLowerCase()] ?? partOfRole[element.getAttribute('role') ?? ''] ?? null
}
