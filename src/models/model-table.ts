import type { TokenPrice } from '../core/model.ts'

/** A well-known model as its provider published it. `price` null: not known to us. */
export interface KnownModel {
  readonly contextWindow: number
  readonly price: TokenPrice | null
}

/** The day up to which the table below was checked against the providers' public price lists. */
export const modelTableDate = '2025-10-01'

const price = (input: number, cachedInput: number, output: number): TokenPrice => ({
  input,
  cachedInput,
  output,
})

/**
 * Windows in tokens and list prices in US dollars a million tokens, by bare model name. Where a provider charges more
 * for long prompts the higher price stands here, so that a cap in dollars holds. `--prices FILE` replaces prices.
 */
export const knownModels: Readonly<Record<string, KnownModel>> = {
  'gpt-5': { contextWindow: 400_000, price: price(1.25, 0.125, 10) },
  'gpt-5-mini': { contextWindow: 400_000, price: price(0.25, 0.025, 2) },
  'gpt-5-nano': { contextWindow: 400_000, price: price(0.05, 0.005, 0.4) },
  'gpt-5-chat-latest': { contextWindow: 128_000, price: price(1.25, 0.125, 10) },
  'gpt-4.1': { contextWindow: 1_047_576, price: price(2, 0.5, 8) },
  'gpt-4.1-mini': { contextWindow: 1_047_576, price: price(0.4, 0.1, 1.6) },
  'gpt-4.1-nano': { contextWindow: 1_047_576, price: price(0.1, 0.025, 0.4) },
  'gpt-4o': { contextWindow: 128_000, price: price(2.5, 1.25, 10) },
  'gpt-4o-mini': { contextWindow: 128_000, price: price(0.15, 0.075, 0.6) },
  'gpt-4-turbo': { contextWindow: 128_000, price: price(10, 10, 30) },
  'gpt-4': { contextWindow: 8_192, price: price(30, 30, 60) },
  'gpt-3.5-turbo': { contextWindow: 16_385, price: price(0.5, 0.5, 1.5) },
  o1: { contextWindow: 200_000, price: price(15, 7.5, 60) },
  o3: { contextWindow: 200_000, price: price(2, 0.5, 8) },
  'o3-mini': { contextWindow: 200_000, price: price(1.1, 0.55, 4.4) },
  'o4-mini': { contextWindow: 200_000, price: price(1.1, 0.275, 4.4) },
  'gpt-oss-120b': { contextWindow: 131_072, price: null },
  'gpt-oss-20b': { contextWindow: 131_072, price: null },
  'claude-opus-4-1': { contextWindow: 200_000, price: price(15, 1.5, 75) },
  'claude-opus-4-0': { contextWindow: 200_000, price: price(15, 1.5, 75) },
  'claude-sonnet-4-5': { contextWindow: 200_000, price: price(3, 0.3, 15) },
  'claude-sonnet-4-0': { contextWindow: 200_000, price: price(3, 0.3, 15) },
  'claude-3-7-sonnet-latest': { contextWindow: 200_000, price: price(3, 0.3, 15) },
  'claude-3-5-haiku-latest': { contextWindow: 200_000, price: price(0.8, 0.08, 4) },
  'gemini-2.5-pro': { contextWindow: 1_048_576, price: price(2.5, 0.625, 15) },
  'gemini-2.5-flash': { contextWindow: 1_048_576, price: price(0.3, 0.075, 2.5) },
  'gemini-2.5-flash-lite': { contextWindow: 1_048_576, price: price(0.1, 0.025, 0.4) },
  'gemini-2.0-flash': { contextWindow: 1_048_576, price: price(0.1, 0.025, 0.4) },
  'deepseek-chat': { contextWindow: 128_000, price: price(0.28, 0.028, 0.42) },
  'deepseek-reasoner': { contextWindow: 128_000, price: price(0.28, 0.028, 0.42) },
  'grok-4': { contextWindow: 256_000, price: price(6, 1.5, 30) },
  'grok-3': { contextWindow: 131_072, price: price(3, 0.75, 15) },
  'mistral-large-latest': { contextWindow: 128_000, price: null },
  'mistral-small-latest': { contextWindow: 128_000, price: null },
  'llama-3.3-70b-versatile': { contextWindow: 131_072, price: price(0.59, 0.59, 0.79) },
  'command-a-03-2025': { contextWindow: 256_000, price: price(2.5, 2.5, 10) },
}

/** Looks a model up by its name, a dated snapshot of it (`gpt-4o-2024-08-06`, `…-20250929`) or a routed name (`openai/gpt-4o`). */
export function findKnownModel(name: string): KnownModel | null {
  const routed = name.slice(name.lastIndexOf('/') + 1)
  const undated = routed.replace(/-(?:\d{4}-\d{2}-\d{2}|\d{8})$/, '')
  for (const candidate of [routed, undated, `${undated}-0`, `${undated}-latest`]) {
    if (Object.hasOwn(knownModels, candidate)) return knownModels[candidate]!
  }
  return null
}
