import { storedText } from '../logs/blobs.ts'
import { writeTables } from '../retrieval/table-formats/formats.ts'
import type { ContextDocument } from '../src/core/document.ts'
import { choosePromptLanguage } from '../src/core/language.ts'
import type { DocumentTable, Question } from '../src/core/task.ts'
import { runQuery } from '../src/system/sql/run-query.ts'
import { SqlError, type SqlResult } from '../src/system/sql/table-database.ts'
import { findFences } from '../src/text/fences.ts'
import { clipText } from '../src/text/plain-text.ts'
import type { AttemptRun } from './attempt-run.ts'
import { programWords } from './prompts/program-words.ts'
import { askModel, type Exchange } from './single-request.ts'
import type { Ended } from './termination.ts'
import { listTurns } from './turns.ts'

/** The rows of a result that the model sees, and the time after which a query is stopped. */
const maxRows = 100
const timeoutMs = 10_000
/** Longer cells of a result are cut. */
const maxCellChars = 500

/** The name of the tool in traces. */
const toolName = 'sql'

/** What the model sees when it writes the query for a question. */
interface ProgramTask extends TablesInPrompt {
  /** The question's place in the conversation, from 0. */
  readonly turn: number
  readonly earlier: readonly Exchange[]
  /** The tables that the query reads. */
  readonly tables: readonly DocumentTable[]
}

/** What the prompt shows of the tables. */
export interface TablesInPrompt {
  /** The description of the tables in the prompt. */
  readonly schema: string
  /** Values in the tables, one on each line. Absent: none are shown. */
  readonly values?: string
}

/**
 * Lets the model write a query for a question, and runs it. After a failure the model may correct the query once.
 *
 * @returns a document with the query and its result, or the end of the attempt when the provider or the budget ended it
 */
export async function queryTables(
  run: AttemptRun,
  question: Question,
  task: ProgramTask,
): Promise<ContextDocument | Ended> {
  const words = programWords[choosePromptLanguage(question.language)]
  const prompt = { system: words.task, user: programPrompt(question, task) }
  const after: Exchange[] = []
  const spoken = { last: null }
  for (;;) {
    run.step++
    const { answer, ended } = await askModel(run, { ...prompt, after }, spoken)
    if (ended !== null) return { ...ended, answerText: null }
    const sql = findSqlQuery(answer.text)
    const outcome = await answerQuery(run, task.tables, sql ?? '', sql === null ? words.noQuery : null)
    const hint = words.result.replace('{number}', String(task.turn + 1))
    const showTable = (text: string): ContextDocument => ({
      hint,
      sha256: null,
      problem: null,
      text: `\`\`\`sql\n${sql ?? ''}\n\`\`\`\n\n${text}`,
    })
    if (typeof outcome !== 'string') return showTable(resultText(outcome, question))
    if (after.length > 0) return showTable(words.failed.replace('{problem}', () => outcome))
    after.push({ answer: answer.text, next: words.repair.replace('{problem}', () => outcome) })
  }
}

/** Whether the model's part of an attempt ended before there was a result. */
export function hasEnded(result: object): result is Ended {
  return 'end' in result
}

/** Writes a question with the earlier ones and what is known of the tables. Empty parts are left out. */
export function programPrompt(
  question: Question,
  { turn, earlier, schema, values }: Omit<ProgramTask, 'tables'>,
): string {
  const { headings } = programWords[choosePromptLanguage(question.language)]
  const turns = listTurns(question)
  const before = earlier.map(
    ({ answer }, at) =>
      `${headings.question} ${at + 1}: ${turns[at]!.query.trim()}\n${headings.answer}: ${answer}`,
  )
  const parts = [
    [headings.question, turns[turn]!.query.trim()],
    [headings.earlier, before.join('\n')],
    [headings.tables, schema],
    [headings.values, values ?? ''],
  ]
  return `${parts.flatMap(([heading, body]) => (body === '' ? [] : [`# ${heading}\n${body}`])).join('\n\n')}\n`
}

/** Returns the last query of an answer; null when it contains none. */
export function findSqlQuery(text: string): string | null {
  const blocks = findFences(text).flatMap(({ label, body }) => (/^(?:sql\w*)?$/i.test(label) ? [body] : []))
  const plain = /^\s*(?:select|with)\b/i.test(text) ? [text] : []
  const query = (blocks.length > 0 ? blocks : plain).at(-1)?.trim() ?? ''
  return query === '' ? null : query
}

/** Writes what the model asked to look up, and what was found, to the trace. */
export function recordLookup(run: AttemptRun, query: object, result: string): void {
  const call = { callId: `lookup-${run.step}`, tool: 'table_lookup' }
  const text = storedText(result, { put: run.environment.keepText })
  run.emit({ type: 'tool-called', ...call, args: query })
  run.emit({ type: 'tool-answered', ...call, text, truncated: false, observations: [], wallMs: 0 })
}

/** Runs a query, with its events in the trace. Returns the reason when it has no result. */
async function answerQuery(
  run: AttemptRun,
  tables: readonly DocumentTable[],
  sql: string,
  missing: string | null,
): Promise<SqlResult | string> {
  const { clock, keepText } = run.environment
  const call = { callId: `${toolName}-${run.step}`, tool: toolName }
  const startedAt = clock.now()
  run.emit({ type: 'tool-called', ...call, args: { query: sql } })
  const fail = (message: string): string => {
    const wallMs = clock.now() - startedAt
    run.usage.toolFailed()
    run.emit({ type: 'tool-failed', ...call, errorClass: 'query', message, infrastructure: false, wallMs })
    return message
  }
  if (missing !== null) return fail(missing)
  try {
    // One row more shows whether there are more.
    const request = { tables, sql, maxRows: maxRows + 1 }
    const result = await runQuery(request, { timeoutMs, signal: run.signal })
    const text = storedText(plainTable(result), { put: keepText })
    const truncated = result.rows.length > maxRows
    const wallMs = clock.now() - startedAt
    run.emit({ type: 'tool-answered', ...call, text, truncated, observations: [], wallMs })
    return result
  } catch (error) {
    if (error instanceof SqlError) return fail(error.message)
    throw error
  }
}

function resultText(result: SqlResult, question: Question): string {
  const words = programWords[choosePromptLanguage(question.language)]
  if (result.rows.length === 0) return words.noRows
  const more = result.rows.length > maxRows ? [words.moreRows.replace('{rows}', String(maxRows))] : []
  return [plainTable(result), ...more].join('\n\n')
}

/** Writes the shown rows of a result as Markdown. */
function plainTable({ columns, rows }: SqlResult): string {
  const cut = (value: string | number | null): string | number | null =>
    typeof value === 'string' ? clipText(value, maxCellChars) : value
  const table = { name: 'result', columns, rows: rows.slice(0, maxRows).map(row => row.map(cut)) }
  return writeTables([table], 'markdown')
}

/** Returns the tables of documents. A name that occurs twice gets a number, because a database needs different names. */
export function listTables(documents: readonly ContextDocument[]): DocumentTable[] {
  const tables = documents.flatMap(({ tables = [] }) => tables)
  const names = differentNames(tables.map(({ name }) => name))
  return tables.map((table, at) => ({ ...table, name: names[at]!, columns: differentNames(table.columns) }))
}

/** Numbers names that SQL does not distinguish: `Town`, `town` become `Town`, `town_2`. */
function differentNames(names: readonly string[]): string[] {
  const takenNames = new Set<string>()
  return names.map(name => {
    let uniqueName = name
    for (let number = 2; takenNames.has(uniqueName.toLowerCase()); number++) uniqueName = `${name}_${number}`
    takenNames.add(uniqueName.toLowerCase())
    return uniqueName
  })
}
