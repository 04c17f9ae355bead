import { metricsOf } from '../model/metrics.ts'
import type { Report } from '../model/report.ts'
import type { ReportGroup } from '../model/report-group.ts'
import { scoringOf } from '../model/scorings.ts'
import { percent } from '../tables/numbers.ts'

/** With fewer groups of tasks, intervals are wide and small p-values are impossible. */
const fewComponents = 10

/** A companion of a score, such as schema precision, is low below this share. */
const lowCompanion = 0.75

/** Lists what a reader of the first screen must know before comparing the arms of a scoring. */
export function firstScreenWarnings(report: Report, scoring: string): string[] {
  const groups = report.groups.filter(group => group.domain === 'all' && scoringOf(group) === scoring)
  return [...fewGroupsWarning(report, groups), ...companionWarnings(report, groups)]
}

function fewGroupsWarning(report: Report, groups: readonly ReportGroup[]): string[] {
  const counts = groups.flatMap(group => {
    const { primary } = metricsOf(report.scorers, group.profile)
    return primary === null ? [] : (group.metrics[primary.key]?.components ?? [])
  })
  const fewest = Math.min(...counts)
  if (counts.length === 0 || fewest >= fewComponents) return []
  // Each of the 2^n ways to flip signs is equally likely, and a two-sided test counts the mirrored way too.
  const least = 2 ** (1 - fewest)
  return [
    `Warning: the tasks are in only ${fewest} ${fewest === 1 ? 'group' : 'groups'} that share no documents. Intervals are wide, and no p-value can be below ${least.toPrecision(2)}.`,
  ]
}

/** Warns about shares that qualify a score, such as many columns of an answer that the gold does not have. */
function companionWarnings(report: Report, groups: readonly ReportGroup[]): string[] {
  const { companions } = metricsOf(report.scorers, groups[0]?.profile ?? 'none')
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
        `Warning: low ${label} in ${low.length} of ${known.length} arms, lowest in ${lowest.name} (${percent(lowest.mean)}%). ${description}`,
      ]
    })
}
