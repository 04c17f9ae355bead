/** Stands where a secret was. */
export const redacted = '[redacted]'

/** Names of fields, headers and query parameters whose value is a secret whatever it looks like. */
const secretName =
  /^(?:(?:proxy-)?authorization|(?:set-)?cookie|(?:x-)?api[-_]?key|x-(?:goog-)?api-key|x-subscription-token|(?:access|refresh|id|auth|session)[-_]token|client[-_]secret|secret|password|passwd)$/i

/** Tell whether a rule below can match, so that plain text costs little. Apart: keys in any case would take twice the time. */
const suspiciousWord = /auth|cookie|key|token|secret|passw|bearer|sig|x-amz-|:\/\/[^/\s]*@/i
const suspiciousKey = /[spr]k-[\w-]{16}|AIza[\w-]{30}|gh[pousr]_|xox[abp]-|tvly-/

/**
 * The same of data as JSON text, less often wrong: field names and counts of tokens are no secrets. Whatever a rule takes
 * out, or a field named like a secret, matches it in JSON too, where no word boundary can be relied on (`\\nsk-…`).
 */
const suspiciousJson =
  /authorization|cookie|bearer[\s\\]|api[-_]?key|client[-_]secret|passw|"secret"|[-_]token|[spr]k-[\w-]{16}|AIza[\w-]{30}|gh[pousr]_|xox[abp]-|tvly-/i
/** Apart, for text that has their one character: looked for in every line, they would take half the time. */
const suspiciousQuery = /[?&;](?:key|(?:access|auth|refresh|session)?token|sig(?:nature)?|x-amz-[a-z-]+)=/i
const suspiciousUser = /:\/\/[^/\s"]*@/

/**
 * Each rule asks for the shape of a secret, not its name alone: a contract says "Authorization: the Board…", a report
 * "Basic earnings", and their text must stay whole.
 */
export const secretRules: readonly (readonly [RegExp, string])[] = [
  [
    /\b((?:proxy-)?authorization["']?\s*[:=]\s*["']?(?:bearer|basic|token|digest)\s+)[^\s"',]{6,}/gi,
    `$1${redacted}`,
  ],
  [
    /\b((?:proxy-)?authorization["']?\s*[:=]\s*["']?)(?=[^\s"']*\d)[A-Za-z0-9._~+/=-]{16,}/gi,
    `$1${redacted}`,
  ],
  [/\b(bearer\s+)(?=[^\s"']*\d)[A-Za-z0-9._~+/=-]{16,}/gi, `$1${redacted}`],
  [/\b((?:set-)?cookie["']?\s*:\s*["']?)[\w!#$%&*+.^|~-]+=[^\r\n"']+/gi, `$1${redacted}`],
  [/\b((?:x-[a-z-]*api-key|x-subscription-token)["']?\s*[:=]\s*["']?)[^\s"',]{6,}/gi, `$1${redacted}`],
  [
    /([?&;](?:key|api[-_]?key|(?:access|auth|refresh|session)[-_]?token|token|client[-_]secret|password|passwd|sig|signature|x-amz-(?:signature|credential|security-token))=)[^&#\s"'<>)\]]+/gi,
    `$1${redacted}`,
  ],
  [
    /\b((?:api[-_]?key|client[-_]secret|password)["']?\s*[:=]\s*["']?)(?=[^\s"']*\d)[^\s"',]{6,}/gi,
    `$1${redacted}`,
  ],
  [/(:\/\/)[^/\s:@"']*:[^/\s@"']+@/g, `$1${redacted}@`],
  [/\b(?:sk|pk|rk)-(?=[A-Za-z_-]*\d)[A-Za-z0-9_-]{16,}/g, redacted],
  [
    /\b(?:AIza[A-Za-z0-9_-]{30,}|gh[pousr]_[A-Za-z0-9]{30,}|xox[abp]-[A-Za-z0-9-]{10,}|tvly-[A-Za-z0-9-]{10,})/g,
    redacted,
  ],
]

export interface Redactor {
  /** The text without secrets; the same string where it holds none. */
  text(text: string): string
  /** A copy of plain data without secrets, fields named like a secret included; the same object where nothing changed. */
  value<T>(value: T): T
  /** A JSON text as `value` would clean what it says; quick where it holds nothing that looks like a secret. */
  json(text: string): string
}

/**
 * Takes out what must never be written: the literal secrets handed in (a key as it stands, percent-encoded and
 * in base64), and whatever looks like a key, an authorization, a cookie or a secret query parameter.
 * Literal secrets shorter than 4 characters are ignored: they would take ordinary words out.
 */
export function createRedactor(secrets: readonly string[]): Redactor {
  const literals = [...new Set(secrets.flatMap(spellings))].sort((a, b) => b.length - a.length)
  const redactText = (text: string): string => {
    let clean = text
    for (const literal of literals) if (clean.includes(literal)) clean = clean.replaceAll(literal, redacted)
    if (!suspiciousWord.test(clean) && !suspiciousKey.test(clean)) return clean
    for (const [pattern, replacement] of secretRules) clean = clean.replace(pattern, replacement)
    return clean
  }
  const redaction = { text: redactText, name: rememberPlainNames(redactText) }
  const escaped = literals.map(literal => JSON.stringify(literal).slice(1, -1))
  return {
    text: redactText,
    value: value => redactValue(value, redaction) as typeof value,
    json(text) {
      const isPlain = !isSuspicious(text) && !escaped.some(literal => text.includes(literal))
      return isPlain ? text : JSON.stringify(redactValue(JSON.parse(text), redaction))
    },
  }
}

function isSuspicious(json: string): boolean {
  return (
    suspiciousJson.test(json) ||
    (json.includes('=') && suspiciousQuery.test(json)) ||
    (json.includes('@') && suspiciousUser.test(json))
  )
}

const redactors = new WeakMap<readonly string[], Redactor>()

/** One redactor for one list of secrets, however many attempts write with it. */
export function redactorFor(secrets: readonly string[]): Redactor {
  const redactor = redactors.get(secrets) ?? createRedactor(secrets)
  redactors.set(secrets, redactor)
  return redactor
}

function spellings(secret: string): string[] {
  const plain = secret.trim()
  if (plain.length < 4) return []
  const base64 = Buffer.from(plain, 'utf8').toString('base64').replace(/=+$/, '')
  return [plain, encodeURIComponent(plain), base64]
}

/** Field names that hold no secret: they recur in every event. More than these are of a model's making. */
const mostPlainNames = 500

function rememberPlainNames(redactText: (text: string) => string): (name: string) => string {
  const plain = new Set<string>()
  return name => {
    if (plain.has(name)) return name
    const clean = redactText(name)
    if (clean === name && plain.size < mostPlainNames) plain.add(name)
    return clean
  }
}

interface Redaction {
  text(text: string): string
  name(name: string): string
}

function redactValue(value: unknown, redaction: Redaction): unknown {
  if (typeof value === 'string') return redaction.text(value)
  if (Array.isArray(value)) {
    let changed = false
    const copy = value.map((item: unknown) => {
      const clean = redactValue(item, redaction)
      changed ||= clean !== item
      return clean
    })
    return changed ? copy : value
  }
  if (value === null || typeof value !== 'object') return value
  let copy: Record<string, unknown> | null = null
  for (const [name, item] of Object.entries(value)) {
    const hidden = typeof item === 'string' && item !== '' && secretName.test(name)
    const clean = hidden ? redacted : redactValue(item, redaction)
    const cleanName = redaction.name(name)
    if (clean === item && cleanName === name) continue
    copy ??= { ...value }
    if (cleanName !== name) delete copy[name]
    copy[cleanName] = clean
  }
  return copy ?? value
}
