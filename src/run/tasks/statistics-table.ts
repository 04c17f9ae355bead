import type { Table } from '../../core/table.ts'
import type { DomainStatistics, MeanAndMax } from './task-statistics.ts'

const unknown = '–'

/** The statistics in the layout of Table 2 of the AOE paper: one column for each domain, then one for all tasks. */
export function makeStatisticsTable(
  statistics: readonly DomainStatistics[],
  { title, remarks }: { readonly title: string; readonly remarks: readonly string[] },
): Table {
  // With one domain, the column of all tasks would repeat it.
  const shown = statistics.length === 2 ? statistics.slice(0, 1) : statistics
  const row = (name: string, text: (figures: DomainStatistics) => string): string[] => [
    name,
    ...shown.map(text),
  ]
  const hasJson = shown.some(figures => figures.schemaKeys !== null)
  return {
    title,
    columns: [
      { name: 'Metric', type: 'text' },
      ...shown.map(({ domain }) => ({ name: domain, type: 'number-text' as const })),
    ],
    rows: [
      row('Language', figures => figures.languages.join(', ')),
      row('Tasks (#)', figures => String(figures.tasks)),
      row('Tables (#)', figures => String(figures.tables)),
      row('Documents (#)', figures => String(figures.documents)),
      row('Distinct documents (#)', figures => String(figures.distinctDocuments)),
      row('Avg Tokens', figures => formatTokens(figures.tokensPerDocument)),
      row('Docs/Table (avg/max)', figures => formatPair(figures.documentsPerTask)),
      row('Rows (avg/max)', figures => formatPair(figures.rows)),
      row('Columns (avg/max)', figures => formatPair(figures.columns)),
      row('Cells (avg/max)', figures => formatPair(figures.cells)),
      row('Total Input Tokens', figures => formatTokens(figures.inputTokensPerTask)),
      ...(hasJson
        ? [
            row('Schema keys (avg/max)', figures => formatPair(figures.schemaKeys)),
            row('Schema depth', figures => countText(figures.schemaDepth)),
            row('Pages (#)', figures => countText(figures.pages)),
            row('Pages/Document (avg/max)', figures => formatPair(figures.pagesPerDocument)),
            row('Gold values (#)', figures => countText(figures.goldLeaves)),
            row('Scored values (avg/max)', figures => formatPair(figures.goldValues)),
            row('Gold tokens (avg/max)', figures => formatPair(figures.goldTokens)),
            row('List items (avg/max)', figures => formatPair(figures.listItems)),
          ]
        : []),
    ],
    remarks,
  }
}

const countText = (count: number | null): string => (count === null ? unknown : String(count))

function formatPair(pair: MeanAndMax | null): string {
  if (pair === null) return unknown
  const mean = Number.isInteger(pair.mean) ? String(pair.mean) : pair.mean.toFixed(1)
  return `${mean}/${pair.max}`
}

/** `950`, `69k`, `1.8M`, as the paper writes them. */
function formatTokens(tokens: number | null): string {
  if (tokens === null) return unknown
  if (tokens < 1000) return String(Math.round(tokens))
  return tokens < 999_500 ? `${Math.round(tokens / 1000)}k` : `${(tokens / 1e6).toFixed(1)}M`
}
