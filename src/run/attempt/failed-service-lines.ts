import { harmless } from '../../core/harmless.ts'
import { plainFailure } from '../../models/plain-failure.ts'
import { modelProviders } from '../../models/registry.ts'
import type { FailedService } from './service-watch.ts'

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

function fixOf({ service, reason }: FailedService): string {
  if (reason === 'unavailable') return 'Check that the server runs and that its address is right'
  if (reason !== 'auth')
    return "Check the server's address and the model's name (another name needs another --out)"
  const provider = service.split(':')[0] ?? ''
  const key = modelProviders.has(provider) ? modelProviders.get(provider).keyVariable : null
  return `Check the API key${key === null ? '' : ` (${key})`} and the account's credit`
}
