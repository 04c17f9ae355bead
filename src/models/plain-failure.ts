import { jsonOrNull } from '../text/json.ts'
import { failureWords } from './failure-body.ts'

const maxDetailChars = 220

/** Returns a service's description of a failure, shortened, without the service's name and without a final full stop. */
export function plainFailure(service: string, detail: string): string {
  if (/ECONNREFUSED/.test(detail)) return 'the connection was refused, so no server listens at its address'
  if (/ENOTFOUND|EAI_AGAIN/.test(detail)) return 'the host name of its address could not be resolved'
  const words = plainWords(detail.startsWith(`${service}: `) ? detail.slice(service.length + 2) : detail)
  const short = words.length > maxDetailChars ? `${words.slice(0, maxDetailChars)}…` : words
  return short.replace(/[.:;]$/, '')
}

/** Replaces a JSON body by its message. */
function plainWords(detail: string): string {
  const [, before = '', body = '', after = ''] = /^([^{]*)(\{.*\})(.*)$/s.exec(detail) ?? []
  const [message = ''] = jsonOrNull(body) === null ? [] : failureWords(body).split(' ; ')
  return message === '' ? detail : `${before}${message}${after}`
}
