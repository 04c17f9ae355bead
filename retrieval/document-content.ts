import type { DocumentContent } from '../src/core/task.ts'

/** The text of a document that a benchmark supplies; of tables, each as Markdown under its name. */
export function textOfContent(content: DocumentContent): string {
  if (content.kind === 'text') return content.text
  return content.tables
    .map(({ name, columns, rows }) => `${name}\n\n${markdown([columns, ...rows])}`)
    .join('\n\n')
}

function markdown([header = [], ...rows]: readonly (readonly unknown[])[]): string {
  const line = (cells: readonly unknown[]): string =>
    `| ${cells.map(cell => String(cell ?? '').replace(/[\r\n|]+/g, ' ')).join(' | ')} |`
  return [line(header), line(header.map(() => '---')), ...rows.map(line)].join('\n')
}
