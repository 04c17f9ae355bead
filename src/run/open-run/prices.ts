import { z } from 'zod/v4'
import type { RunConfig } from '../../config.ts'
import { ConfigError } from '../../core/errors.ts'
import type { TokenPrice } from '../../core/model.ts'
import { describeZodProblem } from '../../core/zod-problems.ts'
import { builtInPrices, type PriceTable, parsePrices } from '../../models/known-models.ts'
import { readTextFile } from '../../system/files.ts'

/**
 * Reads the file of --prices. Returns an empty table without a file; prices that the file leaves out come from the
 * built-in table.
 *
 * @throws ConfigError [prices-missing, invalid-prices]
 */
export async function readPrices(path: string | null): Promise<PriceTable> {
  if (path === null) return { date: null, models: {}, searches: {} }
  const text = await readTextFile(path).catch((error: NodeJS.ErrnoException) => {
    const why =
      error.code === 'ENOENT' ? 'the file does not exist' : `the file cannot be read (${error.code})`
    throw new ConfigError(`--prices ${path}: ${why}. Correct the path.`, { code: 'prices-missing' })
  })
  try {
    return parsePrices(text)
  } catch (error) {
    const why = error instanceof z.ZodError ? describeZodProblem(error, 'it') : (error as Error).message
    throw new ConfigError(
      `--prices ${path}: ${why}. Write { "MODEL": { "input", "cachedInput", "output" }, "search:NAME": { "call" } }, in US dollars per million tokens and per call.`,
      { code: 'invalid-prices' },
    )
  }
}

/**
 * Says which prices of a file no model of the run has, when a model has no price.
 *
 * @param models of the run, with their prices
 * @param others further names that the file may mean, such as the judge's
 */
export function listUnusedPriceNotes(
  prices: PriceTable,
  models: readonly { readonly name: string; readonly price: TokenPrice | null }[],
  others: readonly string[],
): string[] {
  const unpriced = models.flatMap(({ name, price }) => (price === null ? [name] : []))
  const unused = Object.entries(prices.models).flatMap(([name, price]) =>
    models.some(model => model.price === price) || others.some(other => other.includes(name)) ? [] : [name],
  )
  if (unpriced.length === 0 || unused.length === 0) return []
  return [
    `Warning: ${unpriced.join(', ')} has no price. --prices names ${unused.join(', ')}, which this run does not use.`,
  ]
}

/** US dollars per search: 0 on a sealed web, which asks no service; null when the price is unknown. */
export function searchUsd(search: string, isSealed: boolean, prices: PriceTable): number | null {
  return isSealed ? 0 : (prices.searches[search] ?? builtInPrices().searches[search] ?? null)
}

/**
 * Refuses a budget in US dollars when a price is unknown, because such a budget cannot be kept.
 *
 * @param what the model or service, for the message
 * @param price null when unknown
 * @throws ConfigError [unknown-price]
 */
export function requirePrice(config: RunConfig, what: string, price: unknown): void {
  const flag = config.budgetUsd !== null ? '--budget-usd' : '--run-budget-usd'
  if (price !== null || (config.budgetUsd === null && config.runBudgetUsd === null)) return
  throw new ConfigError(
    `${flag}: the price of ${what} is unknown. Give it with --prices FILE, under the name ${JSON.stringify(what)}.`,
    { code: 'unknown-price' },
  )
}

/**
 * Returns whether amounts in US dollars depend on the built-in price table.
 *
 * @param models the price of each model; null when unknown
 * @param searches the search services; empty when there are no searches, or they cost nothing
 */
export function usesBuiltInPrices(
  models: readonly (TokenPrice | null)[],
  searches: readonly string[],
  prices: PriceTable,
): boolean {
  const builtIn = builtInPrices()
  const builtInModels = new Set<TokenPrice | null>(Object.values(builtIn.models))
  const isBuiltIn = (search: string): boolean =>
    prices.searches[search] === undefined && (builtIn.searches[search] ?? 0) > 0
  return models.some(price => builtInModels.has(price)) || searches.some(isBuiltIn)
}
