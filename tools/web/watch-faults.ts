import { faultHeader } from './faults.ts'
import { type Transport, transportFor } from './transport.ts'

/** A fault without an error: the response looked normal, so the agent could not have noticed it. */
export interface SilentFault {
  readonly url: string
  /** The value of the fault header: `captcha`, `truncate`, `change`, `status 404`, … */
  readonly fault: string
}

/**
 * Reports responses that a fault created or changed and that tools accept as normal. The statuses 429 and 5xx are
 * excluded, because they are retried and counted as infrastructure failures. Works with recordings and replays too.
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
