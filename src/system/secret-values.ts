import { decodePercents } from '../text/canonical-url.ts'
import { isObject, parseJsonOrNull } from '../text/json.ts'
import { escapeHtml, makeWellFormed } from '../text/plain-text.ts'

/** Replaces a secret in stored text. */
export const redacted = '[redacted]'

/** Names of query parameters and fields that contain a key or a password. */
export const secretParameter =
  /^(?:x[-_])?(?:api[-_]?key|apikey|key|token|access[-_]?token|auth(?:orization)?|secret|client[-_]?secret|password|passwd|signature|sig|subscription[-_]?token)$/i

const secretEnd =
  /(?:(?:^|[._-])(?:(?:api)?key|pat|auth|pass|pwd)|sshpass|token|secret|passw(?:or)?d|passphrase|credentials?)$/i

/** Whether a variable, a flag or a field has a key or a password by its name: `DB_PASSWORD`, `MYTOKEN`, `accessKey`. */
export function isSecretName(name: string): boolean {
  return secretEnd.test(name.replace(/([a-z\d])([A-Z])/g, '$1_$2'))
}

/** Whether the value of a variable is a secret by its name. The path of a file with a key is none. */
export function isSecretVariable(name: string, value: string): boolean {
  return isSecretName(name) && !isPath(value)
}

/** The spellings of the secrets that this process has read, longest first. */
let spellings: readonly string[] = []
const registered = new Set<string>()

/**
 * Remembers a secret for the life of this process. Every place that reads a key or a password calls this, and everything
 * that writes records or output removes the registered values. Values that would also remove ordinary words are ignored:
 * those with fewer than 8 characters, or fewer than 6 when they contain a digit or a sign. Of a key of several lines and
 * of a JSON object of keys, the parts are secrets too.
 */
export function registerSecret(value: string | null | undefined): void {
  const secret = value?.trim() ?? ''
  if (registered.has(secret) || !isRecognisable(secret)) return
  registered.add(secret)
  spellings = sortSpellings([...spellings, ...secretSpellings(secret)])
  for (const part of listSecretParts(secret)) registerSecret(part)
}

/** What a program may print alone: the lines of a PEM file, and the keys in the JSON of a service account. */
function listSecretParts(secret: string): readonly string[] {
  const object = secret.startsWith('{') ? parseJsonOrNull(secret) : null
  if (isObject(object))
    return Object.entries(object).flatMap(([name, value]) =>
      typeof value === 'string' && isSecretName(name) ? [value] : [],
    )
  const lines = secret.split(/[\r\n]+/)
  return lines.length === 1 ? [] : lines.filter(line => /^[\w+/=-]{16,}$/.test(line))
}

/** Remembers the user and the password of an address, and query values whose names say that they are secrets. */
function registerCredentials(address: string): void {
  if (!URL.canParse(address)) return
  const { username, password, searchParams } = new URL(address)
  const [user, word] = [decodePercents(username), decodePercents(password)]
  // A user without a password is a token.
  registerSecret(word === '' ? user : word)
  if (word !== '') registerSecret(`${user}:${word}`)
  for (const [name, value] of searchParams) if (secretParameter.test(name)) registerSecret(value)
}

/** Remembers what may be secret in an address that the operator named: its user, password, query values, and keys in its path. */
export function registerAddress(address: string | null | undefined): void {
  if (address === null || address === undefined || !URL.canParse(address)) return
  registerCredentials(address)
  const { pathname, searchParams } = new URL(address)
  for (const value of searchParams.values()) if (!isPlainSetting(value)) registerSecret(value)
  for (const part of pathname.split('/')) if (looksLikeKey(part)) registerSecret(part)
}

/**
 * Remembers the value of a variable that the operator gives to a program. Settings, such as a number, a path, a short word
 * and a text that `openText` contains, are no secrets unless the name of the variable says so.
 *
 * @param openText the options of the run, which records must show
 */
export function registerVariable(name: string, value: string, openText = ''): void {
  const isAddress = value.includes('://')
  if (isAddress) registerAddress(value)
  const isOpen = isAddress || isPlainSetting(value) || openText.includes(value)
  if (isSecretName(name) ? !isPath(value) : !isOpen) registerSecret(value)
}

/** Remembers the variables of an environment whose names say that they are secrets, and the passwords in its addresses. */
export function registerEnvironment(env: Readonly<Record<string, string | undefined>>): void {
  for (const [name, value = ''] of Object.entries(env)) {
    if (isSecretName(name)) registerVariable(name, value)
    // Any program may have put an address there, whose words are no secrets.
    else if (value.includes('://')) registerCredentials(value)
    // `authorization=Bearer KEY,x-team=one`
    if (/^OTEL_EXPORTER_OTLP_(?:TRACES_)?HEADERS$/.test(name))
      for (const pair of value.split(',')) registerHeader(pair.slice(pair.indexOf('=') + 1))
  }
}

/** Remembers the value of a header: the whole value, and the key after its scheme. */
export function registerHeader(value: string): void {
  registerSecret(value)
  registerSecret(/^(?:bearer|basic|token|digest)(?:\s|%20)+(.+)$/i.exec(value.trim())?.[1])
}

/** Returns the spellings of all registered secrets: the same array until another one is registered. */
export function registeredSpellings(): readonly string[] {
  return spellings
}

/** Returns a text without the registered secrets; the same string when it contains none. */
export function withoutSecrets(text: string): string {
  return removeSpellings(text, spellings)
}

/** Returns a copy of plain data without the registered secrets; the same object when it contains none. */
export function valueWithoutSecrets<T>(value: T): T {
  if (spellings.length === 0) return value
  const json = JSON.stringify(value) ?? ''
  return spellings.some(spelling => json.includes(spelling)) ? (cleanValue(value) as T) : value
}

function cleanValue(value: unknown): unknown {
  if (typeof value === 'string') return withoutSecrets(value)
  if (Array.isArray(value)) return value.map(cleanValue)
  if (value === null || typeof value !== 'object') return value
  return Object.fromEntries(
    Object.entries(value).map(([name, inner]) => [withoutSecrets(name), cleanValue(inner)]),
  )
}

/** Returns a text in which each spelling is replaced. */
export function removeSpellings(text: string, removed: readonly string[]): string {
  let clean = text
  for (const spelling of removed) if (clean.includes(spelling)) clean = clean.replaceAll(spelling, redacted)
  return clean
}

/** Returns spellings, each once and the longest first. */
export function sortSpellings(unsorted: readonly string[]): readonly string[] {
  return [...new Set(unsorted)].sort((a, b) => b.length - a.length)
}

/**
 * Returns the ways in which a text may contain a secret: as it is, escaped for JSON and HTML, percent-encoded, in
 * hexadecimal digits, and in base64 at any place of an encoded text.
 */
export function secretSpellings(secret: string): readonly string[] {
  const plain = secret.trim()
  if (plain.length < 4) return []
  const hex = Buffer.from(plain).toString('hex')
  const json = JSON.stringify(plain).slice(1, -1)
  return [
    ...[plain, json, JSON.stringify(json).slice(1, -1), escapeHtml(plain)],
    ...[encodeURI(makeWellFormed(plain)), encodeURIComponent(makeWellFormed(plain))],
    ...[new URLSearchParams({ '': plain }).toString().slice(1), hex, hex.toUpperCase()],
    ...base64Spellings(plain),
  ]
}

/** The part of the base64 that depends on the secret alone, for each of the three places in a group of bytes. */
function base64Spellings(plain: string): string[] {
  const shifted = [0, 1, 2].map(before => {
    const bytes = Buffer.concat([Buffer.alloc(before), Buffer.from(plain)])
    const whole = Math.floor((bytes.length * 8) / 6)
    return bytes.toString('base64').slice(Math.ceil((before * 8) / 6), whole)
  })
  // Shorter parts also occur by chance.
  const long = shifted.filter(part => part.length >= 8)
  const first = Buffer.from(plain).toString('base64').replace(/=+$/, '')
  return [first, ...long].flatMap(part => [part, part.replaceAll('+', '-').replaceAll('/', '_')])
}

/** Whether a word looks like a generated key: a UUID, a JSON web token, or 20 characters with letters and digits mixed. */
export function looksLikeKey(word: string): boolean {
  if (/^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(word) || /^eyJ[\w-]{10,}\./.test(word))
    return true
  if (!/^[\w-]{20,}$/.test(word)) return false
  return word.split(/[-_]/).some(part => part.length >= 10 && /\d/.test(part) && /[a-z]/i.test(part))
}

function isRecognisable(secret: string): boolean {
  return secret.length >= 8 || (secret.length >= 6 && /[^a-z]/i.test(secret))
}

const isPath = (value: string): boolean =>
  /^(?:(?:~|\.{0,2})\/|(?:file|variable):)/.test(value) || /^[a-z]:\\/i.test(value)

/** A number, a date, a path, or one to three short words. */
function isPlainSetting(value: string): boolean {
  return (
    isPath(value) ||
    /^[\d.,:\sTZ+-]+$/.test(value) ||
    (value.length < 16 && /^[a-z]+(?:[ ,_-][a-z]+)*$/i.test(value))
  )
}
