import { harmless } from '../../core/harmless.ts'
import { jsonOrNull } from '../../core/json-or-null.ts'
import { failureWords } from '../../models/failure-body.ts'
import { modelProviders } from '../../models/registry.ts'
import type { FailedService } from './service-watch.ts'

const longestDetail = 220

/** One line for each service that failed: what it said, what was not made, and what to do. */
export function failedServiceLines(failures: readonly FailedService[], folder: string): string[] {
  return failures.map(failure => {
    const { service, server, detail, failed, skipped } = failure
    const where = server === null ? '' : ` at ${server}`
    const attempts = failed === 1 ? '1 attempt' : `${failed} attempts`
    const left = skipped === 0 ? '' : ` and ${skipped} ${skipped === 1 ? 'was' : 'were'} not made`
    return harmless(
      `${service}${where} failed: ${plainFailure(service, detail)}. ${attempts} failed${left}. ${fixOf(failure)}, then run the same command with --out ${folder}: it makes all of them. [provider-failed]`,
    )
  })
}

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

function fixOf({ service, reason }: FailedService): string {
  if (reason === 'unavailable') return 'Check that the server runs and that its address is right'
  if (reason !== 'auth')
    return "Check the server's address and the model's name (another name needs another --out)"
  const key = modelProviders[service.split(':')[0] ?? '']?.keyVariable ?? null
  return `Check the API key${key === null ? '' : ` (${key})`} and the account's credit`
}
