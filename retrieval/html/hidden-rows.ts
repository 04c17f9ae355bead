import type { PageDocument, PageElement } from './dom.ts'

/**
 * Puts the hidden rows of each table into a hidden table behind it, below its first row when that is shown. Where cells span
 * rows, the columns of a hidden row depend on others, and it stays a list of its cells.
 *
 * @returns the new tables
 */
export function joinHiddenRows(hidden: Set<PageElement>, document: PageDocument): Set<PageElement> {
  const rowsByTable = new Map<PageElement, PageElement[]>()
  for (const row of document.querySelectorAll('tr, tbody, tfoot')) {
    if (!hidden.has(row) || hidden.has(row.parentNode!) || !/\S/.test(row.textContent ?? '')) continue
    const table = tableAround(row)
    if (table !== null)
      rowsByTable
        .set(table, rowsByTable.get(table) ?? [])
        .get(table)!
        .push(row)
  }
  const joined = new Set<PageElement>()
  for (const [table, rows] of rowsByTable) {
    if (table.querySelector('[rowspan]:not([rowspan="1"])') !== null) continue
    const copy = document.createElement('table')
    const first = table.querySelector('tr')
    if (first !== null && !hidden.has(first) && !hidden.has(first.parentNode!))
      copy.append(copyShown(first, hidden))
    for (const row of rows) {
      hidden.delete(row)
      for (const attribute of ['style', 'hidden']) row.removeAttribute(attribute)
      copy.append(row)
    }
    table.after(copy)
    hidden.add(copy)
    joined.add(copy)
  }
  return joined
}

/** Copies an element without its hidden parts. */
function copyShown(element: PageElement, hidden: ReadonlySet<PageElement>): PageElement {
  const copy = element.cloneNode(true)
  const parts = [...copy.querySelectorAll('*')]
  for (const [at, part] of [...element.querySelectorAll('*')].entries())
    if (hidden.has(part)) parts[at]?.remove()
  return copy
}

function tableAround(row: PageElement): PageElement | null {
  let element = row.parentNode
  while (element !== null && element.tagName !== 'TABLE') element = element.parentNode
  return element
}
