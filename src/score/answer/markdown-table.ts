import { answerLimits } from './limits.ts'
import type { LooseRecord } from './loose-csv.ts'

const separatorLine = /^[ \t]*\|?(?:[ \t]*:?-+:?[ \t]*\|)+(?:[ \t]*:?-+:?[ \t]*)?\|?[ \t]*$/

/**
 * Finds the largest Markdown table of a text, the last one of equal size. A table is a line with bars, a line
 * of dashes and bars, and the lines with bars that follow. Null when there is none.
 */
export function findMarkdownTable(text: string): LooseRecord[] | null {
  if (!text.includes('|') || !text.includes('-')) return null
  const lines = text.split(/\r\n|\n|\r/)
  let best: string[] | null = null
  for (let i = 1; i < lines.length; i += 1) {
    if (!isSeparator(lines[i]!) || !lines[i - 1]!.includes('|')) continue
    const rows = [lines[i - 1]!]
    let end = i + 1
    while (end < lines.length && lines[end]!.includes('|')) rows.push(lines[end++]!)
    if (best === null || rows.length >= best.length) best = rows
    i = end
  }
  return best === null ? null : readLineRecords(best)
}

/** Reads only as many lines as are needed to see that the table is too large. */
function readLineRecords(lines: readonly string[]): LooseRecord[] {
  const header = readLineRecord(lines[0]!)
  const most = Math.min(answerLimits.rows, Math.floor(answerLimits.cells / header.fields.length)) + 1
  return [header, ...lines.slice(1, most + 1).map(readLineRecord)]
}

const isSeparator = (line: string): boolean =>
  line.length < 10_000 && line.includes('|') && separatorLine.test(line)

function readLineRecord(line: string): LooseRecord {
  const trimmed = line.trim()
  const inner = trimmed.slice(
    trimmed.startsWith('|') ? 1 : 0,
    trimmed.length > 1 && trimmed.endsWith('|') && !trimmed.endsWith('\\|') ? -1 : undefined,
  )
  return { fields: inner.split(/(?<!\\)\|/).map(readCell), raw: line }
}

/** The text of a cell without marks that only style it. */
function readCell(cell: string): string {
  const text = cell
    .trim()
    .replaceAll('\\|', '|')
    .replace(/<br\s*\/?>/gi, '\n')
  return /^(\*\*|__|`)([^*_`]*)\1$/.exec(text)?.[2] ?? text
}
