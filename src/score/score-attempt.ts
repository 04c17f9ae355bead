import { type Attempt, isUnscoredCause } from '../core/attempt.ts'
import { writeCsv } from '../core/csv.ts'
import { completeScore, type Score, type ScoredCell, type ScoreRecord } from '../core/score.ts'
import type { TableGold } from '../core/task.ts'
import { explainUnscored } from './explain/explain-ending.ts'
import { explainTable } from './explain/explain-table.ts'
import type { Judge } from './judge/judge.ts'
import { rateOverall } from './judge/overall.ts'
import { addUsage, createTally } from './judge/tally.ts'
import { type ParsedAnswer, parseAttemptAnswer } from './parse-answer.ts'
import type { ComparedCell, Profile, TableComparison } from './profile.ts'
import { profiles } from './registry.ts'
import { comparisonWithout } from './table/compare-tables.ts'
import { type GoldTable, goldTableOf } from './table/gold-table.ts'
import { tableMeasures } from './table/measures.ts'
import { ratings } from './table/rating.ts'
import type { RowMatch } from './table/row-match.ts'

export interface AttemptToScore {
  readonly attempt: Attempt
  /** The final text as the model wrote it; null when there is none. */
  readonly answerText: string | null
  readonly gold: TableGold
  /** A key of `profiles`. */
  readonly profile: string
  readonly judge: Judge
  /** Pages and documents that the web or our infrastructure failed to give; carried into the score. */
  readonly infrastructureFailures: number
  /** What was asked; a judge model then rates the overall quality too. */
  readonly query?: string
}

/**
 * Scores one attempt on its answer, however it ended; 0 when it has none. Unscored only where the provider, the harness
 * or the operator ended it, or where a judge failed on every cell.
 */
export async function scoreAttempt(input: AttemptToScore): Promise<Score> {
  const profile = profiles.get(input.profile)
  const answer = input.answerText === null ? null : parseAttemptAnswer(input.answerText)
  const base = {
    attemptId: input.attempt.attemptId,
    taskId: input.attempt.taskId,
    setting: input.attempt.setting,
    model: input.attempt.model,
    trial: input.attempt.trial,
    variant: input.attempt.variant,
    profile: input.profile,
    judge: input.judge.name,
    passed: answer !== null && answer.status === 'table' && answer.rows.length > 0,
    infrastructureFailures: input.infrastructureFailures,
  }
  const { cause } = input.attempt.termination
  if (isUnscoredCause(cause)) return completeScore({ ...base, ...unscored(cause, input) })
  const gold = goldTableOf(input.gold)
  const comparison = await compareAnswer(profile, gold, answer, input.judge)
  const result = measured(gold, answer, comparison, input)
  if (result.status === 'unscored') return completeScore({ ...base, ...result })
  return completeScore({ ...base, ...(await withOverall(result, gold, input)) })
}

/** The judge model sees the answer as it was written; without one, or without an answer, there is no overall quality. */
async function withOverall(result: Measured, gold: GoldTable, input: AttemptToScore): Promise<Measured> {
  const { judge, query, answerText } = input
  if (judge.kind !== 'model' || query === undefined || answerText === null) return result
  const tally = createTally()
  const names = [...gold.keyColumns, ...gold.targetColumns]
  const rows = Array.from({ length: gold.rowCount }, (_, row) =>
    names.map(name => gold.values.get(name)![row]!),
  )
  const goldCsv = writeCsv([names, ...rows])
  const overall = await rateOverall(judge, tally, { query, goldCsv, answer: answerText })
  return {
    ...result,
    overall,
    counts: { ...result.counts, overallUnscored: overall === null ? 1 : 0 },
    judgeUsage: addUsage(result.judgeUsage, tally.usage()),
  }
}

type Measured = Omit<
  ScoreRecord,
  | 'attemptId'
  | 'taskId'
  | 'setting'
  | 'model'
  | 'trial'
  | 'variant'
  | 'profile'
  | 'judge'
  | 'passed'
  | 'infrastructureFailures'
>

function unscored(cause: string, { judge, attempt }: AttemptToScore): Measured {
  return {
    status: 'unscored',
    cause,
    row: null,
    cell: null,
    schemaPrecision: null,
    columnRecall: null,
    overall: null,
    counts: {},
    judgeUsage: createTally().usage(),
    cells: [],
    explanation: explainUnscored(cause, judge.name, attempt.termination),
  }
}

async function compareAnswer(
  profile: Profile,
  gold: GoldTable,
  answer: ParsedAnswer | null,
  judge: Judge,
): Promise<TableComparison> {
  if (answer !== null && answer.status === 'table') return await profile.compare({ gold, answer, judge })
  const reason = answer?.status === 'unreadable' ? ratings.unreadable : ratings.noAnswer
  return comparisonWithout(gold, reason, createTally())
}

function measured(
  gold: GoldTable,
  answer: ParsedAnswer | null,
  comparison: TableComparison,
  input: AttemptToScore,
): Measured {
  const { goldRows, predictedRows, matchedRows, failedRows, cells } = comparison
  const targets = gold.targetColumns.length
  const unscoredCells = cells.filter(cell => cell.rating.score === null).length
  if (unscoredCells > 0 && unscoredCells === cells.length) {
    return { ...unscored('judge', input), judgeUsage: comparison.judgeUsage }
  }
  const sum = cells.reduce((total, cell) => total + (cell.rating.score ?? 0), 0)
  const failedCells = cells.filter(cell => cell.rating.score === null && cell.predicted !== null).length
  const counted = { goldRows, predictedRows, matchedRows, failedRows, targets, sum, failedCells }
  return {
    status: 'scored',
    cause: null,
    ...tableMeasures(counted),
    schemaPrecision:
      comparison.nonKeyColumns === 0 ? null : comparison.matchedTargets / comparison.nonKeyColumns,
    columnRecall: targets === 0 ? null : comparison.matchedTargets / targets,
    overall: null,
    counts: {
      goldRows,
      predictedRows,
      matchedRows,
      missingRows: goldRows - matchedRows,
      extraRows: predictedRows - matchedRows,
      targets,
      declaredTargets: gold.declaredTargets,
      matchedTargets: comparison.matchedTargets,
      spuriousColumns: comparison.spuriousColumns,
      unscoredCells,
      unscoredRows: failedRows,
      judgedCells: cells.filter(cell => cell.rating.rule === 'judge').length,
    },
    judgeUsage: comparison.judgeUsage,
    cells: cells.map(cell => scoredCell(cell, comparison.matchOf(cell.goldRow))),
    explanation: explainTable({ gold, answer, comparison, termination: input.attempt.termination }),
  }
}

/** A cell of megabytes is no use in a record. */
const recordedChars = 4000

function scoredCell(
  { goldRow, column, gold, predicted, rating }: ComparedCell,
  matched: RowMatch | null,
): ScoredCell {
  return {
    goldRow,
    column,
    gold,
    predicted:
      predicted !== null && predicted.length > recordedChars
        ? `${predicted.slice(0, recordedChars)}…`
        : predicted,
    score: rating.score,
    rule: rating.rule,
    class: null,
    matched,
  }
}
