import { ConfigError } from '../../src/core/errors.ts'

/** What a search service is made of; null: not set by the user. */
export interface SearchSettings {
  readonly apiKey: string | null
  readonly baseUrl: string | null
}

/** The settings of a service as its variables of the environment have them; null: it has no such variable. */
export function settingsOf(
  service: { readonly keyVariable: string | null; readonly baseUrlVariable: string | null },
  env: NodeJS.ProcessEnv,
): SearchSettings {
  const { keyVariable, baseUrlVariable } = service
  return {
    apiKey: keyVariable === null ? null : (env[keyVariable] ?? null),
    baseUrl: baseUrlVariable === null ? null : (env[baseUrlVariable] ?? null),
  }
}

/**
 * The key, or a ConfigError that names the variable to set. A server of the user's own (a base URL was given) may ask
 * for none: then null.
 */
export function requiredKey(settings: SearchSettings, service: string, variable: string): string | null {
  const key = settings.apiKey?.trim() ?? ''
  if (key !== '') return key
  if (settings.baseUrl !== null) return null
  throw new ConfigError(
    `${service} needs an API key: set ${variable}, or choose another service (--search) or another web (--web sealed)`,
  )
}
