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

const rule = /^\|?(?:\s*:?-{2,}:?\s*\|)+/
/** A head has at most this many rows below its line of dashes. */
const maxFurtherHeadRows = 4

/** Whether a line is the line of dashes below the first row of a Markdown table. */
export function isPipeRule(line: string): boolean {
  return rule.test(line)
}

/**
 * Counts the rows of a table's head below its line of dashes. Tables of PDFs may have heads of several rows, such as years below
 * the names of groups. Their first cell, above the labels, is empty.
 *
 * @param lines the lines after the line of dashes
 */
export function countFurtherHeadRows(lines: readonly string[]): number {
  const end = lines.findIndex(line => !/^\|\s*\|/.test(line))
  return end === -1 || end > maxFurtherHeadRows ? 0 : end
}
