import { useState } from 'preact/hooks'
import type { ReportTable } from '../../tables/report-table.ts'
import { CopyTable } from './copy-table.tsx'

/** A table that a reader can sort by clicking the head of a column. */
export function SortableTable({ table }: { readonly table: ReportTable }) {
  const [order, setOrder] = useState<{ column: number; down: boolean } | null>(null)
  const [isWhole, setIsWhole] = useState(false)
  const first = firstRows(table)
  const some = isWhole ? table.rows : first
  const rows = order === null ? some : sorted(some, order)
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
      {first.length < table.rows.length && (
        <button type="button" class="plain" aria-expanded={isWhole} onClick={() => setIsWhole(!isWhole)}>
          {isWhole
            ? `Show only ${first.length} rows`
            : `Show all ${table.rows.length.toLocaleString('en')} rows`}
          <span class="hidden"> of {table.title}</span>
        </button>
      )}
      {table.remarks.map(remark => (
        <p class="remark" key={remark}>
          {remark}
        </p>
      ))}
    </div>
  )
}

/** Longer tables show their rows for all tasks first, and no more rows than this. */
const mostRows = 60

/** Returns the rows that a table shows before a reader asks for all of them. */
export function firstRows({ rows }: Pick<ReportTable, 'rows'>): ReportTable['rows'] {
  if (rows.length <= mostRows) return rows
  const overall = rows.filter(row => row.includes('all tasks'))
  return (overall.length > 0 ? overall : rows).slice(0, mostRows)
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
