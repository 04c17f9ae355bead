import type { Table } from '../../core/table.ts'
import type { DomainStatistics, MeanAndMax } from './task-statistics.ts'

const unknown = '–'

/** The statistics in the layout of Table 2 of the AOE paper: one column for each domain, then one for all tasks. */
export function statisticsTable(
  statistics: readonly DomainStatistics[],
  { title, remarks }: { readonly title: string; readonly remarks: readonly string[] },
): Table {
  // With one domain, the column of all tasks would repeat it.
  const shown = statistics.length === 2 ? statistics.slice(0, 1) : statistics
  const row = (name: string, text: (one: DomainStatistics) => string): string[] => [name, ...shown.map(text)]
  const hasJson = shown.some(one => one.schemaKeys !== null)
  return {
    title,
    columns: [
      { name: 'Metric', type: 'text' },
      ...shown.map(({ domain }) => ({ name: domain, type: 'number-text' as const })),
    ],
    rows: [
      row('Language', one => one.languages.join(', ')),
      row('Tasks (#)', one => String(one.tasks)),
      row('Tables (#)', one => String(one.tables)),
      row('Documents (#)', one => String(one.documents)),
      row('Distinct documents (#)', one => String(one.distinctDocuments)),
      row('Avg Tokens', one => tokensText(one.tokensPerDocument)),
      row('Docs/Table (avg/max)', one => pairText(one.documentsPerTask)),
      row('Rows (avg/max)', one => pairText(one.rows)),
      row('Columns (avg/max)', one => pairText(one.columns)),
      row('Cells (avg/max)', one => pairText(one.cells)),
      row('Total Input Tokens', one => tokensText(one.inputTokensPerTask)),
      ...(hasJson
        ? [
            row('Schema keys (avg/max)', one => pairText(one.schemaKeys)),
            row('Schema depth', one => countText(one.schemaDepth)),
            row('Pages (#)', one => countText(one.pages)),
            row('Pages/Document (avg/max)', one => pairText(one.pagesPerDocument)),
            row('Gold values (#)', one => countText(one.goldLeaves)),
            row('Scored values (avg/max)', one => pairText(one.goldValues)),
            row('Gold tokens (avg/max)', one => pairText(one.goldTokens)),
            row('List items (avg/max)', one => pairText(one.listItems)),
          ]
        : []),
    ],
    remarks,
  }
}

const countText = (count: number | null): string => (count === null ? unknown : String(count))

function pairText(pair: MeanAndMax | null): string {
  if (pair === null) return unknown
  const mean = Number.isInteger(pair.mean) ? String(pair.mean) : pair.mean.toFixed(1)
  return `${mean}/${pair.max}`
}

/** `950`, `69k`, `1.8M`, as the paper writes them. */
function tokensText(tokens: number | null): string {
  if (tokens === null) return unknown
  if (tokens < 1000) return String(Math.round(tokens))
  return tokens < 999_500 ? `${Math.round(tokens / 1000)}k` : `${(tokens / 1e6).toFixed(1)}M`
}
