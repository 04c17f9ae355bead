import { armLabel, type ModelNaming, modelNaming } from '../model/arm-names.ts'
import { type AnswerKind, answerKindOf, columnMetrics, primaryOf, tableMetrics } from '../model/metrics.ts'
import type { Measure, Report, ReportGroup } from '../model/report.ts'
import { scoringOf, scorings } from '../model/scorings.ts'
import { groupCells, groupColumns } from './group-columns.ts'
import { percent, withInterval } from './numbers.ts'
import { knownColumns, type ReportTable, readingOrder, right } from './report-table.ts'

/** The score that a benchmark is about. */
function scoreOf(group: ReportGroup): { readonly name: string; readonly score: Measure } {
  const primary = primaryOf(answerKindOf(group.profile) ?? 'table')
  return { name: primary.short, score: group[primary.key] }
}

/** The heads of the metrics of a kind of answer. */
function metricHeads(kind: AnswerKind): string[] {
  return columnMetrics(kind).map(metric => {
    const head = metric.appliesTo[kind]?.head ?? metric.short
    return metric.primary ? `${head} [95%]` : head
  })
}

/** The cells below metricHeads, and the lower bound of the primary metric. */
function metricCells(group: ReportGroup, kind: AnswerKind): string[] {
  return [
    ...columnMetrics(kind).map(({ key, primary }) =>
      primary ? withInterval(group[key]) : percent(group[key].mean),
    ),
    percent(group[primaryOf(kind).key].meanUnscoredAsZero),
  ]
}

/** What the settings score, with n, the intervals and the bounds that unscored attempts leave open. */
export function comparisonTables(report: Report): ReportTable[] {
  const models = modelNaming(report.groups)
  return scorings(report.groups).map(scoring => {
    const groups = readingOrder(report.groups.filter(group => scoringOf(group) === scoring))
    if (answerKindOf(groups[0]?.profile ?? 'none') === 'json')
      return extractionComparison(scoring, groups, models)
    if (groups[0]?.profile === 'none') return unscoredComparison(groups, models)
    return {
      title: comparisonTitle(scoring, groups, models),
      columns: [
        ...groupColumns(models),
        right('scored'),
        ...metricHeads('table').map(right),
        right('unscored\nas 0'),
        right('column\nrecall'),
        right('schema\nP'),
        right('found'),
      ],
      rows: groups.map(group => [
        ...groupCells(group, models),
        String(group.scored),
        ...metricCells(group, 'table'),
        percent(group.columnRecall),
        percent(group.schemaPrecision),
        percent(group.discoveryRecall),
      ]),
      remarks: [
        'Percent; means over scored attempts, trials averaged within a task first; brackets: 95% bootstrap over tasks.',
        "'unscored as 0' is the lower bound of cell F1. 'column recall' is the share of gold columns found in the answers. Extra columns do not lower cell F1; schema P (precision) shows them. 'found' is discovery recall (opened).",
        ...failureRemarks(groups, models),
        ...taintRemarks(groups, models),
      ],
    }
  })
}

/** Attempts without any score, such as imported ones, still tell how many they are and what they found. */
function unscoredComparison(groups: readonly ReportGroup[], models: ModelNaming): ReportTable {
  return knownColumns({
    title: 'Attempts (not scored)',
    columns: [...groupColumns(models), right('tasks'), right('found')],
    rows: groups
      .filter(group => group.domain !== 'allByDomain')
      .map(group => [...groupCells(group, models), String(group.tasks), percent(group.discoveryRecall)]),
    remarks: ['No score stands in the records: nothing is said of rows and cells.'],
  })
}

/** Extractions have no rows and cells; what is shared by all benchmarks stands here, the rest by schema. */
function extractionComparison(
  scoring: string,
  groups: readonly ReportGroup[],
  models: ModelNaming,
): ReportTable {
  return {
    title: comparisonTitle(scoring, groups, models),
    columns: [
      ...groupColumns(models),
      ...['scored', ...metricHeads('json'), 'unscored as 0', 'found'].map(right),
    ],
    rows: groups.map(group => [
      ...groupCells(group, models),
      String(group.scored),
      ...metricCells(group, 'json'),
      percent(group.discoveryRecall),
    ]),
    remarks: [
      "Percent; means over scored attempts, trials averaged within a task first; brackets: 95% bootstrap over tasks. valid: JSON that fits the schema. 'unscored as 0' is the lower bound of fields passed. Row F1, cell F1 and schema precision are of tables alone.",
      ...failureRemarks(groups, models),
      ...taintRemarks(groups, models),
    ],
  }
}

/** A single model is named in the title. */
function comparisonTitle(scoring: string, groups: readonly ReportGroup[], models: ModelNaming): string {
  return `Comparison (${scoring}${models.several ? '' : `, model ${groups[0]?.model}`})`
}

/** The second pair of bounds: what the scores are without attempts that our web disturbed. */
function failureRemarks(groups: readonly ReportGroup[], models: ModelNaming): string[] {
  return groups
    .filter(group => group.infrastructureFailures > 0 && group.domain === 'all')
    .map(group => {
      const { name, score } = scoreOf(group)
      const bounds = `${percent(score.meanUnscoredAsZero)}–${percent(score.mean)}`
      return `${armLabel(group, models)}: in ${group.infrastructureFailures} of ${group.scored} scored attempts the web or our infrastructure failed; ${name} without them ${percent(score.meanWithoutInfrastructureFailures)}, bounds ${bounds}.`
    })
}

/** The scores without attempts that met published answers. */
function taintRemarks(groups: readonly ReportGroup[], models: ModelNaming): string[] {
  return groups.flatMap(group => {
    const clean = group.withoutTainted
    if (clean === null || group.domain !== 'all') return []
    const texts = tableMetrics.map(({ short, key }) => `${short} ${percent(clean[key].mean)}`)
    return [
      `${armLabel(group, models)}: ${group.tainted} of ${group.n} attempts met rows of gold outside their documents (leaks.jsonl); without them ${texts.join(', ')}.`,
    ]
  })
}
