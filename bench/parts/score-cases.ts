import { type Random, seededRandom } from '../../src/core/runtime.ts'
import type { TableCase } from '../../src/run/score-files/table-case.ts'
import { writeCsv } from '../../src/text/csv.ts'

const words =
  'amber basin cedar delta ember fjord grove harbor island jasper kernel lagoon meadow nickel orchard prairie quartz river summit timber upland valley willow yonder zephyr anchor bridge canyon dune estuary'.split(
    ' ',
  )
const kinds = ['Inc', 'Ltd', 'Group', 'Trust', 'Bank']
const key = 'Entity'
const amounts = [1, 2, 3, 4, 5].map(number => `Amount ${number}`)
const notes = [1, 2, 3, 4].map(number => `Note ${number}`)
const targets = amounts.flatMap((amount, at) => [amount, ...notes.slice(at, at + 1)])

/** Draws the values of a table. */
function createDraws(random: Random) {
  const drawWhole = (from: number, to: number): number => from + Math.floor(random() * (to - from))
  const pick = (list: readonly string[]): string => list[drawWhole(0, list.length)]!
  const capital = (): string => pick(words).replace(/^./, letter => letter.toUpperCase())
  const name = (): string => `${capital()} ${capital()} ${pick(kinds)} ${drawWhole(1_000, 10_000)}`
  const text = (): string => Array.from({ length: drawWhole(2, 9) }, () => pick(words)).join(' ')
  const number = (): string => {
    const kind = random()
    if (kind < 0.6) return drawWhole(1_000, 1e9).toLocaleString('en-US')
    return kind < 0.8 ? (random() * 1_000 - 500).toFixed(2) : `${(random() * 100).toFixed(1)}%`
  }
  const alterValue = (value: string, isNumber: boolean): string => {
    const kind = random()
    if (isNumber) return kind < 0.8 ? number() : ''
    if (kind < 0.4) return text()
    if (kind < 0.6) return value.toUpperCase()
    return kind < 0.8 ? value.slice(0, Math.max(1, Math.floor(value.length / 2))) : ''
  }
  /** Shuffles in place (Fisher-Yates). */
  const shuffle = <T>(items: T[]): T[] => {
    for (let last = items.length - 1; last > 0; last--) {
      const other = drawWhole(0, last + 1)
      ;[items[last], items[other]] = [items[other]!, items[last]!]
    }
    return items
  }
  return { name, text, number, altered: alterValue, shuffle }
}

/**
 * Generates tables to score, equal for equal seeds: one text key, five numeric and four text targets. In the answer a tenth
 * of the rows is missing, a tenth of the cells is altered, and the rows are in another order.
 */
export function scoreCases(tables: number, rows: number, seed: number): TableCase[] {
  const draw = createDraws(seededRandom(seed))
  return Array.from({ length: tables }, (_, id) => {
    const gold = Array.from({ length: rows }, (): Record<string, string> => {
      const values = [
        ...amounts.map(column => [column, draw.number()]),
        ...notes.map(column => [column, draw.text()]),
      ]
      return { [key]: draw.name(), ...Object.fromEntries(values) }
    })
    const kept = draw.shuffle(gold.map(row => ({ ...row }))).slice(0, rows - Math.round(rows * 0.1))
    const cells = draw.shuffle(kept.flatMap(row => targets.map(column => ({ row, column }))))
    for (const { row, column } of cells.slice(0, Math.round(cells.length * 0.1)))
      row[column] = draw.altered(row[column] ?? '', amounts.includes(column))
    const columns = { key_cols: [key], target_value_columns: targets, numeric_columns: amounts }
    const answer = [[key, ...targets], ...kept.map(row => [key, ...targets].map(column => row[column] ?? ''))]
    return { id, task: { answers: gold, ...columns }, answer_csv: writeCsv(answer) }
  })
}
