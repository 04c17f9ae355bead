import { armName } from '../../core/arm.ts'
import { ConfigError } from '../../core/errors.ts'
import type { Threshold } from '../../core/metric.ts'
import { answeredMetric, type MetricDefinition, successMetric } from '../../core/metric.ts'
import { describeUnknownName } from '../../core/nearest-name.ts'
import { findMetric, type RunScorers } from './metrics.ts'
import type { Report } from './report.ts'
import type { ReportGroup } from './report-group.ts'
import { listScorings, nameScoring } from './scorings.ts'

/** Fields of `report --json` groups that are shares but not metrics of a scorer. */
const groupShares = [
  'discoveryRecall',
  'evidenceInPrompt',
  'coverage',
] as const satisfies readonly (keyof ReportGroup)[]
type GroupShare = (typeof groupShares)[number]

const isGroupShare = (name: string): name is GroupShare => groupShares.some(share => share === name)

const shareMetric = { unit: 'share', better: 'higher', range: [0, 1] } as const

/**
 * Checks that every threshold names a metric of the run and a value that the metric can have.
 *
 * @throws ConfigError [unknown-metric] or [invalid-threshold]
 */
export function requireMetrics(thresholds: readonly Threshold[], scorers: RunScorers): void {
  const metrics = [answeredMetric, successMetric, ...Object.values(scorers).flatMap(scorer => scorer.metrics)]
  for (const { metric: name, value } of thresholds) {
    const metric = metrics.find(({ key }) => key === name)
    if (metric === undefined && !isGroupShare(name)) {
      const names = [...new Set([...metrics.map(({ key }) => key), ...groupShares])]
      throw new ConfigError(`--fail-under: unknown metric ${describeUnknownName(name, names)}`, {
        code: 'unknown-metric',
      })
    }
    const { range, unit } = metric ?? shareMetric
    const [least, most] = range
    if ((least !== null && value < least) || (most !== null && value > most))
      throw new ConfigError(
        `--fail-under ${name}=${value}: ${unit === 'share' ? `${name} is a share. Write a number from 0 to 1, such as 0.8.` : `${name} is always ${describeRange(range)}. Change the number.`}`,
        { code: 'invalid-threshold' },
      )
  }
}

function describeRange([least, most]: MetricDefinition['range']): string {
  if (least !== null && most !== null) return `from ${least} to ${most}`
  return least === null ? `at most ${most}` : `at least ${least}`
}

/**
 * Returns a line for each arm and threshold that the arm misses over all of its tasks. A value misses the threshold when
 * it is below it or, for metrics where lower is better, above it. An unknown value misses every threshold. Controls are
 * left out, because they are meant to be worse.
 */
export function listThresholdLines(report: Report, thresholds: readonly Threshold[]): string[] {
  const groups = report.groups.filter(group => group.domain === 'all' && !('control' in group.options))
  const hasSeveralScorings = listScorings(groups).length > 1
  return thresholds.flatMap(threshold =>
    groups.flatMap(group => {
      const measured = findValue(report, group, threshold.metric)
      // The metric belongs to another scoring of the run.
      if (measured === null) return []
      const { value, better } = measured
      const reached =
        value !== null && (better === 'higher' ? value >= threshold.value : value <= threshold.value)
      if (reached) return []
      const scoring = hasSeveralScorings ? ` (${nameScoring(group)})` : ''
      const text = describeShortfall(value, threshold.value, better, group)
      const unrated =
        group.unratedItems === 0
          ? ''
          : ` (${group.unratedItems} of ${group.items} items have no rating by the judge and count as wrong)`
      return [`${armName(group)}${scoring}: ${threshold.metric} is ${text}${unrated} [fail-under]`]
    }),
  )
}

/**
 * Returns the mean of a metric in a group, with every item that a judge did not rate counted as wrong, or null when
 * only another scoring of the run has the metric.
 */
function findValue(
  { scorers, groups }: Report,
  group: ReportGroup,
  name: string,
): { readonly value: number | null; readonly better: MetricDefinition['better'] } | null {
  if (isGroupShare(name)) return { value: group[name], better: 'higher' }
  const metric = findMetric(scorers, group.scorer, name)
  if (metric !== undefined) {
    const { mean = null, bounds = null } = group.metrics[name] ?? {}
    const worst = metric.better === 'higher' ? bounds?.low : bounds?.high
    return { value: worst ?? mean, better: metric.better }
  }
  const isElsewhere = groups.some(candidate => findMetric(scorers, candidate.scorer, name) !== undefined)
  return isElsewhere ? null : { value: null, better: 'higher' }
}

function describeShortfall(
  value: number | null,
  bound: number,
  better: MetricDefinition['better'],
  { scored, n }: ReportGroup,
): string {
  const isHigher = better === 'higher'
  if (value === null)
    return `unknown (${scored} of ${n} attempts scored), not at ${isHigher ? 'least' : 'most'} ${bound}`
  // Rounds away from the threshold, so that the two numbers never look equal.
  const rounded = (isHigher ? Math.floor(value * 10_000) : Math.ceil(value * 10_000)) / 10_000
  return `${rounded}, ${isHigher ? 'below' : 'above'} ${bound}`
}
