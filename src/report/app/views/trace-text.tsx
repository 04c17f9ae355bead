import { useMemo, useState } from 'preact/hooks'
import { type MarkdownBlock, readMarkdown, readSpans } from '../markdown.ts'
import { findMatches, Marked, type Wanted } from './marked.tsx'
import { ScrollingTable } from './parts.tsx'

/** A longer text is folded, and a still longer one is shown only as it is. */
const [foldedChars, mostRenderedChars] = [1500, 200_000]

interface TraceTextProps {
  readonly label: string
  readonly text: string
  /** A text with a match is shown as it is, with the matches marked. */
  readonly wanted: Wanted | null
}

/** A text of a trace: rendered, or as it is; folded when it is long. */
export function TraceText({ label, text, wanted: search }: TraceTextProps) {
  const [isRaw, setRaw] = useState(false)
  const [isWhole, setWhole] = useState(false)
  const hasMatch = search !== null && findMatches(text, search).length > 0
  const canRender = useMemo(() => text.length <= mostRenderedChars && isMarkdown(text), [text])
  const isRendered = canRender && !isRaw && !hasMatch
  const shown = isWhole || hasMatch ? text : foldText(text)
  return (
    <section class="text">
      <header>
        {label !== '' && <h3>{label}</h3>}
        {canRender && !hasMatch && (
          <button type="button" class="quiet" onClick={() => setRaw(!isRaw)}>
            {isRaw ? 'show rendered' : 'show raw'}
          </button>
        )}
      </header>
      {isRendered ? (
        <Rendered text={shown} />
      ) : (
        <pre tabIndex={0}>
          <Marked text={shown} wanted={search} />
        </pre>
      )}
      {shown.length < text.length && (
        <button type="button" class="quiet" onClick={() => setWhole(true)}>
          show all {text.length.toLocaleString('en')} characters
        </button>
      )}
    </section>
  )
}

/** Cuts a text at the end of a line. */
function foldText(text: string): string {
  if (text.length <= foldedChars * 1.3) return text
  const end = text.lastIndexOf('\n', foldedChars)
  return text.slice(0, end > foldedChars / 2 ? end : foldedChars)
}

/** Whether a text has anything to render: a heading, a list, a table, a fence or a piece in bold. */
function isMarkdown(text: string): boolean {
  if (/^\s*[[{]/.test(text)) return false
  return /^(?:#{1,6} |[-*•] |\d+\. |```|--- page)|\t|^\|.*\|$|\*\*\S/m.test(text)
}

function Rendered({ text }: { readonly text: string }) {
  const blocks = useMemo(() => readMarkdown(text), [text])
  return (
    <div class="rendered">
      {blocks.map((block, at) => (
        <Block key={at} block={block} />
      ))}
    </div>
  )
}

function Block({ block }: { readonly block: MarkdownBlock }) {
  switch (block.kind) {
    case 'heading':
      return <p class={`heading level-${block.level}`}>{splitSpans(block.text)}</p>
    case 'paragraph':
      return <p>{splitSpans(block.text)}</p>
    case 'code':
      return <pre tabIndex={0}>{block.text}</pre>
    case 'rule':
      return <hr />
    case 'list': {
      const items = block.items.map((item, at) => <li key={at}>{splitSpans(item)}</li>)
      return block.isOrdered ? <ol>{items}</ol> : <ul>{items}</ul>
    }
    case 'table':
      return <RenderedTable table={block} />
    default:
      return block satisfies never
  }
}

function RenderedTable({
  table: { header, rows },
}: {
  readonly table: Extract<MarkdownBlock, { kind: 'table' }>
}) {
  return (
    <ScrollingTable header={header}>
      {rows.map((row, at) => (
        <tr key={at}>
          {row.map((cell, column) => (
            <td key={column}>{cell}</td>
          ))}
        </tr>
      ))}
    </ScrollingTable>
  )
}

function splitSpans(text: string) {
  return readSpans(text).map(({ kind, text: spanText }, at) => {
    if (kind === 'text') return spanText
    const Element = kind === 'strong' ? 'strong' : kind === 'emphasis' ? 'em' : 'code'
    return <Element key={at}>{spanText}</Element>
  })
}
