import { countFurtherHeadRows, isPipeRule } from '../src/text/pipe-table.ts'
import type { Span, Splitter } from './chunk.ts'

const chunkChars = 512
const overlapChars = 100

/**
 * Creates LangChain's RecursiveCharacterTextSplitter with 512 characters and an overlap of 100, as in AOE's baseline.
 * LangChain returns texts without offsets. Each text is therefore searched from the first offset that the overlap allows.
 */
export function recursiveSplitter(): Splitter {
  return {
    name: `recursive-${chunkChars}-${overlapChars}`,
    async split(text) {
      const { RecursiveCharacterTextSplitter } = await import('@langchain/textsplitters')
      const splitter = new RecursiveCharacterTextSplitter({
        chunkSize: chunkChars,
        chunkOverlap: overlapChars,
      })
      const pieces = await splitter.splitText(text)
      const spans: Span[] = []
      for (const piece of pieces) {
        const before = spans.at(-1) ?? { start: -1, end: 0 }
        const start = text.indexOf(piece, Math.max(before.start + 1, before.end - overlapChars))
        if (start < 0) throw new Error('the splitter returned a piece that the text does not contain')
        spans.push({ start, end: start + piece.length })
      }
      return spans
    },
  }
}

const tableChunkChars = 1000
/** Number of consecutive lines without cells, such as `REVENUES:` or a wrapped label, that do not end a table. */
const maxLabelLines = 2
const maxLabelChars = 90
/** Number of lines above a table that belong to its header, such as its title and unit. */
const maxTitleLines = 4
const maxHeaderChars = 400
/** Prose between two tables that is no longer than this belongs to the second table. */
const maxShortProseChars = 200

interface TextLine {
  readonly start: number
  readonly end: number
  readonly text: string
  readonly isRow: boolean
}

/**
 * Creates a splitter that separates tables from prose. A chunk of a table has whole rows of up to 1,000 characters,
 * after the table's title and header. A longer row is a chunk of its own. Prose is cut by the recursive splitter.
 */
export function tableAwareSplitter(): Splitter {
  const prose = recursiveSplitter()
  return {
    name: `table-aware-${tableChunkChars}-${prose.name}`,
    async split(text) {
      const spans: Span[] = []
      for (const block of groupBlocks(splitLines(text))) {
        if (block.isTable) spans.push(...listTableSpans(block.lines, text))
        else spans.push(...(await listProseSpans(block.lines, text, prose)))
      }
      return spans
    },
  }
}

/** Whether a chunk contains at least two rows of a table. */
export function isTableText(text: string): boolean {
  return splitLines(text).filter(line => line.isRow).length >= 2
}

function splitLines(text: string): TextLine[] {
  const lines: TextLine[] = []
  let start = 0
  for (const line of text.split('\n')) {
    lines.push({ start, end: start + line.length, text: line, isRow: /\S\t|\S ?\| ?\S/.test(line) })
    start += line.length + 1
  }
  return lines
}

interface LineBlock {
  readonly isTable: boolean
  readonly lines: TextLine[]
}

/** Groups lines into tables and prose. A table has at least two rows; a single line with a gap counts as prose. */
function groupBlocks(lines: readonly TextLine[]): LineBlock[] {
  const blocks: LineBlock[] = []
  let proseFrom = 0
  let index = 0
  while (index < lines.length) {
    const end = lines[index]!.isRow ? findTableEnd(lines, index) : index
    const rows = lines.slice(index, end).filter(line => line.isRow).length
    if (rows < 2) {
      index++
      continue
    }
    const isShort = lines[index]!.start - lines[proseFrom]!.start <= maxShortProseChars
    const start = isShort ? proseFrom : findTitleStart(lines, index, proseFrom)
    if (start > proseFrom) blocks.push({ isTable: false, lines: lines.slice(proseFrom, start) })
    blocks.push({ isTable: true, lines: lines.slice(start, end) })
    index = end
    proseFrom = end
  }
  if (proseFrom < lines.length) blocks.push({ isTable: false, lines: lines.slice(proseFrom) })
  return blocks
}

function findTableEnd(lines: readonly TextLine[], start: number): number {
  let end = start + 1
  for (let index = start + 1; index < lines.length; index++) {
    const line = lines[index]!
    if (line.isRow) end = index + 1
    else if (index - end >= maxLabelLines || line.text.length > maxLabelChars || line.text.trim() === '')
      break
  }
  return end
}

function findTitleStart(lines: readonly TextLine[], row: number, floor: number): number {
  let start = row
  while (start > floor && row - start < maxTitleLines) {
    const { text } = lines[start - 1]!
    if (text.trim() === '' || text.length > maxLabelChars) break
    start--
  }
  return start
}

function listTableSpans(lines: readonly TextLine[], text: string): Span[] {
  const headerEnd = countHeaderLines(lines)
  const last = lines[headerEnd - 1]
  const header = last === undefined ? '' : text.slice(lines[0]!.start, last.end)
  const repeated = header.length <= maxHeaderChars ? header : ''
  const spans: Span[] = []
  const bodyStart = last?.end ?? 0
  let start = lines[0]!.start
  let end = start
  for (const line of lines) {
    const isFull = line.end - start + repeated.length > tableChunkChars && end > bodyStart
    if (isFull) {
      spans.push(withLead({ start, end }, spans.length === 0 ? '' : repeated))
      start = line.start
    }
    end = line.end
  }
  spans.push(withLead({ start, end }, spans.length === 0 ? '' : repeated))
  return spans
}

function withLead(span: Span, header: string): Span {
  return header === '' ? span : { ...span, lead: `${header}\n` }
}

const isNumber = /^[$€£¥￥₩(\s-]*\d[\d.,]*/
/** A year that names a column. It does not count as a value. */
const isYear = /^(?:19|20)\d\d\s*年?$/

/**
 * Returns the number of lines in a table's header: those before the first row with a label and a number. In a Markdown
 * table, the header ends with the line of dashes or with the rows of the head below it.
 */
function countHeaderLines(lines: readonly TextLine[]): number {
  const body = lines.findIndex(line => isPipeRule(line.text)) + 1
  if (body > 0) return body + countFurtherHeadRows(lines.slice(body).map(line => line.text))
  const first = lines.findIndex(line => {
    const [label = '', ...values] = line.text.replace(/^\|/, '').split(/\t| ?\| ?/)
    const hasValue = values.some(value => isNumber.test(value) && !isYear.test(value.trim()))
    return line.isRow && /\p{L}/u.test(label) && hasValue
  })
  return first < 0 ? 0 : first
}

async function listProseSpans(lines: readonly TextLine[], text: string, splitter: Splitter): Promise<Span[]> {
  const [start, end] = [lines[0]!.start, lines.at(-1)!.end]
  const part = text.slice(start, end)
  if (part.trim() === '') return []
  return (await splitter.split(part)).map(span => ({ start: span.start + start, end: span.end + start }))
}
