/** A table of running text: rows by line ends, cells by bars. */
export interface TextTable {
  readonly header: readonly string[]
  readonly rows: readonly (readonly string[])[]
}

/** The tables of a text, each a run of lines with bars; lines of dashes left out, `<NEWLINE>` is a line end. */
export function textTables(text: string): TextTable[] {
  const tables: TextTable[] = []
  let run: string[][] = []
  const finish = (): void => {
    const [header, ...rows] = withoutEmptyEdges(run)
    if (header !== undefined) tables.push({ header, rows })
    run = []
  }
  for (const line of text.split(/\r?\n|<newline>/i)) {
    if (!line.includes('|')) finish()
    else if (!/^[\s|:=+-]*$/.test(line)) run.push(line.split('|').map(cell => cell.trim()))
  }
  finish()
  return tables
}

function withoutEmptyEdges(rows: readonly string[][]): string[][] {
  const first = rows.every(row => row[0] === '') ? 1 : 0
  const last = rows.every(row => row.at(-1) === '') ? -1 : undefined
  return rows.map(row => row.slice(first, last))
}
