import type { RepeatedSpending } from '../model/report.ts'
import { dollars } from './numbers.ts'

/** A sum of values of which some are unknown. */
export interface Sum {
  readonly known: number
  /** The number of unknown values. */
  readonly unknown: number
}

/** Adds up the known values. */
export function sumOf(values: readonly (number | null)[]): Sum {
  const known = values.filter(value => value !== null)
  return { known: known.reduce((sum, value) => sum + value, 0), unknown: values.length - known.length }
}

/** Formats a sum: `1.2k`, `at least 1.2k`, or `unknown` when the known values are all 0 and others are unknown. */
export function sumText({ known, unknown }: Sum, text: (known: number) => string): string {
  if (unknown === 0) return text(known)
  return known === 0 ? 'unknown' : `at least ${text(known)}`
}

/** Says what was spent on attempts that were stopped, or made again, and on shadow answers. */
export function repeatedText({ attempts, shadowAnswers, isWhole, usd }: RepeatedSpending): string {
  const sum = sumText({ known: usd, unknown: Number(!isWhole) }, known => `US$ ${dollars(known)}`)
  const amount = sum === 'unknown' ? 'an unknown amount' : sum
  const verb = attempts === 1 ? 'attempt that was' : 'attempts that were'
  const causes = [
    ...(attempts === 0 ? [] : [`${attempts} ${verb} stopped or made again`]),
    ...(shadowAnswers === 0 ? [] : [`${shadowAnswers} shadow answers at checkpoints`]),
  ]
  return `${amount} on ${causes.join(' and ')}`
}
