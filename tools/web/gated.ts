import { ProviderError } from '../../src/core/errors.ts'
import type { RateGate } from '../../src/system/rate-gate.ts'
import { retryAfter } from '../search/service-answer.ts'
import type { Transport, WebRequest, WebResponse } from './transport.ts'

/**
 * Sends every request through the rate gate of its purpose and host. After a request to wait, all attempts wait. Requests
 * of a purpose without a gate are sent at once.
 */
export function gateTransport(
  inner: Transport,
  gates: Readonly<Partial<Record<WebRequest['purpose'], RateGate>>>,
): Transport {
  return {
    name: inner.name,
    async send(request, signal) {
      const host = readRequestHost(request)
      const gate = gates[request.purpose]
      if (host === null || gate === undefined) return await inner.send(request, signal)
      return await gate.sendWhenAllowed(host, signal, {
        send: () => inner.send(request, signal),
        ignoresInterval: request.isPartOfPage === true,
        refusalOf: response => readRefusal(host, response),
      })
    },
  }
}

/** Returns null for an invalid address; the transport reports it. */
function readRequestHost({ url }: WebRequest): string | null {
  return URL.canParse(url) ? new URL(url).host : null
}

function readRefusal(host: string, { status, headers }: WebResponse): ProviderError | null {
  const retryAfterMs = retryAfter(headers)
  if (status === 429 || (status === 503 && retryAfterMs !== null))
    return new ProviderError('rate-limited', `${host}: HTTP ${status}`, { retryable: true, retryAfterMs })
  return null
}
