import { makeTable, type Table } from '../../core/table.ts'
import { listModelLegend } from '../model/arm-names.ts'
import type { Report } from '../model/report.ts'
import { listScorings, nameScoring } from '../model/scorings.ts'
import { listUnscoredLines } from '../model/unscored.ts'
import { makeArmTables, makePooledDifferenceTables } from './arm-tables.ts'
import { makeCausalTables } from './causal-tables.ts'
import { makeComparisonTables, makeTrialTables } from './comparison-tables.ts'
import { makeEfficiencyTables, searchServiceTable } from './cost-tables.ts'
import { makeDegradationTables, makeDifferenceTables, makeSensitivityTables } from './difference-tables.ts'
import { listToolFailureLines, makeTerminationTable, makeToolFailureTable } from './end-tables.ts'
import { formatRepeats, withAgreement } from './judge-text.ts'
import { makeCorrelationTables, makeRadarReportTables } from './layout-tables.ts'
import {
  makeFailureModeTables,
  makeJudgedDocumentsTable,
  makeRetrievalTables,
  makeWaterfallTables,
} from './loss-tables.ts'
import { formatRepeated, writeJudgingLine } from './spending-text.ts'
import { escapeMarkdown, writeMarkdownTable } from './table-formats.ts'

/** The tables that answer one question. */
interface ReportSection {
  readonly id: string
  readonly title: string
  readonly tables: readonly Table[]
}

/** Returns the sections of a report in reading order, with the tables that have rows. */
export function reportSections(report: Report): ReportSection[] {
  const sections: readonly (readonly [string, string, readonly Table[]])[] = [
    [
      'results',
      'Results',
      [
        ...makeArmTables(report),
        ...[makeComparisonTables(report), report.benchmarkTables, makeCorrelationTables(report)].flat(),
        ...makeTrialTables(report),
      ],
    ],
    ['radar', 'Radar charts', makeRadarReportTables(report)],
    [
      'differences',
      'Differences',
      [
        makePooledDifferenceTables(report),
        makeDifferenceTables(report),
        makeSensitivityTables(report),
        makeDegradationTables(report),
      ].flat(),
    ],
    [
      'losses',
      'Losses',
      [makeFailureModeTables(report), makeWaterfallTables(report), makeCausalTables(report.causes)].flat(),
    ],
    ['ends', 'Terminations', [makeTerminationTable(report), makeToolFailureTable(report.toolFailures)]],
    ['retrieval', 'Retrieval', [...makeRetrievalTables(report), makeJudgedDocumentsTable(report)]],
    [
      'costs',
      'Costs',
      [makeEfficiencyTables(report), searchServiceTable(report.searchServices, report.scorers)].flat(),
    ],
    ['stability', 'Stability', makeStabilityTables(report)],
  ]
  return sections.map(([id, title, tables]) => ({
    id,
    title,
    tables: tables
      .filter(table => table.rows.length > 0)
      .map(table => ({ ...table, title: withAgreement(report, table.title) })),
  }))
}

/** Returns all tables of a report in reading order. */
export function reportTables(report: Report): Table[] {
  return reportSections(report).flatMap(section => section.tables)
}

/** Describes a run in a few facts: attempts, web, embedder. */
function reportFacts({ run }: Report): string[] {
  return [
    `${run.attempts} attempts`,
    ...(run.web === null ? [] : [`web ${run.web}`]),
    ...(run.embedder === null ? [] : [`embedder ${run.embedder}`]),
  ]
}

/** A line above the tables: a fact about the run, or something that a reader must know before comparing scores. */
export interface ReportNote {
  readonly kind: 'fact' | 'warning'
  readonly text: string
}

/** Returns the lines with the cost of judging, notes and warnings. */
export function reportNotes(report: Report): ReportNote[] {
  const { run, notes, groups, scorers } = report
  const names = new Set(groups.map(({ scorer }) => scorer))
  const forgiven = Object.entries(scorers).flatMap(([name, { forgives }]) =>
    forgives === undefined || !names.has(name) ? [] : [`Scorer ${name} forgives ${forgives}.`],
  )
  const judge =
    run.judges.length === 0 ? [] : [`Judge ${run.judges.join(', ')}: ${writeJudgingLine(run.judging)}`]
  const repeated = run.repeated === undefined ? [] : [`Not in the tables: ${formatRepeated(run.repeated)}.`]
  const facts = [...judge, ...repeated, ...forgiven, ...listModelLegend(groups)]
  const warnings = [
    ...notes.map(note => `Note: ${note}.`),
    ...listUnscoredLines(report, 'RUN').map(line => `Warning: ${line}`),
    ...listToolFailureLines(report),
  ]
  return [
    ...facts.map(text => ({ kind: 'fact', text }) as const),
    ...warnings.map(text => ({ kind: 'warning', text }) as const),
  ]
}

/** Returns the lines above the tables. */
export function reportHeading(report: Report): string[] {
  const notes = reportNotes(report).map(({ text }) => text)
  return [`Run ${report.run.runId}: ${reportFacts(report).join(', ')}`, ...notes]
}

/** Shows how well repeated scorings of the same attempts agree (AOE paper, Figure 7). */
function makeStabilityTables(report: Report): Table[] {
  return listScorings(report.stability).map(scoring => {
    const stabilityRows = report.stability.filter(row => nameScoring(row) === scoring)
    return makeTable({
      title: `Agreement of ${stabilityRows[0]!.repeats} repeated scorings (${scoring})`,
      rows: stabilityRows.filter(row => row.n > 0),
      columns: column => [
        column('metric', 'text', row => row.metric),
        column('n', 'count', row => row.n),
        column('Pearson', 'agreement', row => row.pearson),
        column('Spearman', 'agreement', row => row.spearman),
      ],
      remarks: [
        'Correlations over attempts scored in every repeat, averaged over pairs of repeats. –: the metric is the same for all attempts.',
        formatRepeats(report, scoring)!,
      ],
    })
  })
}

/** Renders the report as Markdown. Ends with a newline. */
export function renderMarkdown(report: Report): string {
  const [title = '', ...notes] = reportHeading(report)
  const parts = [`## ${escapeMarkdown(title)}`, ...notes.map(note => `> ${escapeMarkdown(note)}`)]
  return `${[...parts, ...reportTables(report).map(writeMarkdownTable)].join('\n\n')}\n`
}
