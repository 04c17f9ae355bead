import type { TokenPrice } from '../core/model.ts'
import { builtInPrices } from './price-table.ts'

/** The published properties of a well-known model. */
export interface KnownModel {
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
