import type { Transport, WebRequest, WebResponse } from '../../tools/web/transport.ts'
import { ToolError } from '../core/errors.ts'
import type { Clock } from '../core/runtime.ts'

/**
 * A response of the web in a test. A text or bytes without a status have the status 200.
 *
 * @example
 * import type { WebAnswer } from 'tablehunt/testing'
 *
 * const missing: WebAnswer = { status: 404, body: 'not found' }
 */
export type WebAnswer =
  | string
  | Uint8Array
  | {
      readonly status?: number
      readonly headers?: Readonly<Record<string, string>>
      readonly body: string | Uint8Array
    }

/**
 * The web of a test: called for each request.
 *
 * @example
 * import type { AnswerRequest } from 'tablehunt/testing'
 *
 * const web: AnswerRequest = ({ url }) => (url.endsWith('/hotels') ? '<p>12 beds</p>' : { status: 404, body: '' })
 */
export type AnswerRequest = (request: WebRequest) => WebAnswer

/** Waits take no time. */
export const instantClock: Clock = { now: () => 0, sleep: async (_ms, signal) => signal?.throwIfAborted() }

const encoder = new TextEncoder()

export function buildResponse(answer: WebAnswer, url: string): WebResponse {
  const parts = typeof answer === 'string' || answer instanceof Uint8Array ? { body: answer } : answer
  const { status = 200, headers = {}, body } = parts
  return { status, headers, body: typeof body === 'string' ? encoder.encode(body) : body, finalUrl: url }
}

/** A transport without a network that counts the requests it gets. */
export function countingTransport(
  answer: AnswerRequest | undefined,
): Transport & { readonly sent: string[] } {
  const sent: string[] = []
  return {
    name: 'test',
    sent,
    async send(request) {
      sent.push(request.url)
      if (answer === undefined)
        throw new ToolError('network', `${request.url}: the sample of this test has no \`web\``)
      return buildResponse(answer(request), request.url)
    },
  }
}
