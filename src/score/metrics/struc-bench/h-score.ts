import { notScored, scored, type TextMetric, type TextMetricScore, tooLarge } from '../metric.ts'
import { htmlStructure } from './html-table.ts'
import { latexTable } from './latex-table.ts'
import { meanSimilarity, type SequenceSimilarity, sequenceSimilarity } from './similarity.ts'

/**
 * Struc-Bench's H-Score (arXiv 2309.08963, section 3.3.2 and appendix D): content compares the texts of the cells,
 * format compares the structure. Each is the mean of its parts, and the value is the mean of the two. The reference
 * decides the kind of table (HTML, LaTeX or text). `publishedContent` and `publishedFormat` are the sums that the
 * authors' own code reports.
 */
export const hScore: TextMetric = {
  async score({ reference, prediction }) {
    if (/\\begin\{(?:tabular|longtable|array)/.test(reference)) return scoreLatex(reference, prediction)
    if (/<(?:table|ul|ol|li|div|p|span)\b[^>]*>/i.test(reference)) return scoreHtml(reference, prediction)
    return scoreText(reference, prediction)
  },
}

const same = (left: unknown, right: unknown): number => (left === right ? 1 : 0)

function scoreOf(
  content: readonly number[],
  format: readonly number[],
  published: { content: number; format: number },
): TextMetricScore {
  const mean = (values: readonly number[]): number =>
    values.reduce((sum, value) => sum + value, 0) / values.length
  const parts = {
    content: mean(content),
    format: mean(format),
    publishedContent: published.content,
    publishedFormat: published.format,
  }
  return scored((parts.content + parts.format) / 2, parts)
}

const publishedSum = (similarity: SequenceSimilarity): number =>
  similarity.publishedLevenshtein + similarity.difflib

function scoreHtml(reference: string, prediction: string): TextMetricScore {
  const gold = htmlStructure(reference, reference)
  const given = htmlStructure(prediction, reference)
  const refused =
    tooLarge(gold.cells.length, given.cells.length) ?? tooLarge(gold.tags.length, given.tags.length)
  if (refused !== null) return refused
  const cells = sequenceSimilarity(given.cells, gold.cells)
  const tags = sequenceSimilarity(given.tags, gold.tags)
  const count = same(given.cells.length, gold.cells.length)
  return scoreOf([meanSimilarity(cells)], [count, meanSimilarity(tags)], {
    content: publishedSum(cells),
    format: count + publishedSum(tags),
  })
}

function scoreLatex(reference: string, prediction: string): TextMetricScore {
  const gold = latexTable(reference)
  const given = latexTable(prediction)
  const refused =
    tooLarge(gold.rows.flat().length, given.rows.flat().length) ??
    tooLarge(gold.alignment.length, given.alignment.length)
  if (refused !== null) return refused
  const cells = sequenceSimilarity(given.rows.flat(), gold.rows.flat())
  const alignment = sequenceSimilarity([...given.alignment], [...gold.alignment])
  const caption = same(given.caption, gold.caption)
  const shape = [same(given.rows.length, gold.rows.length), same(widthOf(given.rows), widthOf(gold.rows))]
  return scoreOf([meanSimilarity(cells)], [...shape, caption, meanSimilarity(alignment)], {
    content: caption + publishedSum(cells),
    format: shape[0]! + shape[1]! + publishedSum(alignment),
  })
}

const widthOf = (rows: readonly (readonly string[])[]): number =>
  rows.reduce((width, row) => Math.max(width, row.length), 0)

/** Compares several tables, such as Team and Player, in order. A table without a counterpart scores 0. */
function scoreText(reference: string, prediction: string): TextMetricScore {
  const gold = textTables(reference)
  if (gold.length === 0) return notScored('the reference contains no table')
  const given = textTables(prediction)
  const refused = tooLarge(partsOf(gold), partsOf(given))
  if (refused !== null) return refused
  const nothing: TextTable = { header: [], rows: [] }
  const pairs = Array.from({ length: Math.max(gold.length, given.length, 1) }, (_, i) =>
    comparedText(given[i] ?? nothing, gold[i] ?? nothing),
  )
  const mean = (of: (pair: ReturnType<typeof comparedText>) => number): number =>
    pairs.reduce((sum, pair) => sum + of(pair), 0) / pairs.length
  return scoreOf([mean(pair => pair.content)], [mean(pair => pair.format)], {
    content: mean(pair => pair.publishedContent),
    format: mean(pair => pair.publishedFormat),
  })
}

const partsOf = (tables: readonly TextTable[]): number =>
  tables.reduce((sum, table) => sum + table.header.length + table.rows.flat().length, 0)

function comparedText(given: TextTable, gold: TextTable) {
  const missing = (given.header.length === 0) !== (gold.header.length === 0)
  const cells = sequenceSimilarity(given.rows.flat(), gold.rows.flat())
  const header = sequenceSimilarity(given.header, gold.header)
  const rows = same(given.rows.length, gold.rows.length)
  const columns = same(widthOf([given.header, ...given.rows]), widthOf([gold.header, ...gold.rows]))
  return {
    content: missing ? 0 : meanSimilarity(cells),
    format: missing ? 0 : (rows + columns + meanSimilarity(header)) / 3,
    publishedContent: publishedSum(cells),
    publishedFormat: rows + columns + publishedSum(header),
  }
}

/** A table in running text: lines are rows, and bars separate cells. */
export interface TextTable {
  readonly header: readonly string[]
  readonly rows: readonly (readonly string[])[]
}

/**
 * Finds the tables of a text. Each is a run of lines with bars; lines of dashes are skipped, and `<NEWLINE>` is a
 * line end.
 */
export function textTables(text: string): TextTable[] {
  const tables: TextTable[] = []
  let run: string[][] = []
  const finish = (): void => {
    const [header, ...rows] = withoutEmptyEdges(run)
    if (header !== undefined) tables.push({ header, rows })
    run = []
  }
  for (const line of text.split(/\r?\n|<newline>/i)) {
    if (!line.includes('|')) finish()
    else if (!/^[\s|:=+-]*$/.test(line)) run.push(line.split('|').map(cell => cell.trim()))
  }
  finish()
  return tables
}

function withoutEmptyEdges(rows: readonly string[][]): string[][] {
  const first = rows.every(row => row[0] === '') ? 1 : 0
  const last = rows.every(row => row.at(-1) === '') ? -1 : undefined
  return rows.map(row => row.slice(first, last))
}
