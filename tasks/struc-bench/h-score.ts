import type { TableFormat } from '../../src/text/table-format.ts'
import { publishedHtmlTables } from './html-table.ts'
import { publishedLatexTable } from './latex-table.ts'
import { type PublishedSimilarity, publishedSimilarity } from './similarity.ts'
import { type PublishedTextTable, teamAndPlayer } from './text-table.ts'

/** Struc-Bench's H-Score as its code computes it. */
export interface PublishedHScore {
  /** Text and HTML: 0 to 2; LaTeX: 0 to 3. Negative for long answers. */
  readonly content: number
  /** Text and LaTeX: 0 to 4; HTML: 0 to 3. Negative for long answers. */
  readonly format: number
  /** The parts, by the names of the published code. */
  readonly subscores: Readonly<Record<string, number>>
}

/**
 * Computes the H-Score of an answer to the letter of the published code (gersteinlab/Struc-Bench at 3907ed8). The
 * paper calls for means; the code adds up its parts.
 *
 * @throws PublishedError where the published code raises an exception
 * @throws RangeError when the tables are too large to compare
 */
export function publishedHScore(
  format: TableFormat,
  { prediction, reference }: { readonly prediction: string; readonly reference: string },
): PublishedHScore {
  if (format === 'text') return textScore(prediction, reference)
  return format === 'html' ? htmlScore(prediction, reference) : latexScore(prediction, reference)
}

const same = (left: unknown, right: unknown): number => (left === right ? 1 : 0)
const sumOf = ({ levenshtein, difflib }: PublishedSimilarity): number => levenshtein + difflib

function named(name: string, { levenshtein, difflib }: PublishedSimilarity): Record<string, number> {
  return { [`${name}_levenshtein_score`]: levenshtein, [`${name}_difflib_score`]: difflib }
}

function textScore(prediction: string, reference: string): PublishedHScore {
  const predicted = teamAndPlayer(prediction)
  const gold = teamAndPlayer(reference)
  const team = textParts(predicted.team, gold.team)
  const player = textParts(predicted.player, gold.player)
  const subscores: Record<string, number> = {}
  for (const name of Object.keys(team)) subscores[name] = (team[name]! + player[name]!) / 2
  const sum = (names: readonly string[]): number => names.reduce((total, name) => total + subscores[name]!, 0)
  return {
    content: sum(['data_levenshtein_score', 'data_difflib_score']),
    format: sum([
      ...['num_rows_match', 'num_cols_match', 'columns_levenshtein_score', 'columns_difflib_score'],
    ]),
    subscores,
  }
}

const textParts = (predicted: PublishedTextTable, gold: PublishedTextTable): Record<string, number> => ({
  num_rows_match: same(predicted.rows, gold.rows),
  num_cols_match: same(predicted.columns, gold.columns),
  ...named('columns', publishedSimilarity(predicted.columnNames, gold.columnNames)),
  ...named('data', publishedSimilarity(predicted.cells, gold.cells)),
})

function htmlScore(prediction: string, reference: string): PublishedHScore {
  const { predicted, gold } = publishedHtmlTables(prediction, reference)
  const count = same(predicted.cells.length, gold.cells.length)
  const cells = publishedSimilarity(predicted.cells, gold.cells)
  const structure = publishedSimilarity(predicted.tags, gold.tags)
  return {
    content: sumOf(cells),
    format: count + sumOf(structure),
    subscores: { num_cells_match: count, ...named('cells_text', cells), ...named('struct', structure) },
  }
}

function latexScore(prediction: string, reference: string): PublishedHScore {
  const gold = publishedLatexTable(reference)
  const predicted = publishedLatexTable(prediction)
  const alignment = publishedSimilarity([...predicted.specification], [...gold.specification])
  const data = publishedSimilarity(predicted.rows.flat(), gold.rows.flat())
  const widest = (rows: readonly (readonly string[])[]): number =>
    rows.reduce((width, row) => Math.max(width, row.length), 0)
  const caption = same(predicted.caption, gold.caption)
  const rows = same(predicted.rows.length, gold.rows.length)
  const columns = same(widest(predicted.rows), widest(gold.rows))
  return {
    content: caption + sumOf(data),
    format: sumOf(alignment) + rows + columns,
    subscores: {
      ...named('alignment', alignment),
      ...named('data', data),
      ...{ caption_match_score: caption, num_rows_match: rows, num_cols_match: columns },
    },
  }
}
