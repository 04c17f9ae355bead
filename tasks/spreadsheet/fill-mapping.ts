import { ConfigError } from '../../src/core/errors.ts'
import { canonicalLanguage } from '../../src/core/language.ts'
import { describeUnknownName } from '../../src/core/nearest-name.ts'
import { namesCode } from '../../src/text/column-subjects.ts'
import { isFileName, type SheetRow, type SheetTable } from '../sheet-file.ts'
import type { SheetMapping } from './mapping.ts'

/** A mapping with all defaults filled in. */
export interface FullMapping {
  readonly keyColumns: readonly string[]
  readonly targetColumns: readonly string[]
  readonly numericColumns: readonly string[]
  readonly documentColumn: string | null
}

/** Checks that the header contains every column that the mapping names. */
export function requireColumns(mapping: SheetMapping, { columns, place }: SheetTable): void {
  const { keyColumns, targetColumns, numericColumns, documentColumn, taskColumn, queryColumn } = mapping
  const { languageColumn, domainColumn } = mapping
  const columnLists = { keyColumns, targetColumns, numericColumns }
  const columnNames = { documentColumn, taskColumn, queryColumn, languageColumn, domainColumn }
  for (const [option, value] of Object.entries({ ...columnLists, ...columnNames }))
    for (const column of [value ?? []].flat())
      if (!columns.includes(column)) {
        throw new ConfigError(
          `${place}: spreadsheet.${option}: no column ${describeUnknownName(column, columns)}`,
          { code: 'spreadsheet-mapping' },
        )
      }
}

export function fillMapping(mapping: SheetMapping, table: SheetTable): FullMapping {
  const { taskColumn, queryColumn, languageColumn, domainColumn } = mapping
  const taskColumns = [taskColumn, queryColumn, languageColumn, domainColumn]
  const candidates = table.columns.filter(column => !taskColumns.includes(column))
  const documentColumn =
    mapping.documentColumn ??
    (mapping.documents === undefined
      ? candidates.find(column => hasForm(isFileName, table, column))
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
    targetColumns.filter(
      column => !namesCode(column) && hasForm(text => plainNumber.test(text), table, column),
    )
  return { keyColumns, targetColumns, numericColumns, documentColumn }
}

const plainNumber = /^[-+]?(?!0\d)(?:\d{1,3}(?:,\d{3})+|\d+)?(?:\.\d+)?\s*%?$/

/** Returns the columns with the question and the language of each task, in a sheet of several tasks that names them. */
export function listDescribingColumns(mapping: SheetMapping, table: SheetTable): SheetMapping {
  const { taskColumn, query, keyColumns = [], targetColumns = [] } = mapping
  if (taskColumn === undefined) return {}
  const find = (names: readonly string[], hasForm: (text: string) => boolean): string | undefined =>
    table.columns.find(
      column =>
        names.includes(column.toLowerCase()) &&
        ![...keyColumns, ...targetColumns].includes(column) &&
        table.rows.every(({ cells }) => hasForm(cells.get(column) ?? '')) &&
        isOneForEachTask(table, column, taskColumn),
    )
  const queryColumn = query === undefined ? find(['question', 'query'], () => true) : undefined
  const isCode = (text: string): boolean => text === '' || canonicalLanguage(text) !== null
  const languageColumn = mapping.language === undefined ? find(['language', 'lang'], isCode) : undefined
  return {
    ...(queryColumn === undefined ? {} : { queryColumn }),
    ...(languageColumn === undefined ? {} : { languageColumn }),
  }
}

/** Whether all rows of a task have the same value in a column, or none. */
function isOneForEachTask({ rows }: SheetTable, column: string, taskColumn: string): boolean {
  const filled = rows.filter(({ cells }) => (cells.get(column) ?? '') !== '')
  const pairs = filled.map(({ cells }) => JSON.stringify([cells.get(taskColumn), cells.get(column)]))
  const tasks = filled.map(({ cells }) => cells.get(taskColumn))
  return filled.length > 0 && new Set(pairs).size === new Set(tasks).size
}

/** Returns whether a column has values and all of them have a form. */
function hasForm(hasForm: (text: string) => boolean, { rows }: SheetTable, column: string): boolean {
  const filled = rows.map(row => row.cells.get(column) ?? '').filter(cell => cell !== '')
  return filled.length > 0 && filled.every(hasForm)
}

/** Returns whether the values of a column are unique within each task. */
function isUnique({ rows }: SheetTable, column: string, taskColumn: string | undefined): boolean {
  const task = (row: SheetRow): string => (taskColumn === undefined ? '' : (row.cells.get(taskColumn) ?? ''))
  return new Set(rows.map(row => JSON.stringify([task(row), row.cells.get(column)]))).size === rows.length
}
