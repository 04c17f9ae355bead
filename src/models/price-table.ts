import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { z } from 'zod/v4'
import type { TokenPrice } from '../core/model.ts'
import { packageRoot } from '../system/paths.ts'

/** The content of a price file. Prices that it leaves out are unknown. */
export interface PriceTable {
  /** The date of the prices; null when the file does not name one. */
  readonly date: string | null
  /** US dollars per million tokens, by model. */
  readonly models: Readonly<Record<string, TokenPrice>>
  /** US dollars per search, by search service. */
  readonly searches: Readonly<Record<string, number>>
}

const amount = z.number().min(0)
const modelPrice = z.strictObject({ input: amount, cachedInput: amount, output: amount })
const searchPrice = z.strictObject({ call: amount })
const words = z.string().optional()
const fileSchema = z.looseObject({ date: words, about: words })
const searchPrefix = 'search:'

/**
 * Reads `{ "date", "about", "MODEL": { input, cachedInput, output }, "search:NAME": { call } }`. Throws the
 * errors of zod and JSON.
 */
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

/** Returns the built-in prices. They were written from memory on a past date and serve as estimates. */
export function builtInPrices(): PriceTable {
  builtIn ??= parsePrices(readFileSync(join(packageRoot, 'src/models/prices.json'), 'utf8'))
  return builtIn
}

/** Returns the notice for amounts in US dollars that depend on the built-in prices. */
export function builtInPricesNote(): string {
  return `prices: from the built-in table of ${builtInPrices().date}, written from memory: check before relying on it, or replace them with --prices FILE`
}
