import { escapePattern } from '../../text/plain-text.ts'
import type { SeenDocument } from './search.ts'
import { readTable, type ShownTable } from './shown-tables.ts'

type QuestionedRow = ShownTable['rows'][number]
/** A column that a question names. `start` and `end` are positions in the question. */
interface Mention {
  readonly table: ShownTable
  readonly column: string
  readonly start: number
  readonly end: number
  /** What the question says about the cell. Absent: nothing. */
  readonly holds?: (cell: string) => boolean
}
/** The rows that a question is about. */
interface SelectedRows {
  readonly table: ShownTable
  readonly rows: readonly QuestionedRow[]
}

/** The answer to a question about tables; null when no rule fits the question. */
export type TableItems = readonly (string | null)[] | null

/**
 * Answers the last question of a conversation about tables: exact values, comparisons, parts of texts, counts, and the
 * highest or lowest rows. Earlier questions select the rows that "them" and "those" mean.
 *
 * @returns null when the documents are not tables
 */
export function answerAboutTables(
  questions: readonly string[],
  documents: readonly SeenDocument[],
): { readonly items: TableItems } | null {
  const tables = documents.flatMap(document => readTable(document) ?? [])
  if (tables.length === 0) return null
  let before: SelectedRows | null = null
  let items: TableItems = null
  for (const question of questions) {
    const answer = answerOne(question, tables, before)
    items = answer?.items ?? null
    before = answer?.selection ?? before
  }
  return { items }
}

function answerOne(question: string, tables: readonly ShownTable[], before: SelectedRows | null) {
  const mentions = findMentions(question, tables)
  const conditions = mentions.filter(({ holds }) => holds !== undefined)
  const columns = mentions.filter(({ holds }) => holds === undefined)
  const follows = (words: RegExp) => (mention: Mention) => words.test(question.slice(0, mention.start))
  const order = columns.find(follows(/(?:highest|lowest) $/i))
  const targets = columns.filter(mention => mention !== order)
  const target = targets.find(follows(/\bgive (?:the|their) $/i)) ?? targets[0]
  const counted = /\bhow many\b/i.test(question) ? tableNear(question, 0, tables) : null
  const table = counted ?? target?.table
  if (table === undefined || /\bstatement\b/i.test(question)) return null
  const goesOn = before !== null && /\b(?:those|them|their|these)\b/i.test(question)
  const { table: from, rows: candidates } = goesOn ? before : { table, rows: table.rows }
  const findCell = (row: QuestionedRow, mention: Mention) => cellFor(from, row, mention)
  let rows = candidates.filter(row =>
    conditions.every(condition => condition.holds!(findCell(row, condition) ?? '')),
  )
  if (order !== undefined) {
    const sign = follows(/lowest $/i)(order) ? 1 : -1
    const size = /\b(?:which|the|top) (\d+)\b/i.exec(question)?.[1] ?? 1
    rows = rows
      .filter(row => findCell(row, order) !== null)
      .sort((a, b) => sign * (Number(findCell(a, order)) - Number(findCell(b, order))))
      .slice(0, Number(size))
  }
  const items = counted === null ? rows.map(row => findCell(row, target!)) : [String(rows.length)]
  return { items, selection: { table: from, rows } }
}

/** Returns a cell of a row, or of the row of another table to which it refers by a column that both tables have. */
function cellFor(from: ShownTable, row: QuestionedRow, { table, column }: Mention): string | null {
  if (from === table) return row[from.columns.indexOf(column)] ?? null
  const shared = table.columns.find(name => from.columns.includes(name))
  if (shared === undefined) return null
  const [ownColumn, otherColumn] = [from, table].map(({ columns }) => columns.indexOf(shared)) as [
    number,
    number,
  ]
  return (
    table.rows.find(cells => cells[otherColumn] === row[ownColumn])?.[table.columns.indexOf(column)] ?? null
  )
}

const writeLabel = (name: string): string => name.replaceAll('_', ' ').toLowerCase()

/** Finds the columns that a question names, with their conditions. Values of conditions name no columns. */
function findMentions(question: string, tables: readonly ShownTable[]): Mention[] {
  const names = tables.flatMap(({ columns }) =>
    columns.flatMap(name => [name.toLowerCase(), writeLabel(name)]),
  )
  const longestFirst = [...new Set(names)].sort((a, b) => b.length - a.length)
  const mentions: Mention[] = []
  let end = 0
  const pattern = new RegExp(`(?<![\\w-])(?:${longestFirst.map(escapePattern).join('|')})(?![\\w-])`, 'gi')
  for (const { 0: columnText, index } of question.matchAll(pattern)) {
    if (index < end) continue
    const isNamed = (column: string) =>
      [column.toLowerCase(), writeLabel(column)].includes(columnText.toLowerCase())
    const having = tables.filter(({ columns }) => columns.some(isNamed))
    const table = tableNear(question, index, having) ?? having[0]!
    const column = table.columns.find(isNamed)!
    const condition = conditionAt(question, index, columnText.length, listValues(table, column))
    end = condition?.end ?? index + columnText.length
    mentions.push({ table, column, start: index, end, ...(condition && { holds: condition.holds }) })
  }
  return mentions
}

/** Returns the table that is named last before a place, or else first after it. */
function tableNear(question: string, place: number, tables: readonly ShownTable[]): ShownTable | null {
  const placed = tables.flatMap(table => {
    const named = [...question.matchAll(new RegExp(`\\b${escapePattern(writeLabel(table.name))}\\b`, 'gi'))]
    return named.map(({ index }) => ({ table, index }))
  })
  const inOrder = placed.sort((a, b) => a.index - b.index)
  return (inOrder.findLast(({ index }) => index < place) ?? inOrder[0])?.table ?? null
}

const listValues = ({ columns, rows }: ShownTable, column: string): string[] =>
  [...new Set(rows.flatMap(row => row[columns.indexOf(column)] ?? []))].sort((a, b) => b.length - a.length)

const comparison =
  /^ (?:is |was )?(?:(?<more>greater than|more than|higher than|over|above)|(?<less>less than|lower than|under|below)|(?<least>at least)|(?<most>at most)) (?<value>-?\d+(?:\.\d+)?)/i
const part =
  /^ (?:(?<first>starts with)|contains) (?<quote>["'])(?<value>.+?)\k<quote>(?<anyCase> in any case)?/i

/** Reads what a question says about a column; null when it says nothing about its cells. */
function conditionAt(question: string, start: number, length: number, values: readonly string[]) {
  const rest = question.slice(start + length)
  const [compared, contained] = [comparison.exec(rest), part.exec(rest)]
  if (compared !== null) {
    const { more, less, least, value = '' } = compared.groups!
    const holds = (cell: string): boolean => {
      const difference = cell === '' ? Number.NaN : Number(cell) - Number(value)
      if (more !== undefined) return difference > 0
      if (less !== undefined) return difference < 0
      return least === undefined ? difference <= 0 : difference >= 0
    }
    return { holds, end: start + length + compared[0].length }
  }
  if (contained !== null) {
    const { first, value = '', anyCase } = contained.groups!
    const fold = (text: string): string => (anyCase === undefined ? text : text.toLowerCase())
    const holds = (cell: string): boolean =>
      first === undefined ? fold(cell).includes(fold(value)) : fold(cell).startsWith(fold(value))
    return { holds, end: start + length + contained[0].length }
  }
  const isValueAt = (text: string, value: string) =>
    text.startsWith(value) && !/^\w/.test(text.slice(value.length))
  const textAfter = rest.replace(/^ (?:is|was) /, '')
  const after = textAfter === rest ? undefined : values.find(value => isValueAt(textAfter, value))
  const textBefore = question.slice(0, start)
  const value = after ?? values.find(candidate => textBefore.endsWith(` ${candidate} as its `))
  if (value === undefined) return null
  const end = start + length + (after === undefined ? 0 : rest.length - textAfter.length + value.length)
  return { holds: (cell: string) => cell === value, end }
}
