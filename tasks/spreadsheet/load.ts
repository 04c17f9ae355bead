import { basename, extname } from 'node:path'
import { ConfigError, DataError } from '../../src/core/errors.ts'
import type { GoldRow, TableGold } from '../../src/core/gold.ts'
import { groupBy } from '../../src/core/group-by.ts'
import { type LoadedTasks, namedDocuments, type Task } from '../../src/core/task.ts'
import type { TaskProblem } from '../../src/core/task-problem.ts'
import { formatShortList } from '../../src/text/plain-text.ts'
import type { LoadOptions } from '../benchmark.ts'
import { requireLanguage } from '../parse-record.ts'
import { looksLikeQuestions } from '../qa/columns.ts'
import {
  findHidden,
  nameOtherSheet,
  readSheets,
  type SheetFile,
  type SheetRow,
  type SheetTable,
} from '../sheet-file.ts'
import { withDecimalPoints } from './decimal-sign.ts'
import { type FullMapping, fillMapping, listDescribingColumns, requireColumns } from './fill-mapping.ts'
import type { SheetMapping } from './mapping.ts'

/**
 * Reads a CSV or Excel file of true values as tasks: each sheet is one task, or one task per value of its task column.
 *
 * @throws ConfigError `spreadsheet-mapping` when a column is unknown or missing. The message contains a mapping to start
 *   from. `undecided-decimal` when a number such as 3,125 may be 3.125 or 3125.
 * @throws DataError `unreadable-spreadsheet`
 */
export async function loadSpreadsheet(path: string, options: LoadOptions): Promise<LoadedTasks<TableGold>> {
  const { sheet, sheets, ...shared } = options.spreadsheet ?? {}
  const ownMappings = typeof sheets === 'object' ? sheets : {}
  const onlySheet = sheet === undefined ? undefined : [sheet]
  const sheetNames = sheets === undefined ? onlySheet : sheets === true ? 'all' : Object.keys(sheets)
  const file = await readSheets(path, sheetNames ?? null, options.readWorkbook)
  const otherSheets = sheetNames === undefined || sheetNames === 'all' ? file.otherSheets : []
  const loaded = file.sheets.map(table => {
    const named = { ...shared, ...ownMappings[table.name] }
    requireColumns(named, table)
    const mapping = { ...listDescribingColumns(named, table), ...named }
    const { documentColumn, taskColumn, queryColumn, keyColumns = [] } = mapping
    const otherColumns = [documentColumn, taskColumn, queryColumn, ...keyColumns].filter(
      name => name !== undefined,
    )
    const { place, separator } = table
    const rules = { path: place, separator, chosenSign: mapping.decimal ?? null, otherColumns }
    const pointed = withDecimalPoints(table, rules)
    const taskName = sheets === undefined ? basename(path, extname(path)) : table.name
    return { path, taskName, table: pointed, mapping, full: fillMapping(mapping, pointed) }
  })
  const shownSheets = otherSheets.filter(({ isHidden }) => !isHidden).map(({ name }) => name)
  requireWhole(path, loaded, { otherSheets: shownSheets, isNamed: sheets !== undefined })
  const parts = loaded.map(splitTasks)
  return {
    tasks: parts.flatMap(({ tasks }) => tasks),
    skipped: [],
    warnings: [
      ...(otherSheets.length === 0 ? [] : [warnOfOtherSheets(file, path)]),
      ...parts.flatMap(({ warnings }) => warnings),
    ],
  }
}

function warnOfOtherSheets({ sheets, otherSheets }: SheetFile, path: string): TaskProblem {
  const onlyHidden = sheets.length > 1 || otherSheets.every(({ isHidden }) => isHidden)
  const names = formatShortList(
    otherSheets,
    onlyHidden ? ({ name }) => quoteNames(name) : nameOtherSheet,
    mostNamed,
  )
  const message = onlyHidden
    ? `hidden sheets are not read: ${names}. If one is a task, name it in spreadsheet.sheets; otherwise delete it, or ignore this.`
    : `only sheet '${sheets[0]!.name}' is read. The workbook also contains ${names}. If each sheet is a task, set spreadsheet.sheets; otherwise name the sheet in spreadsheet.sheet.`
  return { severity: 'warning', code: 'unread-sheet', file: path, line: 1, taskId: null, message }
}

/** The rows and columns of a task. */
interface SheetPart {
  readonly taskId: string
  readonly rows: readonly SheetRow[]
  readonly full: FullMapping
}

/** Divides a sheet into tasks, each with the columns that it has values for. */
function splitTasks(sheet: MappedSheet): { tasks: Task<TableGold>[]; warnings: TaskProblem[] } {
  const groups = [...groupBy(sheet.table.rows, row => readTaskId(sheet, row))]
  // In a sheet of one task, a column without values is a value that answers must leave empty.
  const parts = groups.map(([taskId, rows]) => ({
    taskId,
    rows,
    full: groups.length === 1 ? sheet.full : fitColumns(sheet, taskId, rows),
  }))
  return {
    tasks: parts.map(({ taskId, rows, full }) => toTask({ ...sheet, full }, taskId, rows)),
    warnings: [
      ...warnOfColumns(sheet, parts),
      ...parts.flatMap(({ taskId, rows }) => warnOfHidden(sheet.path, taskId, rows, sheet.table)),
    ],
  }
}

/** Returns the columns in which a task has values. */
function fitColumns({ table, full }: MappedSheet, taskId: string, rows: readonly SheetRow[]): FullMapping {
  const hasValue = (column: string): boolean => rows.some(row => (row.cells.get(column) ?? '') !== '')
  const keyColumns = full.keyColumns.filter(hasValue)
  const targetColumns = full.targetColumns.filter(hasValue)
  if (keyColumns.length > 0 && targetColumns.length > 0)
    return { ...full, keyColumns, targetColumns, numericColumns: full.numericColumns.filter(hasValue) }
  const [what, columns] = keyColumns.length === 0 ? ['key', full.keyColumns] : ['target', full.targetColumns]
  throw new ConfigError(
    `${table.place}: task '${taskId}' has no value in the ${what} columns of sheet '${table.name}' (${formatShortList(columns, quoteNames, mostNamed)}). Give the task a sheet of its own (spreadsheet.sheets), or correct ${what}Columns.`,
    { code: 'spreadsheet-mapping' },
  )
}

const quoteNames = (name: string): string => `'${name}'`

/** Names of columns that describe a task more often than a row of its table. */
const taskFields = ['language', 'lang', 'domain', 'query', 'question', 'prompt', 'task', 'notes', 'comment']

/** Says in one message which tasks of a sheet lack which of its columns, and which columns may be no targets. */
function warnOfColumns(sheet: MappedSheet, parts: readonly SheetPart[]): TaskProblem[] {
  const { path, table, mapping, full } = sheet
  if (mapping.taskColumn === undefined) return []
  const columns = [...full.keyColumns, ...full.targetColumns]
  const lacks = parts.flatMap(({ taskId, full: { keyColumns, targetColumns } }) => {
    const lost = columns.filter(column => ![...keyColumns, ...targetColumns].includes(column))
    return lost.length === 0
      ? []
      : [`task '${taskId}' has no ${formatShortList(lost, quoteNames, mostNamed)}`]
  })
  const isDoubtful = (column: string): boolean => taskFields.includes(column.toLowerCase())
  const doubtful = mapping.targetColumns === undefined ? full.targetColumns.filter(isDoubtful) : []
  const sentences = [
    ...(lacks.length === 0
      ? []
      : [
          `its columns do not fit ${lacks.length} of its ${parts.length} tasks: ${shortLists(lacks)}. A task is scored without these columns. If its answer must leave them empty, or if tasks are different tables, give each task a sheet of its own (spreadsheet.sheets).`,
        ]),
    ...(doubtful.length === 0
      ? []
      : [
          `answers must contain ${formatShortList(doubtful, quoteNames)}. If that describes the task, set languageColumn, domainColumn or queryColumn, or list the real targets in targetColumns.`,
        ]),
  ]
  if (sentences.length === 0) return []
  const message = `sheet '${table.name}': ${sentences.join(' Also, ')}`
  return [
    {
      severity: 'warning',
      code: 'mixed-columns',
      file: path,
      line: table.rows[0]!.line,
      taskId: null,
      message,
    },
  ]
}

const shortLists = (lists: readonly string[]): string => {
  const more = lists.length - mostNamed
  return lists.slice(0, mostNamed).join('; ') + (more > 0 ? `; and ${more} more tasks` : '')
}

/** Most sheets that a message names. */
const mostNamed = 5

/** Warns of values that a person who looks at the sheet does not see. */
function warnOfHidden(
  path: string,
  taskId: string,
  rows: readonly SheetRow[],
  table: SheetTable,
): TaskProblem[] {
  const hiddenPlaces = findHidden(rows, table)
  if (hiddenPlaces === null) return []
  const message = `${hiddenPlaces.text}, but gold contains their values. Show them if they are right, or delete them.`
  return [{ severity: 'warning', code: 'hidden-gold', file: path, line: hiddenPlaces.line, taskId, message }]
}

/** How the sheets of a file were chosen. */
interface ChosenSheets {
  /** Sheets that are not read although the user named none. */
  readonly otherSheets: readonly string[]
  /** Whether the mapping has a field `sheets`. */
  readonly isNamed: boolean
}

/** Checks that the parts without a default are set. The message of the error contains a mapping to start from. */
function requireWhole(
  path: string,
  sheets: readonly MappedSheet[],
  { otherSheets, isNamed }: ChosenSheets,
): void {
  const lacking = sheets.filter(sheet => listMissing(sheet).length > 0)
  if (lacking.length === 0) return
  const missing = [...new Set(lacking.flatMap(listMissing))].join(' and ')
  const starts = Object.fromEntries(lacking.map(sheet => [sheet.table.name, startMapping(sheet)]))
  const where = isNamed ? ` for ${formatShortList(Object.keys(starts), quoteNames, mostNamed)}` : ''
  const start = isNamed ? { sheets: starts } : Object.values(starts)[0]
  const query = 'the question for the model'
  const each = { sheets: { ...starts, ...Object.fromEntries(otherSheets.map(name => [name, { query }])) } }
  const more =
    otherSheets.length === 0
      ? ''
      : `\nThe workbook has more sheets. If each is a task, write instead:\n  spreadsheet: ${JSON.stringify(each)}`
  const isQa = sheets.some(({ table }) => looksLikeQuestions(table.columns))
  const other = isQa ? '\nIf each row is a question with its answer, use --benchmark qa.' : ''
  throw new ConfigError(
    `${path}: the mapping lacks ${missing}${where}. Put this into tablehunt.config.ts and correct it:\n  spreadsheet: ${JSON.stringify(start)}${more}${other}`,
    { code: 'spreadsheet-mapping' },
  )
}

const listMissing = ({ mapping, full }: MappedSheet): string[] => [
  ...(mapping.query === undefined && mapping.queryColumn === undefined ? ['query (the question)'] : []),
  ...(full.documentColumn === null && mapping.documents === undefined
    ? ['documentColumn or documents (where the answers are)']
    : []),
]

function startMapping({ mapping, full }: MappedSheet): SheetMapping {
  return {
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
}

function readTaskId({ taskName, table, mapping: { taskColumn } }: MappedSheet, row: SheetRow): string {
  if (taskColumn === undefined) return taskName
  const id = row.cells.get(taskColumn) ?? ''
  if (id !== '') return id
  throw new DataError(
    `${table.place}:${row.line}: column '${taskColumn}' is empty. Write the row's task there.`,
    { code: 'unreadable-spreadsheet' },
  )
}

/** A spreadsheet with the mapping of its columns. */
interface MappedSheet {
  readonly path: string
  /** The id of the task when no column contains ids. */
  readonly taskName: string
  readonly table: SheetTable
  readonly mapping: SheetMapping
  readonly full: FullMapping
}

function toTask(
  { path, table, mapping, full }: MappedSheet,
  taskId: string,
  rows: readonly SheetRow[],
): Task<TableGold> {
  const { keyColumns, targetColumns, numericColumns } = full
  const documentNames = listDocuments(table.place, rows, mapping, full)
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
      domain: (readField(table, rows, mapping.domainColumn) ?? mapping.domain ?? 'general').toLowerCase(),
      language: readLanguage(table, rows, mapping),
      query:
        mapping.queryColumn === undefined ? mapping.query! : requireField(table, rows, mapping.queryColumn),
      documentNames,
      form: { kind: 'table' },
    },
    gold: { kind: 'table', keyColumns, targetColumns, numericColumns, rows: rows.map(goldRow) },
    ...namedDocuments(documentNames),
    source: { file: path, line: rows[0]!.line },
  }
}

function readLanguage(table: SheetTable, rows: readonly SheetRow[], mapping: SheetMapping): string {
  try {
    return requireLanguage(readField(table, rows, mapping.languageColumn) ?? mapping.language ?? 'en')
  } catch (cause) {
    if (!(cause instanceof DataError)) throw cause
    throw new ConfigError(`${table.place}: spreadsheet.${cause.message}`, {
      code: 'spreadsheet-mapping',
      cause,
    })
  }
}

/** Returns what a column says about a task. Only one of the task's rows must contain it. Null when it says nothing. */
function readField(table: SheetTable, rows: readonly SheetRow[], column: string | undefined): string | null {
  if (column === undefined) return null
  const values = new Set(rows.map(row => row.cells.get(column) ?? '').filter(text => text !== ''))
  if (values.size > 1) throw makeFieldError(table, rows, column, 'has two values for one task')
  return [...values][0] ?? null
}

function requireField(table: SheetTable, rows: readonly SheetRow[], column: string): string {
  const value = readField(table, rows, column)
  if (value !== null) return value
  throw makeFieldError(table, rows, column, 'is empty in every row of the task')
}

const makeFieldError = (
  { place }: SheetTable,
  rows: readonly SheetRow[],
  column: string,
  what: string,
): DataError =>
  new DataError(`${place}:${rows[0]!.line}: column '${column}' ${what}. Write one for each task.`, {
    code: 'unreadable-spreadsheet',
  })

function listDocuments(
  place: string,
  rows: readonly SheetRow[],
  mapping: SheetMapping,
  { documentColumn }: FullMapping,
): string[] {
  const cells = documentColumn === null ? [] : rows.map(row => row.cells.get(documentColumn) ?? '')
  const named = cells.flatMap(cell => cell.split(';')).map(name => name.trim())
  const documents = new Set([...(mapping.documents ?? []), ...named.filter(name => name !== '')])
  if (documents.size > 0) return [...documents]
  throw new DataError(
    `${place}:${rows[0]!.line}: column '${documentColumn}' names no document for this task. Write a file name there.`,
    { code: 'unreadable-spreadsheet' },
  )
}
