// Writes the text of docs/records.md: the tables of `tablehunt export`, from the definitions that write them.
import { exportTables } from '../src/run/export/write-tables.ts'

const intro = `# Exported tables

This page is generated from the program (\`npm run reference\`). \`tablehunt export\` writes the records and traces of runs as flat tables, one
file for each table:

\`\`\`sh
npx tablehunt export runs/first --to tables
\`\`\`

- \`--format parquet\` is the default. \`csv\` and \`jsonl\` write the same rows and columns.
- \`run\` and \`attemptId\` join the tables. Several runs in one command become one set of tables.
- An unknown value is null, never 0. Times are in UTC.
- A column of type json contains a JSON value as text. A share is a number of 0 to 1.
- Parquet and JSON lines contain texts as recorded. Only single halves of UTF-16 pairs, which UTF-8 cannot contain, become U+FFFD.
- CSV is for spreadsheets: a text that begins with \`=\`, \`+\`, \`-\`, \`@\`, a tab or a carriage return has an apostrophe before it, and U+FFFD
  replaces NUL. Null is an empty field, and an empty text is \`""\`. Use Parquet or JSON lines for computations.
- The files that the tables are made from are described in [record-format.md](record-format.md). The package contains their JSON Schemas in
  \`docs/schemas/\`.
- [python.md](python.md#analyse-runs-with-pandas-and-duckdb) reads the tables with pandas and DuckDB.
`

/** Returns the text of docs/records.md. */
export function exportReference(): string {
  const parts = exportTables.flatMap(({ name, description, columns, runColumns }) => [
    `## ${name}\n`,
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
