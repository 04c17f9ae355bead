import type { Report } from '../model/report.ts'
import { escapeMarkdown, renderMarkdownTable } from './markdown-table.ts'
import { reportHeading, reportTables } from './report-sections.ts'

/** Renders the report as Markdown. Ends with a newline. */
export function renderMarkdown(report: Report): string {
  const [title = '', ...notes] = reportHeading(report)
  const parts = [`## ${escapeMarkdown(title)}`, ...notes.map(note => `> ${escapeMarkdown(note)}`)]
  return `${[...parts, ...reportTables(report).map(renderMarkdownTable)].join('\n\n')}\n`
}
