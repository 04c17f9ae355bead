import { type Arm, optionsText } from '../../core/arm.ts'
import type { ReportGroup } from '../model/report-group.ts'
import { correlationTables } from '../tables/correlation-tables.ts'
import { csvText } from '../tables/csv-text.ts'
import { differenceTables } from '../tables/difference-tables.ts'
import { efficiencyTables } from '../tables/efficiency-tables.ts'
import { latexTable } from '../tables/latex-table.ts'
import { waterfallTables } from '../tables/loss-tables.ts'
import { radarReportTables, radarTableCsv } from '../tables/radar-tables.ts'
import type { ReportTable } from '../tables/report-table.ts'
import { trialTables } from '../tables/trial-tables.ts'
import type { Comparison } from './comparison.ts'
import { countTableCsv } from './count-table-text.ts'
import type { PaperTable } from './paper-table.ts'
import { attemptCountTables, comparedTable, tablesForPapers } from './render-comparison.ts'

/** Formats a table as CSV, with a line for each number and all that it depends on. */
export function paperTableCsv(table: PaperTable): string {
  const header = [
    'model',
    'row',
    'domain',
    'metric',
    'value',
    'low',
    'high',
    'valueUnscoredAsZero',
    'n',
    'components',
    'unscored',
    'arrow',
    'scorer',
    'judge',
    'boundLow',
    'boundHigh',
  ]
  const rows = table.rows.flatMap(row =>
    row.cells.map(cell => [
      row.model,
      row.label,
      cell.domain,
      cell.metric,
      cell.value,
      cell.low,
      cell.high,
      cell.valueUnscoredAsZero,
      cell.n,
      cell.components,
      cell.unscored,
      cell.arrow,
      table.scorer,
      table.judge,
      cell.bounds?.low ?? null,
      cell.bounds?.high ?? null,
    ]),
  )
  return csvText(header, rows)
}

/** Formats a table as LaTeX, with domains side by side and intervals in small print. */
export function paperTableLatex(table: PaperTable): string {
  return latexTable(comparedTable(table))
}

/** Formats the differences of a comparison as CSV, with a line for each. Task types come after domains. */
function differencesCsv({ differences, differencesByTaskType }: Comparison): string {
  const names = [
    ...(['model', 'from', 'to', 'domain', 'metric', 'mean', 'low', 'high', 'n', 'components'] as const),
    ...(['pValue', 'pValueHolm', 'againstFirst', 'scorer', 'judge'] as const),
  ]
  const rows = [...differences, ...differencesByTaskType].map(row =>
    names.map(name => (name === 'againstFirst' ? String(row[name]) : row[name])),
  )
  return csvText(names, rows)
}

const armNames = ['model', 'setting', 'options'] as const
const armCells = ({ model, setting, options }: Arm): string[] => [model, setting, optionsText(options)]

/** Formats every metric of every arm as CSV, the hallucination and abstention rates among them. */
function metricsCsv({ groups }: Comparison): string {
  const header = [...armNames, 'domain', 'metric', 'mean', 'low', 'high', 'n', 'components']
  const rows = groups.flatMap(group =>
    Object.entries(group.metrics).map(([key, { mean, low, high, n, components }]) => [
      ...[...armCells(group), group.domain, key],
      ...[mean, low, high, n, components, group.scorer, group.judge],
    ]),
  )
  return csvText([...header, 'scorer', 'judge'], rows)
}

/** Formats the trials of every metric as CSV, with a line for each N. */
function trialsCsv({ trials }: Comparison): string {
  const names = [
    ...(['domain', 'metric', 'trials', 'tasks'] as const),
    ...(['average', 'maximum', 'minimum', 'successRate', 'scorer', 'judge'] as const),
  ]
  return csvText(
    [...armNames, ...names],
    trials.map(row => [...armCells(row), ...names.map(name => row[name])]),
  )
}

/** Formats the points of all curves over facets as CSV, with a line for each point. */
function curvesCsv({ facetCurves }: Comparison): string {
  const point = ['x', 'from', 'to', 'mean', 'low', 'high', 'n', 'unscored', 'components'] as const
  const rows = facetCurves.flatMap(curve =>
    curve.points.map(one => [
      ...[...armCells(curve), curve.facet, curve.metric],
      ...point.map(name => one[name]),
      ...[curve.scorer, curve.judge],
    ]),
  )
  return csvText([...armNames, 'facet', 'metric', ...point, 'scorer', 'judge'], rows)
}

/** Formats rank correlations as CSV, with a line for each correlation. */
function correlationsCsv({ correlations }: Comparison): string {
  const names = ['by', 'value', 'metric'] as const
  const rows = correlations.flatMap(row =>
    row.columns.map(({ facet, rho }) => [
      ...[...armCells(row), ...names.map(name => row[name])],
      ...[facet, rho, row.n, row.scorer, row.judge],
    ]),
  )
  return csvText([...armNames, ...names, 'facet', 'rho', 'n', 'scorer', 'judge'], rows)
}

/** Formats where items were lost as CSV, with a line for each class. Recall is the class `correct`. */
function lossesCsv({ waterfall }: Comparison): string {
  const header = [...armNames, 'domain', 'class', 'share', 'n', 'scorer', 'judge']
  const rows = waterfall.flatMap(row =>
    [['correct', row.recall] as const, ...Object.entries(row.classes)].map(([name, share]) => [
      ...[...armCells(row), row.domain, name, share, row.n, row.scorer, row.judge],
    ]),
  )
  return csvText(header, rows)
}

/** Formats the mean cost of an attempt as CSV, with a line for each arm. Unknown values are empty. */
function costsCsv({ costs }: Comparison): string {
  const means = ['usd', 'modelCalls', 'searchCalls', 'fetchCalls', 'wallMs'] as const
  const parts = Object.keys(costs[0]?.efficiency ?? {}) as (keyof ReportGroup['efficiency'])[]
  const rows = costs.map(group => [
    ...[...armCells(group), group.n],
    ...means.map(name => group[name]),
    ...parts.map(name => group.efficiency[name]),
  ])
  return csvText([...armNames, 'n', ...means, ...parts], rows)
}

/** Formats the numbers of attempts as CSV, with a line for each arm and domain. */
function countsCsv({ groups }: Comparison): string {
  const header = [
    ...armNames,
    'domain',
    'n',
    'scored',
    'unscored',
    'tasks',
    'scorer',
    'judge',
    'items',
    'unratedItems',
  ]
  const rows = groups
    .filter(({ domain }) => domain !== 'allByDomain')
    .map(group => [
      ...[...armCells(group), group.domain, group.n, group.scored, group.unscored],
      ...[group.tasks, group.scorer, group.judge, group.items, group.unratedItems],
    ])
  return csvText(header, rows)
}

/**
 * Returns the files of `--csv DIR` and `--latex DIR`: the tables of the papers, correlations, trials, differences, losses,
 * costs and numbers of attempts. The CSV files also have every metric, and the points of curves over facets.
 *
 * @returns pairs of file name and text
 */
export function comparisonFiles(comparison: Comparison, format: 'csv' | 'latex'): [string, string][] {
  return format === 'latex' ? latexFiles(comparison) : csvFiles(comparison)
}

function csvFiles(comparison: Comparison): [string, string][] {
  return [
    ...comparison.countTables.map((table): [string, string] => [`${table.id}.csv`, countTableCsv(table)]),
    ...comparison.tables.map((table): [string, string] => [`${table.id}.csv`, paperTableCsv(table)]),
    ...comparison.radarTables.map((table): [string, string] => [`${table.id}.csv`, radarTableCsv(table)]),
    ['differences.csv', differencesCsv(comparison)],
    ...filled('trials.csv', comparison.trials, () => trialsCsv(comparison)),
    ...filled('curves.csv', comparison.facetCurves, () => curvesCsv(comparison)),
    ...filled('correlations.csv', comparison.correlations, () => correlationsCsv(comparison)),
    ['losses.csv', lossesCsv(comparison)],
    ['costs.csv', costsCsv(comparison)],
    ['attempts.csv', countsCsv(comparison)],
    ['metrics.csv', metricsCsv(comparison)],
  ]
}

/** Returns a file with rows, or none when there are no rows. */
function filled(name: string, rows: readonly unknown[], text: () => string): [string, string][] {
  return rows.length === 0 ? [] : [[name, text()]]
}

function latexFiles(comparison: Comparison): [string, string][] {
  const others: readonly (readonly [string, readonly ReportTable[]])[] = [
    ['correlations', correlationTables(comparison)],
    ['trials', trialTables(comparison)],
    ['differences', differenceTables(comparison)],
    ['losses', waterfallTables({ ...comparison, unseen: [], findability: [] })],
    ['costs', efficiencyTables({ ...comparison, groups: comparison.costs })],
    ['attempts', attemptCountTables(comparison)],
  ]
  return [
    ...[...comparison.countTables, ...comparison.tables].map(({ id }, at): [string, string] => [
      `${id}.tex`,
      latexTable(tablesForPapers(comparison)[at]!),
    ]),
    ...radarReportTables(comparison).map((table, at): [string, string] => [
      `${comparison.radarTables[at]!.id}.tex`,
      latexTable(table),
    ]),
    ...others.flatMap(([name, tables]) =>
      tables
        .filter(({ rows }) => rows.length > 0)
        .map((table, at): [string, string] => [
          `${name}${at === 0 ? '' : `-${at + 1}`}.tex`,
          latexTable(table),
        ]),
    ),
  ]
}
