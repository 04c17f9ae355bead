import { parseDocument } from './workbook-xml.ts'
import { unzipTexts } from './zip.ts'

/** A workbook's sheets as Markdown, or why there is none. */
export interface WorkbookText {
  readonly text: string
  readonly problem: string | null
}

const parts = /^xl\/(workbook|styles|sharedStrings|_rels\/workbook\.xml|worksheets\/[^/]+)\.(xml|rels)$/

/** Reads an Excel workbook (.xlsx): each sheet under its name, a row a line, figures, percentages and dates as shown. */
export function readWorkbook(bytes: Uint8Array): WorkbookText {
  try {
    const files = unzipTexts(bytes, name => parts.test(name))
    const sheets = parseDocument(files).map(sheet => `## ${sheet.name}\n\n${markdownOf(sheet.rows)}`)
    const text = sheets.join('\n\n')
    return { text, problem: sheets.length === 0 ? 'the workbook has no sheets' : null }
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error)
    return { text: '', problem: `damaged: no readable Excel workbook (${why})` }
  }
}

function markdownOf(rows: readonly (readonly string[])[]): string {
  const filled = rows.filter(row => row.some(cell => cell !== ''))
  const width = Math.max(0, ...filled.map(row => row.length))
  const lines = filled.map(row => {
    const cells = Array.from({ length: width }, (_, column) => cellText(row[column] ?? ''))
    return `| ${cells.join(' | ')} |`
  })
  const rule = `|${' --- |'.repeat(width)}`
  return lines.length === 0 ? '(empty)' : [lines[0], rule, ...lines.slice(1)].join('\n')
}

function cellText(text: string): string {
  return text.replace(/\s+/g, ' ').trim().replaceAll('|', '\\|')
}
