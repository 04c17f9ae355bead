import { armLabel, type ModelNaming, modelLegend, modelNaming, settingLabel } from '../model/arm-names.ts'
import { degradationTables } from '../model/degradation.ts'
import type { EndRow } from '../model/ends.ts'
import { extractionTables } from '../model/extraction.ts'
import { judgingLine } from '../model/judging.ts'
import type { DifferenceRow, Measure, Report, ReportGroup } from '../model/report.ts'
import { toolFailureLines, toolFailureTable } from '../model/tool-failures.ts'
import { trialTables } from '../model/trials.ts'
import { unscoredLine } from '../model/unscored.ts'
import { efficiencyTables } from './efficiency-tables.ts'
import { groupCells, groupColumns, modelCell, modelColumn } from './group-columns.ts'
import { retrievalTables, waterfallTables } from './loss-tables.ts'
import { percent, pText, signedPercent, withInterval } from './numbers.ts'
import {
  allScorings,
  domainName,
  knownColumns,
  left,
  type ReportTable,
  readingOrder,
  right,
  scoringOf,
  scorings,
} from './report-table.ts'
import { stabilityTables } from './stability.ts'

/** The score that a benchmark is about. */
function scoreOf(group: ReportGroup): { readonly name: string; readonly score: Measure } {
  return group.profile === 'extract-bench'
    ? { name: metricNames.fieldPassRate, score: group.fieldPassRate }
    : { name: metricNames.cellF1, score: group.cellF1 }
}

/** What the settings score, with n, the intervals and the bounds that unscored attempts leave open. */
function comparisonTables(report: Report): ReportTable[] {
  const models = modelNaming(report.groups)
  return scorings(report.groups).map(scoring => {
    const groups = readingOrder(report.groups.filter(group => scoringOf(group) === scoring))
    if (groups[0]?.profile === 'extract-bench') return extractionComparison(scoring, groups, models)
    if (groups[0]?.profile === 'none') return unscoredComparison(groups, models)
    return {
      title: comparisonTitle(scoring, groups, models),
      columns: [
        ...groupColumns(models),
        right('scored'),
        right('pass'),
        right('row\nF1'),
        right('cell F1 [95%]'),
        right('unscored\nas 0'),
        right('column\nrecall'),
        right('schema\nP'),
        right('found'),
      ],
      rows: groups.map(group => [
        ...groupCells(group, models),
        String(group.scored),
        percent(group.passRate.mean),
        percent(group.rowF1.mean),
        withInterval(group.cellF1),
        percent(group.cellF1.meanUnscoredAsZero),
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
      ...['scored', 'valid', 'fields passed [95%]', 'unscored as 0', 'found'].map(right),
    ],
    rows: groups.map(group => [
      ...groupCells(group, models),
      String(group.scored),
      percent(group.passRate.mean),
      withInterval(group.fieldPassRate),
      percent(group.fieldPassRate.meanUnscoredAsZero),
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
    return [
      `${armLabel(group, models)}: ${group.tainted} of ${group.n} attempts met rows of gold outside their documents (leaks.jsonl); without them pass ${percent(clean.passRate.mean)}, row F1 ${percent(clean.rowF1.mean)}, cell F1 ${percent(clean.cellF1.mean)}.`,
    ]
  })
}

/** Why the attempts ended and how many failed, for each setting, model and variant. */
export function terminationTable(report: { readonly ends: readonly EndRow[] }): ReportTable {
  const models = modelNaming(report.ends)
  const isScored = report.ends.some(row => row.profile !== 'none')
  const table = {
    title: `Why the attempts ended ${allScorings(report.ends)}`,
    columns: [
      left('setting'),
      ...modelColumn(models),
      left('cause'),
      left('reason'),
      ...['n', 'share', isScored ? 'passed' : 'answered', 'failed', 'of failures', 'cell F1'].map(right),
    ],
    rows: report.ends.map(row => [
      settingLabel(row),
      ...modelCell(row.model, models),
      row.cause,
      row.reason,
      String(row.n),
      percent(row.share),
      String(row.passed),
      String(row.failed),
      row.failed === 0 ? '' : percent(row.shareOfFailures),
      percent(row.meanCellF1),
    ]),
    remarks: [
      isScored
        ? "Shares of the setting's attempts and of its failures, percent; causes provider, harness and operator are unscored."
        : "Shares of the setting's attempts and of its failures, percent. Without scores, failed is what has no answer.",
    ],
  }
  return isScored ? table : knownColumns(table)
}

const metricNames = {
  cellF1: 'cell F1',
  rowF1: 'row F1',
  passRate: 'pass',
  fieldPassRate: 'fields passed',
} as const

export function differenceTables(report: Pick<Report, 'differences'>): ReportTable[] {
  const models = modelNaming(report.differences)
  return scorings(report.differences).map(scoring => {
    const rows = report.differences.filter(row => scoringOf(row) === scoring)
    const shown = rows.filter(
      row => row.metric === 'cellF1' || row.metric === 'fieldPassRate' || row.domain === 'all',
    )
    return {
      title: `Differences between settings (${scoring})`,
      columns: [
        left('from'),
        left('to'),
        ...modelColumn(models),
        left('domain'),
        left('metric'),
        right('n'),
        right('difference [95%]'),
        right('p'),
      ],
      rows: shown.map(row => differenceCells(row, models)),
      remarks: [
        'Points of percent, paired over the n tasks scored on both sides; p by a sign-flip permutation test.',
      ],
    }
  })
}

function differenceCells(row: DifferenceRow, models: ModelNaming): string[] {
  const interval =
    row.low === null || row.high === null ? '' : ` [${signedPercent(row.low)}, ${signedPercent(row.high)}]`
  return [
    row.from,
    row.to,
    ...modelCell(row.model, models),
    domainName(row.domain),
    metricNames[row.metric],
    String(row.n),
    signedPercent(row.mean) + interval,
    pText(row.pValue),
  ]
}

/** Tables that answer one question. */
export interface ReportSection {
  readonly id: string
  readonly title: string
  readonly tables: readonly ReportTable[]
}

/** The report's questions in reading order, each with the tables that it has rows for. */
export function reportSections(report: Report): ReportSection[] {
  const sections: readonly (readonly [string, string, readonly ReportTable[]])[] = [
    ['results', 'Results', [comparisonTables(report), extractionTables(report), trialTables(report)].flat()],
    ['differences', 'Differences', [differenceTables(report), degradationTables(report)].flat()],
    ['losses', 'Losses', waterfallTables(report)],
    ['ends', 'Terminations', [terminationTable(report), toolFailureTable(report.toolFailures)]],
    ['retrieval', 'Retrieval', retrievalTables(report)],
    ['costs', 'Costs', efficiencyTables(report.groups)],
    ['stability', 'Stability', stabilityTables(report)],
  ]
  return sections.map(([id, title, tables]) => ({
    id,
    title,
    tables: tables.filter(table => table.rows.length > 0),
  }))
}

/** Every table of the report, in reading order. */
export function reportTables(report: Report): ReportTable[] {
  return reportSections(report).flatMap(section => section.tables)
}

/** What the run was made of. */
export function reportFacts({ run }: Report): string[] {
  return [
    `${run.attempts} attempts`,
    ...(run.web === null ? [] : [`web ${run.web}`]),
    ...(run.embedder === null ? [] : [`embedder ${run.embedder}`]),
  ]
}

/** What judging took, and what a reader must know before comparing. */
export function reportNotes(report: Report): string[] {
  const { run, notes, groups } = report
  const unscored = unscoredLine(report, 'RUN')
  const judge = run.judges.length === 0 ? [] : [`Judge ${run.judges.join(', ')}: ${judgingLine(run.judging)}`]
  return [
    ...judge,
    ...modelLegend(groups),
    ...notes.map(note => `Note: ${note}.`),
    ...(unscored === null ? [] : [`Warning: ${unscored}`]),
    ...toolFailureLines(report),
  ]
}

/** The lines that stand above the tables. */
export function reportHeading(report: Report): string[] {
  return [`Run ${report.run.runId}: ${reportFacts(report).join(', ')}`, ...reportNotes(report)]
}
