import type { ComponentChildren, RefObject } from 'preact'
import { useId, useState } from 'preact/hooks'
import type { SortOrder } from '../sort-order.ts'
import { showText } from '../visible-text.ts'

/** Whether the page is as narrow as a phone, so that all but the answer is folded. */
export function isNarrowPage(): boolean {
  return document.documentElement.clientWidth <= 640
}

/** The first items of a list, and a button that shows all of them or the first again. Null when all are shown anyway. */
interface FirstItems<T> {
  readonly shown: readonly T[]
  readonly button: ComponentChildren
}

/**
 * Returns the first items of a list until a reader asks for all.
 *
 * @param most - A list that is one longer is shown whole.
 * @param noun - What the items are: `comparisons`.
 */
export function useFirstItems<T>(items: readonly T[], most: number, noun: string): FirstItems<T> {
  const [isWhole, setWhole] = useState(false)
  if (items.length <= most + 1) return { shown: items, button: null }
  return {
    shown: isWhole ? items : items.slice(0, most),
    button: (
      <button type="button" class="plain" aria-expanded={isWhole} onClick={() => setWhole(!isWhole)}>
        {isWhole ? `Show fewer ${noun}` : `Show all ${items.length} ${noun}`}
      </button>
    ),
  }
}

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
            <td key={column} class="text">
              {showText(text)}
            </td>
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

/** A table in a box that scrolls sideways. Without names in `header` it has no head. */
export function ScrollingTable({ header, children }: ScrollingTableProps) {
  return (
    <ScrollBox label="table, scrolls sideways">
      <table>
        {header.length > 0 && (
          <thead>
            <tr>
              {header.map((name, at) => (
                <th key={at} scope="col">
                  {name}
                </th>
              ))}
            </tr>
          </thead>
        )}
        <tbody>{children}</tbody>
      </table>
    </ScrollBox>
  )
}

interface ScrollBoxProps {
  /** What is in the box, for a screen reader. */
  readonly label: string
  /** Whether it also scrolls up and down. */
  readonly isTall?: boolean
  readonly box?: RefObject<HTMLDivElement | null>
  readonly children: ComponentChildren
}

/** A box for a table that may be larger than the page. It can also be scrolled with the keyboard. */
export function ScrollBox({ label, isTall = false, box, children }: ScrollBoxProps) {
  return (
    <div
      class={isTall ? 'scroll tall' : 'scroll'}
      tabIndex={0}
      role="group"
      aria-label={label}
      ref={box ?? null}
    >
      {children}
    </div>
  )
}

interface SortHeadProps<Column> {
  readonly column: NoInfer<Column>
  /** The present order of the rows; null for that of the data. */
  readonly order: SortOrder<Column> | null
  /** Whether the first click sorts great values first. A second click turns the order around. */
  readonly startsDown: boolean
  readonly isNumber?: boolean
  readonly title?: string
  onSort(order: SortOrder<Column>): void
  readonly children: ComponentChildren
}

/** The head of a column, by which a click sorts the rows. */
export function SortHead<Column>(props: SortHeadProps<Column>) {
  const { column, order, startsDown, isNumber = false, title, onSort, children } = props
  const isSorted = order?.column === column
  const direction = !isSorted ? 'none' : order.isDown ? 'descending' : 'ascending'
  return (
    <th scope="col" aria-sort={direction} class={isNumber ? 'number' : undefined}>
      <button
        type="button"
        title={title}
        onClick={() => onSort({ column, isDown: isSorted ? !order.isDown : startsDown })}
      >
        {children}
      </button>
    </th>
  )
}

/** Names and values, line by line. */
export function FactList({ facts }: { readonly facts: readonly (readonly [string, string])[] }) {
  return (
    <dl class="facts">
      {facts.map(([name, value], at) => (
        <>
          <dt key={at}>{name}</dt>
          <dd class={name === 'evidence' ? 'evidence' : undefined}>{value}</dd>
        </>
      ))}
    </dl>
  )
}

interface SearchFieldProps {
  readonly name: string
  /** What the search looks at. */
  readonly placeholder: string
  readonly value: string
  onChange(value: string): void
}

/** A labelled field for the words to search for. */
export function SearchField({ name, placeholder, value, onChange }: SearchFieldProps) {
  const id = useId()
  return (
    <div>
      <label for={id}>{name}</label>
      <input
        id={id}
        type="search"
        placeholder={placeholder}
        value={value}
        onInput={event => onChange(event.currentTarget.value)}
      />
    </div>
  )
}

/** A box for a long text that can also be scrolled with the keyboard. */
export function TextBox({ text }: { readonly text: string }) {
  return <pre tabIndex={0}>{text}</pre>
}

interface ChoiceProps<T extends string> {
  readonly name: string
  readonly value: T
  /** Pairs of value and text. */
  readonly options: readonly (readonly [T, string])[]
  onChange(value: T): void
}

/** A labelled list to choose one value from. */
export function Choice<T extends string>({ name, value, options, onChange }: ChoiceProps<T>) {
  const id = useId()
  return (
    <div>
      <label for={id}>{name}</label>
      <select id={id} value={value} onInput={event => onChange(event.currentTarget.value as T)}>
        {options.map(([optionValue, text]) => (
          <option key={optionValue} value={optionValue}>
            {text}
          </option>
        ))}
      </select>
    </div>
  )
}
