import type { Termination } from '../../core/attempt.ts'
import type { ParsedAnswer } from '../parse-answer.ts'
import type { ComparedCell, TableComparison } from '../profile.ts'
import type { AlignedAnswer } from '../table/aligned-answer.ts'
import type { GoldTable } from '../table/gold-table.ts'
import { explainEarlyEnd, explainNoAnswer } from './explain-ending.ts'
import { brief, counted, mostFrequent, quoted, shortList } from './wording.ts'

export interface TableToExplain {
  readonly gold: GoldTable
  /** Null when the attempt gave no text at all. */
  readonly answer: ParsedAnswer | null
  readonly comparison: TableComparison
  readonly termination: Termination
}

/** Column names of a sentence; more than these are counted. */
const mostColumns = 6

/** Explains a table's score: columns, rows, then what costs most first. */
export function explainTable({ gold, answer, comparison, termination }: TableToExplain): string[] {
  if (answer === null) return explainNoAnswer(termination)
  const early = explainEarlyEnd(termination)
  if (answer.status !== 'table' || comparison.answer === null) return [noTable(answer), ...early]
  const compared = comparison.answer
  const losses = [
    ...missingRows(gold, comparison),
    ...extraRows(gold, comparison, compared),
    ...wrongCells(gold, comparison, compared),
  ].sort((a, b) => b.cells - a.cells)
  return [
    ...early,
    ...columnSentences(gold, compared),
    rowSentence(comparison),
    ...losses.flatMap(loss => loss.sentences),
    ...judgeFailures(comparison),
    ...otherColumns(gold, compared),
    ...(answer.note === null ? [] : [`Note on how the answer was read: ${brief(answer.note)}.`]),
  ]
}

/** What one kind of difference costs, in cells, with its sentences. */
interface Loss {
  readonly cells: number
  readonly sentences: readonly string[]
}

function noTable(answer: ParsedAnswer): string {
  const note = answer.note ?? ''
  if (note === 'empty answer') return 'The answer is empty.'
  if (answer.status === 'none') {
    const why = note === '' || note === 'no table in the answer' ? '' : `: ${brief(note)}`
    return `The answer contains no table${why}.`
  }
  return `The answer could not be read as a table: ${brief(note)}.`
}

function columnSentences(gold: GoldTable, answer: AlignedAnswer): string[] {
  const keys = gold.keyColumns.filter(name => answer.columnOf(name) === null)
  const ofKeys = `The answer has no column for the key ${columnNames(keys)}, by which rows are matched.`
  return [...targetSentence(gold, answer), ...(keys.length === 0 ? [] : [ofKeys])]
}

function targetSentence(gold: GoldTable, answer: AlignedAnswer): string[] {
  const total = gold.targetColumns.length
  if (total === 0) return []
  const missing = gold.targetColumns.filter(name => answer.columnOf(name) === null)
  if (missing.length === 0) {
    if (total > 1) return [`All ${total} gold columns were found in the answer.`]
    return [`The gold column ${columnNames(gold.targetColumns)} was found in the answer.`]
  }
  const others = answer.otherColumns
  const detail =
    missing.length === total
      ? `gold: ${columnNames(missing)}; answer: ${columnNames(answer.header)}`
      : `not found: ${columnNames(missing)}${others.length === 0 ? '' : `; other columns of the answer: ${columnNames(others)}`}`
  return [`${total - missing.length} of ${total} gold columns were found in the answer (${detail}).`]
}

const columnNames = (names: readonly string[]): string => shortList(names.map(brief), mostColumns)

const waysInWords = {
  'exact key': 'by key',
  'normalised key': 'by key',
  similarity: 'by a similar key',
  judge: 'by the judge',
} as const

function rowSentence(comparison: TableComparison): string {
  const { goldRows, matchedRows, predictedRows } = comparison
  const ways = new Map<string, number>()
  for (let goldRow = 0; goldRow < goldRows; goldRow += 1) {
    const match = comparison.matchOf(goldRow)
    if (match !== null) ways.set(waysInWords[match.by], (ways.get(waysInWords[match.by]) ?? 0) + 1)
  }
  const matched = `${matchedRows} of ${counted(goldRows, 'row')} matched`
  if (predictedRows === 0) return `${matched}: the answer has no rows.`
  if (ways.size === 0) return `${matched}.`
  const [first = ''] = ways.keys()
  if (ways.size === 1) return `${matched} ${first}.`
  return `${matched}: ${[...ways].map(([way, count]) => `${count} ${way}`).join(', ')}.`
}

/** A row's key as a reader writes it. */
function keyName(columns: readonly string[], partOf: (column: string) => string | undefined): string {
  const parts = columns.map(column => partOf(column) ?? '').filter(part => part.trim() !== '')
  return parts.length === 0 ? '(no key)' : `'${parts.map(brief).join(' / ')}'`
}

const goldKey = (gold: GoldTable, row: number): string =>
  keyName(gold.keyColumns, column => gold.values.get(column)?.[row])

const answerKey = (gold: GoldTable, answer: AlignedAnswer, row: number): string =>
  keyName(gold.keyColumns, column => answer.columnOf(column)?.[row])

function missingRows(gold: GoldTable, comparison: TableComparison): Loss[] {
  const rows = rowNumbers(comparison.goldRows).filter(row => comparison.matchOf(row) === null)
  if (rows.length === 0) return []
  const keys = shortList(rows.map(row => goldKey(gold, row)))
  const have = rows.length === 1 ? 'has' : 'have'
  return [
    {
      cells: rows.length * gold.targetColumns.length,
      sentences: [`${counted(rows.length, 'gold row')} ${have} no match in the answer: ${keys}.`],
    },
  ]
}

function extraRows(gold: GoldTable, comparison: TableComparison, answer: AlignedAnswer): Loss[] {
  const taken = new Set(rowNumbers(comparison.goldRows).map(row => comparison.matchOf(row)?.row))
  const rows = rowNumbers(comparison.predictedRows).filter(row => !taken.has(row))
  if (rows.length === 0) return []
  const keys = shortList(rows.map(row => answerKey(gold, answer, row)))
  const what = rows.length === 1 ? '1 row of the answer matches' : `${rows.length} rows of the answer match`
  return [{ cells: rows.length * gold.targetColumns.length, sentences: [`${what} no gold row: ${keys}.`] }]
}

function wrongCells(gold: GoldTable, comparison: TableComparison, answer: AlignedAnswer): Loss[] {
  const compared = comparison.cells.filter(
    cell => cell.predicted !== null && answer.columnOf(cell.column) !== null && cell.rating.score !== null,
  )
  if (compared.length === 0) return []
  const wrong = compared.filter(cell => cell.rating.score === 0)
  const partial = compared.filter(cell => cell.rating.score! > 0 && cell.rating.score! < 1)
  const all = counted(compared.length, 'compared cell')
  const correct = compared.length === 1 ? 'The compared cell is correct.' : `All ${all} are correct.`
  if (wrong.length + partial.length === 0) return [{ cells: 0, sentences: [correct] }]
  return [...cellLoss(gold, wrong, 'wrong', all), ...cellLoss(gold, partial, 'only partly correct', all)]
}

function cellLoss(gold: GoldTable, cells: readonly ComparedCell[], what: string, all: string): Loss[] {
  const [first] = cells
  if (first === undefined) return []
  const are = cells.length === 1 ? 'is' : 'are'
  const columns = new Set(cells.map(cell => cell.column))
  const where = columns.size === 1 ? '' : ` Most are in ${mostFrequent(cells.map(cell => cell.column))}.`
  const example = `${brief(first.column)} of ${goldKey(gold, first.goldRow)}: gold ${quoted(first.gold)}, answer ${quoted(first.predicted ?? '')}`
  return [
    {
      cells: cells.reduce((lost, cell) => lost + 1 - cell.rating.score!, 0),
      sentences: [`${cells.length} of ${all} ${are} ${what}.${where} For example, ${example}.`],
    },
  ]
}

function judgeFailures(comparison: TableComparison): string[] {
  const cells = comparison.cells.filter(cell => cell.rating.score === null).length
  const what = [
    ...(comparison.failedRows > 0 ? [counted(comparison.failedRows, 'row')] : []),
    ...(cells > 0 ? [counted(cells, 'cell')] : []),
  ]
  return what.length === 0
    ? []
    : [`The judge gave no usable reply for ${what.join(' and ')}. They are left out of the score.`]
}

/** Named here only when the sentence about the gold columns has not named them. */
function otherColumns(gold: GoldTable, answer: AlignedAnswer): string[] {
  const others = answer.otherColumns
  const areNamed = gold.targetColumns.some(name => answer.columnOf(name) === null)
  if (others.length === 0 || areNamed) return []
  const what =
    others.length === 1 ? '1 column of the answer matches' : `${others.length} columns of the answer match`
  return [
    `${what} no gold column: ${columnNames(others)}. Extra columns lower schema precision, not Cell F1.`,
  ]
}

const rowNumbers = (count: number): number[] => Array.from({ length: count }, (_, row) => row)
