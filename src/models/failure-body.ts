import { isObject, parseJsonOrNull } from '../text/json.ts'
import { clipText } from '../text/plain-text.ts'

/** Members in which services describe a failure. All other members may repeat the request or the answer. */
const descriptions = new Set([
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
/** Members that contain such members. */
const containers = new Set([
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
 * Returns the words of a failure's body that describe the failure. Parts of the request or the model's answer are left
 * out, because a document may also mention credit or quotas. A body that is not JSON is returned unchanged.
 */
export function failureWords(body: string): string {
  const json = parseJsonOrNull(body)
  if (typeof json !== 'object' || json === null) return body
  return listWords(json).join(' ; ')
}

/** Does the same as `failureWords` for a parsed value, such as an error object inside an answer. */
export function readFailureWords(value: unknown): string {
  return typeof value === 'string' ? failureWords(value) : listWords(value).join(' ; ')
}

function listWords(value: unknown, depth = 0): string[] {
  if (depth > 8 || typeof value !== 'object' || value === null) return []
  if (Array.isArray(value)) return value.flatMap(element => listWords(element, depth + 1))
  return Object.entries(value).flatMap(([name, inner]) => {
    if (delays.has(name) && (typeof inner === 'string' || typeof inner === 'number'))
      return [`retry after ${inner}${typeof inner === 'number' ? ' s' : ''}`]
    if (typeof inner === 'object') return containers.has(name) ? listWords(inner, depth + 1) : []
    if (!descriptions.has(name)) return []
    // A gateway may pass on the body of another service as text.
    const passedOn = typeof inner === 'string' ? parseJsonOrNull(inner) : null
    return typeof passedOn === 'object' && passedOn !== null
      ? listWords(passedOn, depth + 1)
      : [String(inner)]
  })
}

/** Whether the value of an `error` member describes a failure. Some servers add an empty one to every good answer. */
export function isErrorValue(error: unknown): boolean {
  if (Array.isArray(error)) return error.length > 0
  if (!isObject(error)) return error !== null && error !== undefined && error !== '' && error !== false
  return Object.values(error).some(value => value !== null && value !== '' && value !== 0)
}

const unreadableCall =
  /tool_use_failed|error parsing tool call: raw=|failed to parse (?:tool call arguments as json|input at pos \d)/i

/**
 * Returns the words of a server that reports an invalid tool call of its own model as an error. The call is
 * included if the server repeats it. Groq, llama.cpp and Ollama do so. Returns null for any other failure.
 */
export function rejectedCallWords(error: unknown): string | null {
  const inner = isObject(error) && isObject(error.error) ? error.error : error
  const words = typeof inner === 'string' ? inner : readFailureWords(inner)
  if (!unreadableCall.test(words)) return null
  const written = isObject(inner) ? inner.failed_generation : null
  return typeof written === 'string' ? `${words} ${written}` : words
}

const maxDetailChars = 220

/** Returns a service's description of a failure, shortened, without the service's name and without a final full stop. */
export function plainFailure(service: string, detail: string): string {
  if (/ECONNREFUSED/.test(detail)) return 'the connection was refused, so no server listens at its address'
  if (/ENOTFOUND|EAI_AGAIN/.test(detail)) return 'the host name of its address could not be resolved'
  const words = plainWords(detail.startsWith(`${service}: `) ? detail.slice(service.length + 2) : detail)
  return clipText(words, maxDetailChars).replace(/[.:;]$/, '')
}

/** Replaces a JSON body by its message. */
function plainWords(detail: string): string {
  const [, before = '', body = '', after = ''] = /^([^{]*)(\{.*\})(.*)$/s.exec(detail) ?? []
  const [message = ''] = parseJsonOrNull(body) === null ? [] : failureWords(body).split(' ; ')
  return message === '' ? detail : `${before}${message}${after}`
}
