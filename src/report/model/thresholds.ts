import { ConfigError } from '../../core/errors.ts'
import { notAmong } from '../../core/nearest.ts'
import { parseThreshold, type Threshold } from '../../core/threshold.ts'
import { metricKeys } from './metrics.ts'
import type { Measure, Report, ReportGroup } from './report.ts'
import { scoringOf, scorings } from './scorings.ts'

/** Metrics of `report --json` groups that are shares. */
const thresholdMetrics = [
  ...metricKeys,
  'schemaPrecision',
  'discoveryRecall',
  'evidenceInPrompt',
  'coverage',
] as const satisfies readonly (keyof ReportGroup)[]
type ThresholdMetric = (typeof thresholdMetrics)[number]

/** A threshold of a metric that reports have. */
export interface KnownThreshold extends Threshold {
  readonly metric: ThresholdMetric
}

/**
 * Reads the values of `--fail-under`.
 *
 * @throws ConfigError 'invalid-threshold' for another form, 'unknown-metric' for a name that reports do not have.
 */
export function readThresholds(texts: readonly string[]): KnownThreshold[] {
  return texts.map(text => {
    const { metric: name, least } = parseThreshold(text)
    const metric = thresholdMetrics.find(known => known === name)
    if (metric !== undefined) return { metric, least }
    throw new ConfigError(`--fail-under: ${notAmong(name, thresholdMetrics)}`, { code: 'unknown-metric' })
  })
}

/**
 * One line for each arm and threshold that the arm does not reach, over all of its tasks. An unknown metric is not reached.
 * Controls, which are meant to be worse, are left out.
 */
export function thresholdLines(report: Report, thresholds: readonly KnownThreshold[]): string[] {
  const groups = report.groups.filter(
    group => group.domain === 'all' && !/(?:^|,)control=/.test(group.variant),
  )
  const hasSeveralScorings = scorings(groups).length > 1
  return thresholds.flatMap(({ metric, least }) =>
    groups.flatMap(group => {
      const value = meanOf(group[metric])
      if (value !== null && value >= least) return []
      const scoring = hasSeveralScorings ? ` (${scoringOf(group)})` : ''
      return [`${armName(group)}${scoring}: ${metric} is ${shortfall(value, least, group)} [fail-under]`]
    }),
  )
}

function meanOf(metric: Measure | number | null): number | null {
  return typeof metric === 'number' || metric === null ? metric : metric.mean
}

function shortfall(value: number | null, least: number, { scored, n }: ReportGroup): string {
  if (value === null) return `unknown (${scored} of ${n} attempts scored), not at least ${least}`
  // Never rounded up to the threshold itself.
  return `${Math.floor(value * 10_000) / 10_000}, below ${least}`
}

/** Setting, model and variant of an arm, in one line. */
export function armName({ setting, model, variant }: ReportGroup): string {
  return [setting, model, variant].filter(part => part !== '').join(' ')
}
