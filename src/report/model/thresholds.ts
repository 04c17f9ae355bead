import { ConfigError } from '../../core/errors.ts'
import { notAmong } from '../../core/nearest.ts'
import { metricKeys } from './metrics.ts'
import type { Measure, Report, ReportGroup } from './report.ts'
import { scoringOf, scorings } from './scorings.ts'

/** A metric that every arm of a run must reach. */
export interface Threshold {
  readonly metric: ThresholdMetric
  /** A share, 0 to 1. */
  readonly least: number
}

/** Metrics of `report --json` groups that are shares. */
const thresholdMetrics = [
  ...metricKeys,
  'schemaPrecision',
  'discoveryRecall',
  'evidenceInPrompt',
  'coverage',
] as const satisfies readonly (keyof ReportGroup)[]
export type ThresholdMetric = (typeof thresholdMetrics)[number]

/**
 * Reads `METRIC=VALUE`, the value of `--fail-under`.
 *
 * @throws ConfigError 'invalid-threshold' for another form or a value outside 0..1, 'unknown-metric' for an unknown name.
 */
export function parseThreshold(text: string): Threshold {
  const [, name = '', value = ''] = /^([^=]*)=(.*)$/s.exec(text) ?? []
  const least = value.trim() === '' ? Number.NaN : Number(value)
  const metric = thresholdMetrics.find(known => known === name)
  if (name !== '' && metric === undefined)
    throw new ConfigError(notAmong(name, thresholdMetrics), { code: 'unknown-metric' })
  if (metric === undefined || !(least >= 0 && least <= 1))
    throw new ConfigError(`'${text}': write METRIC=VALUE with a share from 0 to 1, such as cellF1=0.8`, {
      code: 'invalid-threshold',
    })
  return { metric, least }
}

/**
 * One line for each arm and threshold that the arm does not reach, over all of its tasks. An unknown metric is not reached.
 * Controls, which are meant to be worse, are left out.
 */
export function thresholdLines(report: Report, thresholds: readonly Threshold[]): string[] {
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
