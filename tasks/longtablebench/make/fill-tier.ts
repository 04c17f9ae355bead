import type { Random } from '../../../src/core/runtime.ts'
import { shuffle } from '../../../src/core/runtime.ts'
import type { DocumentTable } from '../../../src/core/task.ts'
import { type Database, type KeyedTable, readCells } from './databases.ts'

/** The sizes of tables, in tokens of their longest serialisation. */
export const tierTokens = { '8k': 8_000, '32k': 32_000, inf: 128_000 } as const
export type Tier = keyof typeof tierTokens

/** Returns the tokens of the longest serialisation of tables. */
export type CountTableTokens = (tables: readonly DocumentTable[]) => number

/**
 * Draws rows of a table until its longest serialisation has the size of a tier.
 *
 * @returns null when all rows fit into the next smaller tier, because then the tables would be the same
 */
export function fillTier(
  { table, key }: KeyedTable,
  tier: Tier,
  { random, count }: { readonly random: Random; readonly count: CountTableTokens },
): KeyedTable | null {
  const rows = shuffle(table.rows, random)
  const at = (n: number): DocumentTable => ({ ...table, rows: rows.slice(0, n) })
  const fitting = findFittingSize(rows.length, tier, n => count([at(n)]))
  return fitting === null ? null : { table: at(fitting), key }
}

/**
 * Draws rows of all tables of a database until their longest serialisation has the size of a tier: at first the tables
 * that others refer to, then rows that refer to drawn rows.
 *
 * @returns null when the database has no references, or all rows fit into the next smaller tier
 */
export function fillTierTogether(
  database: Database,
  tier: Tier,
  { random, count }: { readonly random: Random; readonly count: CountTableTokens },
): Database | null {
  const { tables, references } = database
  if (references.length === 0) return null
  const orders = tables.map(({ table }) => shuffle(table.rows, random))
  const most = Math.max(...orders.map(rows => rows.length))
  const draw = (n: number): KeyedTable[] => {
    const drawn = new Map<string, KeyedTable>()
    const visit = ({ table, key }: KeyedTable): void => {
      if (drawn.has(table.name)) return
      const ownReferences = references.filter(({ child }) => child === table.name)
      for (const { parent } of ownReferences)
        visit(tables.find(candidate => candidate.table.name === parent)!)
      const keys = ownReferences.map(({ column, parent }) => {
        const parentRows = drawn.get(parent)
        return {
          at: table.columns.indexOf(column),
          values: parentRows === undefined ? null : new Set(readCells(parentRows.table, column)),
        }
      })
      const rows = orders[tables.findIndex(candidate => candidate.table === table)]!.filter(row =>
        keys.every(({ at, values }) => row[at] === null || (values?.has(row[at]!) ?? true)),
      )
      drawn.set(table.name, { table: { ...table, rows: rows.slice(0, n) }, key })
    }
    for (const table of tables) visit(table)
    return tables.map(({ table }) => drawn.get(table.name)!)
  }
  const fitting = findFittingSize(most, tier, n => count(draw(n).map(({ table }) => table)))
  return fitting === null ? null : { ...database, tables: draw(fitting) }
}

const sampleRows = 60

/** Returns the largest number of rows that fits into a tier, to about one percent; null when all fit into a smaller one. */
function findFittingSize(rows: number, tier: Tier, tokensOf: (rows: number) => number): number | null {
  const limit = tierTokens[tier]
  const smaller = { '8k': 0, '32k': tierTokens['8k'], inf: tierTokens['32k'] }[tier]
  const sample = Math.min(rows, sampleRows)
  const perRow = tokensOf(sample) / sample
  let size = Math.min(rows, Math.ceil((limit / perRow) * 1.02))
  let tokens = tokensOf(size)
  while (tokens < limit && size < rows) {
    size = Math.min(rows, Math.ceil((size * limit * 1.01) / tokens) + 1)
    tokens = tokensOf(size)
  }
  if (tokens <= smaller) return null
  while (tokens > limit && size > 1) {
    size = Math.max(1, Math.min(size - 1, Math.floor((size * limit) / tokens)))
    tokens = tokensOf(size)
  }
  return size
}
