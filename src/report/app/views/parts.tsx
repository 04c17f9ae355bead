import type { ComponentChildren } from 'preact'

interface PlainTableProps {
  readonly header: readonly string[]
  readonly rows: readonly (readonly string[])[]
}

/** A table of texts. */
export function PlainTable({ header, rows }: PlainTableProps) {
  return (
    <ScrollingTable header={header}>
      {rows.map((row, at) => (
        <tr key={at}>
          {row.map((text, column) => (
            <td key={column}>{text}</td>
          ))}
        </tr>
      ))}
    </ScrollingTable>
  )
}

interface ScrollingTableProps {
  readonly header: readonly string[]
  /** The rows. */
  readonly children: ComponentChildren
}

/** A table with a head, in a box that scrolls sideways. */
export function ScrollingTable({ header, children }: ScrollingTableProps) {
  return (
    <div class="scroll" tabIndex={0} role="group" aria-label="table, scrolls sideways">
      <table>
        <thead>
          <tr>
            {header.map((name, at) => (
              <th key={at} scope="col">
                {name}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>{children}</tbody>
      </table>
    </div>
  )
}

/** A box for a long text that can also be scrolled with the keyboard. */
export function TextBox({ text }: { readonly text: string }) {
  return <pre tabIndex={0}>{text}</pre>
}
