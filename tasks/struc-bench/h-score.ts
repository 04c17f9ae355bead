import { computeElementRatio } from '../../src/score/fuzzy/difflib.ts'
import { numberElements } from '../../src/score/fuzzy/overlap.ts'
import { pythonStrip } from '../../src/score/python/text.ts'
import type { TableFormat } from '../../src/text/table-format.ts'
import { readPublishedHtmlTables } from './html-table.ts'
import { readPublishedLatexTable } from './latex-table.ts'

/** A table in running text, as Struc-Bench's code reads it. */
interface PublishedTextTable {
  /** All rows, the first one with the column names included. */
  readonly rows: number
  /** The cells of the widest row. */
  readonly columns: number
  readonly columnNames: readonly string[]
  /** The cells below the column names, row by row. */
  readonly cells: readonly string[]
}

/** The two tables of a game report. */
interface TeamAndPlayer {
  readonly team: PublishedTextTable
  readonly player: PublishedTextTable
}

/**
 * Finds the Team and Player tables of a text as Struc-Bench's code does. Team's text reaches from the first bar after
 * the word `team` to the last bar before the word `player`; Player's from the first bar after `player` to the last of
 * all. A search that fails returns -1, which then selects the last character, as in Python.
 */
function splitTeamAndPlayer(text: string): TeamAndPlayer {
  const lower = text.toLowerCase()
  const team = lower.indexOf('team')
  const player = findFrom(lower, team, 'player')
  const teamStart = findFrom(lower, team, '|')
  const teamEnd = text.slice(0, player).lastIndexOf('|')
  const playerStart = findFrom(lower, player, '|')
  const playerEnd = text.lastIndexOf('|')
  return {
    team: readTable(text.slice(teamStart, teamEnd + 1)),
    player: readTable(text.slice(playerStart, playerEnd + 1)),
  }
}

/** The position of a text at or after a start. A negative start counts from the end, as in Python's slices. */
function findFrom(text: string, start: number, part: string): number {
  const position = text.slice(start).indexOf(part)
  return position < 0 ? -1 : start + position
}

function readTable(text: string): PublishedTextTable {
  let rows = text
    .split(/\n|<NEWLINE>|<newline>/)
    .map(line => line.split('|').map(pythonStrip))
    .filter(cells => !cells.every(cell => /^[-=]*$/.test(cell)))
  if (rows.every(cells => cells[0] === '')) rows = rows.map(cells => cells.slice(1))
  if (rows.every(cells => cells.at(-1) === '')) rows = rows.map(cells => cells.slice(0, -1))
  return {
    rows: rows.length,
    columns: Math.max(0, ...rows.map(cells => cells.length)),
    columnNames: rows[0] ?? [],
    cells: rows.slice(1).flat(),
  }
}

/** The two similarities that Struc-Bench adds up. */
interface PublishedSimilarity {
  /** 1 - edit distance / (2 x the gold's length); 0 for an empty gold, and below 0 for a long answer. */
  readonly levenshtein: number
  /** The ratio of Python's difflib.SequenceMatcher; 1 for two empty sequences. */
  readonly difflib: number
}

/** The most pairs of elements that are compared. More would take minutes. */
const mostPairs = 1_000_000_000

/**
 * Compares two sequences element by element, as Struc-Bench's code does. A text is a sequence of characters.
 *
 * @throws RangeError when there are more than `mostPairs` pairs of elements
 */
function computePublishedSimilarity(
  predicted: readonly string[],
  gold: readonly string[],
): PublishedSimilarity {
  if (predicted.length * gold.length > mostPairs)
    throw new RangeError(
      `too large: ${gold.length} parts beside ${predicted.length}, at most ${mostPairs} pairs`,
    )
  const [left, right] = numberElements(predicted, gold)
  return {
    levenshtein: right.length === 0 ? 0 : 1 - computeEditDistance(left, right) / (2 * right.length),
    difflib: computeElementRatio(left, right),
  }
}

function computeEditDistance(left: readonly number[], right: readonly number[]): number {
  let start = 0
  while (start < left.length && start < right.length && left[start] === right[start]) start += 1
  const column = Int32Array.from({ length: right.length - start + 1 }, (_, j) => j)
  for (let i = start; i < left.length; i += 1) {
    let diagonal = column[0]!
    column[0] = i - start + 1
    for (let j = 1; j < column.length; j += 1) {
      const above = column[j]!
      const replaced = diagonal + (left[i] === right[start + j - 1] ? 0 : 1)
      column[j] = Math.min(replaced, above + 1, column[j - 1]! + 1)
      diagonal = above
    }
  }
  return column.at(-1)!
}

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
export function computePublishedHScore(
  format: TableFormat,
  { prediction, reference }: { readonly prediction: string; readonly reference: string },
): PublishedHScore {
  if (format === 'text') return scoreText(prediction, reference)
  return format === 'html' ? scoreHtml(prediction, reference) : scoreLatex(prediction, reference)
}

const same = (left: unknown, right: unknown): number => (left === right ? 1 : 0)
const sumOf = ({ levenshtein, difflib }: PublishedSimilarity): number => levenshtein + difflib

function named(name: string, { levenshtein, difflib }: PublishedSimilarity): Record<string, number> {
  return { [`${name}_levenshtein_score`]: levenshtein, [`${name}_difflib_score`]: difflib }
}

function scoreText(prediction: string, reference: string): PublishedHScore {
  const predicted = splitTeamAndPlayer(prediction)
  const gold = splitTeamAndPlayer(reference)
  const team = splitTextParts(predicted.team, gold.team)
  const player = splitTextParts(predicted.player, gold.player)
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

const splitTextParts = (predicted: PublishedTextTable, gold: PublishedTextTable): Record<string, number> => ({
  num_rows_match: same(predicted.rows, gold.rows),
  num_cols_match: same(predicted.columns, gold.columns),
  ...named('columns', computePublishedSimilarity(predicted.columnNames, gold.columnNames)),
  ...named('data', computePublishedSimilarity(predicted.cells, gold.cells)),
})

function scoreHtml(prediction: string, reference: string): PublishedHScore {
  const { predicted, gold } = readPublishedHtmlTables(prediction, reference)
  const count = same(predicted.cells.length, gold.cells.length)
  const cells = computePublishedSimilarity(predicted.cells, gold.cells)
  const structure = computePublishedSimilarity(predicted.tags, gold.tags)
  return {
    content: sumOf(cells),
    format: count + sumOf(structure),
    subscores: { num_cells_match: count, ...named('cells_text', cells), ...named('struct', structure) },
  }
}

function scoreLatex(prediction: string, reference: string): PublishedHScore {
  const gold = readPublishedLatexTable(reference)
  const predicted = readPublishedLatexTable(prediction)
  const alignment = computePublishedSimilarity([...predicted.specification], [...gold.specification])
  const data = computePublishedSimilarity(predicted.rows.flat(), gold.rows.flat())
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
      caption_match_score: caption,
      num_rows_match: rows,
      num_cols_match: columns,
    },
  }
}
