import { type PandasFrame, readAnswerFrame, readGoldFrame } from './frame.ts'
import { type AskJudge, readAlignment, readPoints } from './judge-calls.ts'
import { type Compared, compareByRule, preprocessValue } from './metrics.ts'
import { PythonFailure } from './python-failure.ts'
import type { ColumnSettings, Evaluation } from './settings.ts'
import {
  areTablesEqual,
  type Join,
  joinOneToOne,
  joinRows,
  removeRepeatedRows,
  type TextTables,
  writeTables,
} from './text-tables.ts'

/** What WideSearch's code evaluates. */
export interface EvaluationInput {
  /** The answer's text; null when there is none. */
  readonly answer: string | null
  readonly goldCsv: string
  readonly evaluation: Evaluation
  readonly ask: AskJudge
  readonly nowMs: number
}

/** The seven published figures, by their published names. */
const figureNames = [
  'score',
  'precision_by_row',
  'recall_by_row',
  'f1_by_row',
  'precision_by_item',
  'recall_by_item',
  'f1_by_item',
] as const
export type PublishedFigures = Readonly<Record<(typeof figureNames)[number], number>>

/** A gold row and an answer row with equal keys, with the points of their cells. */
export interface JoinedRow {
  /** The row of the gold table, from 0. */
  readonly goldRow: number
  /** The row of the answer, from 0. */
  readonly answerRow: number
  /** The points of each scored column and metric, named `COLUMN_METRIC`. */
  readonly points: ReadonlyMap<string, number | null>
}

/** A table that was compared with the gold. */
export interface ScoredTables {
  readonly outcome: 'scored'
  readonly figures: PublishedFigures
  readonly goldRows: number
  readonly answerRows: number
  readonly rows: readonly JoinedRow[]
  readonly sums: ReadonlyMap<string, number>
  /** The cells of the answer before keys were aligned and values preprocessed, by column, for every row of its table. */
  readonly answerCells: ReadonlyMap<string, readonly string[]>
}

/** The result of the published evaluation. Everything but `scored` has seven zeros. */
export type EvaluationResult =
  | ScoredTables
  | { readonly outcome: 'no-answer' | 'no-table' }
  /** The answer has columns of these names. */
  | { readonly outcome: 'columns'; readonly names: readonly string[] }
  | { readonly outcome: 'error'; readonly exception: string; readonly message: string }

/** Seven zeros. */
export const noFigures = Object.fromEntries(figureNames.map(name => [name, 0])) as PublishedFigures

/** The points in which other evaluations differ from WideSearch's published one. */
export interface EvaluationRules {
  /** The table that is read when the answer has several. */
  readonly table: 'first' | 'last'
  /** Columns of the answer that the task does not require are left out. */
  readonly ignoresFurtherColumns: boolean
  /** Each row of the answer and of the gold is joined at most once. */
  readonly joinsOneToOne: boolean
  /** Changes each cell of both sides before anything is compared. */
  clean(text: string): string
  preprocess(name: string, text: string, nowMs: number): string
  compare(metric: string, pair: Compared): number
  readPoints(reply: string | null, pairs: number): (number | null)[]
}

/** The rules of WideSearch's published code. */
export const publishedRules: EvaluationRules = {
  table: 'first',
  ignoresFurtherColumns: false,
  joinsOneToOne: false,
  clean: text => text,
  preprocess: preprocessValue,
  compare: compareByRule,
  readPoints,
}

/** Evaluates one answer as WideSearch's published code does (commit 0e664c3, column kinds compared by value). */
export async function evaluateAsPublished(input: EvaluationInput): Promise<EvaluationResult> {
  return await evaluateBy(publishedRules, input)
}

/** Evaluates one answer by WideSearch's procedure with the given rules. */
export async function evaluateBy(rules: EvaluationRules, input: EvaluationInput): Promise<EvaluationResult> {
  if (input.answer === null) return { outcome: 'no-answer' }
  try {
    return await evaluateAnswer(rules, input, input.answer)
  } catch (error) {
    if (!(error instanceof PythonFailure)) throw error
    return { outcome: 'error', exception: error.exception, message: error.message }
  }
}

async function evaluateAnswer(
  rules: EvaluationRules,
  input: EvaluationInput,
  answer: string,
): Promise<EvaluationResult> {
  const { evaluation, ask } = input
  const { required } = evaluation
  const frame = readAnswerFrame(answer, rules.table)
  if (frame === null) return { outcome: 'no-table' }
  const aligned = await alignColumns(frame, required, ask)
  const named = rules.ignoresFurtherColumns ? selectRequired(aligned, required) : aligned
  if (!haveEqualNames(named.names, required)) return { outcome: 'columns', names: named.names }
  const gold = readGoldFrame(input.goldCsv, required)
  const tables = removeRepeatedRows(writeTables(named, gold, rules.clean), evaluation)
  await alignKeys(tables, evaluation, ask)
  preprocessColumns(tables, rules, evaluation, input.nowMs)
  return await scoreRows(tables, rules, input)
}

async function alignColumns(
  frame: PandasFrame,
  required: readonly string[],
  ask: AskJudge,
): Promise<PandasFrame> {
  if (haveEqualNames(frame.names, required)) return frame
  const map = readAlignment(
    await ask({ call: 'align', of: 'columns', given: frame.names, reference: required }),
  )
  return { ...frame, names: frame.names.map(name => map.get(name) ?? name) }
}

/** The first column of each required name, in the order of the answer. */
function selectRequired({ names, columns, rowCount }: PandasFrame, required: readonly string[]): PandasFrame {
  const places = [...names.keys()].filter(i => required.includes(names[i]!) && names.indexOf(names[i]!) === i)
  return { names: places.map(i => names[i]!), columns: places.map(i => columns[i]!), rowCount }
}

function haveEqualNames(names: readonly string[], required: readonly string[]): boolean {
  const requiredNames = new Set(required)
  return new Set(names).size === requiredNames.size && names.every(name => requiredNames.has(name))
}

async function alignKeys(
  tables: TextTables,
  { unique_columns, eval_pipeline }: Evaluation,
  ask: AskJudge,
): Promise<void> {
  for (const name of unique_columns) {
    const metrics = eval_pipeline[name]?.metric ?? []
    if (!metrics.includes('llm_judge') && !metrics.includes('exact_match')) continue
    if (tables.repeated.has(name))
      throw new PythonFailure('AttributeError', `the answer has the key column '${name}' twice`)
    const texts = tables.answer.texts.get(name)!
    const reference = tables.gold.texts.get(name)!
    const map = readAlignment(await ask({ call: 'align', of: name, given: texts, reference }))
    tables.answer.texts.set(
      name,
      texts.map(text => map.get(text) ?? text),
    )
    tables.hasAlignedKey = true
  }
}

function preprocessColumns(
  { answer, gold, repeated }: TextTables,
  rules: EvaluationRules,
  { eval_pipeline }: Evaluation,
  nowMs: number,
): void {
  for (const [name, settings] of Object.entries(eval_pipeline))
    for (const step of settings.preprocess) {
      if (repeated.has(name) && step === 'norm_date')
        throw new PythonFailure('TypeError', `the answer has the date column '${name}' twice`)
      for (const { texts } of [answer, gold]) {
        const column = texts.get(name)
        if (column === undefined) throw new PythonFailure('KeyError', `no column '${name}'`)
        texts.set(
          name,
          column.map(text => rules.preprocess(step, text, nowMs)),
        )
      }
    }
}

async function scoreRows(
  tables: TextTables,
  rules: EvaluationRules,
  input: EvaluationInput,
): Promise<ScoredTables> {
  const { required, unique_columns, eval_pipeline } = input.evaluation
  const repeatedKey = unique_columns.find(name => tables.repeated.has(name))
  if (repeatedKey !== undefined)
    throw new PythonFailure('ValueError', `the answer has the key column '${repeatedKey}' twice`)
  const joined = joinRows(tables, unique_columns)
  const joins = rules.joinsOneToOne ? joinOneToOne(joined, tables, unique_columns) : joined
  const points = new Map<string, (number | null)[]>()
  for (const name of required) {
    if (unique_columns.includes(name)) {
      points.set(
        `${name}_exact_match`,
        joins.map(() => 1),
      )
      continue
    }
    const settings = eval_pipeline[name]
    if (settings === undefined) throw new PythonFailure('KeyError', `no settings for column '${name}'`)
    for (const metric of settings.metric)
      points.set(
        `${name}_${metric}`,
        await scoreColumn({ name, metric, settings, joins, rules }, tables, input),
      )
  }
  return summarise(tables, joins, points, required)
}

interface ScoredColumn {
  readonly name: string
  readonly metric: string
  readonly settings: ColumnSettings
  readonly joins: readonly Join[]
  readonly rules: EvaluationRules
}

async function scoreColumn(
  { name, metric, settings, joins, rules }: ScoredColumn,
  { answer, gold, repeated }: TextTables,
  { ask, nowMs }: EvaluationInput,
): Promise<(number | null)[]> {
  const criterion = settings.criterion ?? null
  const isRepeated = repeated.has(name)
  const pairs = joins.map(
    join => [answer.texts.get(name)![join.answer]!, gold.texts.get(name)![join.gold]!] as const,
  )
  if (metric === 'llm_judge') {
    if (isRepeated) throw new PythonFailure('AttributeError', `the answer has the column '${name}' twice`)
    return rules.readPoints(await ask({ call: 'grade', of: name, criterion, pairs }), pairs.length)
  }
  if (pairs.length === 0) throw new PythonFailure('ValueError', 'no row of the answer has a key of the gold')
  // pandas then compares two columns at once. Only number_near bears that, and no number is near.
  if (isRepeated && metric !== 'number_near')
    throw new PythonFailure('AttributeError', `the answer has the column '${name}' twice`)
  if (isRepeated) return pairs.map(() => 0)
  return pairs.map(([response, target]) => rules.compare(metric, { response, target, criterion, nowMs }))
}

function summarise(
  tables: TextTables,
  joins: readonly Join[],
  points: ReadonlyMap<string, readonly (number | null)[]>,
  required: readonly string[],
): ScoredTables {
  const { answer, gold } = tables
  const rows = joins.map((join, i) => ({
    goldRow: gold.rows[join.gold]!,
    answerRow: answer.rows[join.answer]!,
    points: new Map([...points].map(([name, values]) => [name, values[i]!] as const)),
  }))
  const sums = new Map([...points].map(([name, values]) => [name, sumKnown(values)]))
  const rightRows = sumKnown(
    rows.map(row => Math.min(...[...row.points.values()].filter(value => value !== null))),
  )
  const counts = { goldRows: gold.rows.length, answerRows: answer.rows.length }
  const row = measureRight(rightRows, counts.answerRows, counts.goldRows)
  const width = required.length
  const item = measureRight(sumKnown([...sums.values()]), counts.answerRows * width, counts.goldRows * width)
  const isPerfect = [...Object.values(row), ...Object.values(item)].every(value => value === 1)
  const figures: PublishedFigures = {
    score: isPerfect || areTablesEqual(tables, required) ? 1 : 0,
    precision_by_row: row.precision,
    recall_by_row: row.recall,
    f1_by_row: row.f1,
    precision_by_item: item.precision,
    recall_by_item: item.recall,
    f1_by_item: item.f1,
  }
  return { outcome: 'scored', figures, ...counts, rows, sums, answerCells: tables.answerCells }
}

const sumKnown = (values: readonly (number | null)[]): number =>
  values.reduce<number>((sum, value) => sum + (value ?? 0), 0)

function measureRight(right: number, answered: number, expected: number) {
  const precision = answered > 0 ? right / answered : 0
  const recall = expected > 0 ? right / expected : 0
  const f1 = precision + recall > 1e-9 ? (2 * precision * recall) / (precision + recall) : 0
  return { precision, recall, f1 }
}
