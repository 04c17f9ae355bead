import { basename, extname } from 'node:path'
import type { TextGold } from '../../src/core/gold.ts'
import { type Evidence, type LoadedTasks, namedDocuments, type TaskDocument } from '../../src/core/task.ts'
import type { TaskProblem } from '../../src/core/task-problem.ts'
import { parseJsonOrNull } from '../../src/text/json.ts'
import type { LoadOptions } from '../benchmark.ts'
import { createTaskCollector } from '../collect-tasks.ts'
import { requireLanguage } from '../parse-record.ts'
import { findHidden, isFileName, nameOtherSheet, readSheets, type SheetRow } from '../sheet-file.ts'
import { makeRecordError } from '../validate/problem.ts'
import { describeUnreadColumns, type MappedColumns, mapColumns } from './columns.ts'

/**
 * Reads a CSV file or the first sheet of a workbook with one question per row.
 *
 * @throws ConfigError `qa-columns`, `tasks-not-found` or `unreadable-tasks`
 * @throws DataError `unreadable-spreadsheet`
 */
export async function loadQuestions(path: string, options: LoadOptions): Promise<LoadedTasks<TextGold>> {
  const { sheets, otherSheets } = await readSheets(path, null, options.readWorkbook)
  const { place, columns, rows } = sheets[0]!
  const mapped = mapColumns(place, columns)
  const collector = createTaskCollector<TextGold>()
  const warnings: TaskProblem[] = []
  const warn = (code: TaskProblem['code'], message: string, line = 1, taskId: string | null = null): void => {
    warnings.push({ severity: 'warning', code, file: path, line, taskId, message })
  }
  const unread = describeUnreadColumns(columns, mapped)
  if (unread !== null) warn('unknown-field', unread)
  if (otherSheets.length > 0)
    warn(
      'unread-sheet',
      `only the first sheet is read, not ${otherSheets.map(nameOtherSheet).join(', ')}. Put all questions into it.`,
    )
  const hidden = findHidden(rows, sheets[0]!)
  if (hidden !== null)
    warn(
      'hidden-gold',
      `${hidden.text}, but the questions there are asked. Show them if they are right, or delete them.`,
      hidden.line,
    )
  const short: number[] = []
  const firstLines = new Map<string, number>()
  for (const [at, row] of rows.entries()) {
    const read = readFields(row, mapped)
    const recordId = read.id === '' ? `${basename(path, extname(path))}-${at + 1}` : read.id
    await collector.add({ file: path, line: row.line, recordId }, () => toTask(recordId, read, mapped))
    if (isText(read.documents) && read.documents.length < shortDocument) short.push(row.line)
    const key = JSON.stringify([read.question.toLowerCase(), read.documents])
    const first = firstLines.get(key)
    if (first === undefined) firstLines.set(key, row.line)
    else if (read.question !== '')
      warn(
        'duplicate-question',
        `the same question as on line ${first}, so it counts twice. Delete one row; write several right answers into one cell, separated by |.`,
        row.line,
        recordId,
      )
  }
  if (short.length > 0)
    warn(
      'short-document',
      `column '${mapped.documents}' names no file in ${short.length} of ${rows.length} rows, so the words there are read as the text of a document. If they are names of files, write their endings, such as .pdf.`,
      short[0],
    )
  return { tasks: collector.tasks, skipped: collector.skipped, warnings }
}

/** The text of a document usually has more characters. */
const shortDocument = 120

type Fields = Readonly<Record<'question' | 'answer' | 'documents' | 'id' | 'domain' | 'language', string>>

function readFields({ cells }: SheetRow, mapped: MappedColumns): Fields {
  const read = (column: string | undefined): string => (column === undefined ? '' : (cells.get(column) ?? ''))
  const { question, answer, documents, id, domain, language } = mapped
  return {
    question: read(question),
    answer: read(answer),
    documents: read(documents),
    id: read(id),
    domain: read(domain),
    language: read(language),
  }
}

function toTask(taskId: string, fields: Fields, mapped: MappedColumns) {
  if (fields.question === '')
    throw makeRecordError(`column '${mapped.question}' is empty. Write the question.`)
  const references = readList(fields.answer, /\|/)
  if (references.length === 0)
    throw makeRecordError(
      `column '${mapped.answer}' is empty. Write the right answer; several are separated by |.`,
      undefined,
      'empty-gold',
    )
  const source = readDocuments(taskId, fields.documents)
  return {
    question: {
      taskId,
      benchmark: 'qa',
      query: fields.question,
      domain: (fields.domain || 'general').toLowerCase(),
      language: requireLanguage(fields.language || 'en'),
      documentNames: source.documents.map(({ name }) => name),
      form: { kind: 'text' as const },
    },
    gold: { kind: 'text' as const, references },
    ...source,
  }
}

/** The parts of a cell: a JSON list, or texts between separators. */
function readList(cell: string, separator: RegExp): string[] {
  const json = cell.startsWith('[') ? parseJsonOrNull(cell) : null
  const parts = Array.isArray(json) ? json.map(writePart) : cell.split(separator)
  return [...new Set(parts.map(part => part.trim()).filter(part => part !== ''))]
}

const writePart = (part: unknown): string => (typeof part === 'string' ? part : JSON.stringify(part))

/** Whether a cell contains the text of a document: several words, and no name of a file. */
function isText(cell: string): boolean {
  const names = readList(cell, /[;\n]/).map(name => basename(name.replaceAll('\\', '/')))
  return /\s/.test(cell) && !names.some(isFileName)
}

/** Reads names of files, or the text of a document. */
function readDocuments(
  taskId: string,
  cell: string,
): { readonly documents: readonly TaskDocument[]; readonly evidence: Evidence | null } {
  const names = readList(cell, /[;\n]/)
  if (names.length === 0) return { documents: [], evidence: null }
  if (!isText(cell)) return namedDocuments(names)
  const name = `${taskId}.txt`
  const text = readList(cell, /^$/).join('\n\n')
  return {
    documents: [{ name, load: async () => ({ kind: 'text', text }) }],
    evidence: { kind: 'documents', names: [name] },
  }
}
