import type { ComponentChildren, RefObject } from 'preact'
import { useLayoutEffect, useState } from 'preact/hooks'

/** Up to this many rows are all part of the page, so that the browser's own search finds them. */
export const mostRows = 300
/** Rows that are drawn above and below the visible part of the box. */
const margin = 15

/** What is visible of a box that scrolls. */
interface Visible {
  readonly top: number
  readonly height: number
  readonly rowHeight: number
}

interface LongRowsProps {
  /** The box that scrolls the table. All its rows have the same height. */
  readonly box: RefObject<HTMLElement | null>
  readonly count: number
  /** How many columns the table has. */
  readonly columns: number
  /** Returns the row with this number, counted from 0. */
  row(at: number): ComponentChildren
}

/** The body of a table. Of a long table, only the rows near the visible part are drawn, or all for printing. */
export function LongRows({ box, count, columns, row }: LongRowsProps) {
  const visible = useVisible(box)
  const isPrinted = usePrinting()
  const isShort = count <= mostRows || isPrinted
  const { top, height, rowHeight } = visible
  const first = isShort ? 0 : Math.max(0, Math.min(count, Math.floor(top / rowHeight)) - margin)
  const last = isShort ? count : Math.min(count, Math.ceil((top + height) / rowHeight) + margin)
  return (
    <tbody>
      <Spacer rows={first} rowHeight={rowHeight} columns={columns} />
      {Array.from({ length: last - first }, (_, at) => row(first + at))}
      <Spacer rows={count - last} rowHeight={rowHeight} columns={columns} />
    </tbody>
  )
}

interface SpacerProps {
  readonly rows: number
  readonly rowHeight: number
  readonly columns: number
}

/** Takes the place of rows that are not drawn. */
function Spacer({ rows, rowHeight, columns }: SpacerProps) {
  if (rows === 0) return null
  return (
    <tr class="spacer">
      <td colSpan={columns} style={{ height: `${rows * rowHeight}px` }} />
    </tr>
  )
}

/** Follows the scrolling and the size of a box. A box that was hidden returns to its place. */
function useVisible(box: RefObject<HTMLElement | null>): Visible {
  const [visible, setVisible] = useState<Visible>({ top: 0, height: 800, rowHeight: 32 })
  useLayoutEffect(() => {
    const element = box.current
    if (element === null) return
    let top = 0
    const readSize = (): void => {
      if (element.clientHeight === 0) return
      top = element.scrollTop
      const measured = element.querySelector<HTMLElement>('tbody tr:not(.spacer)')?.offsetHeight
      setVisible({ top, height: element.clientHeight, rowHeight: measured || 32 })
    }
    const resized = (): void => {
      if (element.clientHeight > 0) element.scrollTop = top
      readSize()
    }
    element.addEventListener('scroll', readSize, { passive: true })
    const observer = new ResizeObserver(resized)
    observer.observe(element)
    return () => {
      element.removeEventListener('scroll', readSize)
      observer.disconnect()
    }
  }, [box])
  return visible
}

/** Whether the page is being printed. */
function usePrinting(): boolean {
  const [isPrinted, setPrinted] = useState(false)
  useLayoutEffect(() => {
    const print = matchMedia('print')
    const readMedia = (): void => setPrinted(print.matches)
    print.addEventListener('change', readMedia)
    return () => print.removeEventListener('change', readMedia)
  }, [])
  return isPrinted
}
