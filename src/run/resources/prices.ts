import { readFile } from 'node:fs/promises'
import { z } from 'zod/v4'
import type { RunConfig } from '../../config.ts'
import { ConfigError } from '../../core/errors.ts'
import type { TokenPrice } from '../../core/model.ts'
import { zodProblemOf } from '../../core/zod-problems.ts'
import { builtInPrices, type PriceTable, parsePrices } from '../../models/price-table.ts'

/** The prices of --prices FILE; empty without a file. What it leaves out stays as in the built-in table. */
export async function readPrices(path: string | null): Promise<PriceTable> {
  if (path === null) return { date: null, models: {}, searches: {} }
  const text = await readFile(path, 'utf8').catch((error: NodeJS.ErrnoException) => {
    const why = error.code === 'ENOENT' ? 'no file there' : `it can't be read (${error.code})`
    throw new ConfigError(`--prices ${path}: ${why}`)
  })
  try {
    return parsePrices(text)
  } catch (error) {
    const why = error instanceof z.ZodError ? zodProblemOf(error, 'it') : (error as Error).message
    throw new ConfigError(
      `--prices ${path}: { "MODEL": { "input", "cachedInput", "output" }, "search:NAME": { "call" } } expected: ${why}`,
    )
  }
}

/** US dollars a search: nothing where no service is asked (a sealed web), null where nobody knows. */
export function searchUsd(search: string, isSealed: boolean, prices: PriceTable): number | null {
  return isSealed ? 0 : (prices.searches[search] ?? builtInPrices().searches[search] ?? null)
}

/** The caps in dollars. */
export type DollarCapOptions = Pick<RunConfig, 'budgetUsd' | 'runBudgetUsd'>

/** A cap in dollars that nobody can hold is refused. */
export function requirePrice(config: DollarCapOptions, what: string, price: unknown): void {
  const flag = config.budgetUsd !== null ? '--budget-usd' : '--run-budget-usd'
  if (price !== null || (config.budgetUsd === null && config.runBudgetUsd === null)) return
  throw new ConfigError(`${flag}: the price of ${what} is unknown: give it with --prices FILE`)
}

/** Whether dollars hang on the built-in table: a model's price of it, or a search's (null: none is made, or none costs). */
export function relyOnBuiltIn(
  models: readonly (TokenPrice | null)[],
  search: string | null,
  prices: PriceTable,
): boolean {
  const builtIn = builtInPrices()
  const known = new Set<TokenPrice | null>(Object.values(builtIn.models))
  const searched = search !== null && prices.searches[search] === undefined
  return models.some(price => known.has(price)) || (searched && (builtIn.searches[search] ?? 0) > 0)
}
