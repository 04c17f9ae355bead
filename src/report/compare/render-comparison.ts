import { harmless } from '../../core/harmless.ts'
import { modelLegend, modelNaming } from '../model/arm-names.ts'
import { columnMetrics } from '../model/metrics.ts'
import { scoringOf, scorings } from '../model/scorings.ts'
import { csvText } from '../tables/csv-text.ts'
import { differenceTables } from '../tables/difference-tables.ts'
import { efficiencyTables } from '../tables/efficiency-tables.ts'
import { groupCells, groupColumns, modelCell, modelColumn } from '../tables/group-columns.ts'
import { escapeMarkdown, renderMarkdownTable } from '../tables/markdown.ts'
import { percent, withInterval } from '../tables/numbers.ts'
import { type ReportTable, right } from '../tables/report-table.ts'
import { renderTables } from '../tables/terminal.ts'
import { terminationTable } from '../tables/termination-table.ts'
import type { Comparison } from './comparison.ts'
import { type PaperCell, type PaperTable, paperDomainName, paperDomains } from './paper-tables.ts'

/** So many numbers stand side by side on a terminal; more make another table. */
const numbersAbreast = 6

function shown(cell: PaperCell | undefined): string {
  if (cell === undefined || cell.value === null) return '–'
  return `${percent(cell.value / 100)}${cell.arrow}`
}

function withBounds(cell: PaperCell | undefined): string {
  if (cell === undefined || cell.low === null || cell.high === null) return shown(cell)
  return `${shown(cell)} [${percent(cell.low / 100)}, ${percent(cell.high / 100)}]`
}

function spread(cell: PaperCell | undefined): string {
  if (cell === undefined || cell.low === null || cell.high === null) return shown(cell)
  return `${shown(cell)} ±${((cell.high - cell.low) / 2).toFixed(1)}`
}

/** The metrics that any row has a number for; without a judge there is no LLM score. */
function knownMetrics(table: PaperTable): PaperCell['metric'][] {
  const cells = table.rows.flatMap(row => row.cells.filter(cell => cell.value !== null))
  return [...new Set(cells.map(cell => cell.metric))]
}

function layOut(
  table: PaperTable,
  domains: readonly string[],
  text: (cell: PaperCell | undefined) => string,
): ReportTable {
  const models = modelNaming(table.rows)
  const known = knownMetrics(table)
  const columns = domains.flatMap(domain => known.map(metric => ({ domain, metric })))
  return {
    title: table.title,
    columns: [
      { name: 'setting', align: 'left' },
      ...modelColumn(models),
      { name: 'n', align: 'right' },
      { name: 'unscored', align: 'right' },
      ...columns.map(({ domain, metric }) => ({
        name: `${paperDomainName(domain)}\n${metric}`,
        align: 'right' as const,
      })),
    ],
    rows: table.rows.map(row => [
      row.label,
      ...modelCell(row.model, models),
      String(row.n),
      String(row.unscored),
      ...columns.map(({ domain, metric }) =>
        text(row.cells.find(cell => cell.domain === domain && cell.metric === metric)),
      ),
    ]),
    remarks: [
      `Percent over scored attempts; 95% bootstrap over tasks. mean: of the ${table.id.startsWith('task-types') ? 'task types' : 'domains'}.`,
      ...(table.remark === '' ? [] : [table.remark]),
    ],
  }
}

function terminalTables(table: PaperTable): ReportTable[] {
  const domains = paperDomains(table)
  const abreast = Math.max(1, Math.floor(numbersAbreast / knownMetrics(table).length))
  const blocks: ReportTable[] = []
  for (let at = 0; at < domains.length; at += abreast) {
    blocks.push(layOut(table, domains.slice(at, at + abreast), spread))
  }
  return blocks
}

/** Column recall and schema precision beside the F1 scores, over all tasks; one table per scoring. */
function columnTables({ groups }: Comparison): ReportTable[] {
  const scores = columnMetrics('table').filter(metric => metric.role === 'score')
  const shown = groups.filter(group => group.domain === 'all' && group.columnRecall !== null)
  const models = modelNaming(shown)
  return scorings(shown).map(scoring => ({
    title: `Columns found, over all tasks (${scoring})`,
    columns: [
      ...groupColumns(models),
      ...['column recall', 'schema P'].map(right),
      ...scores.map(({ short, primary }) => right(primary ? `${short} [95%]` : short)),
    ],
    rows: shown
      .filter(group => scoringOf(group) === scoring)
      .map(group => [
        ...groupCells(group, models),
        percent(group.columnRecall),
        percent(group.schemaPrecision),
        ...scores.map(({ key, primary }) => (primary ? withInterval(group[key]) : percent(group[key].mean))),
      ]),
    remarks: [
      "'column recall' is the share of gold columns found in the answers. Schema P (precision) is the share of the answers' columns that are gold columns.",
    ],
  }))
}

/** The tables below the paper's: columns found, differences, terminations, and costs, over all tasks. */
function otherTables(comparison: Comparison): ReportTable[] {
  const { costs } = comparison
  return [
    ...columnTables(comparison),
    ...differenceTables(comparison),
    terminationTable(comparison),
    ...efficiencyTables(costs),
  ].filter(table => table.rows.length > 0)
}

/** As text for a terminal; `±` is half the width of the 95% interval, whose ends stand in the other forms. */
export function renderComparison(comparison: Comparison, options: { readonly columns: number }): string {
  const lines = [...modelLegend(comparison.groups), ...comparison.notes.map(note => `Note: ${note}.`)]
  const notes = lines.map(line => `${line}\n`).join('')
  const tables = [...comparison.tables.flatMap(terminalTables), ...otherTables(comparison)]
  return harmless(`${notes}${notes === '' ? '' : '\n'}${renderTables(tables, options)}`)
}

export function comparisonMarkdown(comparison: Comparison): string {
  const tables = comparison.tables.map(table => layOut(table, paperDomains(table), withBounds))
  const lines = [...modelLegend(comparison.groups), ...comparison.notes]
  const notes = lines.map(line => `> ${escapeMarkdown(line)}`)
  return `${[...notes, ...[...tables, ...otherTables(comparison)].map(renderMarkdownTable)].join('\n\n')}\n`
}

/** A row a number, with all that it hangs on. */
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

export function escapeLatex(text: string): string {
  return text.replace(/[\\~^↑↓–]|[&%$#_{}]/g, found => latexSpecials[found] ?? `\\${found}`)
}

/** For the booktabs package: domains side by side, intervals in small print. */
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

/** The files of `--csv DIR` and `--latex DIR`: name and text. */
export function comparisonFiles(comparison: Comparison, format: 'csv' | 'latex'): [string, string][] {
  return comparison.tables.map(table =>
    format === 'csv'
      ? [`${table.id}.csv`, paperTableCsv(table)]
      : [`${table.id}.tex`, paperTableLatex(table)],
  )
}
