import type { TableGold } from '../../core/gold.ts'
import type { Score } from '../../core/score.ts'
import type { ScoredCell } from '../../core/scored-item.ts'
import { writeCsv } from '../../text/csv.ts'
import { type ParsedAnswer, parseAttemptAnswer } from '../answer/parse-answer.ts'
import { type ModelJudge, usesPublishedPrompts } from '../contract/judge.ts'
import { clipRecordedText, type NotScored, type Scored, type ScoringInput } from '../contract/scorer.ts'
import { writeOverallPrompt } from '../judge/prompts.ts'
import { publishedOutputTokens, readPublishedAnswer } from '../judge/published-prompts.ts'
import { estimatePublishedTokens } from '../judge/published-tokens.ts'
import { addUsage, createTally, type JudgeTally } from '../judge/tally.ts'
import { createUniformComparison } from './compare-tables.ts'
import type { ComparedCell, CompareTables, TableComparison } from './comparison.ts'
import { explainTable } from './explain-table.ts'
import { type GoldTable, listRowsWithHeader, readGoldTable } from './gold-table.ts'
import { boundTableMeasures, computeTableMeasures, type TableCounts } from './measures.ts'
import { writePublishedGold } from './published-texts.ts'
import { ratings } from './rating.ts'
import type { RowMatch } from './row-match.ts'

/** The four ratings of a table and their mean, 0 to 100. */
type Overall = NonNullable<Score['overall']>

/**
 * Asks for the overall quality of a table as the AOE paper defines it. Intent, schema, content and format are
 * rated 0 to 100 each, and averaged.
 *
 * @returns null when no reply was in the required form: unscored, never 0
 */
export async function rateOverall(
  judge: ModelJudge,
  tally: JudgeTally,
  input: { readonly query: string; readonly goldCsv: string; readonly answer: string },
): Promise<Overall | null> {
  tally.wouldCall(1, estimatePublishedTokens(input.query, input.goldCsv, input.answer))
  const { query, goldCsv, answer } = input
  return await tally.ask(judge, {
    prompt:
      judge.published?.overall(query, goldCsv, readPublishedAnswer(answer)) ??
      writeOverallPrompt(query, goldCsv, answer),
    maxOutputTokens: publishedOutputTokens.overall,
    parse: readOverall,
  })
}

function readOverall(text: string): Overall | null {
  const scores = [1, 2, 3, 4].map(n => {
    const match = new RegExp(`<score${n}>\\s*(\\d+)\\s*</score${n}>`, 'i').exec(text)
    const score = match === null ? Number.NaN : Number(match[1])
    return score <= 100 ? score : Number.NaN
  })
  if (scores.some(Number.isNaN)) return null
  const [intent, schema, content, format] = scores as [number, number, number, number]
  return { intent, schema, content, format, mean: (intent + schema + content + format) / 4 }
}

/**
 * Scores an answer that should contain a table. An answer without a table scores 0; it is unscored when a judge
 * failed on every cell.
 */
export async function scoreTableAnswer(
  compare: CompareTables,
  input: ScoringInput<TableGold>,
): Promise<Scored | NotScored> {
  const gold = readGoldTable(input.gold)
  const answer = input.answerText === null ? null : parseAttemptAnswer(input.answerText)
  const isTable = answer !== null && answer.status === 'table'
  const answered = isTable && answer.rows.length > 0
  const without = answer?.status === 'unreadable' ? ratings.unreadable : ratings.noAnswer
  const comparison = isTable
    ? await compare({ gold, answer, judge: input.judge, answerText: input.answerText! })
    : createUniformComparison(gold, without, createTally())
  const { cells, judgeUsage } = comparison
  if (cells.length > 0 && cells.every(cell => cell.rating.score === null))
    return { status: 'unscored', answered, judgeUsage }
  return await withOverall(makeScoredTable(gold, answer, comparison, input), gold, input)
}

function makeScoredTable(
  gold: GoldTable,
  answer: ParsedAnswer | null,
  comparison: TableComparison,
  { termination }: ScoringInput,
): Scored {
  const tableCounts = countCells(gold, comparison)
  const { row, cell } = computeTableMeasures(tableCounts)
  const { matchedTargets, nonKeyColumns, cells } = comparison
  const targets = gold.targetColumns.length
  const schemaPrecision = nonKeyColumns === 0 ? null : matchedTargets / nonKeyColumns
  const columnRecall = targets === 0 ? null : matchedTargets / targets
  return {
    status: 'scored',
    answered: answer?.status === 'table' && answer.rows.length > 0,
    metrics: {
      rowPrecision: row.precision,
      rowRecall: row.recall,
      rowF1: row.f1,
      cellPrecision: cell.precision,
      cellRecall: cell.recall,
      cellF1: cell.f1,
      schemaPrecision,
      columnRecall,
      overall: null,
    },
    items: cells.map(cell => makeScoredCell(cell, comparison.matchOf(cell.goldRow))),
    explanation: explainTable({ gold, answer, comparison, termination }),
    counts: countForRecord(gold, comparison),
    ...boundMetrics(tableCounts),
    judgeUsage: comparison.judgeUsage,
  }
}

function countCells(gold: GoldTable, comparison: TableComparison): TableCounts {
  const { goldRows, predictedRows, matchedRows, failedRows, cells } = comparison
  const targets = gold.targetColumns.length
  const sum = cells.reduce((total, cell) => total + (cell.rating.score ?? 0), 0)
  const failedCells = cells.filter(cell => cell.rating.score === null && cell.predicted !== null).length
  return { goldRows, predictedRows, matchedRows, failedRows, targets, sum, failedCells }
}

/** Bounds the metrics of rows and cells. Empty when a judge decided everything. */
function boundMetrics(counts: TableCounts): { bounds?: NonNullable<Scored['bounds']> } {
  if (counts.failedRows === 0 && counts.failedCells === 0) return {}
  const { low, high } = boundTableMeasures(counts)
  const between = (value: (measures: typeof low) => number) => ({ low: value(low), high: value(high) })
  return {
    bounds: {
      rowPrecision: between(({ row }) => row.precision),
      rowRecall: between(({ row }) => row.recall),
      rowF1: between(({ row }) => row.f1),
      cellPrecision: between(({ cell }) => cell.precision),
      cellRecall: between(({ cell }) => cell.recall),
      cellF1: between(({ cell }) => cell.f1),
    },
  }
}

function countForRecord(gold: GoldTable, comparison: TableComparison): Record<string, number> {
  const { goldRows, predictedRows, matchedRows, failedRows, cells } = comparison
  return {
    goldRows,
    predictedRows,
    matchedRows,
    missingRows: goldRows - matchedRows,
    extraRows: predictedRows - matchedRows,
    targets: gold.targetColumns.length,
    declaredTargets: gold.declaredTargets,
    matchedTargets: comparison.matchedTargets,
    spuriousColumns: comparison.spuriousColumns,
    unscoredCells: cells.filter(cell => cell.rating.score === null).length,
    unscoredRows: failedRows,
    judgedCells: cells.filter(cell => cell.rating.rule === 'judge').length,
  }
}

/**
 * Adds the overall quality by a judge model, which sees the answer as written. Without a judge model or an answer
 * there is none.
 */
async function withOverall(
  scored: Scored,
  gold: GoldTable,
  { judge, question, answerText, gold: source }: ScoringInput<TableGold>,
): Promise<Scored> {
  if (judge.kind !== 'model' || answerText === null) return scored
  const tally = createTally()
  const goldCsv = usesPublishedPrompts(judge)
    ? writePublishedGold(source.rows)
    : writeCsv(listRowsWithHeader(gold))
  const overall = await rateOverall(judge, tally, { query: question.query, goldCsv, answer: answerText })
  return {
    ...scored,
    metrics: { ...scored.metrics, overall: overall?.mean ?? null },
    counts: { ...scored.counts, overallUnscored: overall === null ? 1 : 0 },
    judgeUsage: addUsage(scored.judgeUsage, tally.usage()),
    overall,
  }
}

function makeScoredCell(
  { goldRow, column, gold, predicted, rating }: ComparedCell,
  matched: RowMatch | null,
): ScoredCell {
  return {
    goldRow,
    column,
    gold,
    predicted: predicted === null ? null : clipRecordedText(predicted),
    score: rating.score,
    rule: rating.rule,
    class: null,
    matched,
  }
}
