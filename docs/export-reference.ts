// Writes the second part of docs/records.md: the tables of `tablehunt export`, from the definitions that write them.
import { exportTables } from '../src/run/export/write-tables.ts'

const intro = `## Exported tables

\`tablehunt export\` writes the records and traces of runs as flat tables, one file for each table:

\`\`\`sh
npx tablehunt export runs/first --to tables
\`\`\`

- \`--format parquet\` is the default. \`csv\` and \`jsonl\` write the same rows and columns.
- \`run\` and \`attemptId\` join the tables. Several runs in one command become one set of tables.
- A column of type json contains a JSON value as text.
- CSV is for spreadsheets: a text that begins with \`=\`, \`+\`, \`-\`, \`@\`, a tab or a carriage return has an apostrophe before it, and U+FFFD
  replaces NUL. Null is an empty field, and an empty text is \`""\`. Use Parquet or JSON lines for computations.
- \`--format atif\` and \`--format inspect\` write [logs for other programs](imported-logs.md#logs-for-other-programs) instead.
- [python.md](python.md#analyse-runs-with-pandas-and-duckdb) reads the tables with pandas and DuckDB.
`

/** Returns the sections about exported tables. */
export function exportReference(): string {
  const parts = exportTables.flatMap(({ name, description, columns, runColumns }) => [
    `### ${name} (table)\n`,
    `${description}\n`,
    '| column | type | unit | meaning |',
    '|---|---|---|---|',
    ...[...columns, ...(runColumns === undefined ? [] : [runColumns.pattern])].map(
      column =>
        `| \`${column.name}\` | ${column.type} | ${column.unit} | ${column.description.replaceAll('|', '\\|')} |`,
    ),
    '',
  ])
  return `${[intro, ...parts].join('\n').trimEnd()}\n`
}
