import {
  makePublishedFields,
  type PublishedFields,
  scoreAsPublished,
} from '../../../tasks/aoe/published-score.ts'
import { aoeScorer } from '../../../tasks/aoe/scorer.ts'
import { findTableScorer } from '../../../tasks/scorers.ts'
import { readBatch } from '../../score/batch-file.ts'
import type { Judge } from '../../score/contract/judge.ts'
import { type CsvTable, readPandasCsv } from '../../score/pandas/csv.ts'
import { createGrid } from '../../score/table/cell-grid.ts'
import { createGoldGrid, type GoldSource, readGoldTable } from '../../score/table/gold-table.ts'
import { isObject } from '../../text/json.ts'
import { parsePythonJson, writePythonNumber } from '../../text/python-json.ts'
import { readPandasGrid } from './csv-grid.ts'
import { readJsonElements } from './json-elements.ts'
import { type JsonGridOptions, readJsonGrid } from './json-grid.ts'
import type { TableCase } from './table-case.ts'

const caseFormat = '[{ id, task, answer_csv }, …]'

/**
 * One line of output: the fields of the published scorer. `error`: the CSV could not be read, and all scores are 0.
 * `unscored_cells`: the number of cells on which the judge failed, if any; they count on neither side. When no cell
 * is left, the fields that depend on cells are null.
 */
export type TableCaseScore = {
  readonly id: string | number
  readonly error?: string
  readonly unscored_cells?: number
} & { readonly [name in keyof PublishedFields]: number | null }

/** Options of `scoreBatch`. */
export interface BatchOptions {
  /** The name of a scorer that compares tables. */
  readonly scorer: string
  readonly judge: Judge
}

/**
 * Scores a JSON file of cases, [{ id, task, answer_csv }], in order, and yields one JSON line for each. The CSV is
 * taken as it is and read like pandas does.
 *
 * @throws ConfigError [unreadable-batch, unknown-scorer, wrong-scorer]
 * @throws DataError [empty-batch, invalid-case]
 */
export async function* scoreBatch(file: string, options: BatchOptions): AsyncGenerator<string> {
  findTableScorer(options.scorer)
  for await (const data of readBatch(file, caseFormat, readCases)) {
    yield JSON.stringify(await scoreTableCase(data, options.scorer, options.judge))
  }
}

/** A case whose gold rows may already be a grid. */
type ReadCase = Omit<TableCase, 'task'> & {
  readonly task: Omit<TableCase['task'], 'answers'> & { readonly answers: GoldSource['rows'] }
}

/** Scores one case with any scorer of tables, in the published scorer's field names. */
export async function scoreTableCase(data: ReadCase, scorer: string, judge: Judge): Promise<TableCaseScore> {
  const gold = {
    rows: data.task.answers,
    keyColumns: data.task.key_cols,
    targetColumns: data.task.target_value_columns,
    numericColumns: data.task.numeric_columns,
  }
  if (findTableScorer(scorer) === aoeScorer && judge.kind === 'none') {
    const answer = readPandasGrid(data.answer_csv)
    const problem = 'error' in answer ? answer : {}
    const fields = scoreAsPublished(
      { ...gold, grid: createGoldGrid(gold.rows) },
      'error' in answer ? noRows : answer,
    )
    return { id: data.id, ...problem, ...fields }
  }
  const reading = readPandasCsv(data.answer_csv)
  const problem = 'error' in reading ? reading : {}
  const answer: CsvTable = 'table' in reading ? reading.table : noTable
  const table = readGoldTable(gold)
  const comparison = await findTableScorer(scorer).compare({
    gold: table,
    answer,
    judge,
    answerText: data.answer_csv,
  })
  const unscored = comparison.cells.filter(cell => cell.rating.score === null)
  const fields = makePublishedFields({
    declared: table.declaredTargets,
    targets: table.targetColumns.length,
    goldRows: comparison.goldRows,
    rows: comparison.predictedRows,
    matched: comparison.matchedRows,
    sum: comparison.cells.reduce((total, cell) => total + (cell.rating.score ?? 0), 0),
    failed: {
      rows: comparison.failedRows,
      cells: unscored.filter(cell => cell.predicted !== null).length,
    },
  })
  if (unscored.length === 0) return { id: data.id, ...problem, ...fields }
  const isLost = unscored.length === comparison.cells.length
  const counted = isLost ? withoutScores(fields) : fields
  return { id: data.id, ...problem, unscored_cells: unscored.length, ...counted }
}

const goldFields = new Set<string>([
  'num_initial_target_cols',
  'num_valid_target_cols_in_gold',
  'column_recall',
  'num_gold_rows',
  'total_gold_target_cells',
] satisfies (keyof PublishedFields)[])

function withoutScores(fields: PublishedFields): Record<keyof PublishedFields, number | null> {
  const entries = Object.entries(fields).map(([name, value]) => [name, goldFields.has(name) ? value : null])
  return Object.fromEntries(entries) as Record<keyof PublishedFields, number | null>
}

const noTable: CsvTable = { header: [], rows: [] }
const noRows = createGrid([], 0, () => '')

async function* readCases(data: Buffer): AsyncGenerator<ReadCase> {
  const options = { literalText: formatLiteral, withoutControls: !hasControls(data) }
  for (const value of readJsonElements<unknown>(data, text => readCase(text, options))) {
    if (!isTableCase(value)) {
      const { describeProblem } = await import('./table-case.ts')
      throw new SyntaxError(describeProblem(value) ?? 'not a case')
    }
    yield value
  }
}

/** Replaces the gold's rows while the rest of a case is parsed. */
const standIn = '\0rows'
const standInText = JSON.stringify(standIn)

/** Reads a case. Its gold rows become a grid when they are plain; else they are parsed like Python does. */
function readCase(text: string, options: JsonGridOptions): unknown {
  const name = text.indexOf('"answers"')
  const start = name < 0 ? -1 : text.indexOf('[', name)
  const rows = start < 0 || text.includes(standInText) ? null : readJsonGrid(text, start, options)
  if (rows === null) return readWhole(text)
  const value: unknown = JSON.parse(`${text.slice(0, start)}${standInText}${text.slice(rows.end)}`)
  // The first list named `answers` may belong to another object.
  if (!isObject(value) || !isObject(value.task) || value.task.answers !== standIn) return readWhole(text)
  value.task.answers = rows.grid
  return isTableCase(value) ? value : readWhole(text)
}

function readWhole(text: string): unknown {
  try {
    const value: unknown = JSON.parse(text)
    return isTableCase(value) ? { ...value, task: { ...value.task, answers: readGoldRows(text) } } : value
  } catch (error) {
    // Python's JSON allows NaN and Infinity.
    if (error instanceof SyntaxError && /NaN|Infinity/.test(text)) return parsePythonJson(text)
    throw error
  }
}

const readGoldRows = (text: string): GoldSource['rows'] =>
  (parsePythonJson(text) as { task: { answers: GoldSource['rows'] } }).task.answers

/**
 * Whether the data contains a byte below the space character. Checks four bytes at a time by the bits that a
 * subtraction borrows.
 */
function hasControls(data: Buffer): boolean {
  const whole = data.byteOffset % 4 === 0 ? data.length >> 2 : 0
  const words = new Int32Array(data.buffer, whole === 0 ? 0 : data.byteOffset, whole)
  for (let i = 0; i < whole; i += 1) {
    const word = words[i]!
    if (((word - 0x20202020) & ~word & 0x80808080) !== 0) return true
  }
  for (let at = whole * 4; at < data.length; at += 1) if (data[at]! < 0x20) return true
  return false
}

/** A value that is not a string, as Python writes it into a CSV. */
function formatLiteral(word: string): string {
  if (word === 'null') return ''
  if (word === 'true') return 'True'
  return word === 'false' ? 'False' : writePythonNumber(word)
}

/** Checks like tableCaseSchema, but by hand: loading the schema library takes longer than scoring a small batch. */
function isTableCase(value: unknown): value is ReadCase {
  if (!isObject(value) || !isObject(value.task) || typeof value.answer_csv !== 'string') return false
  const { answers, key_cols: keys, target_value_columns: targets, numeric_columns: numeric } = value.task
  const isId = typeof value.id === 'string' || Number.isFinite(value.id)
  if (!isId || !(isGrid(answers) || (Array.isArray(answers) && answers.every(isObject)))) return false
  return [keys, targets, numeric].every(isListOfText) && (keys as string[]).length > 0
}

const isGrid = (value: unknown): boolean => isObject(value) && value.bounds instanceof Int32Array

const isListOfText = (value: unknown): boolean =>
  Array.isArray(value) && value.every(item => typeof item === 'string')
