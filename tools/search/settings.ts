import { ConfigError } from '../../src/core/errors.ts'

/** The settings of a search service; null when the user did not set them. */
export interface SearchSettings {
  readonly apiKey: string | null
  readonly baseUrl: string | null
}

/**
 * Reads the settings of a service from its environment variables. A null variable name means that the service has
 * no such setting.
 */
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
 * Returns the key; null when the user set a base URL and no key, because a self-hosted server may need none.
 *
 * @throws ConfigError `missing-key`, naming the variable to set
 */
export function requiredKey(settings: SearchSettings, service: string, variable: string): string | null {
  const key = settings.apiKey?.trim() ?? ''
  if (key !== '') return key
  if (settings.baseUrl !== null) return null
  throw new ConfigError(
    `${service} needs an API key. Set ${variable}, or choose another service (--search) or another web (--web sealed).`,
    { code: 'missing-key' },
  )
}
