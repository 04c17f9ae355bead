import { isObject } from '../core/is-object.ts'
import { jsonOrNull } from '../core/json-or-null.ts'

/** Members in which services say what failed, and those that hold such members. All else may repeat what was asked or answered. */
const said = new Set([
  'message',
  'msg',
  'error',
  'error_msg',
  'status_msg',
  'detail',
  'title',
  'code',
  'error_code',
  'status',
  'type',
  'error_type',
  'reason',
  'quotaId',
  'raw',
])
const holders = new Set([
  'error',
  'errors',
  'detail',
  'details',
  'innererror',
  'metadata',
  'violations',
  'base_resp',
])
const delays = new Set(['retryDelay', 'retry_after', 'retry_after_seconds'])

/**
 * What a failure's body says of the failure itself, without what it repeats of the request or of the model's answer (a
 * document's words on credit and quotas are no failure). A body that is no JSON is taken as it is.
 */
export function failureWords(body: string): string {
  const json = jsonOrNull(body)
  if (typeof json !== 'object' || json === null) return body
  return wordsIn(json).join(' ; ')
}

/** The same of a value read from JSON, such as an error object inside an answer. */
export function failureWordsOf(value: unknown): string {
  return typeof value === 'string' ? failureWords(value) : wordsIn(value).join(' ; ')
}

function wordsIn(value: unknown, depth = 0): string[] {
  if (depth > 8 || typeof value !== 'object' || value === null) return []
  if (Array.isArray(value)) return value.flatMap(one => wordsIn(one, depth + 1))
  return Object.entries(value).flatMap(([name, inner]) => {
    if (delays.has(name) && (typeof inner === 'string' || typeof inner === 'number'))
      return [`retry after ${inner}${typeof inner === 'number' ? ' s' : ''}`]
    if (typeof inner === 'object') return holders.has(name) ? wordsIn(inner, depth + 1) : []
    if (!said.has(name)) return []
    // A gateway hands on its upstream's body as text.
    const handedOn = typeof inner === 'string' ? jsonOrNull(inner) : null
    return typeof handedOn === 'object' && handedOn !== null ? wordsIn(handedOn, depth + 1) : [String(inner)]
  })
}

/** Whether an `error` member names a failure: some servers put an empty one beside every good answer. */
export function isFailure(error: unknown): boolean {
  if (!isObject(error)) return error !== null && error !== undefined && error !== '' && error !== false
  return Object.values(error).some(value => value !== null && value !== '' && value !== 0)
}

const unreadableCall =
  /tool_use_failed|error parsing tool call: raw=|failed to parse (?:tool call arguments as json|input at pos \d)/i

/**
 * What a server says that refuses, as an error of its own, a tool call that its model wrote badly (Groq, llama.cpp,
 * Ollama), with the call where it is told; null where the failure is another.
 */
export function refusedCall(error: unknown): string | null {
  const inner = isObject(error) && isObject(error.error) ? error.error : error
  const words = typeof inner === 'string' ? inner : failureWordsOf(inner)
  if (!unreadableCall.test(words)) return null
  const written = isObject(inner) ? inner.failed_generation : null
  return typeof written === 'string' ? `${words} ${written}` : words
}
