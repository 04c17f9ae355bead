import type { TableGold } from '../../src/core/gold.ts'
import type { ScoredCell } from '../../src/core/scored-item.ts'
import {
  clipRecordedText,
  type NotScored,
  type Scored,
  type ScoringInput,
} from '../../src/score/contract/scorer.ts'
import {
  formatCount,
  listColumnNames,
  listMostFrequent,
  pickVerb,
  shortenText,
} from '../../src/score/explain/wording.ts'
import { makeItemAndRowMetrics } from '../../src/score/fuzzy/overlap.ts'
import { createTally } from '../../src/score/judge/tally.ts'
import { formatShortList } from '../../src/text/plain-text.ts'
import { createJudgeAsker, JudgeFailure } from './ask-judge.ts'
import { type EvaluationInput, type EvaluationResult, noFigures } from './evaluate.ts'
import type { Evaluation, WideSearchGold } from './settings.ts'

/** A way to evaluate an answer: as published, or corrected. */
export interface Evaluator {
  readonly evaluate: (input: EvaluationInput) => Promise<EvaluationResult>
  /** Ask the judge again for an unreadable reply; the attempt is unscored when none is readable. */
  readonly needsReadableReply: boolean
}

/** Scores an answer to a WideSearch task. It is unscored when the judge model failed. */
export async function scoreWideSearchAnswer(
  { evaluate, needsReadableReply }: Evaluator,
  input: ScoringInput<TableGold>,
): Promise<Scored | NotScored> {
  const { evaluation, goldCsv } = input.configuration as WideSearchGold
  const tally = createTally()
  try {
    const result = await evaluate({
      answer: input.answerText,
      goldCsv,
      evaluation,
      ask: createJudgeAsker(input.judge, tally, { needsReadableReply }),
      nowMs: input.clock.now(),
    })
    return { ...describeResult(result, input), judgeUsage: tally.usage() }
  } catch (error) {
    if (!(error instanceof JudgeFailure)) throw error
    const judgeUsage = tally.usage()
    return { status: 'unscored', answered: input.answerText !== null, judgeUsage }
  }
}

function describeResult(
  result: EvaluationResult,
  { gold, configuration }: ScoringInput<TableGold>,
): Omit<Scored, 'judgeUsage'> {
  const { evaluation } = configuration as WideSearchGold
  const cells = scoreCells(result, gold)
  const figures = result.outcome === 'scored' ? result.figures : noFigures
  const row = { precision: figures.precision_by_row, recall: figures.recall_by_row, f1: figures.f1_by_row }
  const item = {
    precision: figures.precision_by_item,
    recall: figures.recall_by_item,
    f1: figures.f1_by_item,
  }
  return {
    status: 'scored',
    answered: result.outcome === 'scored' || result.outcome === 'columns',
    success: figures.score === 1,
    metrics: makeItemAndRowMetrics(item, row),
    items: cells,
    explanation: explainResult(result, cells, {
      keys: nameRows(evaluation, gold),
      required: evaluation.required,
    }),
    counts:
      result.outcome === 'scored'
        ? { goldRows: result.goldRows, predictedRows: result.answerRows, matchedRows: result.rows.length }
        : { goldRows: gold.rows.length },
  }
}

/** The name of each gold row: its key. */
function nameRows({ unique_columns }: Evaluation, { rows }: TableGold): string[] {
  return rows.map(row => unique_columns.map(name => shortenText(String(row[name] ?? ''))).join(' / '))
}

/** The gold cells that are no keys, each with the first answer row that has its key. */
function scoreCells(result: EvaluationResult, { rows, targetColumns }: TableGold): ScoredCell[] {
  const joins = new Map(
    result.outcome === 'scored' ? result.rows.toReversed().map(row => [row.goldRow, row] as const) : [],
  )
  return rows.flatMap((row, goldRow) =>
    targetColumns.map(column => {
      const gold = String(row[column] ?? '')
      const join = joins.get(goldRow)
      if (join === undefined || result.outcome !== 'scored') {
        const rule = result.outcome === 'scored' ? 'unmatched-row' : result.outcome
        return { goldRow, column, gold, predicted: null, score: 0, rule, class: null, matched: null }
      }
      const { score, rule } = scoreCell(join.points, column)
      const predicted = clipRecordedText(result.answerCells.get(column)?.[join.answerRow] ?? '')
      const matched = { row: join.answerRow, by: 'exact key', similarity: null }
      return { goldRow, column, gold, predicted, score, rule, class: null, matched }
    }),
  )
}

/** The mean over the metrics of a column; points of the judge may lie outside 0 to 1. */
function scoreCell(
  points: ReadonlyMap<string, number | null>,
  column: string,
): { score: number; rule: string } {
  const columnPoints = [...points].filter(([name]) => findMetricRule(name, column) !== null)
  if (columnPoints.length === 0) return { score: 0, rule: 'no-metric' }
  const sum = columnPoints.reduce((total, [, value]) => total + Math.min(1, Math.max(0, value ?? 0)), 0)
  return { score: sum / columnPoints.length, rule: findMetricRule(columnPoints[0]![0], column)! }
}

const metricNames = ['exact_match', 'in_match', 'number_near', 'date_near', 'url_match', 'llm_judge']

function findMetricRule(name: string, column: string): string | null {
  const metric = metricNames.find(candidate => name === `${column}_${candidate}`)
  return metric === undefined ? null : metric.replace('_', '-')
}

function explainColumns(names: readonly string[], required: readonly string[]): string {
  const missing = required.filter(name => !names.includes(name))
  const further = names.filter(name => !required.includes(name))
  const parts = [
    ...(missing.length === 0 ? [] : [`missing: ${listColumnNames(missing)}`]),
    ...(further.length === 0 ? [] : [`not asked for: ${listColumnNames(further)}`]),
  ]
  return `The columns of the answer are not those that the task requires (${parts.join('; ')}), so every figure is 0.`
}

/** Names gold rows that no row of the answer has the key of. */
function explainMissingRows(cells: readonly ScoredCell[], keys: readonly string[]): string[] {
  const rows = [...new Set(cells.flatMap(cell => (cell.matched === null ? [cell.goldRow] : [])))]
  if (rows.length === 0) return []
  const has = pickVerb(rows.length, 'has', 'have')
  return [
    `${formatCount(rows.length, 'gold row')} ${has} no match in the answer: ${formatShortList(rows, row => keys[row]!)}.`,
  ]
}

/** Names the columns with wrong cells in joined rows. */
function explainWrongColumns(cells: readonly ScoredCell[]): string[] {
  const wrong = cells.filter(({ matched, score }) => matched !== null && score !== 1)
  if (wrong.length === 0) return []
  const columns = listMostFrequent(wrong.map(({ column }) => column))
  return [
    `${formatCount(wrong.length, 'cell')} of joined rows ${pickVerb(wrong.length, 'is', 'are')} wrong: ${columns}.`,
  ]
}

function explainResult(
  result: EvaluationResult,
  cells: readonly ScoredCell[],
  { keys, required }: { readonly keys: readonly string[]; readonly required: readonly string[] },
): string[] {
  switch (result.outcome) {
    case 'scored':
      return [
        `${formatCount(result.rows.length, 'joined row')}: the answer has ${formatCount(result.answerRows, 'row')} with different keys, the gold ${result.goldRows}.`,
        ...explainMissingRows(cells, keys),
        ...explainWrongColumns(cells),
      ]
    case 'no-answer':
      return []
    case 'no-table':
      return ['The answer has no table in Markdown, so every figure is 0.']
    case 'columns':
      return [explainColumns(result.names, required)]
    case 'error':
      return [
        `The published code fails on this answer (${result.exception}: ${result.message}), so every figure is 0.`,
      ]
  }
}
