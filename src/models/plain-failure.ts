import { jsonOrNull } from '../core/json-or-null.ts'
import { failureWords } from './failure-body.ts'

const longestDetail = 220

/** What a service said, cut short, without its name and without a final full stop. */
export function plainFailure(service: string, detail: string): string {
  if (/ECONNREFUSED/.test(detail)) return 'the connection was refused, so no server listens at its address'
  if (/ENOTFOUND|EAI_AGAIN/.test(detail)) return 'the host name of its address could not be resolved'
  const said = plainWords(detail.startsWith(`${service}: `) ? detail.slice(service.length + 2) : detail)
  const words = said.length > longestDetail ? `${said.slice(0, longestDetail)}…` : said
  return words.replace(/[.:;]$/, '')
}

/** The message of a JSON body in place of the body. */
function plainWords(detail: string): string {
  const [, before = '', body = '', after = ''] = /^([^{]*)(\{.*\})(.*)$/s.exec(detail) ?? []
  const [message = ''] = jsonOrNull(body) === null ? [] : failureWords(body).split(' ; ')
  return message === '' ? detail : `${before}${message}${after}`
}
