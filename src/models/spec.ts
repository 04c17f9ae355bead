import { ConfigError } from '../core/errors.ts'
import { nearestName } from '../core/nearest.ts'
import type { ModelSpec } from './model-source.ts'

/**
 * Reads `PROVIDER`, `PROVIDER:NAME` or `PROVIDER:NAME@URL`. The name may hold colons (`ollama:qwen3:8b`); an `@` counts
 * only before http:// or https://. Throws ConfigError for an unknown provider, with the nearest right one.
 */
export function parseModelSpec(text: string, providers: readonly string[]): ModelSpec {
  const colon = text.indexOf(':')
  const provider = colon < 0 ? text : text.slice(0, colon)
  if (!providers.includes(provider)) throw unknownProvider(text, provider, providers)
  const rest = colon < 0 ? '' : text.slice(colon + 1)
  const at = /@(?=https?:\/\/)/i.exec(rest)
  if (at === null) return { provider, name: rest, url: null }
  return { provider, name: rest.slice(0, at.index), url: checkedUrl(rest.slice(at.index + 1), text) }
}

/** An http(s) URL without trailing slashes; ConfigError where it is none. */
export function checkedUrl(url: string, where: string): string {
  if (!/^https?:/i.test(url) || !URL.canParse(url)) {
    throw new ConfigError(`'${where}': '${url}' is no http(s) URL, such as http://127.0.0.1:8000/v1`)
  }
  return url.replace(/\/+$/, '')
}

function unknownProvider(text: string, provider: string, providers: readonly string[]): ConfigError {
  const near = nearestName(provider, providers)
  const mend =
    near === null
      ? `write PROVIDER:NAME with one of ${providers.join(', ')}`
      : `did you mean '${near}${text.slice(provider.length)}'?`
  return new ConfigError(`unknown model '${text}': there is no provider '${provider}'; ${mend}`)
}
