import type { Termination } from '../../core/termination.ts'
import type { ParsedAnswer } from '../answer/parse-answer.ts'
import { explainEarlyEnd, explainNoAnswer } from '../explain/explain-ending.ts'
import {
  formatCount,
  listColumnNames,
  listMostFrequent,
  pickVerb,
  quoteValue,
  shortenText,
} from '../explain/wording.ts'
import type { AlignedAnswer } from './aligned-answer.ts'
import type { ComparedCell, TableComparison } from './comparison.ts'
import {
  explainDifferentFigures,
  explainExtraRows,
  explainMissingRows,
  explainRows,
  type Loss,
  nameGoldKey,
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
  if (answer.status !== 'table' || comparison.answer === null) return [explainMissingTable(answer), ...early]
  const compared = comparison.answer
  const losses = [
    ...explainMissingRows(gold, comparison),
    ...explainExtraRows(gold, comparison, compared),
    ...explainWrongCells(gold, comparison, compared),
  ].sort((a, b) => b.cells - a.cells)
  return [
    ...early,
    ...explainColumns(gold, compared),
    ...explainEmptyCells(comparison, compared),
    explainRows(comparison),
    ...explainDifferentFigures(gold, comparison, compared),
    ...losses.flatMap(loss => loss.sentences),
    ...explainJudgeFailures(comparison),
    ...explainExtraColumns(gold, compared),
    ...(answer.note === null ? [] : [`Note on how the answer was read: ${shortenText(answer.note, 200)}.`]),
  ]
}

function explainMissingTable(answer: ParsedAnswer): string {
  const note = answer.note ?? ''
  if (note === 'empty answer') return 'The answer is empty.'
  if (answer.status !== 'none') return `The answer could not be read as a table: ${shortenText(note, 200)}.`
  const why = note === '' || note === 'no table in the answer' ? '' : `: ${shortenText(note, 200)}`
  return `The answer contains no table${why}.`
}

function explainColumns(gold: GoldTable, answer: AlignedAnswer): string[] {
  const keys = gold.keyColumns.filter(name => answer.columnOf(name) === null)
  const ofKeys = `The answer has no column for the key ${listColumnNames(keys)}, by which rows are matched.`
  return [...explainTargets(gold, answer), ...(keys.length === 0 ? [] : [ofKeys])]
}

const listMissingTargets = (gold: GoldTable, answer: AlignedAnswer): string[] =>
  gold.targetColumns.filter(name => answer.columnOf(name) === null)

function explainTargets(gold: GoldTable, answer: AlignedAnswer): string[] {
  const total = gold.targetColumns.length
  const missing = listMissingTargets(gold, answer)
  if (total === 0) return []
  if (missing.length === 0) {
    if (total === 1)
      return [`The gold column ${listColumnNames(gold.targetColumns)} was found in the answer.`]
    return [`${total === 2 ? 'Both' : `All ${total}`} gold columns were found in the answer.`]
  }
  const otherColumns = answer.otherColumns
  const detail =
    missing.length === total
      ? `gold: ${listColumnNames(missing)}; answer: ${listColumnNames(answer.header)}`
      : `not found: ${listColumnNames(missing)}${otherColumns.length === 0 ? '' : `; other columns of the answer: ${listColumnNames(otherColumns)}`}`
  return [`${total - missing.length} of ${total} gold columns were found in the answer (${detail}).`]
}

/** Says which empty gold cells count as right only because the answer lacks their column. */
function explainEmptyCells({ cells }: TableComparison, answer: AlignedAnswer): string[] {
  const credited = cells.filter(
    ({ column, rating }) => rating.score === 1 && answer.columnOf(column) === null,
  )
  if (credited.length === 0) return []
  const columns = listColumnNames([...new Set(credited.map(({ column }) => column))])
  return [
    `${formatCount(credited.length, 'empty gold cell')} under ${columns} ${pickVerb(credited.length, 'counts', 'count')} as correct although the answer has no such column: empty equals empty, as in AOE's published code.`,
  ]
}

/** Compares the cells of matched rows under the columns that the answer has. */
function explainWrongCells(gold: GoldTable, comparison: TableComparison, answer: AlignedAnswer): Loss[] {
  const compared = comparison.cells.filter(
    cell => cell.predicted !== null && answer.columnOf(cell.column) !== null && cell.rating.score !== null,
  )
  if (compared.length === 0) return []
  const wrong = compared.filter(cell => cell.rating.score === 0)
  const partial = compared.filter(cell => cell.rating.score! > 0 && cell.rating.score! < 1)
  const comparedCells = formatCount(compared.length, 'compared cell')
  const correct =
    compared.length === 1 ? 'The compared cell is correct.' : `All ${comparedCells} are correct.`
  if (wrong.length + partial.length === 0) return [{ cells: 0, sentences: [correct] }]
  return [
    ...makeCellLoss(gold, wrong, 'wrong', comparedCells),
    ...makeCellLoss(gold, partial, 'only partly correct', comparedCells),
  ]
}

function makeCellLoss(
  gold: GoldTable,
  cells: readonly ComparedCell[],
  what: string,
  comparedCells: string,
): Loss[] {
  const [first] = cells
  if (first === undefined) return []
  const columns = cells.map(cell => cell.column)
  const where = new Set(columns).size === 1 ? '' : ` Most are in ${listMostFrequent(columns)}.`
  const example = `${shortenText(first.column)} of ${nameGoldKey(gold, first.goldRow)}: gold ${quoteValue(first.gold)}, answer ${quoteValue(first.predicted ?? '')}`
  return [
    {
      cells: cells.reduce((lost, cell) => lost + 1 - cell.rating.score!, 0),
      sentences: [
        `${cells.length} of ${comparedCells} ${pickVerb(cells.length, 'is', 'are')} ${what}.${where} For example, ${example}.`,
      ],
    },
  ]
}

function explainJudgeFailures({ cells, failedRows }: TableComparison): string[] {
  const failedCells = cells.filter(cell => cell.rating.score === null).length
  const what = [
    ...(failedRows > 0 ? [formatCount(failedRows, 'row')] : []),
    ...(failedCells > 0 ? [formatCount(failedCells, 'cell')] : []),
  ]
  if (what.length === 0) return []
  return [`The judge gave no usable reply for ${what.join(' and ')}. They are left out of the score.`]
}

/** Names the extra columns, unless the sentence about the gold columns did. */
function explainExtraColumns(gold: GoldTable, answer: AlignedAnswer): string[] {
  const otherColumns = answer.otherColumns
  if (otherColumns.length === 0 || listMissingTargets(gold, answer).length > 0) return []
  const what = `${formatCount(otherColumns.length, 'column')} of the answer ${pickVerb(otherColumns.length, 'matches', 'match')}`
  return [
    `${what} no gold column: ${listColumnNames(otherColumns)}. Extra columns lower schema precision, not Cell F1.`,
  ]
}
