import type { ReportTable } from './report-table.ts'

const latexSpecials: Readonly<Record<string, string>> = {
  '\\': '\\textbackslash{}',
  '~': '\\textasciitilde{}',
  '^': '\\textasciicircum{}',
  '↑': '$\\uparrow$',
  '↓': '$\\downarrow$',
  '–': '--',
}

/** Escapes a text for LaTeX. */
export function escapeLatex(text: string): string {
  return text.replace(/[\\~^↑↓–]|[&%$#_{}]/g, found => latexSpecials[found] ?? `\\${found}`)
}

/** Formats a table as LaTeX for the booktabs package, with intervals in small print. */
export function latexTable({ title, columns, rows, remarks }: ReportTable): string {
  const cell = (text: string): string => escapeLatex(text).replace(/ (\[[^\]]*\])$/, ' {\\scriptsize $1}')
  const line = (cells: readonly string[]): string => `${cells.join(' & ')} \\\\`
  return [
    '\\begin{table}',
    `\\caption{${escapeLatex([`${title}.`, ...remarks].join(' '))}}`,
    `\\begin{tabular}{${columns.map(column => (column.align === 'right' ? 'r' : 'l')).join('')}}`,
    '\\toprule',
    line(columns.map(column => escapeLatex(column.name.replace('\n', ' ')))),
    '\\midrule',
    ...rows.map(row => line(row.map(cell))),
    '\\bottomrule',
    '\\end{tabular}',
    '\\end{table}',
    '',
  ].join('\n')
}
