/** Writes rows of equal length as a Markdown table. The first row becomes its head. */
export function writePipeTable(rows: readonly (readonly string[])[]): string {
  const lines = rows.map(row => `| ${row.map(escapeBars).join(' | ')} |`)
  const rule = `|${' --- |'.repeat(rows[0]?.length ?? 0)}`
  return [lines[0], rule, ...lines.slice(1)].join('\n')
}

/** Escapes the bars in the text of a cell. */
export function escapeBars(text: string): string {
  return text.replaceAll('|', '\\|')
}

/** Returns a text with the rows of its Markdown tables as lines of cells between tabs. Empty cells and rules are left out. */
export function removeBars(text: string): string {
  return text.replace(/^\|(?: :?-+:? \|)+\n?/gm, '').replace(/^\| (.*) \|$/gm, (_row, cells: string) =>
    cells
      .split(' | ')
      .map(cell => cell.trim().replaceAll('\\|', '|'))
      .filter(cell => cell !== '')
      .join('\t'),
  )
}
