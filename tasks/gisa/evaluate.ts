import { computeElementRatio } from '../../src/score/fuzzy/difflib.ts'
import { countCommon, measureOverlap, numberElements, type Overlap } from '../../src/score/fuzzy/overlap.ts'
import type { GisaGrid } from './grid.ts'

/** The figures of a set, a list or a table; those of other types are null. */
export interface GisaFigures {
  /** The answer has the same values in the same shape and order; a set, the same values. */
  readonly exactMatch: boolean
  readonly set: Overlap | null
  readonly list: { readonly f1: number; readonly order: number } | null
  readonly row: Overlap | null
  readonly item: Overlap | null
}

const nothing: Overlap = { precision: 0, recall: 0, f1: 0 }

/** Evaluates an answer with one value. */
export function evaluateItem(gold: GisaGrid, answer: GisaGrid | null): GisaFigures {
  return { ...noFigures, exactMatch: answer !== null && isSameGrid(gold, answer) }
}

/** Evaluates a set: the distinct values of the last column. Exact match compares the first column, as published. */
export function evaluateSet(gold: GisaGrid, answer: GisaGrid | null): GisaFigures {
  if (answer === null) return { ...noFigures, set: nothing }
  const firsts = [gold, answer].map(grid => new Set(grid.rows.map(row => row[0]!)))
  const exactMatch =
    firsts[0]!.size === firsts[1]!.size && [...firsts[0]!].every(value => firsts[1]!.has(value))
  if (answer.rows.length === 0) return { ...noFigures, exactMatch, set: nothing }
  const [expected, predicted] = [new Set(readLastColumn(gold)), new Set(readLastColumn(answer))]
  const common = [...predicted].filter(value => expected.has(value)).length
  return { ...noFigures, exactMatch, set: measureOverlap(common, predicted.size, expected.size) }
}

/** Evaluates a list: F1 of its values as a multiset, and the similarity of the order. Both have four decimals. */
export function evaluateList(gold: GisaGrid, answer: GisaGrid | null): GisaFigures {
  if (answer === null || answer.rows.length === 0) return { ...noFigures, list: { f1: 0, order: 0 } }
  const [expected, predicted] = [readLastColumn(gold), readLastColumn(answer)]
  const { f1 } = measureOverlap(countCommon(expected, predicted), predicted.length, expected.length)
  const order = computeElementRatio(...numberElements(expected, predicted))
  const list = { f1: roundToFourDecimals(f1), order: roundToFourDecimals(order) }
  return { ...noFigures, exactMatch: isSameGrid(gold, answer), list }
}

/** Evaluates a table: distinct rows over the columns that both have, and cells as a multiset of column and value. */
export function evaluateTable(gold: GisaGrid, answer: GisaGrid | null): GisaFigures {
  if (answer === null || answer.rows.length === 0) return { ...noFigures, row: nothing, item: nothing }
  const common = gold.columns.filter(name => answer.columns.includes(name))
  const [goldRows, answerRows] = [listRowKeys(gold, common), listRowKeys(answer, common)]
  const same = [...answerRows].filter(row => goldRows.has(row)).length
  const [goldCells, answerCells] = [listCellKeys(gold), listCellKeys(answer)]
  return {
    ...noFigures,
    exactMatch: isSameGrid(gold, answer),
    row: common.length === 0 ? nothing : measureOverlap(same, answerRows.size, goldRows.size),
    item: measureOverlap(countCommon(goldCells, answerCells), answerCells.length, goldCells.length),
  }
}

const noFigures: GisaFigures = { exactMatch: false, set: null, list: null, row: null, item: null }

function isSameGrid(gold: GisaGrid, answer: GisaGrid): boolean {
  const isSameShape = gold.rows.length === answer.rows.length && gold.columns.length === answer.columns.length
  return isSameShape && gold.rows.every((row, at) => row.every((value, i) => value === answer.rows[at]![i]))
}

const readLastColumn = (grid: GisaGrid): string[] => grid.rows.map(row => row.at(-1)!)

const listRowKeys = (grid: GisaGrid, columns: readonly string[]): Set<string> =>
  new Set(grid.rows.map(row => JSON.stringify(columns.map(name => row[grid.columns.indexOf(name)]!))))

/** The cells of a table as texts, column by column. */
const listCellKeys = ({ columns, rows }: GisaGrid): string[] =>
  columns.flatMap((name, at) => rows.map(row => JSON.stringify([name, row[at]!])))

const roundToFourDecimals = (value: number): number => Number(value.toFixed(4))
