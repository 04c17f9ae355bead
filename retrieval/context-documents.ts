import { readdir, readFile, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { type ContextDocument, type DocumentFormat, joinPages, listPageStarts } from '../src/core/document.ts'
import { CodedError, DataError } from '../src/core/errors.ts'
import type { DocumentContent, TaskDocument } from '../src/core/task.ts'
import { requireInside } from '../src/system/files.ts'
import { sha256 } from '../src/system/hash.ts'
import type { DocumentReader } from './document-reader.ts'
import { defaultTableFormat, rowEnding, writeTables } from './table-formats/formats.ts'

/**
 * Loads a task's documents in their order. The benchmark supplies a document, or it is a file directly in `folder`.
 * File names are also found in another Unicode form or another case. A document that has no text is returned with an
 * empty text, and `problem` says why.
 *
 * @param folder the folder of documents; null when the run has none
 * @param tableFormat one of `tableFormatNames`, for documents that are tables
 * @throws the system error when the folder cannot be listed, or when a file cannot be read for a temporary reason
 */
export async function loadContextDocuments(
  documents: readonly TaskDocument[],
  folder: string | null,
  reader: DocumentReader,
  tableFormat: string = defaultTableFormat,
): Promise<ContextDocument[]> {
  const fromFolder = documents.some(({ load }) => load === undefined) && folder !== null
  const fileOf = fromFolder ? await createDocumentFinder(folder) : () => null
  return await Promise.all(
    documents.map(async document => {
      const hint = document.name
      if (isSupplied(document)) return makeSuppliedDocument(hint, await loadSupplied(document), tableFormat)
      const path = fileOf(hint)
      if (path === null) return makeMissingDocument(hint, folder)
      const bytes = await readDocumentFile(path)
      if (typeof bytes === 'string') return { hint, sha256: null, text: '', problem: `unreadable: ${bytes}` }
      return await makeFileDocument(hint, bytes, reader)
    }),
  )
}

/** Larger files are not read. */
const mostDocumentBytes = 500_000_000

/**
 * Returns the bytes of a document's file, or why they cannot be read. A device or a pipe may have no end.
 *
 * @throws the system error when the file cannot be read for a temporary reason
 */
export async function readDocumentFile(path: string): Promise<Buffer | string> {
  const facts = await stat(path).catch(permanentCause)
  if (typeof facts === 'string') return facts
  if (!facts.isFile()) return 'it is not a regular file'
  if (facts.size > mostDocumentBytes) return `it is larger than ${mostDocumentBytes / 1e6} MB`
  return await readFile(path).catch(permanentCause)
}

/** Errors that stay until somebody changes the file. Repeating an attempt does not help. */
const permanentCodes = new Set(['EACCES', 'EPERM', 'EISDIR', 'ELOOP', 'ENOENT'])

function permanentCause(error: NodeJS.ErrnoException): string {
  if (error.code === undefined || !permanentCodes.has(error.code)) throw error
  return `the file cannot be read (${error.code})`
}

/**
 * Lists a folder and returns a function that finds the path of a document's file. An exact name takes precedence over
 * one in another Unicode form or another case.
 *
 * @returns a function that returns null when the folder has no such file
 * @throws DataError [link-outside-folder], and the system error when the folder cannot be read
 */
export async function createDocumentFinder(folder: string): Promise<(hint: string) => string | null> {
  const names = await listFileNames(folder)
  return hint => {
    const name = names.get(hint) ?? names.get(normaliseName(hint))
    return name === undefined ? null : join(folder, name)
  }
}

/** Maps the exact name and the loose name of each file to its exact name. */
async function listFileNames(folder: string): Promise<ReadonlyMap<string, string>> {
  const entries = await readdir(folder, { withFileTypes: true })
  for (const entry of entries)
    if (entry.isSymbolicLink()) await requireInside(folder, join(folder, entry.name))
  const names = entries.filter(entry => entry.isFile() || entry.isSymbolicLink()).map(entry => entry.name)
  names.sort()
  const byName = new Map<string, string>()
  for (const name of names) if (!byName.has(normaliseName(name))) byName.set(normaliseName(name), name)
  for (const name of names) byName.set(name, name)
  return byName
}

/** Returns a name in the form in which spellings of the same name are equal. */
export function normaliseName(name: string): string {
  return name.normalize('NFC').toLowerCase().trim()
}

function makeSuppliedDocument(hint: string, content: DocumentContent, tableFormat: string): ContextDocument {
  const text = readContent(content, tableFormat)
  const empty = text.trim() === ''
  return {
    hint,
    sha256: sha256(text),
    text: empty ? '' : text,
    problem: empty ? 'empty: no text in the record' : null,
    ...(content.kind === 'tables' ? { rowEnd: rowEnding(tableFormat), tables: content.tables } : {}),
  }
}

function makeMissingDocument(hint: string, folder: string | null): ContextDocument {
  const where =
    folder === null ? 'no folder of documents was given' : 'no file of this name among the documents'
  return { hint, sha256: null, text: '', problem: `missing: ${where}` }
}

async function makeFileDocument(
  hint: string,
  bytes: Uint8Array,
  reader: DocumentReader,
): Promise<ContextDocument> {
  const document = await reader.read(bytes, hint)
  const pages = document.pages.filter(page => page.text.trim() !== '')
  const problem = document.problem ?? describeMisnamed(hint, document.format)
  const ocr = pages.some(page => page.ocr)
  const count = document.pages.length
  return {
    hint,
    sha256: document.sha256,
    text: joinPages(pages),
    problem,
    ...(document.notices === undefined ? {} : { notices: document.notices }),
    ocr,
    pages: count,
    ...(count > 1 ? { pageStarts: listPageStarts(document.pages) } : {}),
  }
}

/**
 * Reports a file such as an "access denied" page that was saved under the name of a PDF. Its text is still
 * used.
 */
function describeMisnamed(hint: string, format: DocumentFormat): string | null {
  return format !== 'pdf' && /\.pdf$/i.test(hint) ? `misnamed: not a PDF, but ${format}` : null
}

/** A document that its benchmark supplies; others are files. */
export type SuppliedDocument = TaskDocument & { readonly load: NonNullable<TaskDocument['load']> }

export function isSupplied(document: TaskDocument): document is SuppliedDocument {
  return document.load !== undefined
}

/**
 * Returns the text of a document that a benchmark supplies.
 *
 * @param tableFormat one of `tableFormatNames`, for a document that consists of tables
 */
export function readContent(content: DocumentContent, tableFormat: string = defaultTableFormat): string {
  return content.kind === 'text' ? content.text : writeTables(content.tables, tableFormat)
}

/**
 * Loads a document that a benchmark supplies.
 *
 * @throws DataError [invalid-document] when the benchmark's `load` fails or returns something else than a document
 */
export async function loadSupplied(document: SuppliedDocument): Promise<DocumentContent> {
  const content: unknown = await loadDocument(document).catch((error: unknown) => {
    if (error instanceof CodedError || (error instanceof Error && error.name === 'AbortError')) throw error
    throw createInvalidDocumentError(
      document.name,
      `failed: ${error instanceof Error ? error.message : error}`,
      error,
    )
  })
  if (!isContent(content))
    throw createInvalidDocumentError(
      document.name,
      "returned no document. Return { kind: 'text', text } or { kind: 'tables', tables: [{ name, columns, rows }] }",
    )
  return content
}

/** A `load` that throws before it returns a promise rejects, too. */
async function loadDocument(document: SuppliedDocument): Promise<unknown> {
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

function createInvalidDocumentError(name: string, problem: string, cause?: unknown): DataError {
  return new DataError(`document '${name}': the load function of its benchmark ${problem}`, {
    code: 'invalid-document',
    cause,
  })
}
