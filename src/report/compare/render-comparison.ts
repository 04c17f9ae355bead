import { withoutControlCharacters } from '../../text/plain-text.ts'
import { modelLegend, modelNaming } from '../model/arm-names.ts'
import { metricsOf } from '../model/metrics.ts'
import { scoringOf, scorings } from '../model/scorings.ts'
import { csvText } from '../tables/csv-text.ts'
import { differenceTables } from '../tables/difference-tables.ts'
import { efficiencyTables } from '../tables/efficiency-tables.ts'
import { fewGroupsRemark } from '../tables/few-groups.ts'
import { groupCells, groupColumns, modelCell, modelColumn } from '../tables/group-columns.ts'
import { failureModeTables, waterfallTables } from '../tables/loss-tables.ts'
import { escapeMarkdown, renderMarkdownTable } from '../tables/markdown.ts'
import { brokenHead, headOf, intervalText, metricText } from '../tables/metric-text.ts'
import { unknown } from '../tables/numbers.ts'
import { facetName, type ReportTable, right } from '../tables/report-table.ts'
import { searchServiceTable } from '../tables/search-service-table.ts'
import { renderTables } from '../tables/terminal.ts'
import { terminationTable } from '../tables/termination-table.ts'
import type { Comparison } from './comparison.ts'
import { type PaperCell, type PaperTable, paperDomainName, paperDomains } from './paper-table.ts'

/** A terminal table has at most this many number columns. More are continued in another table. */
const maxNumberColumns = 6

function shown(cell: PaperCell | undefined): string {
  if (cell === undefined || cell.value === null) return unknown
  return `${cell.value.toFixed(1)}${cell.arrow}`
}

/** How the cells of a table show their intervals. */
interface CellFormat {
  text(cell: PaperCell | undefined): string
  /** Explains the interval below the table. */
  readonly remark: string
}

const withBounds: CellFormat = {
  text: cell =>
    cell === undefined || cell.low === null || cell.high === null
      ? shown(cell)
      : `${shown(cell)} [${cell.low.toFixed(1)}, ${cell.high.toFixed(1)}]`,
  remark: 'Brackets: 95% interval over groups.',
}

const withSpread: CellFormat = {
  text: cell =>
    cell === undefined || cell.low === null || cell.high === null
      ? shown(cell)
      : `${shown(cell)} ±${((cell.high - cell.low) / 2).toFixed(1)}`,
  remark: '±: half the width of the 95% interval over groups.',
}

/** Returns the metrics for which any row has a number. Without a judge, for example, there is no LLM score. */
function knownMetrics(table: PaperTable): PaperCell['metric'][] {
  const cells = table.rows.flatMap(row => row.cells.filter(cell => cell.value !== null))
  return [...new Set(cells.map(cell => cell.metric))]
}

/** Returns how many attempts and groups the numbers of a block are based on: `12 (3)`. */
function countText(cells: readonly PaperCell[]): string {
  const [first] = cells
  if (first === undefined) return unknown
  const components = Math.max(...cells.map(cell => cell.components))
  return `${first.n} (${components})`
}

function layOut(table: PaperTable, domains: readonly string[], format: CellFormat): ReportTable {
  const models = modelNaming(table.rows)
  const known = knownMetrics(table)
  const blocks = domains.map(domain => ({ domain, metrics: known }))
  const shownColumns = table.columns.filter(({ head }) => known.includes(head))
  const labels = new Map(shownColumns.map(({ head, label }) => [head, label]))
  const units = shownColumns.every(({ unit }) => unit === 'share') ? 'in percent' : 'with shares in percent'
  return {
    title: table.title,
    columns: [
      { name: 'setting', align: 'left' },
      ...modelColumn(models),
      right('unscored'),
      ...blocks.flatMap(({ domain, metrics }) =>
        ['n (groups)', ...metrics.map(metric => labels.get(metric) ?? metric)].map(name =>
          right(`${paperDomainName(domain, table.by)}\n${name}`),
        ),
      ),
    ],
    rows: table.rows.map(row => [
      row.label,
      ...modelCell(row.model, models),
      String(row.unscored),
      ...blocks.flatMap(({ domain, metrics }) => {
        const cells = row.cells.filter(cell => cell.domain === domain)
        const cellOf = (metric: string): PaperCell | undefined => cells.find(cell => cell.metric === metric)
        return [countText(cells), ...metrics.map(metric => format.text(cellOf(metric)))]
      }),
    ]),
    remarks: [
      `Means over scored attempts, ${units}. ${format.remark} mean: over the ${facetName(table.by)}s.`,
      'n (groups): attempts, and groups of tasks that share documents, which are the independent units.',
      ...fewGroupsRemark(table.rows.flatMap(({ cells }) => cells.filter(({ value }) => value !== null))),
      ...(table.remark === '' ? [] : [table.remark]),
    ],
  }
}

function terminalTables(table: PaperTable): ReportTable[] {
  const domains = paperDomains(table)
  const perTable = Math.max(1, Math.floor(maxNumberColumns / (1 + knownMetrics(table).length)))
  const blocks: ReportTable[] = []
  for (let at = 0; at < domains.length; at += perTable) {
    blocks.push(layOut(table, domains.slice(at, at + perTable), withSpread))
  }
  return blocks
}

/** Shows every metric of a scoring over all tasks. One table for each scoring. */
function metricTables({ groups, scorers, facet }: Comparison): ReportTable[] {
  const shown = groups.filter(group => group.domain === 'all' && group.scored > 0)
  const models = modelNaming(shown)
  return scorings(shown).map(scoring => {
    const own = shown.filter(group => scoringOf(group) === scoring)
    const { columns, companions, primary } = metricsOf(scorers, own[0]?.profile ?? 'none')
    const metrics = [...columns, ...companions]
    return {
      title: `Metrics, over all tasks (${scoring})`,
      columns: [
        ...groupColumns(models, facet),
        ...metrics.map(metric =>
          right(metric === primary ? `${headOf(metric)} [95%]` : brokenHead(headOf(metric))),
        ),
      ],
      rows: own.map(group => [
        ...groupCells(group, models, facet),
        ...metrics.map(metric =>
          metric === primary
            ? intervalText(metric, group.metrics[metric.key])
            : metricText(metric, group.metrics[metric.key]?.mean ?? null),
        ),
      ]),
      remarks: companions.map(metric => `${headOf(metric)}: ${metric.description}`),
    }
  })
}

/** Returns the tables below those of the papers: all metrics, differences, losses, terminations and costs, over all tasks. */
function otherTables(comparison: Comparison, options: { readonly full?: boolean }): ReportTable[] {
  return [
    ...metricTables(comparison),
    ...differenceTables(comparison, { allPairs: options.full === true }),
    ...failureModeTables(comparison),
    ...waterfallTables({ ...comparison, unseen: [], findability: [] }),
    terminationTable(comparison),
    ...efficiencyTables({ ...comparison, groups: comparison.costs }),
    searchServiceTable(comparison.searchServices, comparison.scorers),
  ].filter(table => table.rows.length > 0)
}

/** For more arms, only the table of metrics is printed without `--full`. */
const maxArmsInFull = 12

/** Renders a comparison for a terminal. `±` is half the width of the 95% interval. The other formats have both ends. */
export function renderComparison(
  comparison: Comparison,
  options: { readonly columns: number; readonly full?: boolean },
): string {
  const lines = [...modelLegend(comparison.groups), ...comparison.notes.map(note => `Note: ${note}.`)]
  const notes = lines.map(line => `${line}\n`).join('')
  const tables = [...comparison.tables.flatMap(terminalTables), ...otherTables(comparison, options)]
  const metrics = metricTables(comparison)
  const arms = Math.max(0, ...metrics.map(({ rows }) => rows.length))
  const isShort = options.full !== true && arms > maxArmsInFull
  const left = isShort
    ? `\n${tables.length - metrics.length} tables are left out, because there are ${arms} arms: tables by domain, differences, losses, terminations and costs. Add --full to print them.\n`
    : ''
  const shownTables = renderTables(isShort ? metrics : tables, options)
  return withoutControlCharacters(`${notes}${notes === '' ? '' : '\n'}${shownTables}${left}`)
}

/** Renders a comparison as Markdown. Ends with a newline. */
export function comparisonMarkdown(
  comparison: Comparison,
  options: { readonly full?: boolean } = {},
): string {
  const tables = comparison.tables.map(table => layOut(table, paperDomains(table), withBounds))
  const lines = [...modelLegend(comparison.groups), ...comparison.notes]
  const notes = lines.map(line => `> ${escapeMarkdown(line)}`)
  return `${[...notes, ...[...tables, ...otherTables(comparison, options)].map(renderMarkdownTable)].join('\n\n')}\n`
}

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
    'profile',
    'judge',
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
      table.profile,
      table.judge,
    ]),
  )
  return csvText(header, rows)
}

const latexSpecials: Readonly<Record<string, string>> = {
  '\\': '\\textbackslash{}',
  '~': '\\textasciitilde{}',
  '^': '\\textasciicircum{}',
  '↑': '$\\uparrow$',
  '↓': '$\\downarrow$',
  '–': '--',
}

/** Escapes a text for LaTeX. */
export function escapeLatex(text: string): string {
  return text.replace(/[\\~^↑↓–]|[&%$#_{}]/g, found => latexSpecials[found] ?? `\\${found}`)
}

/** Formats a table as LaTeX for the booktabs package, with domains side by side and intervals in small print. */
export function paperTableLatex(table: PaperTable): string {
  const { columns, rows, remarks } = layOut(table, paperDomains(table), withBounds)
  const cell = (text: string): string => escapeLatex(text).replace(/ (\[[^\]]*\])$/, ' {\\scriptsize $1}')
  const line = (cells: readonly string[]): string => `${cells.join(' & ')} \\\\`
  return [
    '\\begin{table}',
    `\\caption{${escapeLatex([`${table.title}.`, ...remarks].join(' '))}}`,
    `\\begin{tabular}{${columns.map(column => (column.align === 'right' ? 'r' : 'l')).join('')}}`,
    '\\toprule',
    line(columns.map(column => escapeLatex(column.name.replace('\n', ' ')))),
    '\\midrule',
    ...rows.map(row => line(row.map(cell))),
    '\\bottomrule',
    '\\end{tabular}',
    '\\end{table}',
    '',
  ].join('\n')
}

/** Formats the differences of a comparison as CSV, with a line for each. Task types come after domains. */
function differencesCsv({ differences, differencesByTaskType }: Comparison): string {
  const names = [
    ...(['model', 'from', 'to', 'domain', 'metric', 'mean', 'low', 'high', 'n', 'components'] as const),
    ...(['pValue', 'pValueHolm', 'againstFirst', 'profile', 'judge'] as const),
  ]
  const rows = [...differences, ...differencesByTaskType].map(row =>
    names.map(name => (name === 'againstFirst' ? String(row[name]) : row[name])),
  )
  return csvText(names, rows)
}

/** Formats every metric of every arm as CSV, the hallucination and abstention rates among them. */
function metricsCsv({ groups }: Comparison): string {
  const header = ['model', 'setting', 'variant', 'domain', 'metric', 'mean', 'low', 'high', 'n', 'components']
  const rows = groups.flatMap(group =>
    Object.entries(group.metrics).map(([key, { mean, low, high, n, components }]) => [
      ...[group.model, group.setting, group.variant, group.domain, key],
      ...[mean, low, high, n, components, group.profile, group.judge],
    ]),
  )
  return csvText([...header, 'profile', 'judge'], rows)
}

/**
 * Returns the files of `--csv DIR` and `--latex DIR`. The CSV files also have the differences and every metric.
 *
 * @returns pairs of file name and text
 */
export function comparisonFiles(comparison: Comparison, format: 'csv' | 'latex'): [string, string][] {
  if (format === 'latex') return comparison.tables.map(table => [`${table.id}.tex`, paperTableLatex(table)])
  return [
    ...comparison.tables.map((table): [string, string] => [`${table.id}.csv`, paperTableCsv(table)]),
    ['differences.csv', differencesCsv(comparison)],
    ['metrics.csv', metricsCsv(comparison)],
  ]
}
