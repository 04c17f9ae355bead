import { basename, extname } from 'node:path'
import { documentEndings } from '../../src/core/document.ts'
import { ConfigError, DataError } from '../../src/core/errors.ts'
import { groupBy } from '../../src/core/group-by.ts'
import { describeUnknownName } from '../../src/core/nearest-name.ts'
import {
  type GoldRow,
  type LoadedTasks,
  namedDocuments,
  type TableGold,
  type Task,
  type TaskProblem,
} from '../../src/core/task.ts'
import { namesCode } from '../../src/text/column-subjects.ts'
import { shortList } from '../../src/text/plain-text.ts'
import { requireLanguage } from '../aoe/record.ts'
import type { LoadOptions } from '../benchmark.ts'
import { withDecimalPoints } from './decimal-sign.ts'
import type { SpreadsheetMapping } from './mapping.ts'
import { readSheet, type SheetRow, type SheetTable } from './sheet-file.ts'

/** A mapping with all defaults filled in. */
interface FullMapping {
  readonly keyColumns: readonly string[]
  readonly targetColumns: readonly string[]
  readonly numericColumns: readonly string[]
  readonly documentColumn: string | null
}

/**
 * Reads a CSV or Excel file of true values as tasks: one task per value of the task column, or a single task.
 *
 * @throws ConfigError `spreadsheet-mapping` when a column is unknown or missing. The message contains a mapping to start
 *   from. `undecided-decimal` when a number such as 3,125 may be 3.125 or 3125.
 * @throws DataError `unreadable-spreadsheet`
 */
export async function loadSpreadsheet(path: string, options: LoadOptions): Promise<LoadedTasks<TableGold>> {
  const mapping = options.spreadsheet ?? {}
  const sheet = await readSheet(path, mapping.sheet ?? null, options.readWorkbook)
  requireColumns(path, mapping, sheet)
  const { documentColumn, taskColumn, queryColumn, keyColumns = [] } = mapping
  const otherColumns = [documentColumn, taskColumn, queryColumn, ...keyColumns].filter(
    name => name !== undefined,
  )
  const table = withDecimalPoints(sheet, {
    ...{ path, separator: sheet.separator, given: mapping.decimal ?? null, otherColumns },
  })
  const full = fillMapping(mapping, table)
  requireWhole(path, mapping, full)
  const groups = groupBy(table.rows, row => readTaskId(path, row, mapping))
  const source: MappedSheet = { path, given: mapping, full }
  const tasks = [...groups].map(([taskId, rows]) => toTask(source, taskId, rows))
  const warnings = [...groups].flatMap(([taskId, rows]) => warnOfHidden(path, taskId, rows, sheet))
  return { tasks, skipped: [], warnings }
}

/** Most hidden rows and cells that a warning names. */
const mostNamed = 5

/** Warns of values that a person who looks at the sheet does not see. */
function warnOfHidden(
  path: string,
  taskId: string,
  rows: readonly SheetRow[],
  { hidden, hiddenColumns }: SheetTable,
): TaskProblem[] {
  if (hidden === undefined) return []
  const hiddenRows = rows.filter(({ line }) => hidden.rows.has(line)).map(({ line }) => line)
  const lines = new Set(rows.map(({ line }) => line))
  const cells = [...hidden.cells].filter(cell => lines.has(Number(cell.replace(/\D/g, ''))))
  const name = (kind: string, names: readonly (number | string)[]): string[] => {
    return names.length === 0
      ? []
      : [`${kind}${names.length === 1 ? '' : 's'} ${shortList(names, String, mostNamed)}`]
  }
  const columns = hiddenColumns.map(column => `'${column}'`)
  const places = [...name('row', hiddenRows), ...name('column', columns), ...name('cell', cells)]
  if (places.length === 0) return []
  const message = `the sheet hides ${places.join('; ')}, but gold contains their values. Show them if they are right, or delete them.`
  const line = hiddenRows[0] ?? rows[0]!.line
  return [{ severity: 'warning', code: 'hidden-gold', file: path, line, taskId, message }]
}

/** Checks that the header contains every column that the mapping names. */
function requireColumns(path: string, mapping: SpreadsheetMapping, { columns }: SheetTable): void {
  const { keyColumns, targetColumns, numericColumns, documentColumn, taskColumn, queryColumn } = mapping
  const named = { keyColumns, targetColumns, numericColumns, documentColumn, taskColumn, queryColumn }
  for (const [option, value] of Object.entries(named))
    for (const column of [value ?? []].flat())
      if (!columns.includes(column)) {
        throw new ConfigError(
          `${path}: spreadsheet.${option}: no column ${describeUnknownName(column, columns)}`,
          {
            code: 'spreadsheet-mapping',
          },
        )
      }
}

function fillMapping(mapping: SpreadsheetMapping, table: SheetTable): FullMapping {
  const candidates = table.columns.filter(
    column => column !== mapping.taskColumn && column !== mapping.queryColumn,
  )
  const documentColumn =
    mapping.documentColumn ??
    (mapping.documents === undefined
      ? candidates.find(column => hasForm(fileName, table, column))
      : undefined) ??
    null
  const isRowKey = documentColumn !== null && isUnique(table, documentColumn, mapping.taskColumn)
  const firstColumn = candidates.find(column => column !== documentColumn)
  const keyColumns =
    mapping.keyColumns ?? (isRowKey ? [documentColumn] : firstColumn === undefined ? [] : [firstColumn])
  const targetColumns =
    mapping.targetColumns ??
    candidates.filter(column => column !== documentColumn && !keyColumns.includes(column))
  const numericColumns =
    mapping.numericColumns ??
    targetColumns.filter(column => !namesCode(column) && hasForm(plainNumber, table, column))
  return { keyColumns, targetColumns, numericColumns, documentColumn }
}

const fileName = new RegExp(`^[^/\\\\]+\\.(?:${documentEndings})(?:\\s*;.*)?$`, 'i')
const plainNumber = /^[-+]?(?!0\d)(?:\d{1,3}(?:,\d{3})+|\d+)?(?:\.\d+)?\s*%?$/

/** Returns whether a column has values and all of them match the form. */
function hasForm(form: RegExp, { rows }: SheetTable, column: string): boolean {
  const filled = rows.map(row => row.cells.get(column) ?? '').filter(cell => cell !== '')
  return filled.length > 0 && filled.every(cell => form.test(cell))
}

/** Returns whether the values of a column are unique within each task. */
function isUnique({ rows }: SheetTable, column: string, taskColumn: string | undefined): boolean {
  const task = (row: SheetRow): string => (taskColumn === undefined ? '' : (row.cells.get(taskColumn) ?? ''))
  return new Set(rows.map(row => JSON.stringify([task(row), row.cells.get(column)]))).size === rows.length
}

/** Checks that the parts without a default are set. The message of the error contains a mapping to start from. */
function requireWhole(path: string, mapping: SpreadsheetMapping, full: FullMapping): void {
  const missing = [
    ...(mapping.query === undefined && mapping.queryColumn === undefined ? ['query (the question)'] : []),
    ...(full.documentColumn === null && mapping.documents === undefined
      ? ['documentColumn or documents (where the answers are)']
      : []),
  ]
  if (missing.length === 0) return
  const start: SpreadsheetMapping = {
    ...(mapping.queryColumn === undefined ? { query: mapping.query ?? 'the question for the model' } : {}),
    ...mapping,
    keyColumns: [...full.keyColumns],
    targetColumns: [...full.targetColumns],
    numericColumns: [...full.numericColumns],
    ...(full.documentColumn === null
      ? mapping.documents === undefined
        ? { documents: ['report.pdf'] }
        : {}
      : { documentColumn: full.documentColumn }),
  }
  throw new ConfigError(
    `${path}: the mapping lacks ${missing.join(' and ')}. Put this into tablehunt.config.ts and correct it:\n  spreadsheet: ${JSON.stringify(start)}`,
    { code: 'spreadsheet-mapping' },
  )
}

function readTaskId(path: string, row: SheetRow, { taskColumn }: SpreadsheetMapping): string {
  if (taskColumn === undefined) return basename(path, extname(path))
  const id = row.cells.get(taskColumn) ?? ''
  if (id !== '') return id
  throw new DataError(`${path}:${row.line}: column '${taskColumn}' is empty. Write the row's task there.`, {
    code: 'unreadable-spreadsheet',
  })
}

/** A spreadsheet with the mapping of its columns. */
interface MappedSheet {
  readonly path: string
  readonly given: SpreadsheetMapping
  readonly full: FullMapping
}

function toTask(
  { path, given, full }: MappedSheet,
  taskId: string,
  rows: readonly SheetRow[],
): Task<TableGold> {
  const { keyColumns, targetColumns, numericColumns } = full
  const documentNames = listDocuments(path, rows, given, full)
  const goldRow = (row: SheetRow): GoldRow =>
    Object.fromEntries(
      [...keyColumns, ...targetColumns].map(column => {
        const text = row.cells.get(column) ?? ''
        // The prompts request 12.36% as 12.36, but the published scorer reads 12.36% as 0.1236.
        const value = numericColumns.includes(column) ? text.replace(/\s*%$/, '') : text
        return [column, value === '' ? null : value]
      }),
    )
  return {
    question: {
      taskId,
      benchmark: 'spreadsheet',
      domain: (given.domain ?? 'general').toLowerCase(),
      language: readLanguage(path, given),
      query: readQuery(path, rows, given),
      documentNames,
      form: { kind: 'table' },
    },
    gold: { kind: 'table', keyColumns, targetColumns, numericColumns, rows: rows.map(goldRow) },
    ...namedDocuments(documentNames),
    source: { file: path, line: rows[0]!.line },
  }
}

function readLanguage(path: string, { language }: SpreadsheetMapping): string {
  try {
    return requireLanguage(language ?? 'en')
  } catch (cause) {
    if (!(cause instanceof DataError)) throw cause
    throw new ConfigError(`${path}: spreadsheet.${cause.message}`, { code: 'spreadsheet-mapping', cause })
  }
}

/** Returns the question of a task. Only one of the task's rows must contain it. */
function readQuery(
  path: string,
  rows: readonly SheetRow[],
  { query, queryColumn }: SpreadsheetMapping,
): string {
  if (queryColumn === undefined) return query!
  const questions = new Set(rows.map(row => row.cells.get(queryColumn) ?? '').filter(text => text !== ''))
  const [first, second] = questions
  if (first !== undefined && second === undefined) return first
  const what = first === undefined ? `is empty in every row of the task` : 'has two questions for one task'
  throw new DataError(
    `${path}:${rows[0]!.line}: column '${queryColumn}' ${what}. Write one question for each task.`,
    { code: 'unreadable-spreadsheet' },
  )
}

function listDocuments(
  path: string,
  rows: readonly SheetRow[],
  mapping: SpreadsheetMapping,
  { documentColumn }: FullMapping,
): string[] {
  const cells = documentColumn === null ? [] : rows.map(row => row.cells.get(documentColumn) ?? '')
  const named = cells.flatMap(cell => cell.split(';')).map(name => name.trim())
  const documents = new Set([...(mapping.documents ?? []), ...named.filter(name => name !== '')])
  if (documents.size > 0) return [...documents]
  throw new DataError(
    `${path}:${rows[0]!.line}: column '${documentColumn}' names no document for this task. Write a file name there.`,
    { code: 'unreadable-spreadsheet' },
  )
}
