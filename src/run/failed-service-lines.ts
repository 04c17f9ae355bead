import { harmless } from '../core/harmless.ts'
import { modelProviders } from '../models/registry.ts'
import type { FailedService } from './service-watch.ts'

const longestDetail = 220

/** One line for each service that a run stopped using: what it said, what was not made, and what to do. */
export function failedServiceLines(failures: readonly FailedService[], folder: string): string[] {
  return failures.map(failure => {
    const { service, detail, failed, skipped } = failure
    const said = detail.startsWith(`${service}: `) ? detail.slice(service.length + 2) : detail
    const words = said.length > longestDetail ? `${said.slice(0, longestDetail)}…` : said
    const left = skipped === 0 ? '' : ` and ${skipped} were not made`
    return harmless(
      `${service} failed with the same error again and again: ${words.replace(/[.:;]$/, '')}. ${failed} attempts failed${left}. ${fixOf(failure)}, then run the same command with --out ${folder}: it makes all of them. [provider-failed]`,
    )
  })
}

function fixOf({ service, reason }: FailedService): string {
  if (reason === 'unavailable') return 'Check that the server runs and that its address is right'
  if (reason !== 'auth') return "Check the model's name and the server's address"
  const key = modelProviders[service.split(':')[0] ?? '']?.keyVariable ?? null
  return `Check the API key${key === null ? '' : ` (${key})`} and the account's credit`
}
