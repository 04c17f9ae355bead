import { parseHTML } from 'linkedom'
import { expect, it } from 'vitest'
import { tableHtml } from '../../src/report/html/html-parts.ts'
import type { PageDocument } from '../../src/report/html/page/dom.ts'
import { sortTables } from '../../src/report/html/page/sort-tables.ts'

it('sorts counts with units by their value, and unknown values last', () => {
  const rows = ['950', '–', '12.3k', '4.0m', '<0.0001', '999k', '-3.4'].map(text => [text])
  const table = { title: 't', columns: [{ name: 'tokens', align: 'right' as const }], rows, remarks: [] }
  const { document } = parseHTML(`<html><body>${tableHtml(table)}</body></html>`)
  sortTables(document as unknown as PageDocument)
  document.querySelector('th button')?.click()
  const order = [...document.querySelectorAll('tbody td')].map(cell => cell.textContent)
  expect(order).toEqual(['4.0m', '999k', '12.3k', '950', '<0.0001', '-3.4', '–'])
})
