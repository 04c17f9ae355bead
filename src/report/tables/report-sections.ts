import { modelLegend } from '../model/arm-names.ts'
import type { Report } from '../model/report.ts'
import { scoringOf, scorings } from '../model/scorings.ts'
import { unscoredLines } from '../model/unscored.ts'
import { benchmarkTables } from './benchmark-tables.ts'
import { comparisonTables } from './comparison-tables.ts'
import { correlationTables } from './correlation-tables.ts'
import { degradationTables } from './degradation-tables.ts'
import { differenceTables } from './difference-tables.ts'
import { efficiencyTables } from './efficiency-tables.ts'
import { judgedDocumentsTable } from './judged-documents-table.ts'
import { judgingLine } from './judging-line.ts'
import { failureModeTables, retrievalTables, waterfallTables } from './loss-tables.ts'
import { percent } from './numbers.ts'
import { radarReportTables } from './radar-tables.ts'
import { left, type ReportTable, right } from './report-table.ts'
import { searchServiceTable } from './search-service-table.ts'
import { repeatedText } from './sums.ts'
import { terminationTable } from './termination-table.ts'
import { toolFailureLines, toolFailureTable } from './tool-failure-table.ts'
import { trialTables } from './trial-tables.ts'

/** The tables that answer one question. */
export interface ReportSection {
  readonly id: string
  readonly title: string
  readonly tables: readonly ReportTable[]
}

/** Returns the sections of a report in reading order, with the tables that have rows. */
export function reportSections(report: Report): ReportSection[] {
  const sections: readonly (readonly [string, string, readonly ReportTable[]])[] = [
    [
      'results',
      'Results',
      [
        ...[comparisonTables(report), benchmarkTables(report), correlationTables(report)].flat(),
        ...trialTables(report),
      ],
    ],
    ['radar', 'Radar charts', radarReportTables(report)],
    ['differences', 'Differences', [differenceTables(report), degradationTables(report)].flat()],
    ['losses', 'Losses', [failureModeTables(report), waterfallTables(report)].flat()],
    ['ends', 'Terminations', [terminationTable(report), toolFailureTable(report.toolFailures)]],
    ['retrieval', 'Retrieval', [...retrievalTables(report), judgedDocumentsTable(report)]],
    [
      'costs',
      'Costs',
      [efficiencyTables(report), searchServiceTable(report.searchServices, report.scorers)].flat(),
    ],
    ['stability', 'Stability', stabilityTables(report)],
  ]
  return sections.map(([id, title, tables]) => ({
    id,
    title,
    tables: tables.filter(table => table.rows.length > 0),
  }))
}

/** Returns all tables of a report in reading order. */
export function reportTables(report: Report): ReportTable[] {
  return reportSections(report).flatMap(section => section.tables)
}

/** Describes a run in a few facts: attempts, web, embedder. */
export function reportFacts({ run }: Report): string[] {
  return [
    `${run.attempts} attempts`,
    ...(run.web === null ? [] : [`web ${run.web}`]),
    ...(run.embedder === null ? [] : [`embedder ${run.embedder}`]),
  ]
}

/** Returns the lines with the cost of judging, notes and warnings. */
export function reportNotes(report: Report): string[] {
  const { run, notes, groups, scorers } = report
  const used = new Set(groups.map(({ scorer }) => scorer))
  const forgiven = Object.entries(scorers).flatMap(([name, { forgives }]) =>
    forgives === undefined || !used.has(name) ? [] : [`Scorer ${name} forgives ${forgives}.`],
  )
  const judge = run.judges.length === 0 ? [] : [`Judge ${run.judges.join(', ')}: ${judgingLine(run.judging)}`]
  const repeated = run.repeated === undefined ? [] : [`Not in the tables: ${repeatedText(run.repeated)}.`]
  return [
    ...judge,
    ...repeated,
    ...forgiven,
    ...modelLegend(groups),
    ...notes.map(note => `Note: ${note}.`),
    ...unscoredLines(report, 'RUN').map(line => `Warning: ${line}`),
    ...toolFailureLines(report),
  ]
}

/** Returns the lines above the tables. */
export function reportHeading(report: Report): string[] {
  return [`Run ${report.run.runId}: ${reportFacts(report).join(', ')}`, ...reportNotes(report)]
}

/** Shows how well repeated scorings of the same attempts agree (AOE paper, Figure 7). */
function stabilityTables(report: Pick<Report, 'stability'>): ReportTable[] {
  const number = (value: number | null): string => (value === null ? '–' : value.toFixed(3))
  return scorings(report.stability).map(scoring => {
    const all = report.stability.filter(row => scoringOf(row) === scoring)
    const rows = all.filter(row => row.n > 0)
    const { repeats = 0, judgedCells = 0, flippedCells = 0 } = all[0] ?? {}
    const share = judgedCells === 0 ? '' : ` (${percent(flippedCells / judgedCells)}%)`
    return {
      title: `Agreement of ${repeats} repeated scorings (${scoring})`,
      columns: [left('metric'), ...['n', 'Pearson', 'Spearman'].map(right)],
      rows: rows.map(row => [row.metric, String(row.n), number(row.pearson), number(row.spearman)]),
      remarks: [
        'Correlations over attempts scored in every repeat, averaged over pairs of repeats. –: the metric is the same for all attempts.',
        `${flippedCells} of the ${judgedCells} items scored by the judge${share} got different scores in the repeats.`,
      ],
    }
  })
}
