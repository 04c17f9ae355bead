import type { ReportTable } from './report-table.ts'

/** Escapes a text so that Markdown shows it unchanged, also in a table cell. */
export function escapeMarkdown(text: string): string {
  return text.replace(/[\\`*_{}[\]<>|#~&]/g, character => `\\${character}`).replace(/\s+/g, ' ')
}

/** Renders a table as Markdown, with its title as a heading and its remarks below. */
export function renderMarkdownTable(table: ReportTable): string {
  const row = (cells: readonly string[]): string => `| ${cells.map(escapeMarkdown).join(' | ')} |`
  return [
    `### ${escapeMarkdown(table.title)}`,
    '',
    row(table.columns.map(column => column.name)),
    `| ${table.columns.map(column => (column.align === 'right' ? '--:' : ':--')).join(' | ')} |`,
    ...table.rows.map(row),
    '',
    ...table.remarks.map(remark => `${escapeMarkdown(remark)}  `),
  ].join('\n')
}
