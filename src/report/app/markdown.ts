/** A block of a text, as a reader sees it. */
export type MarkdownBlock =
  | { readonly kind: 'heading'; readonly level: number; readonly text: string }
  | { readonly kind: 'paragraph'; readonly text: string }
  | { readonly kind: 'code'; readonly text: string }
  | { readonly kind: 'list'; readonly isOrdered: boolean; readonly items: readonly string[] }
  | {
      readonly kind: 'table'
      readonly header: readonly string[]
      readonly rows: readonly (readonly string[])[]
    }
  | { readonly kind: 'rule' }

/** A piece of a line. Links and images stay text, because addresses in traces are not to be trusted. */
interface MarkdownSpan {
  readonly kind: 'text' | 'strong' | 'emphasis' | 'code'
  readonly text: string
}

const fence = /^ {0,3}(```+|~~~+)\s*([\w+-]*)/
const heading = /^ {0,3}(#{1,6}) (.*)$/
const pageMark = /^--- (?:page|part) \d+.* ---$/
const rule = /^ {0,3}(?:-{3,}|\*{3,}|_{3,})\s*$/
const listItem = /^\s{0,8}(?:[-*•]|(\d{1,3})[.)]) +(.*)$/
const tableRule = /^\s*\|?\s*:?-+:?\s*(?:\|\s*:?-+:?\s*)*\|?\s*$/

/** Reads the blocks of a Markdown text. Lines with tabs are tables, as in the text of documents. */
export function readMarkdown(text: string): MarkdownBlock[] {
  const lines = text.split('\n')
  const blocks: MarkdownBlock[] = []
  for (let at = 0; at < lines.length; ) {
    const { block, next } = readBlock(lines, at)
    if (block !== null) blocks.push(block)
    at = next
  }
  return blocks
}

interface ReadBlock {
  /** Null for an empty line. */
  readonly block: MarkdownBlock | null
  /** The first line after it. */
  readonly next: number
}

function readBlock(lines: readonly string[], at: number): ReadBlock {
  const line = lines[at] ?? ''
  if (line.trim() === '') return { block: null, next: at + 1 }
  const fenced = fence.exec(line)
  if (fenced !== null) return readFence(lines, at, { mark: fenced[1]!, language: fenced[2]! })
  const [, marks, title] = heading.exec(line) ?? []
  if (marks !== undefined)
    return readSingleLine(at, { kind: 'heading', level: marks.length, text: title ?? '' })
  if (pageMark.test(line)) return readSingleLine(at, { kind: 'heading', level: 4, text: line.slice(4, -4) })
  if (rule.test(line)) return readSingleLine(at, { kind: 'rule' })
  if (isTable(lines, at)) return readPipeTable(lines, at)
  if (line.includes('\t')) return readTabTable(lines, at)
  if (listItem.test(line)) return readList(lines, at)
  return readParagraph(lines, at)
}

function readSingleLine(at: number, block: MarkdownBlock): ReadBlock {
  return { block, next: at + 1 }
}

function readFence(
  lines: readonly string[],
  at: number,
  { mark, language }: { readonly mark: string; readonly language: string },
): ReadBlock {
  // As in findFences: text after the row, or a shorter row, belongs to the content.
  const isEnd = (line: string): boolean =>
    line.trim().startsWith(mark) && line.replaceAll(mark[0]!, '').trim() === ''
  const closing = lines.findIndex((line, index) => index > at && isEnd(line))
  const end = closing === -1 ? lines.length : closing
  const inside = lines.slice(at + 1, end)
  const next = end + 1
  if (language === 'csv') {
    const [header = [], ...rows] = inside.filter(line => line.trim() !== '').map(splitCsvLine)
    if (header.length > 1) return { block: { kind: 'table', header, rows }, next }
  }
  return { block: { kind: 'code', text: inside.join('\n') }, next }
}

/** The cells of a CSV record on one line. */
function splitCsvLine(line: string): string[] {
  return [...line.matchAll(/(?:^|,)(?:"((?:[^"]|"")*)"|([^,]*))/g)].map(([, quoted, plain = '']) =>
    quoted === undefined ? plain : quoted.replaceAll('""', '"'),
  )
}

const isTable = (lines: readonly string[], at: number): boolean =>
  lines[at]!.includes('|') && (lines[at + 1] ?? '').includes('-') && tableRule.test(lines[at + 1]!)

function pipeCells(line: string): string[] {
  const inner = line.trim().replace(/^\|/, '').replace(/\|$/, '')
  return inner.split(/(?<!\\)\|/).map(cell => cell.trim().replaceAll('\\|', '|'))
}

function readPipeTable(lines: readonly string[], at: number): ReadBlock {
  const next = findEnd(lines, at + 2, line => line.includes('|'))
  const rows = lines.slice(at + 2, next).map(pipeCells)
  return { block: { kind: 'table', header: pipeCells(lines[at]!), rows }, next }
}

function readTabTable(lines: readonly string[], at: number): ReadBlock {
  const next = findEnd(lines, at, line => line.includes('\t'))
  const rows = lines.slice(at, next).map(line => line.split('\t'))
  return { block: { kind: 'table', header: [], rows }, next }
}

function readList(lines: readonly string[], at: number): ReadBlock {
  const next = findEnd(lines, at, line => listItem.test(line))
  const items = lines.slice(at, next).map(line => listItem.exec(line)?.[2] ?? '')
  return { block: { kind: 'list', isOrdered: listItem.exec(lines[at]!)?.[1] !== undefined, items }, next }
}

function readParagraph(lines: readonly string[], at: number): ReadBlock {
  const isPlain = (line: string): boolean =>
    line.trim() !== '' &&
    ![fence, heading, pageMark, listItem].some(pattern => pattern.test(line)) &&
    !line.includes('\t')
  const next = Math.max(at + 1, findEnd(lines, at, isPlain))
  return { block: { kind: 'paragraph', text: lines.slice(at, next).join('\n') }, next }
}

/** The first line from which on a test fails. */
function findEnd(lines: readonly string[], from: number, test: (line: string) => boolean): number {
  let at = from
  while (at < lines.length && test(lines[at]!)) at++
  return at
}

const span = /\*\*([^*\n]{1,500})\*\*|`([^`\n]{1,500})`|(?<![\w*])\*([^*\s][^*\n]{0,300})\*(?![\w*])/g

/** Reads strong, emphasised and code pieces of a text. */
export function readSpans(text: string): MarkdownSpan[] {
  const spans: MarkdownSpan[] = []
  let end = 0
  for (const match of text.matchAll(span)) {
    const [whole, strong, code, emphasis = ''] = match
    if (match.index > end) spans.push({ kind: 'text', text: text.slice(end, match.index) })
    if (strong !== undefined) spans.push({ kind: 'strong', text: strong })
    else if (code !== undefined) spans.push({ kind: 'code', text: code })
    else spans.push({ kind: 'emphasis', text: emphasis })
    end = match.index + whole.length
  }
  if (end < text.length) spans.push({ kind: 'text', text: text.slice(end) })
  return spans
}
