import type { ComponentMean } from './component-mean.ts'
import { hasSpread, minComponents } from './intervals.ts'
import { computeLeastPValue } from './paired-difference.ts'
import { studentT } from './student-t.ts'

/** The share of campaigns that detect a detectable difference: that have an adjusted p of at most 0.05. */
const power = 0.8
/** With so many degrees of freedom, Student's distribution is the normal one. */
const normal = 1e6

/**
 * The distance in standard errors at which a sign-flip test, whose p is multiplied by the number of tests, detects a
 * difference in 80% of campaigns. Few components have few possible p-values, so the largest one up to the level counts.
 *
 * @returns null when no p can be small enough
 */
export function computeDetectableErrors(components: number, df: number, tests: number): number | null {
  if (components < minComponents) return null
  const least = computeLeastPValue(components)
  const steps = Math.floor(((0.05 / tests) * (1 + 1e-9)) / least)
  if (steps === 0) return null
  const errors = studentT(df, least * steps) + studentT(df, 2 * (1 - power))
  if (steps > 1 || least !== 2 ** (1 - components)) return errors
  // Only the least p is small enough, which all components reach together when their differences have the same sign.
  return Math.max(errors, Math.sqrt(components) * studentT(normal, 2 * (1 - power ** (1 / components))))
}

/** The smallest difference that a campaign with this spread detects. Null when it can detect none, and without any spread. */
export function computeDetectableDifference(estimate: ComponentMean, tests = 1): number | null {
  const { components, df, variance } = estimate
  if (variance === null || !hasSpread(estimate)) return null
  const errors = computeDetectableErrors(components, df, tests)
  return errors === null ? null : errors * Math.sqrt(variance)
}

/**
 * The number of components that detect a difference.
 *
 * @param spread - The standard deviation of the differences between components.
 */
export function countNeededComponents(difference: number, spread: number, tests = 1): number {
  let components = Math.max(minComponents, Math.floor((((1.96 + 0.84) * spread) / difference) ** 2))
  for (;;) {
    const errors = computeDetectableErrors(components, components - 1, tests)
    if (errors !== null && errors * spread <= difference * Math.sqrt(components)) return components
    components += 1
  }
}
