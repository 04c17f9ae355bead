import type { PageDocument, PageElement } from './dom.ts'

/** Makes every table with the class `sortable` sort by the buttons in its column heads. Runs in the browser. */
export function sortTables(page: PageDocument): void {
  for (const table of page.querySelectorAll('table.sortable')) {
    const heads = Array.from(table.querySelectorAll('thead th'))
    for (const [column, head] of heads.entries()) {
      head.querySelector('button')?.addEventListener('click', () => sortBy(table, heads, column))
    }
  }
}

function sortBy(table: PageElement, heads: readonly PageElement[], column: number): void {
  const head = heads[column]
  const body = table.querySelector('tbody')
  if (head === undefined || body === null) return
  const downward = head.getAttribute('aria-sort') !== 'descending'
  for (const other of heads) other.setAttribute('aria-sort', 'none')
  head.setAttribute('aria-sort', downward ? 'descending' : 'ascending')
  const rows = Array.from(body.querySelectorAll('tr'))
  const keyed = rows.map(row => ({ row, key: sortKey(row, column) }))
  keyed.sort((a, b) => compareSortKeys(a.key, b.key, downward))
  body.replaceChildren(...keyed.map(one => one.row))
}

function sortKey(row: PageElement, column: number): string {
  const cell = row.children[column]
  return cell?.dataset.sort ?? cell?.textContent ?? ''
}

/** Reads the number at the start of a cell, such as 999, 12.3k, 4.0m or <0.0001. Returns NaN when there is none. */
function sortNumber(text: string): number {
  const unit = /^[\d.]+([km])$/.exec(text)?.[1]
  return Number.parseFloat(text.replace('<', '')) * (unit === 'k' ? 1e3 : unit === 'm' ? 1e6 : 1)
}

/** Orders numbers by value and before text. Unknown values come last in both directions. */
function compareSortKeys(a: string, b: string, downward: boolean): number {
  const [left, right] = [sortNumber(a), sortNumber(b)]
  const numbers = [Number.isNaN(left), Number.isNaN(right)] as const
  const sign = downward ? -1 : 1
  if (numbers[0] !== numbers[1]) return numbers[0] ? 1 : -1
  return sign * (numbers[0] ? a.localeCompare(b) : left - right)
}

/** The functions of this file that become part of the page's script. */
export const sortTablesSource: readonly ((...args: never[]) => unknown)[] = [
  sortTables,
  sortBy,
  sortKey,
  sortNumber,
  compareSortKeys,
]
