import { capitalised } from '../figures/figure.ts'
import { metricsOf } from '../model/metrics.ts'
import type { Report } from '../model/report.ts'
import type { ReportGroup } from '../model/report-group.ts'
import { scoringOf } from '../model/scorings.ts'
import { fewGroupsWarning } from '../tables/few-groups.ts'
import { percent } from '../tables/numbers.ts'
import { unratedArmText } from '../tables/unrated-arm.ts'

/** A companion of a score, such as schema precision, is low below this share. */
const lowCompanion = 0.75

/** Lists what a reader of the first screen must know before comparing the arms of a scoring. */
export function firstScreenWarnings(report: Report, scoring: string): string[] {
  const arms = armsOf(report, scoring)
  const names = new Map(report.arms.map(({ id, name }) => [id, name]))
  const unrated = arms.flatMap(arm => {
    const text = unratedArmText(arm, report.scorers)
    return text === null ? [] : [`Not rated by the judge in ${names.get(arm.arm) ?? arm.arm}: ${text}.`]
  })
  return [...unrated, ...fewGroupsWarning(samplesOf(report, arms))]
}

/** Lists what qualifies the scores of the first screen without being a problem. */
export function firstScreenRemarks(report: Report, scoring: string): string[] {
  return lowCompanions(report, armsOf(report, scoring))
}

function armsOf(report: Report, scoring: string): ReportGroup[] {
  return report.groups.filter(group => group.domain === 'all' && scoringOf(group) === scoring)
}

/** Returns the groups of tasks behind the score of each arm. */
function samplesOf(report: Report, groups: readonly ReportGroup[]): { readonly components: number }[] {
  return groups.flatMap(group => {
    const { primary } = metricsOf(report.scorers, group.scorer)
    const components = primary === null ? undefined : group.metrics[primary.key]?.components
    return components === undefined ? [] : [{ components }]
  })
}

/** Lists shares that qualify a score, such as many columns of an answer that the gold does not have. */
function lowCompanions(report: Report, groups: readonly ReportGroup[]): string[] {
  const { companions } = metricsOf(report.scorers, groups[0]?.scorer ?? 'none')
  const names = new Map(report.arms.map(({ id, name }) => [id, name]))
  return companions
    .filter(({ unit, better }) => unit === 'share' && better === 'higher')
    .flatMap(({ key, label, description }) => {
      const known = groups.flatMap(group => {
        const mean = group.metrics[key]?.mean ?? null
        return mean === null ? [] : [{ name: names.get(group.arm) ?? group.arm, mean }]
      })
      const low = known.filter(({ mean }) => mean < lowCompanion).sort((a, b) => a.mean - b.mean)
      const [lowest] = low
      if (lowest === undefined) return []
      return [
        `${capitalised(label)} is below ${percent(lowCompanion)}% in ${low.length} of ${known.length} arms, lowest in ${lowest.name} (${percent(lowest.mean)}%). Definition: ${description}`,
      ]
    })
}
