import { expect, it } from 'vitest'
import { makeTable } from '../../../src/core/table.ts'
import { sortRows } from '../../../src/report/app/views/table.tsx'
import { makeTextTable } from '../../../src/report/tables/text-table.ts'

it('sorts numbers by their value, not by what is printed, and unknown values last', () => {
  const table = makeTextTable(
    makeTable({
      title: '',
      rows: [950, null, 12_345, 4_000_000, 0.00001, 999_400, 12_312],
      columns: column => [column('tokens', 'amount', value => value)],
    }),
  )
  const places = table.rows.map((_, at) => at)
  const order = sortRows(table, places, { column: 0, isDown: true }).map(at => table.rows[at]![0])
  expect(order).toEqual(['4.0m', '999k', '12.3k', '12.3k', '950', '0.0', '–'])
  expect(sortRows(table, places, { column: 0, isDown: true }).slice(2, 4)).toEqual([2, 6])
})
