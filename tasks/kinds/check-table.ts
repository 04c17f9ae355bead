import { type GoldProblem, rowsText } from '../../src/core/answer-kind.ts'
import type { TableGold } from '../../src/core/gold.ts'
import { parseAnswer } from '../../src/score/answer/parse-answer.ts'
import { rulesJudge } from '../../src/score/contract/judge.ts'
import { isMissing } from '../../src/score/pandas/column.ts'
import { readTextNumber } from '../../src/score/pandas/numeric.ts'
import type { ComparedCell, TableComparison } from '../../src/score/table/comparison.ts'
import { type GoldTable, listRowsWithHeader, readGoldTable } from '../../src/score/table/gold-table.ts'
import { createKeyNormaliser } from '../../src/score/table/key-normaliser.ts'
import { computeTableMeasures } from '../../src/score/table/measures.ts'
import { writeCsv } from '../../src/text/csv.ts'
import { findTableScorer } from '../scorers.ts'
import { formatPercentBelow, makeNotFullProblem, makeWarning } from '../validate/problem.ts'

const mostNamed = 3

/**
 * Scores a gold table as if it were the answer, with judge `rules` and scorers that compare tables. It must reach 100. Also lists gold cells that these scorers read as empty although they contain a text. Other scorers read
 * tables by rules of their own.
 */
export async function checkTableGold(source: TableGold, scorers: readonly string[]): Promise<GoldProblem[]> {
  const gold = readGoldTable(source)
  const answer = parseAnswer(`\`\`\`csv\n${writeCsv(listRowsWithHeader(gold))}\`\`\`\n`)
  if (answer.status !== 'table')
    return [
      makeNotFullProblem(`the gold table can't be read back from CSV (${answer.note}). Simplify its cells.`),
    ]
  const reasons = new Map<string, string[]>()
  for (const name of scorers) {
    const comparison = await findTableScorer(name).compare({ gold, answer, judge: rulesJudge })
    const reason = explainNotFull(gold, comparison)
    if (reason === null) continue
    const named = `${name} ${formatPercentBelow(readCellF1(gold, comparison))}`
    reasons.set(reason, [...(reasons.get(reason) ?? []), named])
  }
  const low = [...reasons].map(([reason, named]) =>
    makeNotFullProblem(
      `the gold scored against itself gets less than 100 (Cell F1 by scorer: ${named.join(', ')}). ${reason}`,
    ),
  )
  return [...readAsEmpty(gold, scorers[0]!), ...low]
}

function readCellF1(
  gold: GoldTable,
  { goldRows, predictedRows, matchedRows, cells }: TableComparison,
): number {
  const sum = cells.reduce((total, { rating }) => total + (rating.score ?? 0), 0)
  const targets = gold.targetColumns.length
  return computeTableMeasures({
    goldRows,
    predictedRows,
    matchedRows,
    failedRows: 0,
    targets,
    sum,
    failedCells: 0,
  }).cell.f1
}

/** Describes which rows or cells lose points; null when none do. */
function explainNotFull(gold: GoldTable, comparison: TableComparison): string | null {
  const { cells, goldRows, predictedRows, matchedRows } = comparison
  const lost = cells.filter(({ rating }) => rating.score !== 1)
  if (lost.length === 0 && matchedRows === goldRows && predictedRows === goldRows) return null
  if (predictedRows !== goldRows)
    return `The scorers read ${predictedRows} rows from the ${goldRows} gold rows. Check for rows without any value.`
  const unmatched = new Set(lost.filter(({ predicted }) => predicted === null).map(({ goldRow }) => goldRow))
  const parts = [
    ...listCollisions(gold, unmatched),
    ...lost
      .filter(({ goldRow }) => !unmatched.has(goldRow))
      .slice(0, mostNamed)
      .map(cell => describeCell(cell, comparison.matchOf(cell.goldRow)?.row ?? cell.goldRow)),
  ]
  const fix =
    unmatched.size > 0 ? 'Give every row a key of its own.' : 'Write these values in a simpler form.'
  return `${parts.join(' ')} ${fix}`
}

/** Describes the rows without a match and the rows whose key looks the same to the scorer. */
function listCollisions(gold: GoldTable, unmatched: ReadonlySet<number>): string[] {
  const normalise = createKeyNormaliser(gold)
  const keys = Array.from({ length: gold.rowCount }, (_, row) =>
    gold.keyColumns.map(name => gold.values.get(name)![row]!.trim()),
  )
  const forms = keys.map(key => normalise(key) || JSON.stringify(key))
  const groups = new Map<string, number[]>()
  for (const row of unmatched)
    groups.set(
      forms[row]!,
      forms.flatMap((form, at) => (form === forms[row] ? [at] : [])),
    )
  const reasons = [...groups.values()].map(rows => {
    const keyList = [...new Set(rows.map(row => keys[row]!.map(part => `'${part}'`).join(', ')))].join(
      ' and ',
    )
    const numbered = rowsText(rows.map(row => row + 1))
    return rows.length === 1
      ? `No row matches ${numbered} (key ${keyList}), because another key is too similar.`
      : `The keys of ${numbered} collide (${keyList}).`
  })
  const more = reasons.length - mostNamed
  return [...reasons.slice(0, mostNamed), ...(more > 0 ? [`${more} more groups of rows collide.`] : [])]
}

function describeCell({ goldRow, column, gold, predicted }: ComparedCell, row: number): string {
  return `${rowsText([goldRow + 1])}, column '${column}': '${gold}' was compared with '${predicted}' of row ${row + 1}.`
}

/**
 * Lists cells such as `FY2025` in a numeric column, or `N/A` in any column. The scorers would accept an empty answer
 * for them.
 */
function readAsEmpty(gold: GoldTable, scorer: string): GoldProblem[] {
  return gold.targetColumns.flatMap(column => {
    const isNumeric = gold.numericColumns.has(column)
    const values = gold.values.get(column)!
    const rows = values.flatMap((value, row) => (isReadAsEmpty(value.trim(), isNumeric) ? [row + 1] : []))
    const [first] = rows
    if (first === undefined) return []
    const example = values[first - 1]!
    const why = isMissing(example.trim())
      ? `'${example}' means a missing value`
      : `'${example}' is not a number`
    const fix = isMissing(example.trim())
      ? 'Leave it if no value is expected.'
      : 'Write a number, or remove the column from the numeric columns.'
    return [
      makeWarning(
        'empty-gold',
        `scorer ${scorer} reads column '${column}' as empty in ${rowsText(rows)}: ${why}. ${fix}`,
      ),
    ]
  })
}

function isReadAsEmpty(value: string, isNumeric: boolean): boolean {
  if (value === '') return false
  return isMissing(value) || (isNumeric && Number.isNaN(readTextNumber(value)))
}
