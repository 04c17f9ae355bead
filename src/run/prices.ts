import { readFile } from 'node:fs/promises'
import { z } from 'zod'
import { type SearchProviderName, searchProviders } from '../../tools/search/registry.ts'
import type { RunConfig } from '../config.ts'
import { ConfigError } from '../core/errors.ts'
import type { TokenPrice } from '../core/model.ts'

/** What --prices FILE says; what it leaves out stays as in the dated tables. */
export interface PriceFile {
  /** US dollars a million tokens, by model. */
  readonly models: Readonly<Record<string, TokenPrice>>
  /** US dollars a search, by provider. */
  readonly searches: Readonly<Partial<Record<SearchProviderName, number>>>
}

const amount = z.number().min(0)
const modelPrice = z.strictObject({ input: amount, cachedInput: amount, output: amount })
const searchPrice = z.strictObject({ call: amount })
const searchPrefix = 'search:'

/** Reads `{ "MODEL": { input, cachedInput, output }, "search:NAME": { call } }`; empty without a file. */
export async function readPrices(path: string | null): Promise<PriceFile> {
  if (path === null) return { models: {}, searches: {} }
  try {
    const given = z.record(z.string(), z.unknown()).parse(JSON.parse(await readFile(path, 'utf8')))
    const models: Record<string, TokenPrice> = {}
    const searches: Partial<Record<string, number>> = {}
    for (const [name, price] of Object.entries(given)) {
      if (name.startsWith(searchPrefix))
        searches[name.slice(searchPrefix.length)] = searchPrice.parse(price).call
      else models[name] = modelPrice.parse(price)
    }
    return { models, searches }
  } catch (error) {
    const why = error instanceof z.ZodError ? z.prettifyError(error).split('\n')[0] : (error as Error).message
    throw new ConfigError(
      `--prices ${path}: { "MODEL": { "input", "cachedInput", "output" }, "search:NAME": { "call" } } expected: ${why}`,
    )
  }
}

/** US dollars a search: nothing where no service is asked (a sealed web), null where nobody knows. */
export function searchUsd(search: SearchProviderName, isSealed: boolean, prices: PriceFile): number | null {
  return isSealed ? 0 : (prices.searches[search] ?? searchProviders[search].usdPerSearch)
}

/** A cap in dollars that nobody can hold is refused. */
export function requirePrice(config: RunConfig, what: string, price: unknown): void {
  const flag = config.budgetUsd !== null ? '--budget-usd' : '--run-budget-usd'
  if (price !== null || (config.budgetUsd === null && config.runBudgetUsd === null)) return
  throw new ConfigError(`${flag}: the price of ${what} is unknown: give it with --prices FILE`)
}
