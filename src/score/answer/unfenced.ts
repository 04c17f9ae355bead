import { type Delimiter, delimiters } from './delimiter.ts'
import { answerLimits } from './limits.ts'
import { findMarkdownTable } from './markdown-table.ts'
import { type BlockReading, readBlock } from './read-block.ts'

/**
 * Finds the best table in running text. This is the block of lines with equal numbers of fields that has the
 * most cells, the last one of equals. A block that only describes columns is used only when there is no
 * other. Null when there is none.
 */
export function findBestTable(text: string, repair: boolean): BlockReading | null {
  if (text.trim() === '') return null
  const blocks = [...listMarkdownBlocks(text), ...delimiters.flatMap(delimiter => findRuns(text, delimiter))]
  const chosen = findLargest(blocks.filter(block => !block.describesColumns)) ?? findLargest(blocks)
  return chosen === null ? null : readBlock(chosen.lines.join('\n'), { delimiter: chosen.delimiter, repair })
}

interface TableBlock {
  readonly lines: readonly string[]
  readonly cells: number
  /** Null for a Markdown table. */
  readonly delimiter: Delimiter | null
  readonly describesColumns: boolean
}

function findLargest(blocks: readonly TableBlock[]): TableBlock | null {
  let best: TableBlock | null = null
  for (const block of blocks) if (best === null || block.cells >= best.cells) best = block
  return best
}

function listMarkdownBlocks(text: string): TableBlock[] {
  return text.split(/\n[ \t]*\n/).flatMap(part => {
    const records = findMarkdownTable(part)
    if (records === null) return []
    const [header] = records
    return [
      {
        lines: part.split('\n').filter(line => line.includes('|')),
        cells: records.length * header!.fields.length,
        delimiter: null,
        describesColumns: describesColumns(header!.fields),
      },
    ]
  })
}

function findRuns(text: string, delimiter: Delimiter): TableBlock[] {
  if (!text.includes(delimiter)) return []
  const blocks: TableBlock[] = []
  let run: string[] = []
  let width = 0
  const finish = (): void => {
    if (run.length > 1) {
      const header = run[0]!.split(delimiter)
      blocks.push({
        lines: run,
        cells: run.length * width,
        delimiter,
        describesColumns: describesColumns(header),
      })
    }
    run = []
  }
  const lines = text.split(/\r\n|\n|\r/)
  for (let at = 0; at < lines.length; at += 1) {
    const length =
      run.length > 0 && lines[at]!.includes('"') ? countRecordLines(lines, at, delimiter, width) : 1
    const line = length === 1 ? lines[at]! : lines.slice(at, at + length).join('\n')
    at += length - 1
    const fields = countFields(line, delimiter)
    if (
      run.length > 0 &&
      fields > 1 &&
      (fields === width || (run.length > 1 && Math.abs(fields - width) < width / 2))
    ) {
      run.push(line)
      continue
    }
    finish()
    if (fields > 1 && isHeader(line.split(delimiter))) {
      run = [line]
      width = fields
    }
  }
  finish()
  return blocks
}

const longestRecord = 20

/**
 * The number of lines of a record. It is more than one when a quote stays open and the closing quote makes the record
 * `width` fields wide.
 */
function countRecordLines(lines: readonly string[], at: number, delimiter: string, width: number): number {
  let fields = 1
  let inside = false
  for (let length = 1; length <= longestRecord && at + length <= lines.length; length += 1) {
    const parts = lines[at + length - 1]!.split('"')
    for (const [i, part] of parts.entries()) {
      if (i > 0) inside = !inside
      if (!inside && part.includes(delimiter)) fields += part.split(delimiter).length - 1
    }
    if (!inside) return fields === width ? length : 1
  }
  return 1
}

/** The number of fields in a line, without delimiters in quotes; 0 for a line that is blank or too wide for a table. */
function countFields(line: string, delimiter: Delimiter): number {
  if (!line.includes(delimiter)) return 0
  const count = countDelimiters(line, delimiter, true) ?? countDelimiters(line, delimiter, false)
  return count === null || count >= answerLimits.columns || line.trim() === '' ? 0 : count + 1
}

/** Counts delimiters. Null when a quote is still open at the end. */
function countDelimiters(line: string, delimiter: Delimiter, quotes: boolean): number | null {
  const code = delimiter.charCodeAt(0)
  let count = 0
  let inside = false
  for (let i = 0; i < line.length; i += 1) {
    const at = line.charCodeAt(i)
    if (at === 34 && quotes) inside = !inside
    else if (at === code && !inside) count += 1
  }
  return inside ? null : count
}

/** Whether all fields could be column names: short, and not sentences. */
const isHeader = (fields: readonly string[]): boolean =>
  fields.every(field => field.length < 80 && !/[.!?。！？:：][")]?\s*$|[.!?。]\s+\S/.test(field))

const schemaWord =
  /^(?:name|column|field|about|description|format|type|valid_?type|data type|unit|列名|字段|说明|描述|格式|类型|单位|有效类型)s?$/i

const describesColumns = (header: readonly string[]): boolean =>
  header.filter(name => schemaWord.test(name.replace(/[*_`"\s]+/g, ' ').trim())).length * 2 > header.length
