/** An answer table; a cell that the documents do not give is null. */
export interface Table {
  readonly columns: readonly string[]
  readonly rows: readonly (readonly (string | null)[])[]
}

/** The answer as the prompts ask for it: a schema block, then one fenced csv. */
export function writeAnswer({ columns, rows }: Table): string {
  const schema = columns.map((name, index) => {
    const values = rows.map(row => row[index] ?? '').filter(value => value !== '')
    const type =
      values.length > 0 && values.every(value => /^-?[\d,]+(?:\.\d+)?$/.test(value)) ? 'numeric' : 'text'
    return `- name: ${name}\n  about: ${name}\n  format: as printed\n  valid_type: ${type}`
  })
  const lines = [columns, ...rows].map(row => row.map(value => field(value ?? 'null')).join(','))
  return `<schema>\n${schema.join('\n')}\n</schema>\n\`\`\`csv\n${lines.join('\n')}\n\`\`\``
}

function field(value: string): string {
  return /[",\r\n]/.test(value) ? `"${value.replaceAll('"', '""')}"` : value
}
