import type { DocumentTable, Question } from '../src/core/task.ts'
import { createStatement } from '../src/system/sql/table-database.ts'
import { clipText } from '../src/text/plain-text.ts'
import { answerFromQueries } from './answer-from-queries.ts'
import type { SettingEnvironment, SettingOutcome } from './setting.ts'

/** Rows of each table that the prompt shows as examples. */
const exampleRows = 3
const maxCellChars = 60

/**
 * Asks with the columns of the tables alone. The model writes a SQL query, Tablehunt runs it, and the model answers from the
 * result.
 */
export async function runTextToSql(
  question: Question,
  environment: SettingEnvironment,
): Promise<SettingOutcome> {
  return await answerFromQueries(question, environment, async ({ tables }) => ({
    schema: tables.map(describeTable).join('\n\n'),
  }))
}

/** Writes the statement that creates a table, and its first rows as comments. */
function describeTable(table: DocumentTable): string {
  const rows = table.rows.slice(0, exampleRows).map(row => `-- ${row.map(shortCell).join(' | ')}`)
  return [createStatement(table), ...rows].join('\n')
}

function shortCell(value: DocumentTable['rows'][number][number]): string {
  return clipText(String(value ?? '').replace(/\s+/g, ' '), maxCellChars)
}
