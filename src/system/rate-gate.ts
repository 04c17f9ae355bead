import { ProviderError } from '../core/errors.ts'
import type { Clock, Random } from '../core/runtime.ts'

/**
 * Keeps all attempts of a run within the rate limits of services. After a refusal (429), no request is sent before the time
 * that the service names. Then fewer requests are sent at a time, and more again as the service answers. A gate may also keep
 * every service below a number of requests at a time, and keep requests apart by an interval.
 */
export interface RateGate {
  /** Sends one request as soon as the limits allow it. Rejects as the request does, or with the signal's reason. */
  sendWhenAllowed<T>(service: string, signal: AbortSignal, request: GatedRequest<T>): Promise<T>
  /** Returns how many requests may run at a time; without `mostPerService`, Infinity when the service refused none lately. */
  limitOf(service: string): number
  /** Sends no request to the service for so long, because it refused a request of another process. */
  pauseService(service: string, by: ProviderError, waitMs: number): void
}

/** A request and the callbacks of its caller. */
interface GatedRequest<T> {
  send(): Promise<T>
  /**
   * Returns the refusal that an answer stands for; null when it is none. For services whose refusals are not
   * ProviderErrors.
   */
  refusalOf?(answer: T): ProviderError | null
  /** Whether the request may follow the one before at once, as the parts of one page do. Absent: no. */
  readonly ignoresInterval?: boolean
  /** Called when the request must wait, with the refusal that caused the wait. */
  held?(by: ProviderError): void
  /** Called when a request that had to wait is sent. */
  released?(waitedMs: number): void
}

/** What a RateGate is made with. */
export interface RateGateOptions {
  readonly clock: Clock
  readonly random: Random
  /** The most requests that the run can have at a time. A limit that grows to this number is removed. */
  readonly most: number
  /** The most requests to a service at a time, also before it refuses any. Absent: no limit. */
  readonly mostPerService?: number
  /** The shortest time between the starts of two requests to a service, in milliseconds. Absent: 0. */
  readonly intervalMs?: number
  /**
   * Reserves the start of a request among several processes that keep the interval together, and returns the milliseconds
   * to wait for it. Absent: this gate keeps the interval alone.
   */
  reserveStart?(service: string, intervalMs: number): Promise<number>
  /** The longest wait that a service can ask for. */
  readonly longestWaitMs: number
  /** The factor by which the wait grows with each consecutive refusal that names no time. Absent: 2. */
  readonly waitGrowth?: number
  /** Called for each refusal with the wait that follows it, to inform other processes that use the service. */
  refused?(service: string, by: ProviderError, waitMs: number): void
}

/** The wait after a first refusal that names no time. It grows with each consecutive refusal. */
const firstWaitMs = 500
const longestOwnWaitMs = 60_000
/** After a wait, the waiting requests are spread over this share of the wait. */
const spreadShare = 0.25

interface Service {
  limit: number
  /** Requests that have a place: sent, or waiting for a pause to end. */
  underWay: number
  /** Consecutive refusals. Those of one burst count once. */
  refusals: number
  refusal: ProviderError | null
  pausedUntil: number
  spreadMs: number
  cutAt: number
  /** When the next request may be sent because of the interval. */
  nextAt: number
  /** Requests without a place, in the order of their calls. Each function takes a place that became free. */
  readonly waiting: (() => void)[]
}

/** Makes the rate gate of a run. */
export function createRateGate(options: RateGateOptions): RateGate {
  const { clock } = options
  const services = new Map<string, Service>()
  const findService = (name: string): Service => {
    const service = services.get(name) ?? newService(options)
    services.set(name, service)
    return service
  }
  return {
    async sendWhenAllowed(name, signal, request) {
      const service = findService(name)
      signal.throwIfAborted()
      if (!takePlace(service, clock)) await waitFor(service, signal, request, options)
      if (request.ignoresInterval !== true) await waitForInterval(name, service, signal, options)
      const sentAt = clock.now()
      const refuse = (by: ProviderError): void => {
        const waitMs = recordRefusal(service, by, sentAt, options)
        options.refused?.(name, by, waitMs)
      }
      try {
        const answer = await request.send()
        const refusal = request.refusalOf?.(answer) ?? null
        if (refusal === null) recordAnswer(service, options)
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
    pauseService: (name, by, waitMs) => holdOff(findService(name), by, waitMs, options),
  }
}

function newService({ mostPerService = Number.POSITIVE_INFINITY }: RateGateOptions): Service {
  return {
    limit: mostPerService,
    underWay: 0,
    refusals: 0,
    refusal: null,
    pausedUntil: 0,
    spreadMs: 0,
    cutAt: 0,
    nextAt: 0,
    waiting: [],
  }
}

/** Whether a service asks to wait: it limits the rate, or is overloaded and names a time. */
function isRefusal(error: unknown): error is ProviderError {
  if (!(error instanceof ProviderError)) return false
  return error.reason === 'rate-limited' || (error.reason === 'unavailable' && error.retryAfterMs !== null)
}

/** Lowers the limit of a service after a refusal, and returns the wait that follows in milliseconds. */
function recordRefusal(
  service: Service,
  by: ProviderError,
  sentAt: number,
  options: RateGateOptions,
): number {
  const now = options.clock.now()
  // A refusal of a request that was sent before the last cut says nothing about the present limit.
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

function recordAnswer(
  service: Service,
  { most, mostPerService = Number.POSITIVE_INFINITY }: RateGateOptions,
): void {
  service.refusals = 0
  if (service.limit >= mostPerService) return
  service.limit += 1 / service.limit
  if (service.limit >= Math.min(most, mostPerService)) service.limit = mostPerService
}

/** Takes a place when one is free and no other request waits. */
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
  if (!isFree) await waitForPlace(service, signal)
  try {
    await pause(service, signal, options)
  } catch (error) {
    leave(service)
    throw error
  }
  request.released?.(clock.now() - since)
}

/** Waits until a pause is over, and a random time longer, so that requests are not all sent at once. */
async function pause(service: Service, signal: AbortSignal, options: RateGateOptions): Promise<void> {
  const { clock, random } = options
  while (clock.now() < service.pausedUntil + service.spreadMs) {
    const { pausedUntil, spreadMs } = service
    const waitMs = pausedUntil + random() * spreadMs - clock.now()
    if (waitMs > 0) await clock.sleep(waitMs, signal)
    // Another refusal may have extended the pause.
    if (service.pausedUntil === pausedUntil) return
  }
}

/** Waits until the interval after the last request is over, with the place that the request has. */
async function waitForInterval(
  name: string,
  service: Service,
  signal: AbortSignal,
  options: RateGateOptions,
): Promise<void> {
  const { clock, intervalMs = 0 } = options
  try {
    if (intervalMs > 0 && options.reserveStart !== undefined) {
      for (;;) {
        const waitMs = await options.reserveStart(name, intervalMs)
        if (waitMs > 0) await clock.sleep(waitMs, signal)
        signal.throwIfAborted()
        if (clock.now() >= service.pausedUntil) return
        await pause(service, signal, options)
      }
    }
    while (clock.now() < service.nextAt) {
      await clock.sleep(service.nextAt - clock.now(), signal)
      // The service may have refused another request in the meantime.
      await pause(service, signal, options)
    }
  } catch (error) {
    leave(service)
    throw error
  }
  service.nextAt = clock.now() + intervalMs
}

async function waitForPlace(service: Service, signal: AbortSignal): Promise<void> {
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

/** Returns a place, and hands free places to waiting requests. */
function leave(service: Service): void {
  service.underWay -= 1
  while (service.waiting.length > 0 && service.underWay < Math.floor(service.limit)) {
    service.underWay += 1
    service.waiting.shift()?.()
  }
}
