import { groupBy } from '../../core/group-by.ts'
import type { MetricDefinition } from '../../core/metric.ts'
import { capitalise } from '../../text/plain-text.ts'
import { nameModels } from '../model/arm-names.ts'
import { findWaterfall } from '../model/arm-standings.ts'
import { listComparedGroups } from '../model/common-tasks.ts'
import { listScoringMetrics } from '../model/metrics.ts'
import type { Report } from '../model/report.ts'
import type { ReportGroup } from '../model/report-group.ts'
import type { DifferenceRow, LossClass } from '../model/report-rows.ts'
import { nameScoring } from '../model/scorings.ts'
import { describeLoss } from '../model/waterfall.ts'
import type { ComparisonSentence } from '../page/page-data.ts'
import { formatPooledOver } from '../tables/arm-tables.ts'
import { type TestedDifference, testTexts } from '../tables/difference-tables.ts'
import { formatDomainMeans } from '../tables/domain-means.ts'
import { formatUnratedArm, listFewGroupsWarnings } from '../tables/few-groups.ts'
import { scaleTexts } from '../tables/score-scale.ts'
import {
  convertToUnits,
  formatPercent,
  formatSigned,
  listNarrowRemarks,
  narrowMark,
  sampleText,
} from '../tables/value-text.ts'

/** Which comparisons the sentences are about. */
interface SentencesInput {
  readonly report: Report
  /** The scorer and judge of the first screen. */
  readonly scoring: string
  readonly metric: MetricDefinition
}

/** From this many comparisons on, those between settings come first. */
const maxSentences = 8

/**
 * Says for each comparison which side is better, by how much, and of which class most lost items are: first the differences
 * along one dimension, then those of the arms to the baseline. The numbers are those of the printed tables.
 */
export function listComparisonSentences({ report, scoring, metric }: SentencesInput): ComparisonSentence[] {
  const names = nameArms(report)
  const { of: shortModel } = nameModels(report.arms)
  const pooled = report.pooledDifferences
    .filter(row => nameScoring(row) === scoring)
    .map(row => {
      const [from, to] = [row.from, row.to].map(value =>
        row.dimension === 'model' ? shortModel(value) : value,
      )
      const { claim, detail } = describeDifferenceRow(metric, { row, from: from!, to: to! })
      return { claim, detail: `${detail}, pooled over ${formatPooledOver(row)}.` }
    })
  const rows = report.baselineDifferences.filter(row => nameScoring(row) === scoring)
  const baseline = putExtremesFirst(rows, report, metric).map(row => {
    const from = names.get(row.fromArm) ?? row.from
    const to = names.get(row.arm) ?? row.to
    const loss = nameMainLoss(report, row, metric)
    const { claim, detail } = describeDifferenceRow(metric, { row, from, to })
    return { claim, detail: `${detail}${loss === null ? '' : `; ${loss}`}.` }
  })
  return [...pooled, ...baseline]
}

/**
 * Returns all comparisons. In a sweep, the best and the worst arm of each pair of settings come first, so that a reader of
 * the first ones misses no pair of settings.
 */
function putExtremesFirst(
  rows: readonly DifferenceRow[],
  { arms }: Report,
  { better }: MetricDefinition,
): readonly DifferenceRow[] {
  if (rows.length <= maxSentences) return rows
  const settings = new Map(arms.map(({ id, setting, model }) => [id, `${setting} ${model}`]))
  const pairs = groupBy(rows, row => JSON.stringify([settings.get(row.fromArm), settings.get(row.arm)]))
  const between = [...pairs.values()].filter(
    ([row]) => settings.get(row?.fromArm ?? '') !== settings.get(row?.arm ?? ''),
  )
  const chosen = between.flatMap(pairRows => {
    const ranked = pairRows.toSorted((a, b) => (better === 'higher' ? b.mean - a.mean : a.mean - b.mean))
    return [...new Set([ranked[0]!, ranked.at(-1)!])]
  })
  // Without comparisons of settings, the largest differences are shown.
  const shown = chosen.length > 0 ? chosen : rows.toSorted((a, b) => Math.abs(b.mean) - Math.abs(a.mean))
  return [...new Set([...shown, ...rows])]
}

interface NamedRow {
  readonly row: TestedDifference
  readonly from: string
  readonly to: string
}

function describeDifferenceRow(metric: MetricDefinition, { row, from, to }: NamedRow): ComparisonSentence {
  const { mean, simultaneousLow: low, simultaneousHigh: high, pValueHolm, n, components } = row
  const groups = sampleText(n, components)
  if (Number(convertToUnits(metric, mean).toFixed(1)) === 0)
    return { claim: `${to} and ${from} have the same ${metric.label}`, detail: groups }
  const unit = metric.unit === 'count' ? '' : ' points of'
  const hasInterval = low !== null && high !== null
  const interval = hasInterval
    ? `, 95% [${formatSigned(metric, low)}, ${formatSigned(metric, high)}]${row.unseenShare === undefined ? '' : narrowMark}`
    : ''
  const test = !hasInterval
    ? 'too few groups of tasks for an interval'
    : pValueHolm === null
      ? 'p unknown'
      : testTexts(row, metric).join(', ')
  return {
    claim: `${to} minus ${from}: ${formatSigned(metric, mean)}${unit} ${metric.label}${interval}`,
    detail: `${test}; ${groups}`,
  }
}

/** Names the loss class that grows most from the better to the worse arm, with its share of the loss. */
function nameMainLoss(report: Report, row: DifferenceRow, metric: MetricDefinition): string | null {
  const isWorse = metric.better === 'higher' ? row.mean < 0 : row.mean > 0
  const [better, worse] = isWorse ? [row.fromArm, row.arm] : [row.arm, row.fromArm]
  const [before, after] = [better, worse].map(arm => {
    const group = report.groups.find(other => other.arm === arm && nameScoring(other) === nameScoring(row))
    return group === undefined ? undefined : findWaterfall(report, group)
  })
  if (before === undefined || after === undefined) return null
  const grown = Object.entries(after.classes).map(([name, share]): [LossClass, number] => {
    const lossClass = name as LossClass
    return [lossClass, (share ?? 0) - (before.classes[lossClass] ?? 0)]
  })
  const total = grown.reduce((sum, [, growth]) => sum + Math.max(0, growth), 0)
  const [largest] = grown.toSorted((a, b) => b[1] - a[1])
  if (largest === undefined || total < 0.005) return null
  const [name, growth] = largest
  return `for ${Math.round((100 * growth) / total)}% of the lost items, ${describeLoss(name, after)} (${name})`
}

/** A companion of a score, such as schema precision, is low below this share. */
const lowCompanion = 0.75

/** Returns the names of the arms by their ids. */
function nameArms({ arms }: Report): ReadonlyMap<string, string> {
  return new Map(arms.map(({ id, name }) => [id, name]))
}

/** Lists what a reader of the first screen must know before comparing the arms of a scoring. */
export function listFirstScreenWarnings(report: Report, scoring: string): string[] {
  const arms = listComparedGroups(report, scoring)
  const names = nameArms(report)
  const unrated = arms.flatMap(arm => {
    const text = formatUnratedArm(arm, report.scorers)
    return text === null ? [] : [`Not rated by the judge in ${names.get(arm.arm) ?? arm.arm}: ${text}.`]
  })
  const { primary } = listScoringMetrics(report.scorers, arms[0]?.scorer ?? 'none')
  const key = primary?.key ?? ''
  const measured = [
    ...arms.flatMap(({ metrics }) => metrics[key] ?? []),
    ...[...report.baselineDifferences, ...report.pooledDifferences].filter(
      row => nameScoring(row) === scoring,
    ),
  ]
  return [
    ...unrated,
    ...listFewGroupsWarnings(listPrimarySamples(report, arms)),
    ...listNarrowRemarks(measured),
  ]
}

/** Lists what qualifies the scores of the first screen without being a problem. */
export function listFirstScreenRemarks(report: Report, scoring: string): string[] {
  const arms = listComparedGroups(report, scoring)
  const names = nameArms(report)
  const means = formatDomainMeans(report, arms, ({ arm }) => names.get(arm) ?? arm)
  const scale = scaleTexts(report.scorers, arms, ({ arm }) => names.get(arm) ?? arm)
  return [
    ...[...scale, ...(means === null ? [] : [means])].map(text => `${text}.`),
    ...listLowCompanions(report, arms),
  ]
}

/** Returns the groups of tasks behind the score of each arm. */
function listPrimarySamples(
  report: Report,
  groups: readonly ReportGroup[],
): { readonly components: number }[] {
  return groups.flatMap(group => {
    const { primary } = listScoringMetrics(report.scorers, group.scorer)
    const components = primary === null ? undefined : group.metrics[primary.key]?.components
    return components === undefined ? [] : [{ components }]
  })
}

/** Lists shares that qualify a score, such as many columns of an answer that the gold does not have. */
function listLowCompanions(report: Report, groups: readonly ReportGroup[]): string[] {
  const { companions } = listScoringMetrics(report.scorers, groups[0]?.scorer ?? 'none')
  const names = nameArms(report)
  return companions
    .filter(({ unit, better }) => unit === 'share' && better === 'higher')
    .flatMap(({ key, label, description }) => {
      const knownMeans = groups.flatMap(group => {
        const mean = group.metrics[key]?.mean ?? null
        return mean === null ? [] : [{ name: names.get(group.arm) ?? group.arm, mean }]
      })
      const low = knownMeans.filter(({ mean }) => mean < lowCompanion).sort((a, b) => a.mean - b.mean)
      const [lowest] = low
      if (lowest === undefined) return []
      return [
        `${capitalise(label)} is below ${formatPercent(lowCompanion)}% in ${low.length} of ${knownMeans.length} arms, lowest in ${lowest.name} (${formatPercent(lowest.mean)}%). Definition: ${description}`,
      ]
    })
}
