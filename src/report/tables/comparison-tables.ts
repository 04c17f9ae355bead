import type { MetricDefinition } from '../../core/metric.ts'
import { armLabel, type ModelNaming, modelNaming } from '../model/arm-names.ts'
import { metricsOf, type RunScorers, worstValue } from '../model/metrics.ts'
import type { Report } from '../model/report.ts'
import type { ReportGroup } from '../model/report-group.ts'
import { scoringOf, scorings } from '../model/scorings.ts'
import { fewGroupsRemark } from './few-groups.ts'
import { groupCells, groupColumns } from './group-columns.ts'
import { brokenHead, headOf, intervalText, meanText, metricText, narrowHead } from './metric-text.ts'
import { percent } from './numbers.ts'
import { knownColumns, type ReportTable, readingOrder, right } from './report-table.ts'

/** A column of the comparison table. */
interface MetricColumn {
  readonly head: string
  cell(group: ReportGroup): string
}

/**
 * Returns the columns of a scoring: `answered`, `success` and the scores, the bound if attempts are unscored, then the
 * companions.
 */
function metricColumns(scorers: RunScorers, groups: readonly ReportGroup[]): MetricColumn[] {
  const { columns, companions, primary } = metricsOf(scorers, groups[0]?.scorer ?? 'none')
  const worst = primary === null || !hasUnscored(groups) ? null : worstValue(primary)
  return [
    ...columns.map(metric => ({
      head: metric === primary ? `${headOf(metric)} [95%]` : brokenHead(headOf(metric)),
      cell: (group: ReportGroup) =>
        metric === primary
          ? intervalText(metric, group.metrics[metric.key])
          : meanText(metric, group.metrics[metric.key]),
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
      cell: (group: ReportGroup) => meanText(metric, group.metrics[metric.key]),
    })),
  ]
}

/** Returns the number of groups of tasks with a value of the primary metric. */
function componentsIn(group: ReportGroup, scorers: RunScorers): number {
  const { primary } = metricsOf(scorers, group.scorer)
  return primary === null ? 0 : (group.metrics[primary.key]?.components ?? 0)
}

const hasUnscored = (groups: readonly ReportGroup[]): boolean =>
  groups.some(({ unscored, unratedItems }) => unscored + unratedItems > 0)

const worstText = (metric: MetricDefinition, worst: number): string =>
  metricText(metric, worst).replace(/\.0$/, '')

/** Compares the scores of all arms, with n, intervals, and bounds for unscored attempts. One table for each scoring. */
export function comparisonTables(report: Report): ReportTable[] {
  const { scorers, facet } = report
  const models = modelNaming(report.groups)
  return scorings(report.groups).map(scoring => {
    const groups = readingOrder(report.groups.filter(group => scoringOf(group) === scoring))
    const scorer = groups[0]?.scorer ?? 'none'
    if (scorer === 'none') return unscoredComparison(groups, models, facet)
    const columns = metricColumns(scorers, groups)
    return {
      title: comparisonTitle(scoring, groups, models),
      columns: [
        ...groupColumns(models, facet),
        right('scored'),
        right('groups'),
        ...columns.map(({ head }) => right(head)),
        right('docs\nfound'),
      ],
      rows: groups.map(group => [
        ...groupCells(group, models, facet),
        String(group.scored),
        String(componentsIn(group, scorers)),
        ...columns.map(({ cell }) => cell(group)),
        percent(group.discoveryRecall),
      ]),
      remarks: [
        ...readingRemarks(scorers, groups),
        ...defaultRemarks(groups),
        ...failureRemarks(groups, models, scorers),
        ...taintRemarks(groups, models, scorers),
      ],
    }
  })
}

/** Shows attempts without any score, such as imported ones: how many there are and what they found. */
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
    remarks: ['The records contain no scores, so this table says nothing about the answers.'],
  })
}

/** Explains the columns. */
function readingRemarks(scorers: RunScorers, groups: readonly ReportGroup[]): string[] {
  const { primary, columns, companions } = metricsOf(scorers, groups[0]?.scorer ?? 'none')
  const shown = [...columns, ...companions]
  const unit = shown.every(metric => metric.unit === 'share') ? 'Means in percent' : 'Means'
  const rest = shown.every(metric => metric.unit === 'share') ? '' : ', shares in percent'
  const worst = primary === null || !hasUnscored(groups) ? null : worstValue(primary)
  const bound =
    primary === null || worst === null
      ? []
      : [
          `unscored as ${worstText(primary, worst)}: the ${primary.better === 'higher' ? 'lower' : 'upper'} bound of ${primary.label}, with every unscored attempt, and every item that a judge did not rate, counted as ${worstText(primary, worst)}.`,
        ]
  const others = companions.map(metric => `${headOf(metric)}: ${metric.description}`)
  return [
    `${unit} over scored attempts${rest}. The trials of a task are averaged first. Brackets: 95% interval over groups.`,
    'groups: groups of tasks that share documents. They are the independent units of the interval.',
    ...fewGroupsRemark(groups.map(group => ({ components: componentsIn(group, scorers) }))),
    'answered: share of attempts with an answer that could be read.',
    'success: share of attempts with every item of the gold right, or as --success-at says.',
    ...bound,
    ...others,
    "docs found: share of the task's documents that the agent opened.",
  ]
}

/** Says what the arms have that do not name an option which other arms of their setting name. */
function defaultRemarks(groups: readonly ReportGroup[]): string[] {
  const namesOf = ({ options }: ReportGroup): string[] => Object.keys(options)
  const partly = groups.flatMap(named =>
    namesOf(named).filter(name =>
      groups.some(other => other.setting === named.setting && !namesOf(other).includes(name)),
    ),
  )
  const names = [...new Set(partly)]
  if (names.length === 0) return []
  return [`Arms that do not name ${names.join(', ')} have the default (docs/commands.md lists the defaults).`]
}

/** Names the scoring and, if there is only one, the model. */
function comparisonTitle(scoring: string, groups: readonly ReportGroup[], models: ModelNaming): string {
  return `Comparison (${scoring}${models.several ? '' : `, model ${groups[0]?.model}`})`
}

/** Reports the scores without the attempts during which the web or the infrastructure failed. */
function failureRemarks(groups: readonly ReportGroup[], models: ModelNaming, scorers: RunScorers): string[] {
  return groups
    .filter(group => group.infrastructureFailures > 0 && group.domain === 'all')
    .map(group => {
      const failed = `${armLabel(group, models)}: the web or the infrastructure failed in ${group.infrastructureFailures} of ${group.scored} scored attempts`
      const { primary } = metricsOf(scorers, group.scorer)
      const score = primary === null ? undefined : group.metrics[primary.key]
      if (primary === null || score === undefined) return `${failed}.`
      const text = (value: number | null): string => metricText(primary, value)
      const bounds = `${text(score.meanUnscoredAsZero)}–${text(score.mean)}`
      return `${failed}. ${primary.label} without them: ${text(score.meanWithoutInfrastructureFailures)}, bounds ${bounds}.`
    })
}

/** Reports the scores without the attempts of the leak ledger. */
function taintRemarks(groups: readonly ReportGroup[], models: ModelNaming, scorers: RunScorers): string[] {
  return groups.flatMap(group => {
    const clean = group.withoutTainted
    if (clean === null || group.domain !== 'all') return []
    const texts = metricsOf(scorers, group.scorer).columns.map(
      metric => `${metric.label} ${metricText(metric, clean.metrics[metric.key]?.mean ?? null)}`,
    )
    return [
      `${armLabel(group, models)}: ${group.tainted} of ${group.n} attempts saw gold rows outside the task's documents (see leaks.jsonl). Without them: ${texts.join(', ')}.`,
    ]
  })
}
