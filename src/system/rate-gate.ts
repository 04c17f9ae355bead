import { ProviderError } from '../core/errors.ts'
import type { Clock, Random } from '../core/runtime.ts'

/**
 * Keeps a run within what a service bears, over all its attempts: after a 429 nobody asks before the time it named, then
 * fewer ask at once, and more again as it answers.
 */
export interface RateGate {
  /** Makes one request when the service takes it; rejects as the request does, or with the signal's reason. */
  sendWhenAllowed<T>(service: string, signal: AbortSignal, request: GatedRequest<T>): Promise<T>
  /** Requests that may be under way at a time; Infinity where the service has not refused any lately. */
  limitOf(service: string): number
  /** Another process was refused: nobody asks for that long here either. */
  pauseService(service: string, by: ProviderError, waitMs: number): void
}

export interface GatedRequest<T> {
  send(): Promise<T>
  /** The refusal that an answer is, where refusals do not come as ProviderErrors. Absent: an answer is none. */
  refusalOf?(answer: T): ProviderError | null
  /** Told when the request has to wait, and what made it. */
  held?(by: ProviderError): void
  /** Told when it goes out after it had to wait. */
  released?(waitedMs: number): void
}

export interface RateGateOptions {
  readonly clock: Clock
  readonly random: Random
  /** As many requests as the run can have under way; a limit that grows beyond it is lifted. */
  readonly most: number
  /** The longest that a service's own wait is heeded. */
  readonly longestWaitMs: number
  /** By what the wait grows with each refusal in a row that names no time; absent: 2. */
  readonly waitGrowth?: number
  /** Told of each refusal and of the wait that it brings, for other processes that ask the same service. */
  refused?(service: string, by: ProviderError, waitMs: number): void
}

/** The wait after the first refusal without a time of its own, longer with each in a row. */
const firstWaitMs = 500
const longestOwnWaitMs = 60_000
/** Those who waited come back spread over this share of the wait. */
const spreadShare = 0.25

interface Service {
  limit: number
  /** Requests that hold a place: sent, or waiting for a pause to end. */
  underWay: number
  /** Refusals in a row, those of one burst counted once. */
  refusals: number
  refusal: ProviderError | null
  pausedUntil: number
  spreadMs: number
  cutAt: number
  /** Each takes over a place that became free; who came first is first. */
  readonly waiting: (() => void)[]
}

export function createRateGate(options: RateGateOptions): RateGate {
  const { clock } = options
  const services = new Map<string, Service>()
  const serviceOf = (name: string): Service => {
    const known = services.get(name) ?? newService()
    services.set(name, known)
    return known
  }
  return {
    async sendWhenAllowed(name, signal, request) {
      const service = serviceOf(name)
      signal.throwIfAborted()
      if (!takePlace(service, clock)) await waitFor(service, signal, request, options)
      const sentAt = clock.now()
      const refuse = (by: ProviderError): void => {
        const waitMs = refused(service, by, sentAt, options)
        options.refused?.(name, by, waitMs)
      }
      try {
        const answer = await request.send()
        const refusal = request.refusalOf?.(answer) ?? null
        if (refusal === null) answered(service, options)
        else refuse(refusal)
        return answer
      } catch (error) {
        if (isRefusal(error)) refuse(error)
        throw error
      } finally {
        leave(service)
      }
    },
    limitOf: name => services.get(name)?.limit ?? Number.POSITIVE_INFINITY,
    pauseService: (name, by, waitMs) => holdOff(serviceOf(name), by, waitMs, options),
  }
}

function newService(): Service {
  return {
    limit: Number.POSITIVE_INFINITY,
    underWay: 0,
    refusals: 0,
    refusal: null,
    pausedUntil: 0,
    spreadMs: 0,
    cutAt: 0,
    waiting: [],
  }
}

/** A service that asks to wait, or that is overloaded and says for how long. */
function isRefusal(error: unknown): error is ProviderError {
  if (!(error instanceof ProviderError)) return false
  return error.reason === 'rate-limited' || (error.reason === 'unavailable' && error.retryAfterMs !== null)
}

/** Gives the wait that the refusal brings, in milliseconds. */
function refused(service: Service, by: ProviderError, sentAt: number, options: RateGateOptions): number {
  const now = options.clock.now()
  // What was sent before the limit was last cut says nothing about the limit as it is.
  if (service.refusals === 0 || sentAt > service.cutAt) {
    service.refusals += 1
    service.limit = Math.max(1, Math.floor(Math.min(service.limit, service.underWay) / 2))
    service.cutAt = now
  }
  const growth = options.waitGrowth ?? 2
  const ownMs = Math.min(longestOwnWaitMs, firstWaitMs * growth ** (service.refusals - 1))
  const waitMs = Math.min(by.retryAfterMs ?? ownMs, options.longestWaitMs)
  holdOff(service, by, waitMs, options)
  return waitMs
}

function holdOff(service: Service, by: ProviderError, waitMs: number, { clock }: RateGateOptions): void {
  const until = clock.now() + waitMs
  if (until > service.pausedUntil) {
    service.pausedUntil = until
    service.spreadMs = waitMs * spreadShare
  }
  service.refusal = by
}

function answered(service: Service, { most }: RateGateOptions): void {
  service.refusals = 0
  if (service.limit === Number.POSITIVE_INFINITY) return
  service.limit += 1 / service.limit
  if (service.limit >= most) service.limit = Number.POSITIVE_INFINITY
}

/** Takes a place where there is one and nobody has to wait. */
function takePlace(service: Service, clock: Clock): boolean {
  const isFree = service.waiting.length === 0 && service.underWay < Math.floor(service.limit)
  if (!isFree || clock.now() < service.pausedUntil + service.spreadMs) return false
  service.underWay += 1
  return true
}

async function waitFor<T>(
  service: Service,
  signal: AbortSignal,
  request: GatedRequest<T>,
  options: RateGateOptions,
): Promise<void> {
  const { clock } = options
  const isFree = service.waiting.length === 0 && service.underWay < Math.floor(service.limit)
  if (isFree) service.underWay += 1
  const since = clock.now()
  if (service.refusal !== null) request.held?.(service.refusal)
  if (!isFree) await placeIn(service, signal)
  try {
    await pause(service, signal, options)
  } catch (error) {
    leave(service)
    throw error
  }
  request.released?.(clock.now() - since)
}

/** Waits out a pause, each request somewhere in the time after it, so that they do not all come at once. */
async function pause(service: Service, signal: AbortSignal, options: RateGateOptions): Promise<void> {
  const { clock, random } = options
  while (clock.now() < service.pausedUntil + service.spreadMs) {
    const { pausedUntil, spreadMs } = service
    const waitMs = pausedUntil + random() * spreadMs - clock.now()
    if (waitMs > 0) await clock.sleep(waitMs, signal)
    // Another refusal may have come meanwhile.
    if (service.pausedUntil === pausedUntil) return
  }
}

async function placeIn(service: Service, signal: AbortSignal): Promise<void> {
  await new Promise<void>((resolve, reject) => {
    const giveUp = (): void => {
      service.waiting.splice(service.waiting.indexOf(go), 1)
      reject(signal.reason as Error)
    }
    const go = (): void => {
      signal.removeEventListener('abort', giveUp)
      resolve()
    }
    signal.addEventListener('abort', giveUp, { once: true })
    service.waiting.push(go)
  })
}

/** Gives a place back, and the free ones to those who wait. */
function leave(service: Service): void {
  service.underWay -= 1
  while (service.waiting.length > 0 && service.underWay < Math.floor(service.limit)) {
    service.underWay += 1
    service.waiting.shift()?.()
  }
}
