import { formatShortList } from '../../text/plain-text.ts'
import { formatCount, pickVerb, shortenText } from '../explain/wording.ts'
import type { AlignedAnswer } from './aligned-answer.ts'
import type { TableComparison } from './comparison.ts'
import type { GoldTable } from './gold-table.ts'

/** The cost of one kind of difference, in cells, with the sentences that explain it. */
export interface Loss {
  readonly cells: number
  readonly sentences: readonly string[]
}

const rulesInWords = [
  { text: 'by key', rules: ['exact key', 'normalised key'] },
  { text: 'by a similar key', rules: ['similarity'] },
  { text: 'by the judge', rules: ['judge'] },
] as const

/** Says how many gold rows were matched, and how. */
export function explainRows(comparison: TableComparison): string {
  const { goldRows, matchedRows, predictedRows } = comparison
  const rules = listRowNumbers(goldRows).flatMap(row => comparison.matchOf(row)?.by ?? [])
  const ways = rulesInWords.flatMap(way => {
    const count = rules.filter(rule => way.rules.some(name => name === rule)).length
    return count === 0 ? [] : [{ text: way.text, count }]
  })
  const matched = `${matchedRows} of ${formatCount(goldRows, 'row')} matched`
  if (predictedRows === 0) return `${matched}: the answer has no rows.`
  const [only] = ways
  if (only === undefined) return `${matched}.`
  if (ways.length === 1) return `${matched} ${only.text}.`
  return `${matched}: ${ways.map(({ text, count }) => `${count} ${text}`).join(', ')}.`
}

/** Warns of rows that similarity matched although their keys differ in a figure, and says how many cells that gave. */
export function explainDifferentFigures(
  gold: GoldTable,
  comparison: TableComparison,
  answer: AlignedAnswer,
): string[] {
  const matches = listRowNumbers(comparison.goldRows).flatMap(goldRow => {
    const match = comparison.matchOf(goldRow)
    return match?.figuresDiffer === true ? [{ goldRow, row: match.row }] : []
  })
  const [first] = matches
  if (first === undefined) return []
  const goldRows = new Set(matches.map(({ goldRow }) => goldRow))
  const credited = comparison.cells.filter(
    ({ goldRow, rating }) => goldRows.has(goldRow) && (rating.score ?? 0) > 0,
  )
  const rows = `${formatCount(matches.length, 'row')} ${pickVerb(matches.length, 'was', 'were')} matched by similarity although ${pickVerb(matches.length, 'its key differs', 'their keys differ')} in a figure`
  return [
    `${rows}: ${nameAnswerKey(gold, answer, first.row)} took the gold row of ${nameGoldKey(gold, first.goldRow)}. That gave ${formatCount(credited.length, 'cell')}. Scorers paper and strict do not match such keys.`,
  ]
}

/** Names the gold rows that no row of the answer matched. */
export function explainMissingRows(gold: GoldTable, comparison: TableComparison): Loss[] {
  const rows = listRowNumbers(comparison.goldRows).filter(row => comparison.matchOf(row) === null)
  if (rows.length === 0) return []
  const keys = formatShortList(rows, row => nameGoldKey(gold, row))
  const first = mapFirstRows(gold)
  const repeated = rows.filter(row => first.get(writeKey(gold, createGoldReader(gold, row))) !== row).length
  return [
    {
      cells: rows.length * gold.targetColumns.length,
      sentences: [
        `${formatCount(rows.length, 'gold row')} ${pickVerb(rows.length, 'has', 'have')} no match in the answer: ${keys}.`,
        ...(repeated === 0
          ? []
          : [
              `${nameSubject(repeated, rows)} ${pickVerb(repeated, 'repeats', 'repeat')} the key of another gold row.`,
            ]),
      ],
    },
  ]
}

/** Names the rows of the answer that match no gold row. */
export function explainExtraRows(
  gold: GoldTable,
  comparison: TableComparison,
  answer: AlignedAnswer,
): Loss[] {
  const matchedRows = new Set(listRowNumbers(comparison.goldRows).map(row => comparison.matchOf(row)?.row))
  const rows = listRowNumbers(comparison.predictedRows).filter(row => !matchedRows.has(row))
  if (rows.length === 0) return []
  const hasKeys = gold.keyColumns.some(column => answer.columnOf(column) !== null)
  const keys = hasKeys ? `: ${formatShortList(rows, row => nameAnswerKey(gold, answer, row))}` : ''
  const what = `${formatCount(rows.length, 'row')} of the answer ${pickVerb(rows.length, 'matches', 'match')}`
  return [
    {
      cells: rows.length * gold.targetColumns.length,
      sentences: [`${what} no gold row${keys}.`, ...explainTakenKeys(gold, comparison, answer, rows)],
    },
  ]
}

/** Says which of these answer rows have the key of a gold row that was compared with another answer row. */
function explainTakenKeys(
  gold: GoldTable,
  comparison: TableComparison,
  answer: AlignedAnswer,
  rows: readonly number[],
): string[] {
  const goldRows = mapFirstRows(gold)
  const losers = rows.flatMap(row => {
    const goldRow = goldRows.get(writeKey(gold, createAnswerReader(answer, row)))
    const match = goldRow === undefined ? null : comparison.matchOf(goldRow)
    return match === null ? [] : [{ row, match }]
  })
  const bySimilarity = losers.filter(({ match }) => match.by === 'similarity')
  const [first] = bySimilarity
  const repeated = losers.length - bySimilarity.length
  const sentences: string[] = []
  if (first !== undefined) {
    const have = pickVerb(bySimilarity.length, 'has', 'have')
    const name = (row: number): string => nameAnswerKey(gold, answer, row)
    sentences.push(
      `${nameSubject(bySimilarity.length, rows)} ${have} the exact key of a gold row that another row had taken by similarity: ${name(first.match.row)} took the gold row of ${name(first.row)}. Scorers paper and strict match exact keys first.`,
    )
  }
  if (repeated > 0)
    sentences.push(
      `${nameSubject(repeated, rows)} ${pickVerb(repeated, 'repeats', 'repeat')} the key of a matched row.`,
    )
  return sentences
}

/** Returns the subject for a sentence about some of the rows that were just named. */
const nameSubject = (count: number, rows: readonly number[]): string =>
  rows.length === 1 ? 'It' : `${count} of them`

type ValueOfColumn = (column: string) => string | undefined

const createGoldReader =
  (gold: GoldTable, row: number): ValueOfColumn =>
  column =>
    gold.values.get(column)?.[row]

const createAnswerReader =
  (answer: AlignedAnswer, row: number): ValueOfColumn =>
  column =>
    answer.columnOf(column)?.[row]

const writeKey = (gold: GoldTable, valueIn: ValueOfColumn): string =>
  JSON.stringify(gold.keyColumns.map(column => (valueIn(column) ?? '').trim()))

function mapFirstRows(gold: GoldTable): Map<string, number> {
  const rows = new Map<string, number>()
  for (const row of listRowNumbers(gold.rowCount)) {
    const text = writeKey(gold, createGoldReader(gold, row))
    if (!rows.has(text)) rows.set(text, row)
  }
  return rows
}

/** The key of a row for a reader. The parts of a composite key are cut shorter. */
function nameKey(gold: GoldTable, valueIn: ValueOfColumn): string {
  const parts = gold.keyColumns.map(column => valueIn(column) ?? '').filter(part => part.trim() !== '')
  const mostChars = parts.length > 1 ? 45 : 80
  return parts.length === 0 ? '(no key)' : `'${parts.map(part => shortenText(part, mostChars)).join(' / ')}'`
}

/** The key of a gold row for a sentence: `'report.pdf / TideNet'`. */
export const nameGoldKey = (gold: GoldTable, row: number): string =>
  nameKey(gold, createGoldReader(gold, row))

const nameAnswerKey = (gold: GoldTable, answer: AlignedAnswer, row: number): string =>
  nameKey(gold, createAnswerReader(answer, row))

const listRowNumbers = (count: number): number[] => Array.from({ length: count }, (_, row) => row)
