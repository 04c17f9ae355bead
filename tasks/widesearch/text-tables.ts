import { groupBy } from '../../src/core/group-by.ts'
import { pairGreedily } from '../../src/core/pair-greedily.ts'
import { type PandasColumn, readColumnText } from '../../src/score/pandas/column.ts'
import { writePythonFloat } from '../../src/text/python-json.ts'
import { type PandasFrame, writeColumn } from './frame.ts'
import { PythonFailure } from './python-failure.ts'
import type { Evaluation } from './settings.ts'

/** One side's cells as texts. */
interface Side {
  readonly names: readonly string[]
  /** The rows that remain, as row numbers of the table. */
  rows: number[]
  /** The texts of each column for `rows`. */
  texts: Map<string, string[]>
}

/** The answer and the gold, with their cells as texts. */
export interface TextTables {
  readonly answer: Side
  readonly gold: Side
  /** The columns that occur twice in the answer. */
  readonly repeated: ReadonlySet<string>
  /** The texts of the answer as they were read. */
  readonly answerCells: ReadonlyMap<string, readonly string[]>
  /** Whether a key was aligned. The published code then adds a column, so that the tables are never equal. */
  hasAlignedKey: boolean
}

/**
 * Writes both tables as texts.
 *
 * @param clean changes each cell of both sides
 */
export function writeTables(
  answer: PandasFrame,
  gold: PandasFrame,
  clean: (text: string) => string,
): TextTables {
  const repeated = new Set(answer.names.filter((name, i) => answer.names.indexOf(name) !== i))
  const answerTexts = new Map<string, string[]>()
  const goldTexts = new Map<string, string[]>()
  for (const [i, name] of gold.names.entries()) {
    const column = answer.columns[answer.names.indexOf(name)]!
    const goldColumn = gold.columns[i]!
    const asFloat = !repeated.has(name) && isIntegerBesideFloat(column, goldColumn)
    const texts = asFloat ? writeFloats : writeColumn
    answerTexts.set(name, texts(column, answer.rowCount).map(clean))
    goldTexts.set(name, texts(goldColumn, gold.rowCount).map(clean))
  }
  return {
    answer: { names: answer.names, rows: listRowNumbers(answer.rowCount), texts: answerTexts },
    gold: { names: gold.names, rows: listRowNumbers(gold.rowCount), texts: goldTexts },
    repeated,
    answerCells: answerTexts,
    hasAlignedKey: false,
  }
}

const listRowNumbers = (count: number): number[] => Array.from({ length: count }, (_, i) => i)

function isIntegerBesideFloat(left: PandasColumn, right: PandasColumn): boolean {
  const kinds = [left.kind, right.kind]
  return kinds.includes('integer') && kinds.includes('float')
}

function writeFloats(column: PandasColumn, rowCount: number): string[] {
  if (column.kind === 'float') return writeColumn(column, rowCount)
  return listRowNumbers(rowCount).map(i => writePythonFloat(Number(readColumnText(column, i))))
}

/** Keeps the first of the rows with equal keys, on both sides. */
export function removeRepeatedRows(tables: TextTables, { unique_columns }: Evaluation): TextTables {
  for (const side of [tables.answer, tables.gold]) {
    const earlierKeys = new Set<string>()
    const keys = listRowNumbers(side.rows.length).map(i => writeKey(side, unique_columns, i))
    const firstRows = listRowNumbers(side.rows.length).filter(
      i => !earlierKeys.has(keys[i]!) && earlierKeys.add(keys[i]!),
    )
    side.rows = firstRows
    side.texts = new Map([...side.texts].map(([name, texts]) => [name, firstRows.map(i => texts[i]!)]))
  }
  return tables
}

function writeKey({ texts }: Side, unique: readonly string[], row: number): string {
  return JSON.stringify(
    unique.map(name => {
      const column = texts.get(name)
      if (column === undefined) throw new PythonFailure('KeyError', `no column '${name}'`)
      return column[row]
    }),
  )
}

/** A gold row and an answer row with equal keys, as places in the rows that remain. */
export interface Join {
  readonly gold: number
  readonly answer: number
}

/** Joins all rows with equal keys, in the order of the gold. Several answer rows may join one gold row. */
export function joinRows({ answer, gold }: TextTables, unique: readonly string[]): Join[] {
  const byKey = groupBy(answer.rows.keys(), row => writeKey(answer, unique, row))
  return [...gold.rows.keys()].flatMap(i =>
    (byKey.get(writeKey(gold, unique, i)) ?? []).map(answerRow => ({ gold: i, answer: answerRow })),
  )
}

/** Joins each row once. A row whose key was equal before the judge aligned it comes first. */
export function joinOneToOne(
  joins: readonly Join[],
  { answer, gold, answerCells }: TextTables,
  unique: readonly string[],
): Join[] {
  const wasEqual = (join: Join): boolean =>
    unique.every(
      name => answerCells.get(name)![answer.rows[join.answer]!] === gold.texts.get(name)![join.gold],
    )
  const inOrder = [...joins.filter(wasEqual), ...joins]
  const chosen = new Set(pairGreedily(inOrder, ({ gold, answer }) => [gold, answer]))
  return joins.filter(join => chosen.has(join))
}

/** Whether both tables are equal once sorted, with their columns in the same order. */
export function areTablesEqual(
  { answer, gold, hasAlignedKey }: TextTables,
  required: readonly string[],
): boolean {
  if (hasAlignedKey || answer.rows.length !== gold.rows.length) return false
  if (answer.names.join('\n') !== required.join('\n')) return false
  const writeSorted = ({ texts, rows }: Side): string =>
    JSON.stringify(
      [...rows.keys()].map(i => JSON.stringify(required.map(name => texts.get(name)![i]))).sort(),
    )
  return writeSorted(answer) === writeSorted(gold)
}
