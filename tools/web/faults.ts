import { ToolError } from '../../src/core/errors.ts'
import { type Clock, systemClock } from '../../src/core/runtime.ts'
import { createCounter, makeCanonicalRequest } from './canonical-request.ts'
import { describeNetworkFailure } from './failure-words.ts'
import type { Fault, FaultProfile } from './fault-profile.ts'
import { type Transport, transportFor, type WebRequest, type WebResponse } from './transport.ts'
import { changeFigures, hashNumber } from './twin.ts'

/**
 * A header of every response that a fault created or changed, so that its cause is visible in recordings and
 * replays.
 */
const faultHeader = 'x-injected-fault'

/** How faults are injected. */
interface FaultOptions {
  readonly profile: FaultProfile
  readonly seed: number
  readonly clock?: Clock
}

/**
 * Makes a transport fail as a profile specifies. Whether a request fails depends on the seed, the request and how
 * often the attempt made it before, never on time or on other attempts.
 */
export function createFaultyTransport(inner: Transport, options: FaultOptions): Transport {
  const { clock = systemClock } = options
  const repeats = createCounter()
  return {
    name: `${inner.name}, ${options.profile.name}`,
    forAttempt: id => createFaultyTransport(transportFor(inner, id), options),
    async send(request, signal) {
      signal.throwIfAborted()
      const { key } = makeCanonicalRequest(request)
      const repeat = repeats(key)
      for (const [index, fault] of options.profile.faults.entries()) {
        if (!affectsRequest(fault, request, `${options.seed}:${index}:${key}`, repeat)) continue
        const response = await applyFault(fault, { request, inner, clock, signal })
        if (response !== null) return response
      }
      return await inner.send(request, signal)
    },
  }
}

function affectsRequest(fault: Fault, request: WebRequest, seedText: string, repeat: number): boolean {
  const kind = request.purpose === 'service' ? 'search' : 'page'
  if (fault.on !== 'any' && fault.on !== kind) return false
  if (fault.times !== null && repeat >= fault.times) return false
  return hashNumber(seedText) / 2 ** 32 < fault.share
}

interface FaultContext {
  readonly request: WebRequest
  readonly inner: Transport
  readonly clock: Clock
  readonly signal: AbortSignal
}

/**
 * Returns the response that a fault creates. Returns null when the fault only takes time or does not apply to the
 * response.
 */
async function applyFault(
  fault: Fault,
  { request, inner, clock, signal }: FaultContext,
): Promise<WebResponse | null> {
  switch (fault.kind) {
    case 'status':
      return makeStatusResponse(fault, request)
    case 'captcha':
      return makeFakeResponse(request, 200, 'captcha', captchaPage)
    case 'reset':
      throw describeNetworkFailure(request.url, 'ECONNRESET', { infrastructure: true })
    case 'hang':
      return await throwTimeout(request, request.timeoutMs, clock, signal)
    case 'slow':
      if (fault.delayMs >= request.timeoutMs)
        return await throwTimeout(request, request.timeoutMs, clock, signal)
      await clock.sleep(fault.delayMs, signal)
      return null
    case 'truncate':
      return truncatePdf(await inner.send(request, signal), fault.keep)
    case 'change':
      return changeText(await inner.send(request, signal))
    default:
      return fault satisfies never
  }
}

async function throwTimeout(
  request: WebRequest,
  ms: number,
  clock: Clock,
  signal: AbortSignal,
): Promise<never> {
  await clock.sleep(ms, signal)
  throw new ToolError('timeout', `${request.url} did not answer within ${ms} ms`, { infrastructure: true })
}

function makeStatusResponse(fault: Extract<Fault, { kind: 'status' }>, request: WebRequest): WebResponse {
  const answer = makeFakeResponse(request, fault.status, `status ${fault.status}`, `<h1>${fault.status}</h1>`)
  if (fault.retryAfterSeconds === undefined) return answer
  return { ...answer, headers: { ...answer.headers, 'retry-after': String(fault.retryAfterSeconds) } }
}

function makeFakeResponse(request: WebRequest, status: number, fault: string, html: string): WebResponse {
  return {
    status,
    headers: { 'content-type': 'text/html; charset=utf-8', [faultHeader]: fault },
    body: Buffer.from(html),
    finalUrl: request.url,
  }
}

const captchaPage = `<!doctype html><html><head><title>Just a moment...</title></head><body>
<h1>Checking that you are not a robot</h1>
<p>Please complete the security check below to go on. Enable JavaScript and cookies to continue.</p>
<form><label>Type the characters you see <input name="captcha"></label></form></body></html>`

function truncatePdf(response: WebResponse, keep: number): WebResponse {
  const head = Buffer.from(response.body.subarray(0, 1024)).toString('latin1')
  if (!head.includes('%PDF-')) return response
  const body = response.body.subarray(0, Math.floor(response.body.byteLength * keep))
  const { 'content-length': _length, ...headers } = response.headers
  return { ...response, headers: { ...headers, [faultHeader]: 'truncate' }, body }
}

function changeText(response: WebResponse): WebResponse {
  const type = response.headers['content-type'] ?? ''
  if (response.status !== 200 || !/^text\//.test(type)) return response
  const text = Buffer.from(response.body).toString('utf8')
  const changed = text
    .split(/(<[^>]*>)/)
    .map(piece => (piece.startsWith('<') ? piece : changeFigures(piece, -1, 1)))
    .join('')
  if (changed === text) return response
  const { 'content-length': _length, ...headers } = response.headers
  return { ...response, headers: { ...headers, [faultHeader]: 'change' }, body: Buffer.from(changed) }
}

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
