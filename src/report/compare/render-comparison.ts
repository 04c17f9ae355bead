import { withoutControlCharacters } from '../../text/plain-text.ts'
import { modelLegend, modelNaming, settingLabel } from '../model/arm-names.ts'
import { groupBy } from '../model/entries.ts'
import { metricsOf } from '../model/metrics.ts'
import type { ReportGroup } from '../model/report-group.ts'
import { scoringOf, scorings } from '../model/scorings.ts'
import { correlationTables } from '../tables/correlation-tables.ts'
import { differenceTables } from '../tables/difference-tables.ts'
import { wrapLine } from '../tables/display-width.ts'
import { efficiencyTables } from '../tables/efficiency-tables.ts'
import { fewGroupsRemark } from '../tables/few-groups.ts'
import { groupCells, groupColumns, modelCell, modelColumn } from '../tables/group-columns.ts'
import { failureModeTables, waterfallTables } from '../tables/loss-tables.ts'
import { escapeMarkdown, renderMarkdownTable } from '../tables/markdown-table.ts'
import { brokenHead, headOf, intervalText, meanText } from '../tables/metric-text.ts'
import { unknown } from '../tables/numbers.ts'
import { radarReportTables } from '../tables/radar-tables.ts'
import {
  domainName,
  facetName,
  facetNames,
  left,
  type ReportTable,
  readingOrder,
  right,
} from '../tables/report-table.ts'
import { searchServiceTable } from '../tables/search-service-table.ts'
import { renderTables } from '../tables/terminal.ts'
import { terminationTable } from '../tables/termination-table.ts'
import { trialTables } from '../tables/trial-tables.ts'
import type { Comparison } from './comparison.ts'
import { countReportTable } from './count-table-text.ts'
import { type PaperCell, type PaperTable, paperDomainName, paperDomains } from './paper-table.ts'

/** A terminal table has at most this many number columns. More are continued in another table. */
const maxNumberColumns = 6

function shown(cell: PaperCell | undefined): string {
  if (cell === undefined || cell.value === null) return unknown
  if (cell.bounds !== null) return `${cell.bounds.low.toFixed(1)}–${cell.bounds.high.toFixed(1)}`
  return `${cell.value.toFixed(1)}${cell.arrow}`
}

/** How the cells of a table show their intervals. */
interface CellFormat {
  text(cell: PaperCell | undefined): string
  /** Returns the head of a metric's column. */
  head(label: string): string
  /** Explains the interval below the table. */
  readonly remark: string
}

const withBounds: CellFormat = {
  text: cell =>
    cell === undefined || cell.low === null || cell.high === null || cell.bounds !== null
      ? shown(cell)
      : `${shown(cell)} [${cell.low.toFixed(1)}, ${cell.high.toFixed(1)}]`,
  head: label => label,
  remark: 'Brackets: 95% interval over groups.',
}

/** Heads of a terminal table are wrapped into lines of this width. */
const headColumns = 12

const withSpread: CellFormat = {
  text: cell =>
    cell === undefined ||
    cell.value === null ||
    cell.low === null ||
    cell.high === null ||
    cell.bounds !== null
      ? shown(cell)
      : isCentred(cell.value, [cell.low, cell.high])
        ? `${shown(cell)} ±${((cell.high - cell.low) / 2).toFixed(1)}`
        : withBounds.text(cell),
  head: label => wrapLine(label, headColumns).join('\n'),
  remark:
    '±: half the width of the 95% interval over groups. Brackets: both ends, where the mean is not near the middle.',
}

/** True when the mean is at most a quarter of the half width away from the middle, so that one number describes both sides. */
function isCentred(mean: number, [low, high]: readonly [number, number]): boolean {
  return Math.abs(mean - (low + high) / 2) <= (high - low) / 8
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
  return {
    title: table.title,
    columns: [
      { name: 'setting', align: 'left' },
      ...modelColumn(models),
      right('unscored'),
      ...blocks.flatMap(({ domain, metrics }) =>
        ['n (groups)', ...metrics.map(metric => format.head(labels.get(metric) ?? metric))].map(name =>
          right(`${paperDomainName(domain, table.by)}\n${name}`),
        ),
      ),
    ],
    rows: table.rows.map(row => [
      row.label,
      ...modelCell(row.model, models),
      row.unratedItems === 0 ? String(row.unscored) : `${row.unscored} + ${row.unratedItems} items`,
      ...blocks.flatMap(({ domain, metrics }) => {
        const cells = row.cells.filter(cell => cell.domain === domain)
        const cellOf = (metric: string): PaperCell | undefined => cells.find(cell => cell.metric === metric)
        return [countText(cells), ...metrics.map(metric => format.text(cellOf(metric)))]
      }),
    ]),
    remarks: [
      `Means over scored attempts${unitsText(shownColumns)}.${intervalRemark(table, format)}${meanRemark(table)}`,
      'n (groups): attempts, and groups of tasks that share documents, which are the independent units.',
      ...fewGroupsRemark(table.rows.flatMap(({ cells }) => cells.filter(({ value }) => value !== null))),
      ...(table.remark === '' ? [] : [table.remark]),
    ],
  }
}

function unitsText(columns: PaperTable['columns']): string {
  const shares = columns.filter(({ unit }) => unit === 'share').length
  if (shares === 0) return ''
  return shares === columns.length ? ', in percent' : ', with shares in percent'
}

/** Explains the intervals, if the table has one. */
function intervalRemark({ rows }: PaperTable, { remark }: CellFormat): string {
  return rows.some(({ cells }) => cells.some(({ low }) => low !== null)) ? ` ${remark}` : ''
}

/** Explains the block with the mean, if the table has one. */
function meanRemark(table: PaperTable): string {
  return paperDomains(table).includes('allByDomain') ? ` mean: over the ${facetNames(table.by)}.` : ''
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
    const { columns, companions, primary } = metricsOf(scorers, own[0]?.scorer ?? 'none')
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
            : meanText(metric, group.metrics[metric.key]),
        ),
      ]),
      remarks: companions.map(metric => `${headOf(metric)}: ${metric.description}`),
    }
  })
}

/** Returns the tables below those of the papers: all metrics, correlations, trials, differences, losses, terminations and costs, over all tasks. */
function otherTables(comparison: Comparison, options: { readonly full?: boolean }): ReportTable[] {
  return [
    ...metricTables(comparison),
    ...correlationTables(comparison),
    ...trialTables(comparison),
    ...differenceTables(comparison, { allPairs: options.full === true }),
    ...failureModeTables(comparison),
    ...waterfallTables({ ...comparison, unseen: [], findability: [] }),
    terminationTable(comparison),
    ...efficiencyTables({ ...comparison, groups: comparison.costs }),
    searchServiceTable(comparison.searchServices, comparison.scorers),
  ].filter(table => table.rows.length > 0)
}

/** Returns a table of a paper with all domains side by side, as Markdown, LaTeX and the page show it. */
export function comparedTable(table: PaperTable): ReportTable {
  return layOut(table, paperDomains(table), withBounds)
}

/** Returns the tables in the layouts of the benchmarks' papers, with all columns side by side. */
export function tablesForPapers({ countTables, tables }: Comparison): ReportTable[] {
  return [...countTables.map(countReportTable), ...tables.map(comparedTable)]
}

/** Shows how many attempts of each arm are scored, by domain. A table for each scoring. */
export function attemptCountTables({ groups: all, facet }: Comparison): ReportTable[] {
  const groups = all.filter(({ domain }) => domain !== 'allByDomain')
  const models = modelNaming(groups)
  return scorings(groups).map(scoring => {
    const own = groups.filter(group => scoringOf(group) === scoring)
    const domains = [...new Set(readingOrder(own).map(({ domain }) => domain))]
    const arms = [...groupBy(own, ({ arm }) => arm).values()]
    return {
      title: `Attempts by ${facetName(facet)} (${scoring})`,
      columns: [
        left('setting'),
        ...modelColumn(models),
        ...domains.map(domain => right(domainName(domain, facet))),
      ],
      rows: arms.map(arm => [
        settingLabel(arm[0]!),
        ...modelCell(arm[0]!.model, models),
        ...domains.map(domain => countOf(arm.find(group => group.domain === domain))),
      ]),
      remarks: ['Scored attempts of all attempts.'],
    }
  })
}

function countOf(group: ReportGroup | undefined): string {
  return group === undefined ? unknown : `${group.scored}/${group.n}`
}

/** For more arms, only the table of metrics is printed without `--full`. */
const maxArmsInFull = 12

/** Renders a comparison for a terminal. `±` is half the width of the 95% interval, where the mean is near its middle. The other formats have both ends. */
export function renderComparison(
  comparison: Comparison,
  options: { readonly columns: number; readonly full?: boolean },
): string {
  const lines = [...modelLegend(comparison.groups), ...comparison.notes.map(note => `Note: ${note}.`)]
  const notes = lines.map(line => `${line}\n`).join('')
  const tables = [
    ...comparison.countTables.map(countReportTable),
    ...comparison.tables.flatMap(terminalTables),
    ...radarReportTables(comparison),
    ...otherTables(comparison, options),
  ]
  const metrics = metricTables(comparison)
  const arms = Math.max(0, ...metrics.map(({ rows }) => rows.length))
  const isShort = options.full !== true && arms > maxArmsInFull
  const leftOut = isShort
    ? `\n${tables.length - metrics.length} tables are left out, because there are ${arms} arms: tables by domain, differences, losses, terminations and costs. Add --full to print them.\n`
    : ''
  const shownTables = renderTables(isShort ? metrics : tables, options)
  return withoutControlCharacters(`${notes}${notes === '' ? '' : '\n'}${shownTables}${leftOut}`)
}

/** Renders a comparison as Markdown. Ends with a newline. */
export function comparisonMarkdown(
  comparison: Comparison,
  options: { readonly full?: boolean } = {},
): string {
  const tables = [...tablesForPapers(comparison), ...radarReportTables(comparison)]
  const lines = [...modelLegend(comparison.groups), ...comparison.notes]
  const notes = lines.map(line => `> ${escapeMarkdown(line)}`)
  return `${[...notes, ...[...tables, ...otherTables(comparison, options)].map(renderMarkdownTable)].join('\n\n')}\n`
}
