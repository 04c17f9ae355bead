import { type Random, seededRandom } from '../../src/core/runtime.ts'
import type { TableCase } from '../../src/run/score-files/table-case.ts'

const words =
  'amber basin cedar delta ember fjord grove harbor island jasper kernel lagoon meadow nickel orchard prairie quartz river summit timber upland valley willow yonder zephyr anchor bridge canyon dune estuary'.split(
    ' ',
  )
const kinds = ['Inc', 'Ltd', 'Group', 'Trust', 'Bank']
const key = 'Entity'
const amounts = [1, 2, 3, 4, 5].map(number => `Amount ${number}`)
const notes = [1, 2, 3, 4].map(number => `Note ${number}`)
const targets = amounts.flatMap((amount, at) => [amount, ...notes.slice(at, at + 1)])

type GoldTableRow = Record<string, string>

function whole(random: Random, from: number, to: number): number {
  return from + Math.floor(random() * (to - from))
}

function pick(random: Random, from: readonly string[]): string {
  return from[whole(random, 0, from.length)]!
}

function capital(word: string): string {
  return word.slice(0, 1).toUpperCase() + word.slice(1)
}

function newKey(random: Random, takenKeys: Set<string>): string {
  for (;;) {
    const name = `${capital(pick(random, words))} ${capital(pick(random, words))} ${pick(random, kinds)} ${whole(random, 1_000, 10_000)}`
    if (takenKeys.has(name)) continue
    takenKeys.add(name)
    return name
  }
}

function number(random: Random): string {
  const kind = random()
  if (kind < 0.6) return whole(random, 1_000, 1e9).toLocaleString('en-US')
  return kind < 0.8 ? (random() * 1_000 - 500).toFixed(2) : `${(random() * 100).toFixed(1)}%`
}

function text(random: Random): string {
  return Array.from({ length: whole(random, 2, 9) }, () => pick(random, words)).join(' ')
}

function altered(random: Random, value: string, numeric: boolean): string {
  const kind = random()
  if (numeric) return kind < 0.8 ? number(random) : ''
  if (kind < 0.4) return text(random)
  if (kind < 0.6) return value.toUpperCase()
  return kind < 0.8 ? value.slice(0, Math.max(1, Math.floor(value.length / 2))) : ''
}

/** Shuffles in place (Fisher-Yates). */
function shuffled<T>(items: T[], random: Random): T[] {
  for (let last = items.length - 1; last > 0; last--) {
    const distractor = whole(random, 0, last + 1)
    const item = items[last]!
    items[last] = items[distractor]!
    items[distractor] = item
  }
  return items
}

function csvField(value: string): string {
  return /[",\n]/.test(value) ? `"${value.replaceAll('"', '""')}"` : value
}

function writeRows(rows: readonly GoldTableRow[]): string {
  const header = [key, ...targets]
  return [header, ...rows.map(row => header.map(column => csvField(row[column] ?? '')))]
    .map(fields => `${fields.join(',')}\n`)
    .join('')
}

/**
 * Generates tables to score, equal for equal seeds: one text key, five numeric and four text targets. In the answer a tenth
 * of the rows is missing, a tenth of the cells is altered, and the rows are in another order.
 */
export function scoreCases(tables: number, rows: number, seed: number): TableCase[] {
  const random = seededRandom(seed)
  return Array.from({ length: tables }, (_, id) => {
    const takenKeys = new Set<string>()
    const gold = Array.from({ length: rows }, (): GoldTableRow => {
      const numbers = amounts.map(column => [column, number(random)])
      const texts = notes.map(column => [column, text(random)])
      return { [key]: newKey(random, takenKeys), ...Object.fromEntries([...numbers, ...texts]) }
    })
    const keptRows = shuffled(
      gold.map(row => ({ ...row })),
      random,
    ).slice(0, rows - Math.round(rows * 0.1))
    const cells = shuffled(
      keptRows.flatMap(row => targets.map(column => ({ row, column }))),
      random,
    )
    for (const { row, column } of cells.slice(0, Math.round(cells.length * 0.1)))
      row[column] = altered(random, row[column] ?? '', amounts.includes(column))
    const columns = { key_cols: [key], target_value_columns: targets, numeric_columns: amounts }
    return { id, task: { answers: gold, ...columns }, answer_csv: writeRows(keptRows) }
  })
}
