import { faultHeader } from './faults.ts'
import { type Transport, transportFor } from './transport.ts'

/** A fault that no error showed: what came looked like an answer, so that the agent could not have done better. */
export interface SilentFault {
  readonly url: string
  /** As the fault header has it: `captcha`, `truncate`, `change`, `status 404`, … */
  readonly fault: string
}

/**
 * Reports answers that a fault made or changed and that tools take for the web's own: all but 429 and 5xx, which are
 * retried and counted as failures of the infrastructure where they last. Works over recordings and replays too.
 */
export function watchFaults(inner: Transport, report: (fault: SilentFault) => void): Transport {
  return {
    name: inner.name,
    forAttempt: id => watchFaults(transportFor(inner, id), report),
    async send(request, signal) {
      const response = await inner.send(request, signal)
      const fault = response.headers[faultHeader]
      const retried = response.status === 429 || response.status >= 500
      if (fault !== undefined && !retried) report({ url: request.url, fault })
      return response
    },
  }
}
