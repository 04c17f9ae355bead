import { useState } from 'preact/hooks'
import type { Table } from '../../../core/table.ts'
import { latexTable, markdownTable, tableCsv } from '../../tables/table-formats.ts'

type Format = readonly [name: string, write: (table: Table) => string]

const formats: readonly Format[] = [
  ['Markdown', markdownTable],
  ['CSV', tableCsv],
  ['LaTeX', latexTable],
]

/** Buttons that copy a table in the formats of papers and spreadsheets. */
export function CopyTable({ table }: { readonly table: Table }) {
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
