import type { MetricDefinition } from '../../core/metric.ts'
import { armLabel, type ModelNaming, modelNaming } from '../model/arm-names.ts'
import { metricsOf, type RunScorers, worstValue } from '../model/metrics.ts'
import type { Report } from '../model/report.ts'
import type { ReportGroup } from '../model/report-group.ts'
import { scoringOf, scorings } from '../model/scorings.ts'
import { groupCells, groupColumns } from './group-columns.ts'
import { brokenHead, headOf, intervalText, metricText, narrowHead } from './metric-text.ts'
import { percent } from './numbers.ts'
import { knownColumns, type ReportTable, readingOrder, right } from './report-table.ts'

/** A column of the comparison. */
interface MetricColumn {
  readonly head: string
  cell(group: ReportGroup): string
}

const meanIn = ({ key }: MetricDefinition, group: ReportGroup): number | null =>
  group.metrics[key]?.mean ?? null

/**
 * The metrics of a scoring: whether there is an answer, how good it is, the bound where some attempts have no score, what
 * qualifies it.
 */
function metricColumns(scorers: RunScorers, groups: readonly ReportGroup[]): MetricColumn[] {
  const { columns, companions, primary } = metricsOf(scorers, groups[0]?.profile ?? 'none')
  const worst = primary === null || !hasUnscored(groups) ? null : worstValue(primary)
  return [
    ...columns.map(metric => ({
      head: metric === primary ? `${headOf(metric)} [95%]` : brokenHead(headOf(metric)),
      cell: (group: ReportGroup) =>
        metric === primary
          ? intervalText(metric, group.metrics[metric.key])
          : metricText(metric, meanIn(metric, group)),
    })),
    ...(primary === null || worst === null
      ? []
      : [
          {
            head: `unscored\nas ${worstText(primary, worst)}`,
            cell: (group: ReportGroup) =>
              metricText(primary, group.metrics[primary.key]?.meanUnscoredAsZero ?? null),
          },
        ]),
    ...companions.map(metric => ({
      head: narrowHead(brokenHead(headOf(metric))),
      cell: (group: ReportGroup) => metricText(metric, meanIn(metric, group)),
    })),
  ]
}

const hasUnscored = (groups: readonly ReportGroup[]): boolean => groups.some(({ unscored }) => unscored > 0)

const worstText = (metric: MetricDefinition, worst: number): string =>
  metricText(metric, worst).replace(/\.0$/, '')

/** What the settings score, with n, the intervals and the bounds that unscored attempts leave open. */
export function comparisonTables(report: Report): ReportTable[] {
  const { scorers, facet } = report
  const models = modelNaming(report.groups)
  return scorings(report.groups).map(scoring => {
    const groups = readingOrder(report.groups.filter(group => scoringOf(group) === scoring))
    const profile = groups[0]?.profile ?? 'none'
    if (profile === 'none') return unscoredComparison(groups, models, facet)
    const columns = metricColumns(scorers, groups)
    return {
      title: comparisonTitle(scoring, groups, models),
      columns: [
        ...groupColumns(models, facet),
        right('scored'),
        ...columns.map(({ head }) => right(head)),
        right('docs\nfound'),
      ],
      rows: groups.map(group => [
        ...groupCells(group, models, facet),
        String(group.scored),
        ...columns.map(({ cell }) => cell(group)),
        percent(group.discoveryRecall),
      ]),
      remarks: [
        ...readingRemarks(scorers, groups),
        ...failureRemarks(groups, models, scorers),
        ...taintRemarks(groups, models, scorers),
      ],
    }
  })
}

/** Attempts without any score, such as imported ones, still tell how many they are and what they found. */
function unscoredComparison(groups: readonly ReportGroup[], models: ModelNaming, facet: string): ReportTable {
  return knownColumns({
    title: 'Attempts (not scored)',
    columns: [...groupColumns(models, facet), right('tasks'), right('docs\nfound')],
    rows: groups
      .filter(group => group.domain !== 'allByDomain')
      .map(group => [
        ...groupCells(group, models, facet),
        String(group.tasks),
        percent(group.discoveryRecall),
      ]),
    remarks: ['No score stands in the records: nothing is said of the answers.'],
  })
}

/** How the columns are to be read. */
function readingRemarks(scorers: RunScorers, groups: readonly ReportGroup[]): string[] {
  const { primary, columns, companions } = metricsOf(scorers, groups[0]?.profile ?? 'none')
  const shown = [...columns, ...companions]
  const unit = shown.every(metric => metric.unit === 'share') ? 'Percent; means' : 'Means'
  const rest = shown.every(metric => metric.unit === 'share') ? '' : '; shares in percent'
  const worst = primary === null || !hasUnscored(groups) ? null : worstValue(primary)
  const bound =
    primary === null || worst === null
      ? []
      : [
          `'unscored as ${worstText(primary, worst)}' is the ${primary.better === 'higher' ? 'lower' : 'upper'} bound of ${primary.label}.`,
        ]
  const others = companions.map(metric => `'${headOf(metric)}': ${metric.description}`)
  return [
    `${unit} over scored attempts, trials averaged within a task first; brackets: 95% bootstrap over tasks${rest}.`,
    [
      "'answered' is the share of attempts with an answer that could be read, 'success' of those with every item of the gold right (or as --success-at says).",
      ...bound,
      ...others,
      "'docs found' is the share of the task's documents that were opened.",
    ].join(' '),
  ]
}

/** A single model is named in the title. */
function comparisonTitle(scoring: string, groups: readonly ReportGroup[], models: ModelNaming): string {
  return `Comparison (${scoring}${models.several ? '' : `, model ${groups[0]?.model}`})`
}

/** The second pair of bounds: what the scores are without attempts that our web disturbed. */
function failureRemarks(groups: readonly ReportGroup[], models: ModelNaming, scorers: RunScorers): string[] {
  return groups
    .filter(group => group.infrastructureFailures > 0 && group.domain === 'all')
    .map(group => {
      const failed = `${armLabel(group, models)}: in ${group.infrastructureFailures} of ${group.scored} scored attempts the web or our infrastructure failed`
      const { primary } = metricsOf(scorers, group.profile)
      const score = primary === null ? undefined : group.metrics[primary.key]
      if (primary === null || score === undefined) return `${failed}.`
      const text = (value: number | null): string => metricText(primary, value)
      const bounds = `${text(score.meanUnscoredAsZero)}–${text(score.mean)}`
      return `${failed}; ${primary.label} without them ${text(score.meanWithoutInfrastructureFailures)}, bounds ${bounds}.`
    })
}

/** The scores without attempts that met published answers. */
function taintRemarks(groups: readonly ReportGroup[], models: ModelNaming, scorers: RunScorers): string[] {
  return groups.flatMap(group => {
    const clean = group.withoutTainted
    if (clean === null || group.domain !== 'all') return []
    const texts = metricsOf(scorers, group.profile).columns.map(
      metric => `${metric.label} ${metricText(metric, clean.metrics[metric.key]?.mean ?? null)}`,
    )
    return [
      `${armLabel(group, models)}: ${group.tainted} of ${group.n} attempts met rows of gold outside their documents (leaks.jsonl); without them ${texts.join(', ')}.`,
    ]
  })
}
