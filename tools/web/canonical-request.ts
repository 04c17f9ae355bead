import { canonicalJson, sha256 } from '../../src/system/hash.ts'
import { registeredSpellings, secretParameter } from '../../src/system/secret-values.ts'
import { isObject, parseJsonOrNull } from '../../src/text/json.ts'
import { isQuestionLocale } from '../search/locale.ts'
import type { WebRequest } from './transport.ts'

/** A request as recordings and faults identify it: without headers, fragment and secrets. */
interface CanonicalRequest {
  /** SHA-256 of the other fields, without the locale of the question. */
  readonly key: string
  readonly method: string
  readonly url: string
  readonly body: string | null
  readonly purpose: 'page' | 'service'
}

const secretHeader = /auth|cookie|key|token|secret|session/i

/** Returns whether a header of a request or an answer may carry a secret. Such headers are never written. */
export function isSecretHeader(name: string): boolean {
  return secretHeader.test(name)
}

/**
 * Returns the canonical form of a request. The caller, the API key and the order of JSON fields do not change its
 * key. Neither does the locale that a search takes from its question: recordings of earlier versions do not have it.
 */
export function makeCanonicalRequest(request: WebRequest): CanonicalRequest {
  const { purpose } = request
  const rest = {
    method: request.method,
    url: normaliseUrl(request.url, purpose),
    body: request.body === null ? null : removeBodySecrets(request.body),
    purpose,
  }
  const keyed = purpose === 'service' ? withoutQuestionLocale(rest) : rest
  return { key: sha256(canonicalJson(keyed)), ...rest }
}

function withoutQuestionLocale<R extends { readonly url: string; readonly body: string | null }>(
  request: R,
): R {
  return { ...request, url: removeUrlLocale(request.url), body: removeBodyLocale(request.body) }
}

function removeUrlLocale(url: string): string {
  if (!URL.canParse(url)) return url
  const parsed = new URL(url)
  const repeated = [...parsed.searchParams].filter(([name, value]) => isQuestionLocale(name, value))
  if (repeated.length === 0) return url
  for (const [name] of repeated) parsed.searchParams.delete(name)
  return parsed.href
}

function removeBodyLocale(body: string | null): string | null {
  const value = body === null ? null : parseJsonOrNull(body)
  if (!isObject(value)) return body
  const fields = Object.entries(value).filter(([name, inner]) => !isQuestionLocale(name, inner))
  return fields.length === Object.keys(value).length ? body : canonicalJson(Object.fromEntries(fields))
}

/**
 * Returns the URL without user name, password, fragment and the values of query parameters named like keys. For
 * pages, a short digest replaces such a value, because `?key=` may identify the page.
 */
export function normaliseUrl(url: string, purpose: WebRequest['purpose']): string {
  if (!URL.canParse(url)) return url
  const parsed = new URL(url)
  parsed.hash = ''
  parsed.username = ''
  parsed.password = ''
  for (const [name, value] of [...parsed.searchParams]) {
    if (!secretParameter.test(name) || value.startsWith(removed)) continue
    parsed.searchParams.set(name, purpose === 'service' ? removed : `${removed}-${sha256(value).slice(0, 8)}`)
  }
  return parsed.href
}

function removeBodySecrets(body: string): string {
  try {
    const value: unknown = JSON.parse(body)
    return canonicalJson(withoutSecrets(value))
  } catch {
    // Text other than JSON is its own canonical form, except for the values of form fields named like keys.
    return body.replace(/(^|&)([^=&]+)=[^&]*/g, (pair, start: string, name: string) =>
      secretParameter.test(name) ? `${start}${name}=${removed}` : pair,
    )
  }
}

function withoutSecrets(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutSecrets)
  if (value === null || typeof value !== 'object') return value
  return Object.fromEntries(
    Object.entries(value).map(([name, inner]) => [
      name,
      secretParameter.test(name) && typeof inner === 'string' ? removed : withoutSecrets(inner),
    ]),
  )
}

const removed = 'removed'

/**
 * Returns the values that must not be written anywhere, even when a server repeats them: secret headers, and a
 * service's parameters and fields. The address of a page contains no secrets of the operator.
 */
export function listSecretValues(request: WebRequest): string[] {
  const secrets: string[] = []
  for (const [name, value] of Object.entries(request.headers)) {
    if (isSecretHeader(name)) secrets.push(value, ...listSecretParts(name, value))
  }
  if (request.purpose === 'service' && URL.canParse(request.url)) {
    const parsed = new URL(request.url)
    secrets.push(parsed.username, parsed.password)
    for (const [name, value] of parsed.searchParams) if (secretParameter.test(name)) secrets.push(value)
  }
  for (const hit of (request.body ?? '').matchAll(/"([^"]+)"\s*:\s*"([^"]+)"/g)) {
    if (secretParameter.test(hit[1] ?? '')) secrets.push(hit[2] ?? '')
  }
  return [...new Set(secrets)].filter(value => value.length >= 8)
}

/** Returns everything that a recording of a request must not contain: its own secrets, and those that this process has read. */
export function listUnrecordedValues(request: WebRequest): string[] {
  return [...listSecretValues(request), ...registeredSpellings()]
}

/** Returns the values of cookies without their names: a name such as `currency` also occurs in ordinary pages. */
function listSecretParts(header: string, value: string): string[] {
  if (!/cookie/i.test(header)) return value.split(/[\s;,=]+/)
  return value.split(';').map(pair => pair.slice(pair.indexOf('=') + 1).trim())
}

/** Replaces every occurrence of the values in a text. */
export function removeValues(text: string, secrets: readonly string[]): string {
  return secrets.reduce((rest, secret) => rest.replaceAll(secret, removed), text)
}

/** Replaces every occurrence of the values in bytes. Returns the same object when nothing changed. */
export function removeValuesFromBytes(bytes: Uint8Array, secrets: readonly string[]): Uint8Array {
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  const named = secrets.filter(secret => buffer.includes(secret))
  if (named.length === 0) return bytes
  const text = removeValues(buffer.toString('latin1'), named.map(latin1))
  return Buffer.from(text, 'latin1')
}

function latin1(text: string): string {
  return Buffer.from(text, 'utf8').toString('latin1')
}

/** Creates a counter that returns how often each key was seen before. */
export function createCounter(): (key: string) => number {
  const counts = new Map<string, number>()
  return key => {
    const before = counts.get(key) ?? 0
    counts.set(key, before + 1)
    return before
  }
}
