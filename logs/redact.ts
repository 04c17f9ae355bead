import {
  redacted,
  registeredSpellings,
  removeSpellings,
  secretSpellings,
  sortSpellings,
} from '../src/system/secret-values.ts'

/** Names of fields, headers and query parameters whose value is always treated as a secret. */
const secretName =
  /^(?:(?:proxy-)?authorization|(?:set-)?cookie|(?:x-)?api[-_]?key|x-(?:goog-)?api-key|x-subscription-token|(?:access|refresh|id|auth|session)[-_]token|client[-_]secret|secret|password|passwd)$/i

/**
 * Quick tests that decide whether a rule below can match. They are separate because a combined, case-insensitive
 * pattern takes twice as long.
 */
const suspiciousWord = /auth|cookie|key|token|secret|passw|bearer|sig|x-amz-|:\/\/[^/\s]*@/i
const suspiciousKey =
  /[spr]k-[\w-]{16}|AIza[\w-]{30}|gh[pousr]_|xox[abp]-|tvly-|AKIA[0-9A-Z]{16}|(?:hf|npm)_[A-Za-z0-9]{30}|github_pat_|glpat-|eyJ[\w-]{10,}\.eyJ|PRIVATE KEY-/

/**
 * The same quick test for JSON text, with fewer false positives: field names and token counts are not secrets. It
 * matches whatever a rule would remove and every field named like a secret. It does not rely on word boundaries,
 * which JSON escapes can hide (`\\nsk-…`).
 */
const suspiciousJson =
  /authorization|cookie|bearer[\s\\]|api[-_]?key|client[-_]secret|passw|"secret"|[-_]token|[spr]k-[\w-]{16}|AIza[\w-]{30}|gh[pousr]_|xox[abp]-|tvly-|AKIA[0-9A-Z]{16}|(?:hf|npm)_[A-Za-z0-9]{30}|github_pat_|glpat-|eyJ[\w-]{10,}\.eyJ|PRIVATE KEY-/i
/** Used only for text with `?`, `&`, `;` or `@`. Testing every line would take half of the total time. */
const suspiciousQuery = /[?&;](?:key|(?:access|auth|refresh|session)?token|sig(?:nature)?|x-amz-[a-z-]+)=/i
const suspiciousUser = /:\/\/[^/\s"]*@/

/**
 * Every rule requires the shape of a secret, not only its name. Ordinary text must stay unchanged, such as
 * "Authorization: the Board…" in a contract or "Basic earnings" in a report.
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
    /([?&;](?:key|api[-_]?key|(?:access|auth|refresh|session)[-_]?token|token|client[-_]secret|password|passwd|sig|signature|x-amz-(?:signature|credential|security-token))=)(?!\[redacted\]|\$\{\w+\})[^&#\s"'<>)\]]+/gi,
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
  [
    /\b(?:AKIA[0-9A-Z]{16}\b|(?:hf|npm)_(?=[A-Za-z]*\d|[a-z]*[A-Z])[A-Za-z0-9]{30,}\b|github_pat_\w{30,}|glpat-[\w-]{20,}|eyJ[\w-]{10,}\.eyJ[\w-]{10,}\.[\w-]{10,})/g,
    redacted,
  ],
  [
    /-----BEGIN (?:[A-Z]+ )*PRIVATE KEY-----(?:[\s\S]{0,20000}?-----END (?:[A-Z]+ )*PRIVATE KEY-----)?/g,
    redacted,
  ],
]

/** Removes secrets from text and data before they are stored. */
interface Redactor {
  /** Returns the text without secrets; the same string when it contains none. */
  text(text: string): string
  /**
   * Returns a copy of plain data without secrets, including fields named like a secret. Returns the same object
   * when nothing changed.
   */
  value<T>(value: T): T
  /** Redacts JSON text in the same way as `value`. Fast when nothing in it looks like a secret. */
  json(text: string): string
}

/**
 * Creates a redactor. It removes the given texts and every registered secret (src/system/secret-values.ts) in all of their
 * spellings. It also removes everything that looks like a key, an authorization header, a cookie or a secret query
 * parameter. Texts with fewer than 4 characters are ignored, because they would also remove ordinary words.
 */
export function createRedactor(texts: readonly string[]): Redactor {
  const ownSpellings = texts.flatMap(secretSpellings)
  const literals = currentSpellings(ownSpellings)
  const redactText = (text: string): string => {
    let clean = removeSpellings(text, literals())
    if (!suspiciousWord.test(clean) && !suspiciousKey.test(clean)) return clean
    for (const [pattern, replacement] of secretRules) clean = clean.replace(pattern, replacement)
    return clean
  }
  const redaction = { text: redactText, name: rememberPlainNames(redactText) }
  return {
    text: redactText,
    value: value => redactValue(value, redaction) as typeof value,
    json(text) {
      const isPlain = !isSuspicious(text) && !literals().some(literal => text.includes(literal))
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

/** Returns the redactor for a list of secrets. All attempts that write with the same list share it. */
export function redactorFor(secrets: readonly string[]): Redactor {
  const redactor = redactors.get(secrets) ?? createRedactor(secrets)
  redactors.set(secrets, redactor)
  return redactor
}

/** Returns a function for the given spellings together with those of the secrets that are registered when it is called. */
function currentSpellings(ownSpellings: readonly string[]): () => readonly string[] {
  let registered: readonly string[] | null = null
  let all: readonly string[] = []
  return () => {
    if (registered !== registeredSpellings()) {
      registered = registeredSpellings()
      all = sortSpellings([...registered, ...ownSpellings])
    }
    return all
  }
}

/**
 * Maximum number of field names remembered as free of secrets. Event fields are few and repeat; names beyond this
 * number come from a model.
 */
const maxPlainNames = 500

function rememberPlainNames(redactText: (text: string) => string): (name: string) => string {
  const plain = new Set<string>()
  return name => {
    if (plain.has(name)) return name
    const clean = redactText(name)
    if (clean === name && plain.size < maxPlainNames) plain.add(name)
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
