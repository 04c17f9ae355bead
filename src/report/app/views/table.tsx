import { useState } from 'preact/hooks'
import type { Table } from '../../../core/table.ts'
import { writeLatexTable, writeMarkdownTable, writeTableCsv } from '../../tables/table-formats.ts'
import { makeTextTable, sortValue, type TextTable } from '../../tables/text-table.ts'
import { compareValues, type SortOrder } from '../sort-order.ts'
import { ScrollBox, SortHead } from './parts.tsx'

/** A table that a reader can sort by clicking the head of a column. */
export function SortableTable({ table }: { readonly table: Table }) {
  const [order, setOrder] = useState<SortOrder<number> | null>(null)
  const [isWhole, setIsWhole] = useState(false)
  const printed = makeTextTable(table)
  const first = listFirstRows(printed)
  const places = isWhole ? printed.rows.map((_, at) => at) : first
  const rows = order === null ? places : sortRows(printed, places, order)
  return (
    <div class="table">
      <h3>{table.title}</h3>
      <CopyTable table={table} />
      <ScrollBox label={table.title}>
        <table class="sortable">
          <thead>
            <tr>
              {printed.columns.map(({ head, align }, at) => (
                <SortHead
                  key={at}
                  column={at}
                  order={order}
                  startsDown
                  isNumber={align === 'right'}
                  onSort={setOrder}
                >
                  {head}
                </SortHead>
              ))}
            </tr>
          </thead>
          <tbody>
            {rows.map(at => (
              <tr key={at}>
                {printed.rows[at]!.map((text, column) => (
                  <td key={column} class={printed.columns[column]?.align === 'right' ? 'number' : undefined}>
                    {text}
                  </td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </ScrollBox>
      {first.length < table.rows.length && (
        <button type="button" class="plain" aria-expanded={isWhole} onClick={() => setIsWhole(!isWhole)}>
          {isWhole
            ? `Show only ${first.length} rows`
            : `Show all ${table.rows.length.toLocaleString('en')} rows`}
          <span class="hidden"> of {table.title}</span>
        </button>
      )}
      {printed.remarks.map(remark => (
        <p class="remark" key={remark}>
          {remark}
        </p>
      ))}
    </div>
  )
}

/** Longer tables show their rows for all tasks first, and no more rows than this. */
const mostRows = 60

/** Returns the places of the rows that a table shows before a reader asks for all of them. */
function listFirstRows({ rows }: TextTable): number[] {
  const places = rows.map((_, at) => at)
  if (rows.length <= mostRows) return places
  const overall = places.filter(at => rows[at]!.includes('all tasks'))
  return (overall.length > 0 ? overall : places).slice(0, mostRows)
}

/** Sorts places of rows by the numbers of a column, or by its texts. Rows without a value come last. */
export function sortRows(
  { values, rows }: TextTable,
  places: readonly number[],
  { column, isDown }: SortOrder<number>,
): number[] {
  const readKey = (at: number): number | string => sortValue(values[at]![column]!) ?? rows[at]![column]!
  return places.toSorted((a, b) => compareValues(readKey(a), readKey(b), isDown))
}

type Format = readonly [name: string, write: (table: Table) => string]

const formats: readonly Format[] = [
  ['Markdown', writeMarkdownTable],
  ['CSV', writeTableCsv],
  ['LaTeX', writeLatexTable],
]

/** Buttons that copy a table in the formats of papers and spreadsheets. */
function CopyTable({ table }: { readonly table: Table }) {
  const [said, setSaid] = useState('')
  const copy = async ([name, write]: Format): Promise<void> => {
    const isCopied = await navigator.clipboard.writeText(write(table)).then(
      () => true,
      () => false,
    )
    setSaid(isCopied ? `copied as ${name}` : 'the browser does not allow copying')
  }
  return (
    <p class="copy-table">
      Copy as{' '}
      {formats.map(format => (
        <button key={format[0]} type="button" class="plain" onClick={() => void copy(format)}>
          {format[0]}
          <span class="hidden">: {table.title}</span>
        </button>
      ))}{' '}
      <span role="status">{said}</span>
    </p>
  )
}
