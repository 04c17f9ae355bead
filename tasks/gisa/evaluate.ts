import { ratioOfElements } from '../../src/score/fuzzy/difflib.ts'
import type { GisaGrid } from './grid.ts'

/** Precision, recall and their harmonic mean. */
export interface Share {
  readonly precision: number
  readonly recall: number
  readonly f1: number
}

/** The figures of a set, a list or a table; those of other types are null. */
export interface GisaFigures {
  /** The answer has the same values in the same shape and order; a set, the same values. */
  readonly exactMatch: boolean
  readonly set: Share | null
  readonly list: { readonly f1: number; readonly order: number } | null
  readonly row: Share | null
  readonly item: Share | null
}

const nothing: Share = { precision: 0, recall: 0, f1: 0 }

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
  const [expected, given] = [new Set(lastColumn(gold)), new Set(lastColumn(answer))]
  const common = [...given].filter(value => expected.has(value)).length
  return { ...noFigures, exactMatch, set: shareOf(common, given.size, expected.size) }
}

/** Evaluates a list: F1 of its values as a multiset, and the similarity of the order. Both have four decimals. */
export function evaluateList(gold: GisaGrid, answer: GisaGrid | null): GisaFigures {
  if (answer === null || answer.rows.length === 0) return { ...noFigures, list: { f1: 0, order: 0 } }
  const [expected, given] = [lastColumn(gold), lastColumn(answer)]
  const { f1 } = shareOf(commonCount(expected, given), given.length, expected.length)
  const numbers = new Map<string, number>()
  const numbered = (values: readonly string[]): number[] =>
    values.map(value => {
      const number = numbers.get(value) ?? numbers.size
      numbers.set(value, number)
      return number
    })
  const order = ratioOfElements(numbered(expected), numbered(given))
  const list = { f1: fourDecimals(f1), order: fourDecimals(order) }
  return { ...noFigures, exactMatch: isSameGrid(gold, answer), list }
}

/** Evaluates a table: distinct rows over the columns that both have, and cells as a multiset of column and value. */
export function evaluateTable(gold: GisaGrid, answer: GisaGrid | null): GisaFigures {
  if (answer === null || answer.rows.length === 0) return { ...noFigures, row: nothing, item: nothing }
  const common = gold.columns.filter(name => answer.columns.includes(name))
  const [goldRows, answerRows] = [rowKeys(gold, common), rowKeys(answer, common)]
  const same = [...answerRows].filter(row => goldRows.has(row)).length
  const [goldCells, answerCells] = [cellKeys(gold), cellKeys(answer)]
  return {
    ...noFigures,
    exactMatch: isSameGrid(gold, answer),
    row: common.length === 0 ? nothing : shareOf(same, answerRows.size, goldRows.size),
    item: shareOf(commonCount(goldCells, answerCells), answerCells.length, goldCells.length),
  }
}

const noFigures: GisaFigures = { exactMatch: false, set: null, list: null, row: null, item: null }

function isSameGrid(gold: GisaGrid, answer: GisaGrid): boolean {
  const isSameShape = gold.rows.length === answer.rows.length && gold.columns.length === answer.columns.length
  return isSameShape && gold.rows.every((row, at) => row.every((value, i) => value === answer.rows[at]![i]))
}

const lastColumn = (grid: GisaGrid): string[] => grid.rows.map(row => row.at(-1)!)

const rowKeys = (grid: GisaGrid, columns: readonly string[]): Set<string> =>
  new Set(grid.rows.map(row => JSON.stringify(columns.map(name => row[grid.columns.indexOf(name)]!))))

/** The cells of a table as texts, column by column. */
const cellKeys = ({ columns, rows }: GisaGrid): string[] =>
  columns.flatMap((name, at) => rows.map(row => JSON.stringify([name, row[at]!])))

function commonCount(left: readonly string[], right: readonly string[]): number {
  const counts = new Map<string, number>()
  for (const value of left) counts.set(value, (counts.get(value) ?? 0) + 1)
  let common = 0
  for (const value of right) {
    const count = counts.get(value) ?? 0
    if (count > 0) common += 1
    counts.set(value, count - 1)
  }
  return common
}

function shareOf(common: number, given: number, expected: number): Share {
  const precision = given > 0 ? common / given : 0
  const recall = expected > 0 ? common / expected : 0
  const f1 = common === 0 ? 0 : (2 * (precision * recall)) / (precision + recall)
  return { precision, recall, f1 }
}

const fourDecimals = (value: number): number => Number(value.toFixed(4))
