import type { Termination } from '../../core/termination.ts'
import type { ParsedAnswer } from '../answer/parse-answer.ts'
import { explainEarlyEnd, explainNoAnswer } from '../explain/explain-ending.ts'
import { brief, columnNames, counted, mostFrequent, oneOrMany, quoted } from '../explain/wording.ts'
import type { AlignedAnswer } from './aligned-answer.ts'
import type { ComparedCell, TableComparison } from './comparison.ts'
import {
  differentFigures,
  extraRows,
  goldKeyName,
  type Loss,
  missingRows,
  rowSentence,
} from './explain-rows.ts'
import type { GoldTable } from './gold-table.ts'

/** A scored table. */
interface TableToExplain {
  readonly gold: GoldTable
  /** Null when the attempt gave no text at all. */
  readonly answer: ParsedAnswer | null
  readonly comparison: TableComparison
  readonly termination: Termination
}

/** Explains a table's score: columns and rows, then the differences, most expensive first. */
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
    ...creditedEmptyCells(comparison, compared),
    rowSentence(comparison),
    ...differentFigures(gold, comparison, compared),
    ...losses.flatMap(loss => loss.sentences),
    ...judgeFailures(comparison),
    ...extraColumns(gold, compared),
    ...(answer.note === null ? [] : [`Note on how the answer was read: ${brief(answer.note, 200)}.`]),
  ]
}

function noTable(answer: ParsedAnswer): string {
  const note = answer.note ?? ''
  if (note === 'empty answer') return 'The answer is empty.'
  if (answer.status !== 'none') return `The answer could not be read as a table: ${brief(note, 200)}.`
  const why = note === '' || note === 'no table in the answer' ? '' : `: ${brief(note, 200)}`
  return `The answer contains no table${why}.`
}

function columnSentences(gold: GoldTable, answer: AlignedAnswer): string[] {
  const keys = gold.keyColumns.filter(name => answer.columnOf(name) === null)
  const ofKeys = `The answer has no column for the key ${columnNames(keys)}, by which rows are matched.`
  return [...targetSentence(gold, answer), ...(keys.length === 0 ? [] : [ofKeys])]
}

const missingTargets = (gold: GoldTable, answer: AlignedAnswer): string[] =>
  gold.targetColumns.filter(name => answer.columnOf(name) === null)

function targetSentence(gold: GoldTable, answer: AlignedAnswer): string[] {
  const total = gold.targetColumns.length
  const missing = missingTargets(gold, answer)
  if (total === 0) return []
  if (missing.length === 0) {
    if (total === 1) return [`The gold column ${columnNames(gold.targetColumns)} was found in the answer.`]
    return [`${total === 2 ? 'Both' : `All ${total}`} gold columns were found in the answer.`]
  }
  const otherColumns = answer.otherColumns
  const detail =
    missing.length === total
      ? `gold: ${columnNames(missing)}; answer: ${columnNames(answer.header)}`
      : `not found: ${columnNames(missing)}${otherColumns.length === 0 ? '' : `; other columns of the answer: ${columnNames(otherColumns)}`}`
  return [`${total - missing.length} of ${total} gold columns were found in the answer (${detail}).`]
}

/** Says which empty gold cells count as right only because the answer lacks their column. */
function creditedEmptyCells({ cells }: TableComparison, answer: AlignedAnswer): string[] {
  const credited = cells.filter(
    ({ column, rating }) => rating.score === 1 && answer.columnOf(column) === null,
  )
  if (credited.length === 0) return []
  const columns = columnNames([...new Set(credited.map(({ column }) => column))])
  return [
    `${counted(credited.length, 'empty gold cell')} under ${columns} ${oneOrMany(credited.length, 'counts', 'count')} as correct although the answer has no such column: empty equals empty, as in AOE's published code.`,
  ]
}

/** Compares the cells of matched rows under the columns that the answer has. */
function wrongCells(gold: GoldTable, comparison: TableComparison, answer: AlignedAnswer): Loss[] {
  const compared = comparison.cells.filter(
    cell => cell.predicted !== null && answer.columnOf(cell.column) !== null && cell.rating.score !== null,
  )
  if (compared.length === 0) return []
  const wrong = compared.filter(cell => cell.rating.score === 0)
  const partial = compared.filter(cell => cell.rating.score! > 0 && cell.rating.score! < 1)
  const comparedCells = counted(compared.length, 'compared cell')
  const correct =
    compared.length === 1 ? 'The compared cell is correct.' : `All ${comparedCells} are correct.`
  if (wrong.length + partial.length === 0) return [{ cells: 0, sentences: [correct] }]
  return [
    ...cellLoss(gold, wrong, 'wrong', comparedCells),
    ...cellLoss(gold, partial, 'only partly correct', comparedCells),
  ]
}

function cellLoss(
  gold: GoldTable,
  cells: readonly ComparedCell[],
  what: string,
  comparedCells: string,
): Loss[] {
  const [first] = cells
  if (first === undefined) return []
  const columns = cells.map(cell => cell.column)
  const where = new Set(columns).size === 1 ? '' : ` Most are in ${mostFrequent(columns)}.`
  const example = `${brief(first.column)} of ${goldKeyName(gold, first.goldRow)}: gold ${quoted(first.gold)}, answer ${quoted(first.predicted ?? '')}`
  return [
    {
      cells: cells.reduce((lost, cell) => lost + 1 - cell.rating.score!, 0),
      sentences: [
        `${cells.length} of ${comparedCells} ${oneOrMany(cells.length, 'is', 'are')} ${what}.${where} For example, ${example}.`,
      ],
    },
  ]
}

function judgeFailures({ cells, failedRows }: TableComparison): string[] {
  const failedCells = cells.filter(cell => cell.rating.score === null).length
  const what = [
    ...(failedRows > 0 ? [counted(failedRows, 'row')] : []),
    ...(failedCells > 0 ? [counted(failedCells, 'cell')] : []),
  ]
  if (what.length === 0) return []
  return [`The judge gave no usable reply for ${what.join(' and ')}. They are left out of the score.`]
}

/** Names the extra columns, unless the sentence about the gold columns did. */
function extraColumns(gold: GoldTable, answer: AlignedAnswer): string[] {
  const otherColumns = answer.otherColumns
  if (otherColumns.length === 0 || missingTargets(gold, answer).length > 0) return []
  const what = `${counted(otherColumns.length, 'column')} of the answer ${oneOrMany(otherColumns.length, 'matches', 'match')}`
  return [
    `${what} no gold column: ${columnNames(otherColumns)}. Extra columns lower schema precision, not Cell F1.`,
  ]
}
