import { writeCsv } from '../../text/csv.ts'
import { parseAnswer } from '../answer/parse-answer.ts'
import type { PublishedJudge } from '../contract/judge.ts'
import { publishedOutputTokens, readPublishedAnswer } from '../judge/published-prompts.ts'
import type { JudgeTally } from '../judge/tally.ts'
import { readColumnText, readPandasColumn } from '../pandas/column.ts'
import type { CsvTable } from '../pandas/csv.ts'
import { listColumnTexts } from './cell-grid.ts'
import type { TablesToCompare } from './comparison.ts'
import { createGoldGrid, type GoldSource } from './gold-table.ts'

/**
 * Asks the judge for the answer's table under the gold's header with AOE's published prompt. The published code asks about
 * every table, also when it already has that header.
 *
 * @returns null when no reply contained a table with rows
 */
export async function rewriteAsPublished(
  { gold, answer, answerText }: TablesToCompare,
  judge: PublishedJudge,
  tally: JudgeTally,
): Promise<CsvTable | null> {
  const written =
    answerText === undefined
      ? writeCsv([answer.header, ...answer.rows]).trim()
      : readPublishedAnswer(answerText)
  return await tally.ask(judge, {
    prompt: judge.published.rewrite(written, gold.header),
    maxOutputTokens: publishedOutputTokens.rewrite,
    parse: text => {
      const parsed = parseAnswer(text)
      return parsed.status === 'table' && parsed.rows.length > 0 ? parsed : null
    },
  })
}

/** The gold as pandas writes it, which AOE's published prompts show: with all its columns, and 5.0 beside a missing value. */
export function writePublishedGold(rows: GoldSource['rows']): string {
  const grid = createGoldGrid(rows)
  const columns = grid.header.map((_, column) => readPandasColumn(listColumnTexts(grid, column)))
  const lines = Array.from({ length: grid.rowCount }, (_, row) =>
    columns.map(column => readColumnText(column, row) ?? ''),
  )
  return writeCsv([[...grid.header], ...lines])
}
