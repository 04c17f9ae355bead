import { createBm25Index } from '../retrieval/bm25.ts'
import { choosePromptLanguage } from '../src/core/language.ts'
import type { DocumentTable, Question } from '../src/core/task.ts'
import { createStatement } from '../src/system/sql/table-database.ts'
import { clipText } from '../src/text/plain-text.ts'
import { answerFromQueries, type TableQuestion } from './answer-from-queries.ts'
import { programWords } from './prompts/program-words.ts'
import type { SettingEnvironment, SettingOutcome } from './setting.ts'
import { askModel } from './single-request.ts'
import { programPrompt, recordLookup } from './table-program.ts'
import type { Ended } from './termination.ts'

/** Columns and values that each name or value of a lookup finds at most (TableRAG, arXiv 2410.04739: K = 5). */
const hitsPerQuery = 5
/** The distinct values that are searched, the most frequent first (TableRAG: a budget of 10,000 cells). */
const maxValues = 10_000
/** Examples of a column's values in the prompt. */
const maxExamples = 3
const maxCellChars = 60

/**
 * Asks without showing the tables. The model names the columns and values that the question needs, the nearest ones of the
 * tables are looked up with BM25, and the model writes a SQL query from them. It then answers from the result. This follows
 * TableRAG (arXiv 2410.04739) with SQL as the program.
 */
export async function runTableRag(
  question: Question,
  environment: SettingEnvironment,
): Promise<SettingOutcome> {
  const indexes = new Map<readonly DocumentTable[], TableIndex>()
  return await answerFromQueries(question, environment, async tableQuestion => {
    const index = indexes.get(tableQuestion.tables) ?? indexTables(tableQuestion.tables)
    indexes.set(tableQuestion.tables, index)
    return await lookUp(question, tableQuestion, index)
  })
}

/** A column of a table. */
interface ColumnPlace {
  readonly table: number
  readonly column: number
}

/** A value that occurs in a column. */
interface ValuePlace extends ColumnPlace {
  readonly text: string
}

interface TableIndex {
  columns(query: string): readonly ColumnPlace[]
  values(query: string): readonly ValuePlace[]
}

function indexTables(tables: readonly DocumentTable[]): TableIndex {
  const columns = tables.flatMap((table, at) => table.columns.map((_, column) => ({ table: at, column })))
  const values = frequentValues(tables, columns)
  const columnIndex = createBm25Index(
    columns.map(({ table, column }) => ({
      title: splitName(tables[table]!.columns[column]!),
      text: `${splitName(tables[table]!.name)} ${listExamples(tables[table]!, column).join(' ')}`,
    })),
  )
  const valueIndex = createBm25Index(values.map(({ text }) => ({ text })))
  return {
    columns: query => columnIndex.search(query, hitsPerQuery).map(at => columns[at]!),
    values: query => valueIndex.search(query, hitsPerQuery).map(at => values[at]!),
  }
}

/** Returns the distinct values of columns, the most frequent first. */
function frequentValues(tables: readonly DocumentTable[], columns: readonly ColumnPlace[]): ValuePlace[] {
  const counted = columns.flatMap(place => {
    const counts = new Map<string, number>()
    for (const row of tables[place.table]!.rows) {
      const text = String(row[place.column] ?? '')
      if (text !== '') counts.set(text, (counts.get(text) ?? 0) + 1)
    }
    return [...counts].map(([text, count]) => ({ value: { ...place, text }, count }))
  })
  return counted
    .sort((a, b) => b.count - a.count)
    .slice(0, maxValues)
    .map(({ value }) => value)
}

/** Lets the model name what it needs, and describes the columns and values that are found. */
async function lookUp(
  question: Question,
  { run, turn, earlier, tables }: TableQuestion,
  index: TableIndex,
): Promise<{ schema: string; values: string } | Ended> {
  const words = programWords[choosePromptLanguage(question.language)]
  run.step++
  const user = programPrompt(question, { turn, earlier, schema: '' })
  const { answer, ended } = await askModel(run, { system: words.lookup, user })
  if (ended !== null) return { ...ended, answerText: null }
  const lookup = readLookup(answer.text)
  const values = selectDistinct(lookup.values.flatMap(index.values))
  const named = lookup.columns.flatMap(index.columns)
  // A lookup that finds nothing leaves the model with all columns.
  const columns =
    named.length + values.length === 0 ? listColumns(tables) : selectDistinct([...named, ...values])
  const description = {
    schema: tables
      .map((table, at) => describeTable(table, at, columns))
      .filter(Boolean)
      .join('\n\n'),
    values: selectDistinct(values)
      .map(value => valueLine(tables, value))
      .join('\n'),
  }
  recordLookup(run, lookup, `${description.schema}\n\n${description.values}`)
  return description
}

/** Reads the lines `column: …` and `value: …` of an answer. */
export function readLookup(text: string): { columns: string[]; values: string[] } {
  const lines = [...text.matchAll(/^[\s*-]*(column|value)\s*[:：]\s*(.+?)\s*$/gim)]
  const listNamed = (kind: string): string[] =>
    lines.filter(([, name]) => name!.toLowerCase() === kind).map(([, , text]) => text!)
  return { columns: listNamed('column'), values: listNamed('value') }
}

function listColumns(tables: readonly DocumentTable[]): ColumnPlace[] {
  return tables.flatMap(({ columns }, table) => columns.map((_, column) => ({ table, column })))
}

function selectDistinct<Place extends ColumnPlace & { readonly text?: string }>(
  places: readonly Place[],
): Place[] {
  return [
    ...new Map(places.map(place => [`${place.table} ${place.column} ${place.text ?? ''}`, place])).values(),
  ]
}

/** Writes the found columns of a table as a statement, with examples of their values; '' when none was found. */
function describeTable(table: DocumentTable, at: number, places: readonly ColumnPlace[]): string {
  const columnIndexes = new Set(places.filter(place => place.table === at).map(({ column }) => column))
  const columns = [...columnIndexes].sort((a, b) => a - b)
  if (columns.length === 0) return ''
  const shown: DocumentTable = {
    name: table.name,
    columns: columns.map(column => table.columns[column]!),
    rows: table.rows.map(row => columns.map(column => row[column] ?? null)),
  }
  const examples = columns.map(
    column => `-- ${table.columns[column]}: ${listExamples(table, column).join(' | ')}`,
  )
  return [createStatement(shown), ...examples].join('\n')
}

function valueLine(tables: readonly DocumentTable[], { table, column, text }: ValuePlace): string {
  return `${tables[table]!.name}.${tables[table]!.columns[column]}: ${clipText(text, maxCellChars)}`
}

function listExamples(table: DocumentTable, column: number): string[] {
  const texts = new Set<string>()
  for (const row of table.rows) {
    if (texts.size === maxExamples) break
    const text = String(row[column] ?? '')
    if (text !== '') texts.add(clipText(text, maxCellChars))
  }
  return [...texts]
}

/** Splits a name such as `weight_kg` or `shipDate` into words. */
const splitName = (name: string): string => name.replaceAll('_', ' ').replace(/([a-z])([A-Z])/g, '$1 $2')
