import { isSameArm } from '../../core/arm.ts'
import { type MetricDefinition, successMetric } from '../../core/metric.ts'
import { column, makeTable, type ReadColumn, type Table } from '../../core/table.ts'
import { armLabel, type ModelNaming, modelNaming } from '../model/arm-names.ts'
import { isPrimary, metricNamed, type RunScorers, scoringMetrics, worstValue } from '../model/metrics.ts'
import type { Report } from '../model/report.ts'
import type { ReportGroup } from '../model/report-group.ts'
import type { TrialRow } from '../model/report-rows.ts'
import { nameScoring, scorings } from '../model/scorings.ts'
import {
  facetColumn,
  groupColumns,
  measuredCell,
  metricColumn,
  modelColumn,
  readingOrder,
  settingColumn,
} from './columns.ts'
import { fewGroupsRemark } from './few-groups.ts'
import { scaleTexts } from './score-scale.ts'
import { withKnownColumns } from './text-table.ts'
import { metricHead, metricText } from './value-text.ts'

/**
 * Returns the columns of a scoring: `answered`, `success` and the scores, the bound if attempts are unscored, then the
 * companions. The metrics that printed tables leave out are details.
 */
function metricColumns(scorers: RunScorers, groups: readonly ReportGroup[]): ReadColumn<ReportGroup>[] {
  const {
    all: allMetrics,
    columns,
    companions,
    primary,
  } = scoringMetrics(scorers, groups[0]?.scorer ?? 'none')
  const shown = [...columns, ...companions]
  const worst = primary === null || !hasUnscored(groups) ? null : worstValue(primary)
  return [
    ...columns.map(metric => metricColumn(metric, { isPrimary: metric === primary })),
    ...(primary === null ? [] : limitColumns(primary, groups)),
    ...(primary === null || worst === null
      ? []
      : [
          column(
            `unscored as ${worstText(primary, worst)}`,
            'mean',
            (group: ReportGroup) => ({
              unit: primary.unit,
              mean: group.metrics[primary.key]?.meanUnscoredAsZero ?? null,
            }),
            { head: `unscored\nas ${worstText(primary, worst)}` },
          ),
        ]),
    ...companions.map(metric => metricColumn(metric, { isNarrow: true })),
    ...allMetrics
      .filter(metric => !shown.includes(metric))
      .map(metric => metricColumn(metric, { isDetail: true })),
  ]
}

/** Returns columns for the floor and the ceiling of the primary metric, where they are known. */
function limitColumns(primary: MetricDefinition, groups: readonly ReportGroup[]): ReadColumn<ReportGroup>[] {
  return (['floor', 'ceiling'] as const)
    .filter(name => groups.some(({ metrics }) => metrics[primary.key]?.[name] !== undefined))
    .map(name =>
      column(name, 'mean', ({ metrics }: ReportGroup) => ({
        unit: primary.unit,
        mean: metrics[primary.key]?.[name] ?? null,
      })),
    )
}

/** Returns the number of groups of tasks with a value of the primary metric. */
function componentsIn(group: ReportGroup, scorers: RunScorers): number {
  const { primary } = scoringMetrics(scorers, group.scorer)
  return primary === null ? 0 : (group.metrics[primary.key]?.components ?? 0)
}

const hasUnscored = (groups: readonly ReportGroup[]): boolean =>
  groups.some(({ unscored, unratedItems }) => unscored + unratedItems > 0)

const worstText = (metric: MetricDefinition, worst: number): string =>
  metricText(metric, worst).replace(/\.0$/, '')

const documentsFound = column('docs found', 'share', (group: ReportGroup) => group.discoveryRecall, {
  head: 'docs\nfound',
})

type ComparedMeans = Pick<Report, 'groups' | 'common' | 'scorers' | 'facet'>

/**
 * Compares the scores of all arms, with n, intervals, and bounds for unscored attempts. One table for each scoring. With
 * `isWhole`, the tables have rows only for arms with scores, over all of their tasks.
 */
export function comparisonTables(
  { groups: ownTasks, common, scorers, facet }: ComparedMeans,
  { isWhole = false }: { readonly isWhole?: boolean } = {},
): Table[] {
  const all = [...common, ...ownTasks]
  const isOverTasks = ({ domain }: ReportGroup): boolean => domain === 'all' || domain === 'common'
  const shown = isWhole ? all.filter(group => isOverTasks(group) && group.scored > 0) : all
  const models = modelNaming(shown)
  return scorings(shown).map(scoring => {
    const groups = readingOrder(shown.filter(group => nameScoring(group) === scoring))
    if (groups[0]?.scorer === 'none') return unscoredComparison(groups, facet)
    const model = models.several ? '' : `, model ${groups[0]?.model}`
    return makeTable({
      title: `Comparison${isWhole ? ' over all tasks' : ''} (${scoring}${model})`,
      rows: groups,
      columns: column => [
        ...(isWhole && common.length === 0 ? groupColumns(facet).slice(1) : groupColumns(facet)),
        column('scored', 'count', group => group.scored),
        column('groups', 'count', group => componentsIn(group, scorers)),
        ...metricColumns(scorers, groups),
        documentsFound,
      ],
      remarks: [
        ...readingRemarks(scorers, groups),
        ...commonRemarks(groups),
        ...scaleRemarks(groups, models, scorers),
        ...defaultRemarks(groups),
        ...failureRemarks(groups, models, scorers),
        ...taintRemarks(groups, models, scorers),
      ],
    })
  })
}

/** Shows attempts without any score, such as imported ones: how many there are and what they found. */
function unscoredComparison(groups: readonly ReportGroup[], facet: string): Table {
  return withKnownColumns(
    makeTable({
      title: 'Attempts (not scored)',
      rows: groups.filter(group => group.domain !== 'allByDomain'),
      columns: column => [
        ...groupColumns<ReportGroup>(facet),
        column('tasks', 'count', group => group.tasks),
        documentsFound,
      ],
      remarks: ['The records contain no scores, so this table says nothing about the answers.'],
    }),
  )
}

/** Explains the columns. */
function readingRemarks(scorers: RunScorers, groups: readonly ReportGroup[]): string[] {
  const { primary, columns, companions } = scoringMetrics(scorers, groups[0]?.scorer ?? 'none')
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
  const companionRemarks = companions.map(metric => `${metricHead(metric)}: ${metric.description}`)
  return [
    `${unit} over scored attempts${rest}. The trials of a task are averaged first. Brackets: 95% interval over groups.`,
    'groups: groups of tasks that share documents. They are the independent units of the interval.',
    ...fewGroupsRemark(groups.map(group => ({ components: componentsIn(group, scorers) }))),
    'answered: share of attempts with an answer that could be read.',
    'success: share of attempts with every item of the gold right, or as --success-at says.',
    ...bound,
    ...companionRemarks,
    "docs found: share of the task's documents that the agent opened.",
  ]
}

/** Explains floor and ceiling, and says which metrics rate keys that the question gives. */
function scaleRemarks(groups: readonly ReportGroup[], models: ModelNaming, scorers: RunScorers): string[] {
  const rows = groups.filter(({ domain }) => domain === 'all')
  return scaleTexts(scorers, rows, group => armLabel(group, models)).map((text, at) =>
    at === 0 ? `floor and ceiling: ${text}.` : `${text}.`,
  )
}

/** Explains the rows over common tasks. */
function commonRemarks(groups: readonly ReportGroup[]): string[] {
  const tasks = groups.find(({ domain }) => domain === 'common')?.tasks
  if (tasks === undefined) return []
  return [
    `common tasks: the ${tasks} ${tasks === 1 ? 'task' : 'tasks'} that all arms scored. Compare arms in these rows. In the other rows, each arm has its own tasks.`,
  ]
}

/** Says what the arms have that do not name an option which other arms of their setting name. */
function defaultRemarks(groups: readonly ReportGroup[]): string[] {
  const namesOf = ({ options }: ReportGroup): string[] => Object.keys(options)
  const partly = groups.flatMap(named =>
    namesOf(named).filter(name =>
      groups.some(candidate => candidate.setting === named.setting && !namesOf(candidate).includes(name)),
    ),
  )
  const names = [...new Set(partly)]
  if (names.length === 0) return []
  return [`Arms that do not name ${names.join(', ')} have the default (docs/commands.md lists the defaults).`]
}

/** Reports the scores without the attempts during which the web or the infrastructure failed. */
function failureRemarks(groups: readonly ReportGroup[], models: ModelNaming, scorers: RunScorers): string[] {
  return groups
    .filter(group => group.infrastructureFailures > 0 && group.domain === 'all')
    .map(group => {
      const failed = `${armLabel(group, models)}: the web or the infrastructure failed in ${group.infrastructureFailures} of ${group.scored} scored attempts`
      const { primary } = scoringMetrics(scorers, group.scorer)
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
    const texts = scoringMetrics(scorers, group.scorer).columns.map(
      metric => `${metric.label} ${metricText(metric, clean.metrics[metric.key]?.mean ?? null)}`,
    )
    return [
      `${armLabel(group, models)}: ${group.tainted} of ${group.n} attempts saw gold rows outside the task's documents (see leaks.jsonl). Without them: ${texts.join(', ')}.`,
    ]
  })
}

/** Shows Avg@N, Max@N, Min@N and Pass@N for the largest N of each arm; with `all`, for every N and metric. */
export function trialTables(
  { trials, scorers, facet }: Report,
  { all: isComplete = false }: { readonly all?: boolean } = {},
): Table[] {
  return scorings(trials).map(scoring => {
    const scoringTrials = trials.filter(row => nameScoring(row) === scoring)
    const rows = scoringTrials.flatMap(row => {
      const metric = metricNamed(scorers, row.scorer, row.metric)
      const isShown = row.metric === successMetric.key || isPrimary(scorers, row.scorer, row.metric)
      return metric !== undefined && (isComplete || (isShown && isLargest(row, scoringTrials)))
        ? [{ row, metric }]
        : []
    })
    return makeTable({
      title: `Repeated trials (${scoring})`,
      rows: rows.map(({ row, metric }) => ({ ...row, definition: metric })),
      columns: column => [
        facetColumn(facet),
        modelColumn(),
        settingColumn(),
        column('metric', 'text', row => row.definition.label),
        column('tasks', 'count', row => row.tasks),
        column('N', 'count', row => row.trials),
        column('Avg@N', 'mean', row => measuredCell(row.definition, { mean: row.average })),
        column('Max@N', 'mean', row => measuredCell(row.definition, { mean: row.maximum })),
        column('Min@N', 'mean', row => measuredCell(row.definition, { mean: row.minimum })),
        column('Pass@N', 'share', row => row.successRate),
      ],
      remarks: [
        "Over tasks with at least N scored trials, shares in percent. Avg@N: mean of a task's trials. Max@N and Min@N: expected best and worst of N trials. Pass@N: probability that at least one of N trials is a success. Min@N of success: probability that all N are.",
      ],
    })
  })
}

function isLargest(row: TrialRow, trials: readonly TrialRow[]): boolean {
  return !trials.some(
    candidate =>
      candidate.trials > row.trials &&
      candidate.metric === row.metric &&
      candidate.domain === row.domain &&
      isSameArm(candidate, row),
  )
}
