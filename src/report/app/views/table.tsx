import { useState } from 'preact/hooks'
import type { ReportTable } from '../../tables/report-table.ts'
import { CopyTable } from './copy-table.tsx'

/** A table that a reader can sort by clicking the head of a column. */
export function SortableTable({ table }: { readonly table: ReportTable }) {
  const [order, setOrder] = useState<{ column: number; down: boolean } | null>(null)
  const rows = order === null ? table.rows : sorted(table.rows, order)
  const sortBy = (column: number): void =>
    setOrder(before => ({ column, down: before?.column === column ? !before.down : true }))
  const direction = (column: number): 'none' | 'ascending' | 'descending' =>
    order?.column !== column ? 'none' : order.down ? 'descending' : 'ascending'
  return (
    <div class="table">
      <h3>{table.title}</h3>
      <CopyTable table={table} />
      <div class="scroll" tabIndex={0} role="group" aria-label={table.title}>
        <table class="sortable">
          <thead>
            <tr>
              {table.columns.map(({ name, align }, at) => (
                <th
                  scope="col"
                  key={name}
                  aria-sort={direction(at)}
                  class={align === 'right' ? 'number' : undefined}
                >
                  <button type="button" onClick={() => sortBy(at)}>
                    {name}
                  </button>
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {rows.map((row, at) => (
              <tr key={at}>
                {row.map((text, column) => (
                  <td key={column} class={table.columns[column]?.align === 'right' ? 'number' : undefined}>
                    {text}
                  </td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      {table.remarks.map(remark => (
        <p class="remark" key={remark}>
          {remark}
        </p>
      ))}
    </div>
  )
}

/** Sorts rows by the first number of a cell, or by its text. Cells without a value come last. */
export function sorted(
  rows: ReportTable['rows'],
  { column, down }: { readonly column: number; readonly down: boolean },
): ReportTable['rows'] {
  const sign = down ? -1 : 1
  return rows.toSorted((a, b) => {
    const [left = '', right = ''] = [a[column], b[column]]
    const [first, second] = [numberIn(left), numberIn(right)]
    if (first !== null && second !== null) return sign * (first - second)
    if (first !== null || second !== null) return first === null ? 1 : -1
    return sign * left.localeCompare(right)
  })
}

const unitFactors: Readonly<Record<string, number>> = { k: 1e3, m: 1e6 }

function numberIn(text: string): number | null {
  const [, number, unit = ''] = /^[<US$ ]*([+-]?[\d.]+)([km]?)\b/.exec(text) ?? []
  return number === undefined ? null : Number(number) * (unitFactors[unit] ?? 1)
}
