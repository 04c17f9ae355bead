import { isSameArm } from '../../core/arm.ts'
import { type MetricDefinition, successMetric } from '../../core/metric.ts'
import { column, makeTable, type ReadColumn, type Table } from '../../core/table.ts'
import { labelArm, type ModelNaming, nameModels } from '../model/arm-names.ts'
import {
  findMetric,
  findWorstValue,
  isPrimary,
  listScoringMetrics,
  type RunScorers,
} from '../model/metrics.ts'
import type { Report } from '../model/report.ts'
import type { ReportGroup } from '../model/report-group.ts'
import type { TrialRow } from '../model/report-rows.ts'
import { listScorings, nameScoring } from '../model/scorings.ts'
import {
  groupColumns,
  makeFacetColumn,
  makeMetricColumn,
  makeModelColumn,
  makeSettingColumn,
  measureCell,
  sortForReading,
} from './columns.ts'
import { listFewGroupsRemarks } from './few-groups.ts'
import { scaleTexts } from './score-scale.ts'
import { withKnownColumns } from './text-table.ts'
import { formatMetric, formatMetricHead } from './value-text.ts'

/**
 * Returns the columns of a scoring: `answered`, `success` and the scores, the bound if attempts are unscored, then the
 * companions. The metrics that printed tables leave out are details.
 */
function makeMetricColumns(scorers: RunScorers, groups: readonly ReportGroup[]): ReadColumn<ReportGroup>[] {
  const {
    all: allMetrics,
    columns,
    companions,
    primary,
  } = listScoringMetrics(scorers, groups[0]?.scorer ?? 'none')
  const shown = [...columns, ...companions]
  const worst = primary === null || !hasUnscored(groups) ? null : findWorstValue(primary)
  return [
    ...columns.map(metric => makeMetricColumn(metric, { isPrimary: metric === primary })),
    ...(primary === null ? [] : limitColumns(primary, groups)),
    ...(primary === null || worst === null
      ? []
      : [
          column(
            `unscored as ${formatWorst(primary, worst)}`,
            'mean',
            (group: ReportGroup) => ({
              unit: primary.unit,
              mean: group.metrics[primary.key]?.meanUnscoredAsZero ?? null,
            }),
            { head: `unscored\nas ${formatWorst(primary, worst)}` },
          ),
        ]),
    ...companions.map(metric => makeMetricColumn(metric, { isNarrow: true })),
    ...allMetrics
      .filter(metric => !shown.includes(metric))
      .map(metric => makeMetricColumn(metric, { isDetail: true })),
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
function countComponents(group: ReportGroup, scorers: RunScorers): number {
  const { primary } = listScoringMetrics(scorers, group.scorer)
  return primary === null ? 0 : (group.metrics[primary.key]?.components ?? 0)
}

const hasUnscored = (groups: readonly ReportGroup[]): boolean =>
  groups.some(({ unscored, unratedItems }) => unscored + unratedItems > 0)

const formatWorst = (metric: MetricDefinition, worst: number): string =>
  formatMetric(metric, worst).replace(/\.0$/, '')

const documentsFound = column('docs found', 'share', (group: ReportGroup) => group.discoveryRecall, {
  head: 'docs\nfound',
})

type ComparedMeans = Pick<Report, 'groups' | 'common' | 'scorers' | 'facet'>

/**
 * Compares the scores of all arms, with n, intervals, and bounds for unscored attempts. One table for each scoring. With
 * `isWhole`, the tables have rows only for arms with scores, over all of their tasks.
 */
export function makeComparisonTables(
  { groups: ownTasks, common, scorers, facet }: ComparedMeans,
  { isWhole = false }: { readonly isWhole?: boolean } = {},
): Table[] {
  const all = [...common, ...ownTasks]
  const isOverTasks = ({ domain }: ReportGroup): boolean => domain === 'all' || domain === 'common'
  const shown = isWhole ? all.filter(group => isOverTasks(group) && group.scored > 0) : all
  const models = nameModels(shown)
  return listScorings(shown).map(scoring => {
    const groups = sortForReading(shown.filter(group => nameScoring(group) === scoring))
    if (groups[0]?.scorer === 'none') return makeUnscoredTable(groups, facet)
    const model = models.several ? '' : `, model ${groups[0]?.model}`
    return makeTable({
      title: `Comparison${isWhole ? ' over all tasks' : ''} (${scoring}${model})`,
      rows: groups,
      columns: column => [
        ...(isWhole && common.length === 0 ? groupColumns(facet).slice(1) : groupColumns(facet)),
        column('scored', 'count', group => group.scored),
        column('groups', 'count', group => countComponents(group, scorers)),
        ...makeMetricColumns(scorers, groups),
        documentsFound,
      ],
      remarks: [
        ...listReadingRemarks(scorers, groups),
        ...listCommonRemarks(groups),
        ...scaleRemarks(groups, models, scorers),
        ...listDefaultRemarks(groups),
        ...listFailureRemarks(groups, models, scorers),
        ...listTaintRemarks(groups, models, scorers),
      ],
    })
  })
}

/** Shows attempts without any score, such as imported ones: how many there are and what they found. */
function makeUnscoredTable(groups: readonly ReportGroup[], facet: string): Table {
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
function listReadingRemarks(scorers: RunScorers, groups: readonly ReportGroup[]): string[] {
  const { primary, columns, companions } = listScoringMetrics(scorers, groups[0]?.scorer ?? 'none')
  const shown = [...columns, ...companions]
  const unit = shown.every(metric => metric.unit === 'share') ? 'Means in percent' : 'Means'
  const rest = shown.every(metric => metric.unit === 'share') ? '' : ', shares in percent'
  const worst = primary === null || !hasUnscored(groups) ? null : findWorstValue(primary)
  const bound =
    primary === null || worst === null
      ? []
      : [
          `unscored as ${formatWorst(primary, worst)}: the ${primary.better === 'higher' ? 'lower' : 'upper'} bound of ${primary.label}, with every unscored attempt, and every item that a judge did not rate, counted as ${formatWorst(primary, worst)}.`,
        ]
  const companionRemarks = companions.map(metric => `${formatMetricHead(metric)}: ${metric.description}`)
  return [
    `${unit} over scored attempts${rest}. The trials of a task are averaged first. Brackets: 95% interval over groups.`,
    'groups: groups of tasks that share documents. They are the independent units of the interval.',
    ...listFewGroupsRemarks(groups.map(group => ({ components: countComponents(group, scorers) }))),
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
  return scaleTexts(scorers, rows, group => labelArm(group, models)).map((text, at) =>
    at === 0 ? `floor and ceiling: ${text}.` : `${text}.`,
  )
}

/** Explains the rows over common tasks. */
function listCommonRemarks(groups: readonly ReportGroup[]): string[] {
  const tasks = groups.find(({ domain }) => domain === 'common')?.tasks
  if (tasks === undefined) return []
  return [
    `common tasks: the ${tasks} ${tasks === 1 ? 'task' : 'tasks'} that all arms scored. Compare arms in these rows. In the other rows, each arm has its own tasks.`,
  ]
}

/** Says what the arms have that do not name an option which other arms of their setting name. */
function listDefaultRemarks(groups: readonly ReportGroup[]): string[] {
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
function listFailureRemarks(
  groups: readonly ReportGroup[],
  models: ModelNaming,
  scorers: RunScorers,
): string[] {
  return groups
    .filter(group => group.infrastructureFailures > 0 && group.domain === 'all')
    .map(group => {
      const failed = `${labelArm(group, models)}: the web or the infrastructure failed in ${group.infrastructureFailures} of ${group.scored} scored attempts`
      const { primary } = listScoringMetrics(scorers, group.scorer)
      const score = primary === null ? undefined : group.metrics[primary.key]
      if (primary === null || score === undefined) return `${failed}.`
      const text = (value: number | null): string => formatMetric(primary, value)
      const bounds = `${text(score.meanUnscoredAsZero)}–${text(score.mean)}`
      return `${failed}. ${primary.label} without them: ${text(score.meanWithoutInfrastructureFailures)}, bounds ${bounds}.`
    })
}

/** Reports the scores without the attempts of the leak ledger. */
function listTaintRemarks(
  groups: readonly ReportGroup[],
  models: ModelNaming,
  scorers: RunScorers,
): string[] {
  return groups.flatMap(group => {
    const clean = group.withoutTainted
    if (clean === null || group.domain !== 'all') return []
    const texts = listScoringMetrics(scorers, group.scorer).columns.map(
      metric => `${metric.label} ${formatMetric(metric, clean.metrics[metric.key]?.mean ?? null)}`,
    )
    return [
      `${labelArm(group, models)}: ${group.tainted} of ${group.n} attempts saw gold rows outside the task's documents (see leaks.jsonl). Without them: ${texts.join(', ')}.`,
    ]
  })
}

/** Shows Avg@N, Max@N, Min@N and Pass@N for the largest N of each arm; with `all`, for every N and metric. */
export function makeTrialTables(
  { trials, scorers, facet }: Report,
  { all: isComplete = false }: { readonly all?: boolean } = {},
): Table[] {
  return listScorings(trials).map(scoring => {
    const scoringTrials = trials.filter(row => nameScoring(row) === scoring)
    const rows = scoringTrials.flatMap(row => {
      const metric = findMetric(scorers, row.scorer, row.metric)
      const isShown = row.metric === successMetric.key || isPrimary(scorers, row.scorer, row.metric)
      return metric !== undefined && (isComplete || (isShown && isLargest(row, scoringTrials)))
        ? [{ row, metric }]
        : []
    })
    return makeTable({
      title: `Repeated trials (${scoring})`,
      rows: rows.map(({ row, metric }) => ({ ...row, definition: metric })),
      columns: column => [
        makeFacetColumn(facet),
        makeModelColumn(),
        makeSettingColumn(),
        column('metric', 'text', row => row.definition.label),
        column('tasks', 'count', row => row.tasks),
        column('N', 'count', row => row.trials),
        column('Avg@N', 'mean', row => measureCell(row.definition, { mean: row.average })),
        column('Max@N', 'mean', row => measureCell(row.definition, { mean: row.maximum })),
        column('Min@N', 'mean', row => measureCell(row.definition, { mean: row.minimum })),
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
