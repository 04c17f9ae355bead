import { ConfigError } from '../core/errors.ts'
import { nearestName } from '../core/nearest-name.ts'
import { withoutUser } from '../core/option-values.ts'
import type { ModelSpec } from './model-source.ts'

/** The `@` between a model's name and its server's address. */
const addressMark = /@(?=https?:\/\/)/i

/**
 * Reads `PROVIDER`, `PROVIDER:NAME` or `PROVIDER:NAME@URL`. The name may contain colons (`ollama:qwen3:8b`). An `@`
 * begins a URL only before `http://` or `https://`.
 *
 * @param providers the names of all providers
 * @throws ConfigError `unknown-model-provider`, with the most similar name, or `invalid-url`
 */
export function parseModelSpec(text: string, providers: readonly string[]): ModelSpec {
  const colon = text.indexOf(':')
  const provider = colon < 0 ? text : text.slice(0, colon)
  if (!providers.includes(provider)) throw unknownProvider(text, provider, providers)
  const rest = colon < 0 ? '' : text.slice(colon + 1)
  const at = addressMark.exec(rest)
  if (at === null) return { provider, name: rest, url: null }
  return { provider, name: rest.slice(0, at.index), url: checkUrl(rest.slice(at.index + 1), text) }
}

/** Returns the name of a model without its server's address. */
export function withoutAddress(text: string): string {
  return text.split(addressMark, 1)[0]!
}

const addressLike =
  /^(?:[a-z][\w+.-]*:\/\/|localhost\b|\[|[\w.-]+:\d{1,5}(?:\/|$)|\d+(?:\.\d+){3}|[\w.-]+\.[a-z]{2,}(?:\/|$))/i

/**
 * Throws when the text after the `@` of a name looks like an address without `http://`, such as `localhost:8000`. Other
 * names may contain an `@` (`qwen@q4_k_m`).
 *
 * @param where the option or name for the message
 * @throws ConfigError `invalid-url`
 */
export function throwIfAddressInName(name: string, where: string): void {
  const suffix = textAfterAt(name)
  if (suffix !== null && addressLike.test(suffix)) checkUrl(suffix, where)
}

/**
 * Returns a sentence for the end of a message about a missing server. The sentence is for users who meant the
 * text after the `@` as its address. Returns an empty string for a name without an `@`.
 */
export function addressHint(name: string): string {
  const suffix = textAfterAt(name)
  return suffix === null
    ? ''
    : ` '${suffix}' after the @ is not an http(s) URL, so it counts as a part of the name.`
}

function textAfterAt(name: string): string | null {
  return name.includes('@') ? name.slice(name.lastIndexOf('@') + 1) : null
}

/**
 * Checks that a text is an http(s) URL and returns it without trailing slashes.
 *
 * @param where the option or name for the message
 * @throws ConfigError `invalid-url`, `user-in-address`
 */
export function checkUrl(url: string, where: string): string {
  if (!/^https?:\/\//i.test(url) || !URL.canParse(url)) {
    throw new ConfigError(
      `'${where}': '${url}' is not an http(s) URL. Write one such as http://127.0.0.1:8000/v1.`,
      { code: 'invalid-url' },
    )
  }
  return withoutUser(url).replace(/\/+$/, '')
}

function unknownProvider(text: string, provider: string, providers: readonly string[]): ConfigError {
  const nearest = nearestName(provider, providers)
  const advice =
    nearest === null
      ? `Write PROVIDER:NAME, such as openai:gpt-5-mini. The providers are ${providers.join(', ')}.`
      : `Did you mean '${nearest}${text.slice(provider.length)}'?`
  return new ConfigError(`unknown model '${text}': there is no provider '${provider}'. ${advice}`, {
    code: 'unknown-model-provider',
  })
}
