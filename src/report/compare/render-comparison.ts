import { groupBy } from '../../core/group-by.ts'
import { column, type MeasuredCell, makeTable, type ReadColumn, type Table } from '../../core/table.ts'
import { withoutControlCharacters } from '../../text/plain-text.ts'
import { listModelLegend } from '../model/arm-names.ts'
import { listComparedWaterfall } from '../model/common-tasks.ts'
import { findMetric } from '../model/metrics.ts'
import type { ReportGroup } from '../model/report-group.ts'
import { listScorings, nameScoring } from '../model/scorings.ts'
import { makeArmTables, makePooledDifferenceTables } from '../tables/arm-tables.ts'
import {
  makeModelColumn,
  makeSettingColumn,
  nameDomain,
  nameFacet,
  nameFacets,
  sortForReading,
} from '../tables/columns.ts'
import { makeComparisonTables, makeTrialTables } from '../tables/comparison-tables.ts'
import { makeEfficiencyTables, searchServiceTable } from '../tables/cost-tables.ts'
import { makeDifferenceTables, makeSensitivityTables } from '../tables/difference-tables.ts'
import { wrapLine } from '../tables/display-width.ts'
import { makeTerminationTable } from '../tables/end-tables.ts'
import { listFewGroupsRemarks } from '../tables/few-groups.ts'
import { withAgreement } from '../tables/judge-text.ts'
import { makeCorrelationTables, makeRadarReportTables } from '../tables/layout-tables.ts'
import { makeFailureModeTables, makeWaterfallTables } from '../tables/loss-tables.ts'
import {
  escapeMarkdown,
  writeLatexTable,
  writeMarkdownTable,
  writeTableCsv,
} from '../tables/table-formats.ts'
import { renderTables } from '../tables/terminal.ts'
import type { Comparison } from './comparison.ts'
import {
  listPaperDomains,
  namePaperDomain,
  type PaperCell,
  type PaperRow,
  type PaperTable,
} from './paper-table.ts'

/** A terminal table has at most this many number columns. More are continued in another table. */
const maxNumberColumns = 6

/** Heads of a terminal table are wrapped into lines of this width. */
const headColumns = 12

/** How the cells of a table show their intervals, and the remark that explains it. */
const intervalRemarks = {
  interval: 'Brackets: 95% interval over groups.',
  spread:
    '±: half the width of the 95% interval over groups. Brackets: both ends, where the mean is not near the middle.',
}

/** Returns the metrics for which any row has a number. Without a judge, for example, there is no LLM score. */
function dropUnknownColumns({ rows, columns }: PaperTable): PaperTable['columns'] {
  const cells = rows.flatMap(row => row.cells.filter(cell => cell.value !== null))
  return columns.filter(({ metric }) => cells.some(cell => cell.metric === metric))
}

/** Lays out a table of a paper, with these domains side by side. */
export function makePaperTable(
  table: PaperTable,
  domains: readonly string[] = listPaperDomains(table),
  style: 'interval' | 'spread' = 'interval',
): Table {
  const { id, title, rows, by, remark } = table
  const columns = dropUnknownColumns(table)
  const cellsIn = (row: PaperRow, domain: string): PaperCell[] =>
    row.cells.filter(cell => cell.domain === domain)
  const block = (domain: string): ReadColumn<PaperRow>[] => {
    const name = namePaperDomain(domain, by)
    return [
      column(
        `${name} n`,
        'sample',
        row => {
          const cells = cellsIn(row, domain)
          const components = Math.max(...cells.map(cell => cell.components))
          return cells.length === 0 ? null : { n: cells[0]!.n, components }
        },
        { head: `${name}\nn (groups)` },
      ),
      ...columns.map(({ metric, label }) =>
        column(
          `${name} ${label}`,
          style,
          (row: PaperRow) => measureCell(cellsIn(row, domain).find(cell => cell.metric === metric)),
          { head: `${name}\n${style === 'spread' ? wrapLine(label, headColumns).join('\n') : label}` },
        ),
      ),
    ]
  }
  const hasUnrated = rows.some(({ unratedItems }) => unratedItems > 0)
  const knownCells = rows.flatMap(({ cells }) => cells.filter(({ value }) => value !== null))
  const hasInterval = rows.some(({ cells }) => cells.some(({ low }) => low !== null))
  const hasMean = listPaperDomains(table).includes('allByDomain')
  return makeTable({
    id,
    title,
    rows,
    columns: column => [
      column('setting', 'text', row => row.label),
      makeModelColumn(),
      hasUnrated
        ? column('unscored', 'number-text', ({ unscored, unratedItems }) =>
            unratedItems === 0 ? String(unscored) : `${unscored} + ${unratedItems} items`,
          )
        : column('unscored', 'count', row => row.unscored),
      ...domains.flatMap(block),
    ],
    remarks: [
      `Means over scored attempts${formatUnits(columns)}.${hasInterval ? ` ${intervalRemarks[style]}` : ''}${hasMean ? ` mean: over the ${nameFacets(by)}.` : ''}`,
      'n (groups): attempts, and groups of tasks that share documents, which are the independent units.',
      ...listFewGroupsRemarks(knownCells),
      ...(remark === '' ? [] : [remark]),
    ],
  })
}

/** Returns a number in its printed unit, as the table has it. */
function measureCell(cell: PaperCell | undefined): MeasuredCell | null {
  if (cell === undefined || cell.value === null) return null
  const { value, low, high, bounds, arrow, unseenShare } = cell
  const isNarrow = unseenShare !== undefined
  return { unit: 'points', mean: value, low, high, bounds, arrow, ...(isNarrow ? { unseenShare } : {}) }
}

function formatUnits(columns: PaperTable['columns']): string {
  const shares = columns.filter(({ unit }) => unit === 'share').length
  if (shares === 0) return ''
  return shares === columns.length ? ', in percent' : ', with shares in percent'
}

/** Divides the domains of a table over several tables that fit a terminal. */
function makeTerminalTables(table: PaperTable): Table[] {
  const domains = listPaperDomains(table)
  const perTable = Math.max(1, Math.floor(maxNumberColumns / (1 + dropUnknownColumns(table).length)))
  const count = Math.ceil(domains.length / perTable)
  return Array.from({ length: count }, (_, at) =>
    makePaperTable(table, domains.slice(at * perTable, (at + 1) * perTable), 'spread'),
  )
}

/** Shows where items were lost over all tasks, because the tables of the papers show the domains. */
function makeLossTables(comparison: Comparison): Table[] {
  const waterfall = listComparedWaterfall(comparison)
  return makeWaterfallTables({ ...comparison, waterfall, unseen: [], findability: [] })
}

/** Returns the tables that are in no paper: arms, all metrics, correlations, trials, differences, losses, terminations and costs, over all tasks. */
function makeOtherTables(comparison: Comparison, { full = false }: { readonly full?: boolean }): Table[] {
  return [
    ...makeArmTables(comparison),
    ...makeComparisonTables(comparison, { isWhole: true }),
    ...makeCorrelationTables(comparison),
    ...makeTrialTables(comparison),
    ...makePooledDifferenceTables(comparison),
    ...makeDifferenceTables(comparison, { allPairs: full }),
    ...makeSensitivityTables(comparison),
    ...makeFailureModeTables(comparison),
    ...makeLossTables(comparison),
    makeTerminationTable(comparison),
    ...makeEfficiencyTables({ ...comparison, groups: comparison.costs }),
    searchServiceTable(comparison.searchServices, comparison.scorers),
  ]
    .filter(table => table.rows.length > 0)
    .map(table => ({ ...table, title: withAgreement(comparison, table.title) }))
}

/** Returns the tables in the layouts of the benchmarks' papers, with all columns side by side. */
export function makeTablesForPapers({ compareTables, tables }: Comparison): Table[] {
  return [...compareTables, ...tables.map(table => makePaperTable(table))]
}

/** Shows how many attempts of each arm are scored, by domain. A table for each scoring. */
export function makeAttemptCountTables({ groups: allGroups, facet }: Comparison): Table[] {
  const groups = allGroups.filter(({ domain }) => domain !== 'allByDomain')
  return listScorings(groups).map(scoring => {
    const scoringGroups = groups.filter(group => nameScoring(group) === scoring)
    const domains = [...new Set(sortForReading(scoringGroups).map(({ domain }) => domain))]
    return makeTable({
      title: `Attempts by ${nameFacet(facet)} (${scoring})`,
      rows: [...groupBy(scoringGroups, ({ arm }) => arm).values()].map(arm => ({ ...arm[0]!, domains: arm })),
      columns: column => [
        makeSettingColumn<ReportGroup & { readonly domains: readonly ReportGroup[] }>(),
        makeModelColumn(),
        ...domains.map(domain =>
          column(
            nameDomain(domain, facet),
            'fraction',
            (row: { readonly domains: readonly ReportGroup[] }) => {
              const group = row.domains.find(candidate => candidate.domain === domain)
              return group === undefined ? null : { part: group.scored, whole: group.n }
            },
          ),
        ),
      ],
      remarks: ['Scored attempts of all attempts.'],
    })
  })
}

/**
 * Returns the files of `--csv DIR` and `--latex DIR`: a file for each table. The tables in CSV have all rows: every metric,
 * pair of arms and number of trials, and the points of curves over facets.
 *
 * @returns pairs of file name and text
 */
export function writeComparisonFiles(comparison: Comparison, format: 'csv' | 'latex'): [string, string][] {
  const isWhole = format === 'csv'
  const fullTables = { allPairs: isWhole, allMetrics: isWhole }
  const byTaskType = { ...comparison, differences: comparison.differencesByTaskType, facet: 'taskType' }
  const groups: readonly (readonly [string, readonly Table[]])[] = [
    ['correlations', makeCorrelationTables(comparison)],
    ['trials', makeTrialTables(comparison, { all: isWhole })],
    ['differences', makeDifferenceTables(comparison, fullTables)],
    ['differences-sensitivity', makeSensitivityTables(comparison)],
    ['differences-by-task-type', isWhole ? makeDifferenceTables(byTaskType, fullTables) : []],
    ['losses', makeLossTables(comparison)],
    ['costs', makeEfficiencyTables({ ...comparison, groups: comparison.costs })],
    ['attempts', makeAttemptCountTables(comparison)],
    ['arms', makeArmTables(comparison)],
    ['differences-pooled', makePooledDifferenceTables(comparison)],
    ['metrics', isWhole ? makeComparisonTables(comparison) : []],
  ]
  const [extension, write] = isWhole ? (['csv', writeTableCsv] as const) : (['tex', writeLatexTable] as const)
  const named = [...makeTablesForPapers(comparison), ...makeRadarReportTables(comparison)]
  return [
    ...named.map((table): [string, string] => [`${table.id}.${extension}`, write(table)]),
    ...groups.flatMap(([name, tables]) =>
      tables
        .filter(({ rows }) => rows.length > 0)
        .map((table, at): [string, string] => [
          `${name}${at === 0 ? '' : `-${at + 1}`}.${extension}`,
          write(table),
        ]),
    ),
    ...(isWhole && comparison.facetCurves.length > 0
      ? [['curves.csv', writeCurvesCsv(comparison)] as [string, string]]
      : []),
  ]
}

/** Makes the table of the points of all curves over facets. */
function writeCurvesCsv({ facetCurves, scorers }: Comparison): string {
  return writeTableCsv(
    makeTable({
      title: 'Curves',
      rows: facetCurves.flatMap(curve =>
        curve.points.map(point => ({
          ...curve,
          ...point,
          definition: findMetric(scorers, curve.scorer, curve.metric),
        })),
      ),
      columns: column => [
        makeSettingColumn(),
        makeModelColumn(),
        column('facet', 'text', row => nameFacet(row.facet)),
        column('metric', 'text', row => row.definition?.label ?? row.metric),
        column('value', 'correlation', row => row.x),
        column('from', 'correlation', row => row.from),
        column('to', 'correlation', row => row.to),
        column('mean', 'mean', ({ definition, mean, low, high }) => ({
          ...{ unit: definition?.unit ?? 'points', mean, low, high },
        })),
        column('n', 'count', row => row.n),
        column('unscored', 'count', row => row.unscored),
        column('groups', 'count', row => row.components),
        column('scoring', 'text', nameScoring),
      ],
    }),
  )
}

/** Which tables of a comparison are printed. */
interface PrintedTables {
  /** Compares all pairs of arms, not only each with the first one. */
  readonly full?: boolean
  /** Also the tables of papers whose benchmark is not that of all tasks. */
  readonly paper?: boolean
}

/** Returns the tables of papers for a terminal: those whose benchmark has all tasks, or all with `paper`. */
function makePrintedPaperTables(comparison: Comparison, { paper = false }: PrintedTables): Table[] {
  return [
    ...comparison.compareTables,
    ...comparison.tables.filter(({ hasOtherTasks }) => paper || !hasOtherTasks).flatMap(makeTerminalTables),
    ...makeRadarReportTables(comparison),
  ]
}

/** Renders the tables of a comparison for a terminal. `±` is half the width of the 95% interval, where the mean is near its middle. The other formats have both ends. */
export function renderComparison(
  comparison: Comparison,
  options: PrintedTables & { readonly columns: number },
): string {
  const lines = [...listModelLegend(comparison.groups), ...comparison.notes.map(note => `Note: ${note}.`)]
  const notes = lines.map(line => `${line}\n`).join('')
  const tables = [...makeOtherTables(comparison, options), ...makePrintedPaperTables(comparison, options)]
  return withoutControlCharacters(`${notes}${notes === '' ? '' : '\n'}${renderTables(tables, options)}`)
}

/** Renders the tables of papers for a terminal, in the layouts that benchmarks and general reports have. */
export function renderPaperTables(comparison: Comparison, options: { readonly columns: number }): string {
  const tables = makePrintedPaperTables(comparison, { paper: true })
  return withoutControlCharacters(renderTables(tables, options))
}

/** Renders a comparison as Markdown. Ends with a newline. */
export function writeComparisonMarkdown(
  comparison: Comparison,
  options: { readonly full?: boolean } = {},
): string {
  const tables = [...makeTablesForPapers(comparison), ...makeRadarReportTables(comparison)]
  const lines = [...listModelLegend(comparison.groups), ...comparison.notes]
  const notes = lines.map(line => `> ${escapeMarkdown(line)}`)
  return `${[...notes, ...[...tables, ...makeOtherTables(comparison, options)].map(writeMarkdownTable)].join('\n\n')}\n`
}
