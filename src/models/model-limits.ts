import { ConfigError } from '../core/errors.ts'
import { findKnownModel } from './known-models.ts'
import type { ModelOptions } from './model-source.ts'
import type { ModelClient, ProviderRecipe, RequestSettings } from './provider-recipe.ts'
import type { ServerLimits } from './server-limits.ts'
import { addressHint } from './spec.ts'

interface LimitsInput {
  readonly recipe: ProviderRecipe
  readonly model: string
  readonly baseUrl: string | null
  readonly key: string | null
  readonly options: ModelOptions
  readonly client: ModelClient
}

/**
 * Finds the context window and the support of tools. The order is the flag, the built-in table, the profile in the
 * provider's package and the server.
 */
export async function findLimits(input: LimitsInput): Promise<ServerLimits> {
  const { recipe, model, baseUrl, key, options, client } = input
  const profile = baseUrl === null ? await client.readProfile(plainSettings(model, key)) : null
  const contextWindow =
    options.contextWindow ?? findKnownModel(model)?.contextWindow ?? profile?.contextWindow ?? null
  if (contextWindow !== null) return { contextWindow, nativeTools: profile?.nativeTools ?? null }
  const server = baseUrl ?? recipe.defaultUrl
  const limits = server === undefined ? null : await recipe.askServer?.(server, model, key)
  return limits ?? { contextWindow: null, nativeTools: null }
}

function plainSettings(model: string, key: string | null): RequestSettings {
  const sampling = { temperature: null, topP: null, maxOutputTokens: null, reasoningEffort: null }
  return { model, baseUrl: null, key, ...sampling, requestFields: {}, seed: 0, contextWindow: 0 }
}

/**
 * Creates the error of a model whose context window is not known: `server-not-reached` when its server does not answer, else
 * `unknown-context-window`.
 */
export function unknownWindowError(
  recordName: string,
  baseUrl: string | null,
  { failure = null }: ServerLimits,
): ConfigError {
  const server = baseUrl === null ? null : withoutCredentials(baseUrl)
  const hint = addressHint(recordName)
  if (server !== null && failure !== null && !/^HTTP|^no JSON/.test(failure)) {
    const fix = 'Start the server, or correct its address (/v1 included)'
    return new ConfigError(
      `${recordName}: no server answers at ${server} (${failure}). ${fix}. With --context-window N (tokens) the run begins without asking it.${hint}`,
      { code: 'server-not-reached' },
    )
  }
  const cause = failure === null ? '' : ` (${failure}: is that its address, /v1 included?)`
  const silence = server === null ? '' : `, and ${server} does not report it${cause}`
  return new ConfigError(
    `${recordName}: the context window is not in the built-in table${silence}. Pass --context-window N (tokens).${hint}`,
    { code: 'unknown-context-window' },
  )
}

/** Returns a URL without user, password and query, as messages may show it. */
export function withoutCredentials(url: string): string {
  const parsed = new URL(url)
  parsed.username = ''
  parsed.password = ''
  parsed.search = ''
  return parsed.href
}
