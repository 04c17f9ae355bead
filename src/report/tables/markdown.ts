import type { Report } from '../model/report.ts'
import { reportHeading, reportTables } from './report-sections.ts'
import { escapeMarkdown, markdownTable } from './table-formats.ts'

/** Renders the report as Markdown. Ends with a newline. */
export function renderMarkdown(report: Report): string {
  const [title = '', ...notes] = reportHeading(report)
  const parts = [`## ${escapeMarkdown(title)}`, ...notes.map(note => `> ${escapeMarkdown(note)}`)]
  return `${[...parts, ...reportTables(report).map(markdownTable)].join('\n\n')}\n`
}
