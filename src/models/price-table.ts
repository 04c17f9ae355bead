import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { z } from 'zod/v4'
import type { TokenPrice } from '../core/model.ts'
import { packageRoot } from '../system/paths.ts'

/** What a file of prices says; what it leaves out is unknown there. */
export interface PriceTable {
  /** The day that the figures are of; null where the file does not say. */
  readonly date: string | null
  /** US dollars a million tokens, by model. */
  readonly models: Readonly<Record<string, TokenPrice>>
  /** US dollars a search, by search service. */
  readonly searches: Readonly<Record<string, number>>
}

const amount = z.number().min(0)
const modelPrice = z.strictObject({ input: amount, cachedInput: amount, output: amount })
const searchPrice = z.strictObject({ call: amount })
const words = z.string().optional()
const fileSchema = z.looseObject({ date: words, about: words })
const searchPrefix = 'search:'

/** Reads `{ "date", "about", "MODEL": { input, cachedInput, output }, "search:NAME": { call } }`; throws what zod and JSON throw. */
export function parsePrices(text: string): PriceTable {
  const { date, about: _about, ...given } = fileSchema.parse(JSON.parse(text))
  const models: Record<string, TokenPrice> = {}
  const searches: Record<string, number> = {}
  for (const [name, price] of Object.entries(given)) {
    if (name.startsWith(searchPrefix))
      searches[name.slice(searchPrefix.length)] = searchPrice.parse(price).call
    else models[name] = modelPrice.parse(price)
  }
  return { date: date ?? null, models, searches }
}

let builtIn: PriceTable | null = null

/** The prices that come with the package: of a past day, from memory, for an idea of what things cost. */
export function builtInPrices(): PriceTable {
  builtIn ??= parsePrices(readFileSync(join(packageRoot, 'src/models/prices.json'), 'utf8'))
  return builtIn
}

/** What to say wherever dollars hang on the built-in prices. */
export function builtInPricesNote(): string {
  return `prices: of the built-in table of ${builtInPrices().date}, written from memory: check before relying on it (--prices FILE replaces them)`
}
