import { type DocumentColumn, exampleTable, promptExamples } from '../../core/prompts.ts'
import type { LooseRecord } from './loose-csv.ts'

/** A table without the lines copied from the prompt's example. */
interface TableWithoutExample {
  readonly records: readonly LooseRecord[]
  /** How many lines were removed. */
  readonly echoed: number
}

/**
 * Removes lines copied from the prompt: rows of its worked example, and its header when another header follows. The
 * header stays when the line below it may be a row.
 */
export function removeCopiedExample(records: readonly LooseRecord[]): TableWithoutExample {
  const [first, ...rest] = records
  if (first === undefined) return { records, echoed: 0 }
  const answerRecords = rest.filter(record => !isExampleRow(record))
  const hasEchoedHeader = isExampleHeader(first)
  if (hasEchoedHeader && answerRecords.length === 0 && rest.length > 0)
    return { records: [], echoed: records.length }
  const left = hasEchoedHeader && isHeader(answerRecords, first) ? answerRecords : [first, ...answerRecords]
  return { records: left, echoed: records.length - left.length }
}

const documentColumns: readonly DocumentColumn[] = ['first', 'last', 'none']
const exampleTables = Object.values(promptExamples).flatMap(example =>
  documentColumns.map(column => exampleTable(example, column)),
)
const writeLine = (fields: readonly string[]): string =>
  JSON.stringify(fields.map(field => field.trim().toLowerCase()))
const exampleHeaders = new Set(exampleTables.map(([header = []]) => writeLine(header)))
const exampleRows = new Set([
  ...exampleTables.flatMap(([, ...rows]) => rows.map(writeLine)),
  // The example of the first prompt version.
  ...[
    ['value', '1,234'],
    ['值', '1,234'],
  ].map(writeLine),
])

const isExampleRow = ({ fields }: LooseRecord): boolean => exampleRows.has(writeLine(fields))

/** The placeholders of the first prompt version, also when a model continued the series. */
const placeholder =
  /^(?:(?:first|second|third|fourth|fifth|sixth|seventh|eighth|ninth|tenth|last) column|第[一二三四五六七八九十]+列)$/i

function isExampleHeader({ fields }: LooseRecord): boolean {
  if (exampleHeaders.has(writeLine(fields))) return true
  return fields.length > 1 && fields.every(field => placeholder.test(field.trim()))
}

const numberStart = /^\s*["'(]?[-+]?[$¥￥€£]?\d/
const isNumeric = (field: string): boolean => numberStart.test(field)

/**
 * Whether the first of `records` is a header. None of its fields may be empty or begin with a number. Also, a
 * row below must have a number under one of its names. Otherwise it must be as long as every row and differ
 * in length from the echoed header.
 */
function isHeader(records: readonly LooseRecord[], echoed: LooseRecord): boolean {
  const [header, ...rows] = records
  if (header === undefined || rows.length === 0) return false
  const { fields } = header
  if (fields.some(field => field.trim() === '' || field.trim() === 'null' || isNumeric(field))) return false
  if (rows.some(row => row.fields.slice(0, fields.length).some(isNumeric))) return true
  return fields.length !== echoed.fields.length && rows.every(row => row.fields.length === fields.length)
}
