import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { z } from 'zod/v4'
import type { TokenPrice } from '../core/model.ts'
import { describeZodProblems } from '../core/zod-problems.ts'
import { packageRoot } from '../system/paths.ts'
import { listRepeatedMembers } from '../text/python-json.ts'

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
const modelPrice = z
  .strictObject({ input: amount, cachedInput: amount.optional(), output: amount })
  .transform(({ input, cachedInput = input, output }): TokenPrice => ({ input, cachedInput, output }))
const searchPrice = z.strictObject({ call: amount })
const words = z.string().optional()
const fileSchema = z.looseObject({ date: words, about: words })
const searchPrefix = 'search:'

/**
 * Reads `{ "date", "about", "MODEL": { input, cachedInput, output }, "search:NAME": { call } }`. Without `cachedInput`, cached
 * input costs as much as other input.
 *
 * @throws Error for another form. The message names the model or service.
 */
export function parsePrices(text: string): PriceTable {
  const { date, about: _about, ...entries } = fileSchema.parse(JSON.parse(text))
  const [repeated] = listRepeatedMembers(text)
  if (repeated !== undefined) throw new Error(`'${repeated}' is twice in one object. Leave one of them out`)
  const models: Record<string, TokenPrice> = {}
  const searches: Record<string, number> = {}
  for (const [name, price] of Object.entries(entries)) {
    if (name.startsWith(searchPrefix))
      searches[name.slice(searchPrefix.length)] = parseEntry(searchPrice, name, price).call
    else models[name] = parseEntry(modelPrice, name, price)
  }
  return { date: date ?? null, models, searches }
}

function parseEntry<T>(schema: z.ZodType<T>, name: string, price: unknown): T {
  const parsed = schema.safeParse(price)
  if (parsed.success) return parsed.data
  throw new Error(`'${name}': ${describeZodProblems(parsed.error, 'its price').join('; ')}`)
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

/** The published properties of a well-known model. */
interface KnownModel {
  /** In tokens. */
  readonly contextWindow: number
  /** Null when the built-in table has no price. */
  readonly price: TokenPrice | null
}

/**
 * Context windows in tokens by bare model name. Like the prices, they were written from memory, on the date in
 * prices.json. `--context-window` replaces them.
 */
const windows: Readonly<Record<string, number>> = {
  'gpt-5': 400_000,
  'gpt-5-mini': 400_000,
  'gpt-5-nano': 400_000,
  'gpt-5-chat-latest': 128_000,
  'gpt-4.1': 1_047_576,
  'gpt-4.1-mini': 1_047_576,
  'gpt-4.1-nano': 1_047_576,
  'gpt-4o': 128_000,
  'gpt-4o-mini': 128_000,
  'gpt-4-turbo': 128_000,
  'gpt-4': 8_192,
  'gpt-3.5-turbo': 16_385,
  o1: 200_000,
  o3: 200_000,
  'o3-mini': 200_000,
  'o4-mini': 200_000,
  'gpt-oss-120b': 131_072,
  'gpt-oss-20b': 131_072,
  'claude-opus-4-1': 200_000,
  'claude-opus-4-0': 200_000,
  'claude-sonnet-4-5': 200_000,
  'claude-sonnet-4-0': 200_000,
  'claude-3-7-sonnet-latest': 200_000,
  'claude-3-5-haiku-latest': 200_000,
  'gemini-2.5-pro': 1_048_576,
  'gemini-2.5-flash': 1_048_576,
  'gemini-2.5-flash-lite': 1_048_576,
  'gemini-2.0-flash': 1_048_576,
  'deepseek-chat': 128_000,
  'deepseek-reasoner': 128_000,
  'grok-4': 256_000,
  'grok-3': 131_072,
  'mistral-large-latest': 128_000,
  'mistral-small-latest': 128_000,
  'llama-3.3-70b-versatile': 131_072,
  'command-a-03-2025': 256_000,
}

/**
 * Finds a model by its name, by a dated snapshot of it (`gpt-4o-2024-08-06`, `…-20250929`) or by a router's name for it
 * (`openai/gpt-4o`).
 *
 * @returns null when the table does not contain the model
 */
export function findKnownModel(name: string): KnownModel | null {
  const routed = name.slice(name.lastIndexOf('/') + 1)
  const undated = routed.replace(/-(?:\d{4}-\d{2}-\d{2}|\d{8})$/, '')
  for (const candidate of [routed, undated, `${undated}-0`, `${undated}-latest`]) {
    const contextWindow = Object.hasOwn(windows, candidate) ? windows[candidate] : undefined
    if (contextWindow !== undefined)
      return { contextWindow, price: builtInPrices().models[candidate] ?? null }
  }
  return null
}
