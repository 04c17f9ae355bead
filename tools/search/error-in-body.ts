import { isCreditExhausted, isTemporaryLimit } from '../../src/system/service-failures.ts'
import { isObject } from '../../src/text/json.ts'

/** An error as a service reports it. */
export interface ReportedError {
  /** The HTTP status, or for an error in the body of a 200 the status that it names or means. */
  readonly status: number
  /** The text of the error. */
  readonly words: string
}

/** Fields that contain a status. */
const statusFields = ['statusCode', 'status_code', 'code', 'status', 'http_status']

/** Fields that contain an error. An answer without an error leaves them out, or they are empty. */
const errorFields = [
  ...['error', 'errors', 'error_message', 'errorMessage', 'error_description', 'fault', 'exception'],
  ...['message', 'msg', 'detail', 'details', 'readableMessage', 'reason', 'Message', 'Error'],
]

/** Words in such a field that report success, or a search without results. */
const success =
  /^\s*(?:ok(?:ay)?|success(?:ful(?:ly)?)?|done|completed?|none|null|false|0)[.!]?\s*$|\bsuccessfully\b/i
const withoutResults = /\b(?:no|0|zero|any) (?:\w+ )?(?:results?|matches|hits|documents)\b/i
const failure = /fail|error|timed?[ -]?out|limit|denied|unavailable|unable|quota|blocked|could not|cannot/i

/** What the words of an error mean, as an HTTP status. The first that matches counts. */
const meanings: readonly (readonly [(words: string) => boolean, number])[] = [
  [isCreditExhausted, 402],
  [
    words => /(?:un|not )authori[sz]ed|unauthenticated|forbidden|api[ _-]?key|access denied/i.test(words),
    401,
  ],
  [words => isTemporaryLimit(words) || /too many requests/i.test(words), 429],
  [
    words =>
      /\b(?:query|parameter|argument|field|request|input|validation|page)\b.{0,40}\b(?:too long|too short|invalid|required|missing|empty|not (?:valid|supported|allowed)|exceeds?)\b|\b(?:invalid|missing|unsupported|bad) (?:\w+ )?(?:query|parameters?|arguments?|request|input)\b/i.test(
        words,
      ),
    400,
  ],
]

/**
 * Returns the error in the body of an answer with status 200, otherwise null. Services report it as `{"message": …}`,
 * `{"error": {…}}`, `{"statusCode": 500}`, `{"success": false}` and the like. A message beside results is no error.
 */
export function readErrorInBody(answer: unknown): ReportedError | null {
  if (!isObject(answer) || hasResults(answer)) return null
  const said = errorFields.filter(name => isError(answer[name])).map(name => answer[name])
  const named = [answer, ...said].map(readStatus).find(status => status !== null)
  if (said.length === 0 && named === undefined && !saysFailed(answer)) return null
  const words = said.length === 0 ? JSON.stringify(answer) : said.map(asText).join('; ')
  const meant = meanings.find(([isMeant]) => isMeant(words))?.[1]
  return { status: named ?? meant ?? 500, words }
}

/** Whether a field of the answer, or of an object in it, is a list of results. */
function hasResults(answer: Readonly<Record<string, unknown>>): boolean {
  const fields = Object.entries(answer).filter(([name]) => !errorFields.includes(name))
  const values = fields.flatMap(([, value]) => (isObject(value) ? Object.values(value) : [value]))
  return values.some(value => Array.isArray(value) && value.some(isObject))
}

function isSuccess(words: string): boolean {
  if (words.trim() === '' || success.test(words)) return true
  return withoutResults.test(words) && !failure.test(words)
}

function isError(value: unknown): boolean {
  if (typeof value === 'string') return !isSuccess(value)
  if (Array.isArray(value)) return value.length > 0
  return value === true || (isObject(value) && Object.keys(value).length > 0)
}

function readStatus(value: unknown): number | null {
  if (!isObject(value)) return null
  const statuses = statusFields.map(name => Number(value[name]))
  return statuses.find(status => Number.isInteger(status) && status >= 400 && status <= 599) ?? null
}

function saysFailed(answer: Readonly<Record<string, unknown>>): boolean {
  const isFalse = answer.success === false || answer.ok === false
  return isFalse || [answer.status, answer.type].some(word => /^(?:error|fail)/i.test(String(word)))
}

function asText(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value)
}
