import { CodedError, DataError } from '../src/core/errors.ts'
import type { DocumentContent, TaskDocument } from '../src/core/task.ts'
import { defaultTableFormat, tablesText } from './table-formats/formats.ts'

/** A document that its benchmark supplies; others are files. */
export type SuppliedDocument = TaskDocument & Required<Pick<TaskDocument, 'load'>>

export function isSupplied(document: TaskDocument): document is SuppliedDocument {
  return document.load !== undefined
}

/**
 * Returns the text of a document that a benchmark supplies.
 *
 * @param tableFormat one of `tableFormatNames`, for a document that consists of tables
 */
export function textOfContent(content: DocumentContent, tableFormat: string = defaultTableFormat): string {
  return content.kind === 'text' ? content.text : tablesText(content.tables, tableFormat)
}

/**
 * Loads a document that a benchmark supplies.
 *
 * @throws DataError [invalid-document] when the benchmark's `load` fails or returns something else than a document
 */
export async function loadSupplied(document: SuppliedDocument): Promise<DocumentContent> {
  const content: unknown = await loaded(document).catch((error: unknown) => {
    if (error instanceof CodedError || (error instanceof Error && error.name === 'AbortError')) throw error
    throw invalidDocument(document.name, `failed: ${error instanceof Error ? error.message : error}`, error)
  })
  if (!isContent(content))
    throw invalidDocument(
      document.name,
      "returned no document. Return { kind: 'text', text } or { kind: 'tables', tables: [{ name, columns, rows }] }",
    )
  return content
}

/** A `load` that throws before it returns a promise rejects, too. */
async function loaded(document: SuppliedDocument): Promise<unknown> {
  return await document.load()
}

function isContent(content: unknown): content is DocumentContent {
  const { kind, text, tables } = (content ?? {}) as Readonly<Record<string, unknown>>
  if (kind === 'text') return typeof text === 'string'
  return kind === 'tables' && Array.isArray(tables) && tables.every(isTable)
}

function isTable(table: unknown): boolean {
  const { name, columns, rows } = (table ?? {}) as Readonly<Record<string, unknown>>
  return (
    typeof name === 'string' && Array.isArray(columns) && Array.isArray(rows) && rows.every(Array.isArray)
  )
}

function invalidDocument(name: string, problem: string, cause?: unknown): DataError {
  return new DataError(`document '${name}': the load function of its benchmark ${problem}`, {
    code: 'invalid-document',
    cause,
  })
}
