import { z } from 'zod/v4'

const name = z.string('a text').trim().min(1, 'a text that is not empty')
const names = z.union(
  [name.transform(column => [column]), z.array(name).min(1, 'at least one column')],
  'a column, or a list of columns',
)

/** What the columns of one sheet are. One row of the sheet is one gold row. */
const sheetMappingSchema = z.strictObject({
  /** The question, the same for every task. */
  query: name.optional(),
  /** The column with the question. Default in a sheet with a task column: `question` or `query`. */
  queryColumn: name.optional(),
  /** The columns that identify a row. Default: the document column if its values differ, else the first column. */
  keyColumns: names.optional(),
  /** The columns to compare. Default: all that have no other use. */
  targetColumns: names.optional(),
  /** The target columns that are compared as numbers. Default: those with nothing but numbers. */
  numericColumns: z
    .union([name.transform(column => [column]), z.array(name)], 'a list of columns')
    .optional(),
  /**
   * The column with the file name of a row's document; several names are separated by `;`. Default: the column of
   * file names.
   */
  documentColumn: name.optional(),
  /** The file names of every task's documents, for a sheet without such a column. */
  documents: names.optional(),
  /** The column with the task's id, for a sheet of several tasks. Default: the sheet is one task. */
  taskColumn: name.optional(),
  /** A BCP 47 code. Default: en. */
  language: name.optional(),
  /** The column with the language of each task. Default in a sheet with a task column: `language`, if it contains codes. */
  languageColumn: name.optional(),
  /** Default: general. */
  domain: name.optional(),
  /** The column with the domain of each task. */
  domainColumn: name.optional(),
  /** The decimal sign of the numbers. Default: what the file's own numbers show. */
  decimal: z.enum([',', '.'], '"," or "."').optional(),
})

/**
 * What the columns of a spreadsheet of true values are.
 *
 * @example
 * spreadsheet: { query: 'List each hotel with its beds.', keyColumns: ['Hotel'], documentColumn: 'File' }
 *
 * @example
 * spreadsheet: { sheets: { Hotels: { query: 'List each hotel.' }, Loans: { query: 'List each loan.' } } }
 */
export const spreadsheetMappingSchema = sheetMappingSchema
  .extend({
    /** The sheet of a workbook. Default: the first. */
    sheet: name.optional(),
    /**
     * The sheets of a workbook that are tasks of their own, each with fields that override those above; true for all sheets
     * with content.
     */
    sheets: z
      .union(
        [z.literal(true), z.record(z.string(), sheetMappingSchema)],
        'true, or an object of sheets and their fields',
      )
      .optional(),
  })
  .refine(({ sheet, sheets }) => sheet === undefined || sheets === undefined, {
    error: 'sheet names one sheet and sheets several: leave one of them out',
  })
  .refine(({ sheets }) => typeof sheets !== 'object' || Object.keys(sheets).length > 0, {
    error: 'sheets is empty: name at least one sheet, or write true for all',
  })

/** What the columns of one sheet are. */
export type SheetMapping = z.infer<typeof sheetMappingSchema>

/** Option `spreadsheet` of the config file. */
export type SpreadsheetMapping = z.infer<typeof spreadsheetMappingSchema>
