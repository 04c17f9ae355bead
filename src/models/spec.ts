import { ConfigError } from '../core/errors.ts'
import { nearestName } from '../core/nearest.ts'
import type { ModelSpec } from './model-source.ts'

/** Where a server's address begins behind a name. */
const beforeAddress = /@(?=https?:\/\/)/i

/**
 * Reads `PROVIDER`, `PROVIDER:NAME` or `PROVIDER:NAME@URL`. The name may hold colons (`ollama:qwen3:8b`); an `@` counts
 * only before http:// or https://. Throws ConfigError for an unknown provider, with the nearest right one.
 */
export function parseModelSpec(text: string, providers: readonly string[]): ModelSpec {
  const colon = text.indexOf(':')
  const provider = colon < 0 ? text : text.slice(0, colon)
  if (!providers.includes(provider)) throw unknownProvider(text, provider, providers)
  const rest = colon < 0 ? '' : text.slice(colon + 1)
  const at = beforeAddress.exec(rest)
  if (at === null) return { provider, name: rest, url: null }
  return { provider, name: rest.slice(0, at.index), url: checkedUrl(rest.slice(at.index + 1), text) }
}

/** The same without the server's address: whose answers they are, not where they come from. */
export function withoutAddress(text: string): string {
  return text.split(beforeAddress, 1)[0]!
}

const addressLike =
  /^(?:[a-z][\w+.-]*:\/\/|localhost\b|\[|[\w.-]+:\d{1,5}(?:\/|$)|\d+(?:\.\d+){3}|[\w.-]+\.[a-z]{2,}(?:\/|$))/i

/**
 * Refuses a name behind whose `@` stands what looks like an address, such as `localhost:8000`. Names may hold an `@` of
 * their own (`qwen@q4_k_m`).
 */
export function requireNoAddress(name: string, where: string): void {
  const behind = behindAt(name)
  if (behind !== null && addressLike.test(behind)) checkedUrl(behind, where)
}

/** For a message on what a server would have mended: why none was asked, where one may have been meant; '' else. */
export function unlikeAddress(name: string): string {
  const behind = behindAt(name)
  return behind === null
    ? ''
    : `; '${behind}' after the @ is no http(s) URL and was taken as a part of the name`
}

function behindAt(name: string): string | null {
  return name.includes('@') ? name.slice(name.lastIndexOf('@') + 1) : null
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
  return new ConfigError(`unknown model '${text}': there is no provider '${provider}'; ${mend}`, {
    code: 'unknown-model-provider',
  })
}
