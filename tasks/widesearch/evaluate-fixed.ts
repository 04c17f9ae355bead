import { JudgeFailure } from './ask-judge.ts'
import { computeUtc, type DateParts, readStatedParts } from './dates.ts'
import { type EvaluationInput, type EvaluationResult, type EvaluationRules, evaluateBy } from './evaluate.ts'
import { normaliseColumnName } from './frame.ts'
import { readReply } from './judge-calls.ts'
import { type Compared, compareByRule, preprocessValue } from './metrics.ts'

/**
 * Evaluates one answer by WideSearch's procedure without the defects of the published code: rows are joined one to one,
 * further columns are ignored, settings apply to columns in any case, dates do not depend on the day, line breaks are blanks, and a judge that leaves out a
 * pair has failed.
 *
 * @throws JudgeFailure when the judge's points are incomplete or not from 0 to 1
 */
export async function evaluateFixed(input: EvaluationInput): Promise<EvaluationResult> {
  const settings = Object.entries(input.evaluation.eval_pipeline)
  const eval_pipeline = Object.fromEntries(
    settings.map(([name, column]) => [normaliseColumnName(name), column]),
  )
  return await evaluateBy(fixedRules, { ...input, evaluation: { ...input.evaluation, eval_pipeline } })
}

const fixedRules: EvaluationRules = {
  table: 'first',
  ignoresFurtherColumns: true,
  joinsOneToOne: true,
  clean: text => text.replace(/\s*(?:<br\s*\/?>|[\r\n]+)\s*/gi, ' '),
  preprocess: (name, text, nowMs) =>
    name === 'norm_date' ? text.trim() : preprocessValue(name, text, nowMs),
  compare(metric, pair) {
    if (metric === 'date_near') return Number(isNearDate(pair))
    return compareByRule(metric, { ...pair, criterion: pair.criterion ?? 0 })
  },
  readPoints(reply, pairs) {
    // Judge `none` never replies: every pair is then wrong.
    if (reply === null) return Array.from({ length: pairs }, () => 0)
    const grades = readReply(reply) ?? {}
    return Array.from({ length: pairs }, (_, i) => {
      const points = grades[`idx_${i}`]
      if (typeof points === 'number' && points >= 0 && points <= 1) return points
      throw new JudgeFailure(`the judge gave no points from 0 to 1 for pair ${i}`)
    })
  },
}

const dayMs = 86_400_000

/** Dates are near within 31 days. A month counts from its first day. A year matches every date in it, but only as the gold. */
function isNearDate({ response, target }: Compared): boolean {
  const date = readStatedParts(response)
  const goldDate = readStatedParts(target)
  if (date === null || goldDate === null) return date === goldDate && response === target
  if (goldDate.month === undefined) return date.year === goldDate.year
  if (date.month === undefined) return false
  return Math.abs(computeTime(date) - computeTime(goldDate)) <= 31 * dayMs
}

const computeTime = ({ year = 0, month = 1, day = 1 }: DateParts): number => computeUtc(year, month, day)
