import type { JudgingTotals, RepeatedSpending } from '../model/report.ts'
import { formatDollars } from './value-text.ts'

/** A sum of values of which some are unknown. */
export interface Sum {
  readonly known: number
  /** The number of unknown values. */
  readonly unknown: number
}

/** Adds up the known values. */
export function sumKnown(values: readonly (number | null)[]): Sum {
  const knownValues = values.filter(value => value !== null)
  return {
    known: knownValues.reduce((sum, value) => sum + value, 0),
    unknown: values.length - knownValues.length,
  }
}

/** Formats a sum: `1.2k`, `at least 1.2k`, or `unknown` when the known values are all 0 and others are unknown. */
export function sumText({ known: knownSum, unknown }: Sum, text: (sum: number) => string): string {
  if (unknown === 0) return text(knownSum)
  return knownSum === 0 ? 'unknown' : `at least ${text(knownSum)}`
}

/** Says what was spent on attempts that were stopped, or made again, and on shadow answers. */
export function formatRepeated({ attempts, shadowAnswers, isWhole, usd }: RepeatedSpending): string {
  const sum = sumText(
    { known: usd, unknown: Number(!isWhole) },
    amountUsd => `US$ ${formatDollars(amountUsd)}`,
  )
  const amount = sum === 'unknown' ? 'an unknown amount' : sum
  const verb = attempts === 1 ? 'attempt that was' : 'attempts that were'
  const causes = [
    ...(attempts === 0 ? [] : [`${attempts} ${verb} stopped or made again`]),
    ...(shadowAnswers === 0 ? [] : [`${shadowAnswers} shadow answers at checkpoints`]),
  ]
  return `${amount} on ${causes.join(' and ')}`
}

/** Says in one line what judging cost and what it saved. */
export function writeJudgingLine(totals: JudgingTotals): string {
  const count = (value: number): string => value.toLocaleString('en-US')
  const spent = `${count(totals.calls)} calls, ${count(totals.tokens)} tokens`
  const saved = `rules and cache saved ${count(totals.callsSaved)} calls and about ${count(totals.tokensSaved)} tokens of the published procedure`
  const failed = [
    ...(totals.unscoredCells > 0
      ? [`${count(totals.unscoredCells)} ${totals.unscoredCells === 1 ? 'item' : 'items'} unscored`]
      : []),
    ...(totals.unscoredOverall > 0 ? [`${count(totals.unscoredOverall)} overall ratings unscored`] : []),
  ]
  return [spent, saved, ...failed].join('; ')
}
